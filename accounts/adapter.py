"""What the login library may do here: sign-up stays shut unless the environment opens it."""

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class Doorkeeper(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth's adapter with this house's rules."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether strangers may make an account."""
        return bool(getattr(settings, "TRUST_SIGNUP_OPEN", False))
