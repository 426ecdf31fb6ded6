"""The Content Security Policy on every answer: two texts that never change, put together once."""

from csp.constants import HEADER, HEADER_REPORT_ONLY
from csp.utils import build_policy
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from trustweb.middleware.failures import GetResponse, Middleware


class ContentPolicy(Middleware):
    """django-csp's own middleware makes both texts anew for each answer, for nonces and exceptions; we have neither."""

    def __init__(self, get_response: GetResponse) -> None:
        """Both texts, as trustweb/content_policy.py has them."""
        super().__init__(get_response)
        self.headers = {HEADER: build_policy(), HEADER_REPORT_ONLY: build_policy(report_only=True)}

    def after(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """A policy that a view has set stands."""
        for name, policy in self.headers.items():
            response.headers.setdefault(name, policy)
        return response
