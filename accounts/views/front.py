"""The front page and the choice of colours."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from accounts.context import THEME_COOKIE, THEMES, YEAR
from accounts.navigation import find_address
from accounts.parameters import read_text
from accounts.selectors.joining import request_of


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """Say what this place is and for whom; whoever is signed in and has a role goes home (?about=1 stays)."""
    home = find_address(("auditing:home",))
    if home and getattr(request.user, "roles", None) and "about" not in request.GET:
        return redirect(home)
    ledger = find_address(("auditing:ledger", "auditing:ledger_home"))
    user = request.user
    asked = request_of(user=user) if user.is_authenticated and not user.roles else None
    return render(request, "accounts/front/page.html", {"ledger_url": ledger, "asked": asked})


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Keep the colours in a cookie and go back; only an address of this site is followed."""
    theme, back = read_text(request.POST, "theme"), read_text(request.POST, "next", most=2_000) or "/"
    is_ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    answer = HttpResponseRedirect(back if is_ours else "/")
    if theme in THEMES:
        answer.set_cookie(THEME_COOKIE, theme, max_age=YEAR, samesite="Lax", secure=request.is_secure())
    return answer
