"""Who asks for many addresses that do not exist is guessing ids, and is shut out for the rest of the minute.

Each miss counts for the person (a program with a token is its person, accounts/api/authentication.py) and for the
address it came from: neither a second account nor a second machine gives more guesses.
"""

import logging

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from rest_framework.throttling import BaseThrottle

from accounts import pace
from trustweb.middleware.failures import answer_plainly

log = logging.getLogger("trustweb")
ALWAYS_OPEN = ("/static/", "/accounts/", "/healthz")  # a stranger behind the same proxy must be able to sign in


class EnumerationThrottle(MiddlewareMixin):
    """Counts each visitor's 404 answers; after settings.TRUST_UNKNOWN_PER_MINUTE of them every page is 429."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Answer 429 to whoever guessed too often."""
        if request.path.startswith(ALWAYS_OPEN):
            return None
        if _shows_token(request):
            # Who reads the token asks for its person and for this address in one trip.
            pace.postpone(request, limits={_address(request): pace.MANY_AT_ONE_ADDRESS})
            return None
        return _refusal(request) if _is_shut_out(request) else None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Count, and write down who asked for what (ASVS 16.3.2)."""
        # Whatever was answered before anybody read the token: an address that does not exist, a token that is none.
        if (limits := pace.take_postponed(request)) and pace.guesses_too_often(limits=limits):
            return _refusal(request)
        if response.status_code == 404 and hasattr(request, "user") and not request.path.startswith(ALWAYS_OPEN):
            # The API names the person behind a token here too: Django REST framework writes it into the request.
            visitors = [_address(request)]
            if request.user.is_authenticated:
                visitors.append(pace.person_key(request.user.pk))
            log.info("no such address for %s: %s", " ".join(reversed(visitors)), request.path[:200])
            response._has_been_logged = True  # type: ignore[attr-defined]  # Django's own line would say less again
            for visitor in visitors:
                pace.count_guess(who=visitor)
        return response


def _refusal(request: HttpRequest) -> HttpResponse:
    answer = answer_plainly(request, 429, "Too many addresses that do not exist. Wait a minute, then go on.")
    answer["Retry-After"] = str(pace.GUESSING_SECONDS)
    return answer


def _shows_token(request: HttpRequest) -> bool:
    return request.path.startswith("/api/v1/") and request.headers.get("Authorization", "")[:7].lower() == "bearer "


def _is_shut_out(request: HttpRequest) -> bool:
    if request.user.is_authenticated:
        # A colleague's misses behind one proxy shut nobody out who guesses nothing, until they are many.
        person = {pace.person_key(request.user.pk): 1}
        return pace.guesses_too_often(limits={_address(request): pace.MANY_AT_ONE_ADDRESS} | person)
    # A program shows its token only to the API, which asks for its person; at least its address is known here.
    is_program = "Authorization" in request.headers
    return pace.guesses_too_often(limits={_address(request): pace.MANY_AT_ONE_ADDRESS if is_program else 1})


def _address(request: HttpRequest) -> str:
    """Where a request comes from; X-Forwarded-For counts only as far as TRUST_PROXIES says."""
    return f"at-{BaseThrottle().get_ident(request)}"  # type: ignore[arg-type]
