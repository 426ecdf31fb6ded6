"""What the login library may do here: sign-up is open only while the rule for new accounts says so."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

logger = logging.getLogger(__name__)


class SignupAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth's adapter, which asks our rule for new accounts."""

    # When "later" is: ten sign-ins of one account within five minutes (ACCOUNT_RATE_LIMITS).
    error_messages = DefaultAccountAdapter.error_messages | {
        "too_many_login_attempts": "Too many sign-ins failed. Try again in five minutes; the right password too is "
        "refused until then."
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether strangers may ask for an account."""
        from accounts.models import JoiningRule  # allauth loads this file before the models
        from accounts.selectors.joining import current_way

        return current_way() == JoiningRule.Way.APPROVAL

    def post_login(self, request: HttpRequest, user: Any, **more: Any) -> HttpResponse:
        """A line of the log for each sign-in; like every line it names the request, and nobody (ASVS 16.3.1).

        When and by which browser is noted in the session, for the person's own list of sessions.
        """
        from accounts.selectors.sessions import BEGAN, BROWSER

        logger.info("Somebody signed in.")
        request.session[BEGAN] = int(timezone.now().timestamp())
        request.session[BROWSER] = request.headers.get("User-Agent", "")[:200]
        answer: HttpResponse = super().post_login(request, user, **more)
        return answer

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """The same for each that failed."""
        logger.warning("A sign-in failed.")
        super().authentication_failed(request, **credentials)
