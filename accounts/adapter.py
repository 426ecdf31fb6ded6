"""What the login library may do here: sign-up is open only while the rule for new accounts says so."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class SignupAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth's adapter, which asks our rule for new accounts."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether strangers may ask for an account."""
        from accounts.models import JoiningRule  # allauth loads this file before the models
        from accounts.selectors.joining import current_way

        return current_way() == JoiningRule.Way.APPROVAL
