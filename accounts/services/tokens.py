"""API tokens: made once, used, revoked. Reads and writes ApiToken."""

import hashlib
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet

from accounts.models import ApiToken, RoleGrant, Scope, User
from accounts.prepared import PreparedQuery, unhurried

MARK = "trust_"  # scanners of published code can look for it
PREFIX_LENGTH = len(MARK) + 6
USE_NOTED_EVERY = timedelta(minutes=1)  # one write a minute a token is enough to say when it was last used


def digest(secret: str) -> str:
    """What is stored of a token: SHA-256 in hex (a secret of 256 random bits needs no salt and no stretching)."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class TokenExpiredError(Exception):
    """This token was good until its end came."""

    def __init__(self, ended_at: datetime) -> None:
        """When that was."""
        super().__init__(f"This token expired at {ended_at:%Y-%m-%d %H:%M} UTC; make another one on API tokens.")


def make_token(
    *, user: User, name: str, scopes: Collection[str] = tuple(Scope), expires_at: datetime | None = None
) -> tuple[ApiToken, str]:
    """Make a token and return it with its secret, which is never seen again. expires_at: None for no end."""
    secret = MARK + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        prefix=secret[:PREFIX_LENGTH],
        digest=digest(secret),
        scopes=[scope.value for scope in Scope if scope in scopes],
        expires_at=expires_at,
    )
    return token, secret


def use_token(*, secret: str, now: datetime) -> ApiToken | None:
    """Return the live token with this secret and note its use, or None. Raises TokenExpiredError."""
    token = _live_tokens.first(digest=digest(secret))
    if token is not None:
        if token.expires_at is not None and token.expires_at <= now:
            raise TokenExpiredError(token.expires_at)
        token.user.roles = frozenset(token.held_roles)  # type: ignore[attr-defined]
        if token.last_used_at is None or now - token.last_used_at > USE_NOTED_EVERY:
            unhurried(ApiToken.objects.filter(pk=token.pk)).update(last_used_at=now)
            token.last_used_at = now
        _remember(token)
    return token


@dataclass(frozen=True, slots=True)
class Shown:
    """A token found live a moment ago: whose and what for never changes; whether it still lives is asked anew."""

    digest: str
    person: int
    scopes: frozenset[str]


def find_shown(*, secret: str, now: datetime) -> Shown | None:
    """Whose token this is, where `use_token` found it live and noted its use within a minute; asks nothing.

    Nothing may be done for its person unless selectors.live_tokens.LIVES holds in the very statement that does it.
    """
    shown = digest(secret)
    shown_before, until = _known.get(shown, (None, now))
    return shown_before if now < until else None


def _remember(token: ApiToken) -> None:
    assert token.last_used_at is not None
    if len(_known) >= MOST_REMEMBERED:
        _known.clear()  # a minute's worth of tokens: everybody is looked up once more
    until = token.last_used_at + USE_NOTED_EVERY
    remembered = Shown(token.digest, token.user_id, frozenset(token.scopes))
    _known[token.digest] = (remembered, min(until, token.expires_at or until))


MOST_REMEMBERED = 10_000
_known: dict[str, tuple[Shown, datetime]] = {}  # by digest, and until when its use is noted and its end is not come


@PreparedQuery
def _live_tokens(digest: str) -> QuerySet[ApiToken]:
    # Looked up by digest: the index compares hashes, so its timing tells a guesser nothing about the secret.
    live = ApiToken.objects.select_related("user").filter(digest=digest, revoked_at__isnull=True, user__is_active=True)
    # The roles held now come in the same statement: every request of a program asks for them next.
    held = RoleGrant.objects.filter(user=OuterRef("user")).values("role")
    return live.annotate(held_roles=ArraySubquery(held)).order_by()


def revoke_token(*, user: User, public_id: UUID, now: datetime) -> bool:
    """Revoke one of the person's own tokens; False when there is no such live token."""
    return bool(ApiToken.objects.filter(user=user, public_id=public_id, revoked_at__isnull=True).update(revoked_at=now))
