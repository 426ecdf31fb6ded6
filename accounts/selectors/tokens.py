"""A person's tokens as their page shows them: what for, and how long still. Reads ApiToken."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import ApiToken, Scope, User

SOON = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class ListedToken:
    """One token; `days_left` counts begun days, and is None without an end or once it is over."""

    token: ApiToken
    state: str
    days_left: int | None
    ends_soon: bool

    @property
    def scopes(self) -> list[str]:
        """Short words, in the order of the list of scopes."""
        return [scope.value for scope in Scope if scope in self.token.scopes]

    @property
    def has_every_scope(self) -> bool:
        """As tokens have that were made before there were scopes."""
        return len(self.scopes) == len(Scope)


def tokens_of(*, user: User, now: datetime) -> Sequence[ListedToken]:
    """The person's tokens, newest first."""
    return [_listed(token, now) for token in ApiToken.objects.filter(user=user)]


def _listed(token: ApiToken, now: datetime) -> ListedToken:
    left = None if token.expires_at is None else token.expires_at - now
    is_over = left is not None and left <= timedelta(0)
    state = "revoked" if token.revoked_at else "expired" if is_over else "live"
    days = None if left is None or state != "live" else -(-left // timedelta(days=1))
    return ListedToken(token, state, days, ends_soon=days is not None and left is not None and left <= SOON)
