"""Reading a person's sessions: since when, until when, with which browser. A session's key is shown to nobody."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models.functions import Now

from accounts.models import PersonSession, User

BEGAN, BROWSER = "trust_began", "trust_browser"  # what a sign-in notes in its session
_BROWSERS = ("Firefox", "Edg", "Chrome", "Safari")  # in this order: each but the first names those after it too
_SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS X", "Linux")


@dataclass(frozen=True, slots=True)
class OpenSession:
    """One session, as its person is shown it."""

    name: str
    browser: str
    began_at: datetime | None  # None where no sign-in page began it
    ends_at: datetime
    is_current: bool


def public_name_of(*, session_key: str) -> str:
    """A name by which a form can mean a session; whoever reads it cannot take the session over.

    >>> public_name_of(session_key="abc")
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(session_key.encode()).hexdigest()[:16]


def browser_of(*, agent: str) -> str:
    """Browser and system in two words.

    >>> browser_of(agent="Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0")
    'Firefox, Linux'
    >>> browser_of(agent="")
    'unknown'
    """
    words = [next((word for word in known if word in agent), "") for known in (_BROWSERS, _SYSTEMS)]
    return ", ".join(filter(None, words)).replace("Edg", "Edge") or "unknown"


def sessions_of(*, user: User, current: str | None) -> Sequence[OpenSession]:
    """The person's sessions that still open something, the one that ends last first. current: the key of this one."""
    rows = PersonSession.objects.filter(person=user, expire_date__gt=Now()).order_by("-expire_date")
    return [_shown(row, current) for row in rows]


def _shown(row: PersonSession, current: str | None) -> OpenSession:
    notes = row.get_decoded()
    began = notes.get(BEGAN)
    return OpenSession(
        name=public_name_of(session_key=row.pk),
        browser=browser_of(agent=str(notes.get(BROWSER, ""))),
        began_at=datetime.fromtimestamp(began, UTC) if isinstance(began, int) else None,
        ends_at=row.expire_date,
        is_current=row.pk == current,
    )
