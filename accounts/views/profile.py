"""A person's own pages: profile and API tokens."""

from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts.context import YEAR, ZONE_COOKIE
from accounts.forms import ProfileForm, TokenForm
from accounts.permissions import get_person, requires_person
from accounts.selectors.tokens import tokens_of
from accounts.services import profiles, tokens


@requires_person
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change what the person says about themselves."""
    user = get_person(request)
    form = ProfileForm(request.POST or None, instance=profiles.get_profile(user=user))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Your profile is saved.")
        answer = redirect("accounts:profile")
        # Pages show times there from now on; before a choice, in the browser's own zone.
        if "time_zone" in form.changed_data:
            zone = form.cleaned_data["time_zone"]
            answer.set_cookie(ZONE_COOKIE, zone, YEAR, samesite="Lax", secure=request.is_secure())
        return answer
    status = 422 if form.errors else 200
    return render(request, "accounts/profile/page.html", {"form": form, "grants": user.grants.all()}, status=status)


@requires_person
@require_http_methods(["GET", "HEAD", "POST"])
def token_list(request: HttpRequest) -> HttpResponse:
    """Show the person's tokens; POST makes one and shows its secret this once."""
    user, secret, now = get_person(request), "", timezone.now()
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        asked, ends_at = form.cleaned_data, now + timedelta(days=form.cleaned_data["days"])
        _, secret = tokens.make_token(user=user, name=asked["name"], scopes=asked["scopes"], expires_at=ends_at)
        form = TokenForm()
    context = {"form": form, "tokens": tokens_of(user=user, now=now), "secret": secret}
    return render(request, "accounts/tokens/page.html", context, status=422 if form.errors else 200)


@requires_person
@require_POST
def revoke_token(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Revoke one of the person's own tokens."""
    if not tokens.revoke_token(user=get_person(request), public_id=public_id, now=timezone.now()):
        raise Http404
    messages.success(request, "The token is revoked; programs that use it are refused from now on.")
    return redirect("accounts:tokens")


@csrf_exempt  # mail programs post here without a cookie (RFC 8058); the signed token allows this one thing
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mail(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the mails of whoever the link was sent to: at once by POST; GET asks first, for scanners follow links."""
    person = profiles.person_of_mail(token=token)
    if person is None:
        raise Http404
    if request.method == "POST":
        profiles.stop_mail(user=person)
    return render(request, "accounts/mail/stop.html", {"is_done": request.method == "POST"})
