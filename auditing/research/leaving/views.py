"""The page on which a person closes their own account: what it means, what must be finished first, and the password."""

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.pace import goes_too_fast
from accounts.permissions import get_person, requires_person
from accounts.services.roles import LastAdminError
from auditing.research.leaving.selectors import leaving_of
from auditing.research.leaving.services import UnfinishedError, close_own_account
from auditing.selectors.clock import database_now

MOST, SECONDS = 5, 300  # passwords that may be tried


class ClosingForm(forms.Form):
    """The password once more, and a tick."""

    password = forms.CharField(
        label="Your password", widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}), max_length=200
    )
    agreed = forms.BooleanField(
        label="I know that nobody can undo this.", error_messages={"required": "Tick it, if you want to close it."}
    )


@requires_person
@require_http_methods(["GET", "HEAD", "POST"])
def close_account(request: HttpRequest) -> HttpResponse:
    """Say what goes and what stays; POST with the password closes the account for good."""
    user = get_person(request)
    form = ClosingForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if goes_too_fast(who=str(user.pk), what="closing", most=MOST, seconds=SECONDS):
            form.add_error("password", "Too many tries: wait a few minutes.")
        elif not user.check_password(form.cleaned_data["password"]):
            form.add_error("password", "This is not your password.")
        else:
            try:
                close_own_account(user=user, now=database_now())
            except (UnfinishedError, LastAdminError) as error:
                form.add_error(None, str(error))
            else:
                logout(request)
                messages.success(request, "Your account is closed. Thank you for what you did here.")
                return redirect("accounts:front")
    context = {"form": form, "leaving": leaving_of(user=user)}
    return render(request, "accounts/leaving/page.html", context, status=422 if form.errors else 200)
