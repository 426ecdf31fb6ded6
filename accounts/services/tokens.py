"""API tokens: made once, used, revoked. Reads and writes ApiToken."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet

from accounts.models import ApiToken, RoleGrant, User
from accounts.prepared import PreparedQuery, unhurried

MARK = "trust_"  # scanners of published code can look for it
PREFIX_LENGTH = len(MARK) + 6
USE_NOTED_EVERY = timedelta(minutes=1)  # one write a minute a token is enough to say when it was last used


def digest(secret: str) -> str:
    """What is stored of a token: SHA-256 in hex (a secret of 256 random bits needs no salt and no stretching)."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def make_token(*, user: User, name: str) -> tuple[ApiToken, str]:
    """Make a token and return it with its secret, which is never seen again."""
    secret = MARK + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(user=user, name=name, prefix=secret[:PREFIX_LENGTH], digest=digest(secret))
    return token, secret


def use_token(*, secret: str, now: datetime) -> ApiToken | None:
    """Return the live token with this secret and note its use, or None."""
    token = _live_tokens.first(digest=digest(secret))
    if token is not None:
        token.user.roles = frozenset(token.held_roles)  # type: ignore[attr-defined]
        if token.last_used_at is None or now - token.last_used_at > USE_NOTED_EVERY:
            unhurried(ApiToken.objects.filter(pk=token.pk)).update(last_used_at=now)
            token.last_used_at = now
        _remember(token)
    return token


@dataclass(frozen=True, slots=True)
class Shown:
    """A token that was found live a moment ago: whose it is never changes; whether it still lives is asked anew."""

    digest: str
    person: int


def find_shown(*, secret: str, now: datetime) -> Shown | None:
    """Whose token this is, where `use_token` found it live and noted its use within a minute; asks nothing.

    Nothing may be done for its person unless selectors.live_tokens.LIVES holds in the very statement that does it.
    """
    shown = digest(secret)
    person, until = _people.get(shown, (0, now))
    return Shown(shown, person) if now < until else None


def _remember(token: ApiToken) -> None:
    assert token.last_used_at is not None
    if len(_people) >= MOST_REMEMBERED:
        _people.clear()  # a minute's worth of tokens: everybody is looked up once more
    _people[token.digest] = (token.user_id, token.last_used_at + USE_NOTED_EVERY)


MOST_REMEMBERED = 10_000
_people: dict[str, tuple[int, datetime]] = {}  # digest -> person, and until when its use is noted


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
