"""Who asks is found out by the statement that answers, for programs that were found out a moment ago.

A program shows the same token at each request. Whose it is never changes, so that its limits can be counted at once;
whether it still lives, and what its person may do, is a condition of the view's own first statement. Where that
statement finds nothing, and before any refusal, the whole way is gone: the answers are those of every other view.
"""

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import APIException, Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import pace
from accounts.api.views import APIView
from accounts.permissions import Scope, get_person
from accounts.services import tokens


class PendingPerson:
    """Who a token was issued to, before anybody has asked whether it lives: nobody's permission lets it pass."""

    is_authenticated = True  # limits count a person by key, and no stranger by address
    is_active = False

    def __init__(self, key: int) -> None:
        """The key of the person."""
        self.pk = key


class InOneStatement(APIView):
    """A view of the API whose first statement looks at `token`, or calls `identify` before it does anything."""

    scope = Scope.AUDIT
    pending: tokens.Shown | None = None
    whole_way_headers: tuple[str, ...] = ()  # requests with one of these are for people who are known

    @property
    def token(self) -> str | None:
        """The digest of the token that the statement has to look at; None where the person is known."""
        return None if self.pending is None else self.pending.digest

    def person_key(self, request: Request) -> int:
        """The key of whoever asks, or says to be."""
        return get_person(request).pk if self.pending is None else self.pending.person

    def perform_authentication(self, request: Request) -> None:
        """By the token that was looked at a moment ago, else as every view."""
        self.pending = self._find_shown(request)
        if self.pending is None:
            super().perform_authentication(request)
            return
        request.user = PendingPerson(self.pending.person)  # type: ignore[assignment]
        limits = pace.take_postponed(request._request) | {pace.person_key(self.pending.person): 1}
        pace.postpone(request._request, limits=limits)

    def check_permissions(self, request: Request) -> None:
        """Left to the statement, or to `identify`; the scopes of a token never change and are known already."""
        if self.pending is None:
            super().check_permissions(request)
        else:
            self.check_scopes(self.pending.scopes)

    def identify(self, request: Request) -> None:
        """The whole way: from here on the person is known. Raises what every view raises before its method."""
        if self.pending is not None:
            self.pending = None
            request._authenticate()  # type: ignore[attr-defined]  # the stubs leave it out
            self.check_permissions(request)

    def handle_exception(self, exc: Exception) -> Response:
        """A refusal is for those who may ask: whose token died a moment ago is told that."""
        if not isinstance(exc, Throttled):
            try:
                self.identify(self.request)
            except (APIException, PermissionDenied) as refusal:
                exc = refusal
        return super().handle_exception(exc)

    def _find_shown(self, request: Request) -> tokens.Shown | None:
        words = get_authorization_header(request).split()
        is_plain = len(words) == 2 and words[0].lower() == b"bearer" and not request._request.META["QUERY_STRING"]
        if not is_plain or any(name in request.headers for name in self.whole_way_headers):
            return None
        return tokens.find_shown(secret=words[1].decode("ascii", "replace"), now=timezone.now())
