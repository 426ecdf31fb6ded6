"""Times on pages stand in the reader's own zone: the one of their browser, or the one that their profile names."""

from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from accounts.context import ZONE_COOKIE
from trustweb.middleware.failures import Middleware

_LONGEST = 64
_FOR_PROGRAMS = ("/api/", "/ledger/v1/")  # times for programs are UTC, whoever asks


class ReaderZone(Middleware):
    """Pages alone; a zone that nobody knows is UTC."""

    def before(self, request: HttpRequest) -> None:
        """The zone of the cookie holds while this request is answered."""
        name = request.COOKIES.get(ZONE_COOKIE, "")[:_LONGEST]
        if not name or request.path.startswith(_FOR_PROGRAMS):
            return
        try:
            timezone.activate(ZoneInfo(name))
        # ValueError: a path or a zero byte in place of a name; OSError: a name that is a folder of the database.
        except (KeyError, ValueError, OSError):
            return

    def after(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The next request that this thread answers begins in UTC."""
        timezone.deactivate()
        return response
