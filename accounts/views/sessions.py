"""A person's sessions, each to be ended; and recovery codes, shown in the answer that makes them and never again."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.parameters import read_text
from accounts.permissions import get_person, requires_person
from accounts.selectors.recovery_codes import codes_left
from accounts.selectors.sessions import sessions_of
from accounts.services import sessions
from accounts.services.recovery_codes import CODES, renew_codes


@requires_person
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator]
def session_list(request: HttpRequest) -> HttpResponse:
    """Show where one is signed in; POST ends one session, or all but this one."""
    user, current = get_person(request), request.session.session_key or ""
    if request.method != "POST":
        return render(request, "accounts/sessions/page.html", {"sessions": sessions_of(user=user, current=current)})
    if name := read_text(request.POST, "session"):
        if not sessions.end_session(user=user, name=name):
            raise Http404
        messages.success(request, "That session is ended.")
    else:
        ended = sessions.end_other_sessions(user=user, current=current)
        messages.success(request, f"Ended: {ended}. You stay signed in here.")
    return redirect("accounts:sessions")


@requires_person
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator]
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """How many codes are left; POST makes new ones and shows them this once."""
    user = get_person(request)
    if not user.has_second_factor:
        raise Http404
    codes = renew_codes(user=user) if request.method == "POST" else []
    context = {"codes": codes, "left": codes_left(user=user), "total": CODES}
    return render(request, "accounts/sessions/recovery_codes.html", context)
