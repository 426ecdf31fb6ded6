"""The second factor (TOTP): who must have one, and that a session of somebody who has one went through it.

There is one way to sign in, allauth's; Django's admin site sends people there. Whatever else could open a session (one
that began before the factor was set up, a sign-in that some library adds) is ended at its next request.
"""

from types import SimpleNamespace

from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import secure_admin_login
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.sessions.backends.base import SessionBase
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin

from accounts.models import User
from accounts.permissions import ask_to_sign_in
from accounts.services.recovery_codes import renew_codes

# The pages on which an admin sets the factor up lie below /accounts/; without them the redirect would never end.
ALWAYS_OPEN = ("/accounts/", "/static/", "/theme", "/healthz")
_PASSED = "mfa"  # allauth's name of the step in which a code was right


def needs_second_factor(user: object) -> bool:
    """Whether this person is an admin without TOTP; a demo admin outside production may do without."""
    if not isinstance(user, User) or not user.is_admin:
        return False
    is_spared = user.is_demo and not settings.PRODUCTION
    return not is_spared and not is_mfa_enabled(user)


def has_passed(*, session: SessionBase, user: object) -> bool:
    """Whether this session went through every factor that its person has."""
    # The session first: whoever has shown a code costs no query.
    steps = get_authentication_records(SimpleNamespace(session=session), user)
    if any(step["method"] == _PASSED for step in steps):
        return True
    return not (isinstance(user, User) and user.has_second_factor)


class SecondFactor(MiddlewareMixin):
    """Ends a session that went past its person's factor; guards /admin/, and in production every page of an admin."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Send whoever has not proved enough to the page where it is proved."""
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return None  # nobody is signed in, and no session has to be looked for to know it
        if request.user.is_authenticated and not has_passed(session=request.session, user=request.user):
            logout(request)
            # A program gets the 401 of somebody who is not signed in; a person comes back here after signing in.
            return None if request.path.startswith("/api/") else ask_to_sign_in(request)
        if not (_is_guarded(request.path) and needs_second_factor(request.user)):
            return None
        messages.warning(request, "An admin needs a second factor. Set it up here first; it takes a minute.")
        return HttpResponseRedirect(reverse("mfa_activate_totp"))


class ActivateFactor(ActivateTOTPView):  # type: ignore[misc]
    """Setting the factor up shows a right code: the session in which it is done has passed."""

    def form_valid(self, form: BaseForm) -> HttpResponse:
        """Store the factor, write the step down as a sign-in would, and show recovery codes of our own making."""
        answer: HttpResponse = super().form_valid(form)
        record_authentication(self.request, self.request.user, _PASSED, type="totp")
        if not self.did_generate_recovery_codes:
            return answer
        codes = renew_codes(user=self.request.user)
        context = {"codes": codes, "left": len(codes), "total": len(codes)}
        return render(self.request, "accounts/sessions/recovery_codes.html", context)


@secure_admin_login  # type: ignore[untyped-decorator]
def open_admin_site(request: HttpRequest, extra_context: object = None) -> HttpResponse:
    """In place of the admin site's own sign-in, which knows no second factor and no limit of attempts."""
    return HttpResponseRedirect(reverse("admin:index"))


def _is_guarded(path: str) -> bool:
    everywhere = settings.PRODUCTION and not path.startswith(ALWAYS_OPEN)
    return everywhere or path.startswith("/admin/")
