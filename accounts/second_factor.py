"""Admins prove a second factor: without one, the admin site sends them to set it up."""

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin

from accounts.models import User

# The pages on which an admin sets the factor up lie below /accounts/; without them the redirect would never end.
ALWAYS_OPEN = ("/accounts/", "/static/", "/theme", "/healthz")


def needs_second_factor(user: object) -> bool:
    """Whether this person is an admin without TOTP; a demo admin outside production may do without."""
    if not isinstance(user, User) or not user.is_admin:
        return False
    is_spared = user.is_demo and not settings.PRODUCTION
    return not is_spared and not is_mfa_enabled(user)


class SecondFactor(MiddlewareMixin):
    """Guards /admin/ always, and in production every page of an admin."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Send an admin without TOTP to the page that sets it up."""
        if not (_is_guarded(request.path) and needs_second_factor(request.user)):
            return None
        messages.warning(request, "An admin needs a second factor. Set it up here first; it takes a minute.")
        return HttpResponseRedirect(reverse("mfa_activate_totp"))


def _is_guarded(path: str) -> bool:
    everywhere = settings.PRODUCTION and not path.startswith(ALWAYS_OPEN)
    return everywhere or path.startswith("/admin/")
