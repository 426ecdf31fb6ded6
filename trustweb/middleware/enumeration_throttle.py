"""Who asks for many addresses that do not exist is guessing ids, and is shut out for the rest of the minute."""

import logging

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from rest_framework.throttling import BaseThrottle

from trustweb.middleware.failures import answer_plainly

log = logging.getLogger("trustweb")
SECONDS = 60
ALWAYS_OPEN = ("/static/", "/accounts/", "/healthz")  # a stranger behind the same proxy must be able to sign in


class EnumerationThrottle(MiddlewareMixin):
    """Counts each visitor's 404 answers; after settings.TRUST_UNKNOWN_PER_MINUTE of them every page is 429."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Answer 429 to whoever guessed too often."""
        if request.path.startswith(ALWAYS_OPEN) or cache.get(_key(request), 0) < settings.TRUST_UNKNOWN_PER_MINUTE:
            return None
        answer = answer_plainly(request, 429, "Too many addresses that do not exist. Wait a minute, then go on.")
        answer["Retry-After"] = str(SECONDS)
        return answer

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Count, and write down who asked for what (ASVS 16.3.2)."""
        if response.status_code == 404 and hasattr(request, "user") and not request.path.startswith(ALWAYS_OPEN):
            # add, then incr: only the first miss sets the expiry, so the minute counts from there and does not slide.
            cache.add(_key(request), 0, SECONDS)
            log.info("no such address for %s: %s", _visitor(request), request.path[:200])
            cache.incr(_key(request))
        return response


def _key(request: HttpRequest) -> str:
    return f"unknown:{_visitor(request)}"


def _visitor(request: HttpRequest) -> str:
    """A person by key, a stranger by address; X-Forwarded-For counts only as far as TRUST_PROXIES says."""
    if request.user.is_authenticated:
        return f"user-{request.user.pk}"
    return f"at-{BaseThrottle().get_ident(request)}"  # type: ignore[arg-type]
