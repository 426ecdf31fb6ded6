"""Coming in: an admin's page of invitations and requests, and the page behind an invitation's link."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.joining_forms import AcceptanceForm, AnswerForm, InvitationForm, WayForm
from accounts.permissions import Role, get_person, requires_role
from accounts.selectors import joining as selectors
from accounts.services import joining

IN_SESSION = "invitation"
BACKEND = "django.contrib.auth.backends.ModelBackend"


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def joining_page(request: HttpRequest) -> HttpResponse:
    """The rule, open invitations, waiting requests; POST invites and shows the link this once."""
    made: dict[str, str] = {}
    form = InvitationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = _invite(request, form)
            form = InvitationForm()
        except joining.JoiningRefusedError as error:
            form.add_error("email", str(error))
    context = {
        "form": form,
        **made,
        "way_form": WayForm(initial={"way": selectors.current_way()}),
        "invitations": selectors.live_invitations(now=timezone.now()),
        "requests": selectors.waiting_requests()[:100],
        "roles": Role.choices,
    }
    return render(request, "accounts/joining/page.html", context, status=422 if form.errors else 200)


def _invite(request: HttpRequest, form: InvitationForm) -> dict[str, str]:
    email, roles = form.cleaned_data["email"], form.cleaned_data["roles"]
    made, secret = joining.invite(email=email, roles=roles, by=get_person(request), now=timezone.now())
    link = request.build_absolute_uri(reverse("accounts:open_invitation", args=[secret]))
    return {"link": link, "invited": made.email, "no_mail": joining.mail_invitation(invitation=made, address=link)}


@requires_role(Role.ADMIN)
@require_POST
def choose_way(request: HttpRequest) -> HttpResponse:
    """Change the rule for new accounts."""
    form = WayForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Nothing changed: choose one of the two ways.")
    elif joining.set_way(rule=form.cleaned_data["way"], by=get_person(request)):
        messages.success(request, "The rule for new accounts is changed.")
    return redirect("accounts:joining")


@requires_role(Role.ADMIN)
@require_POST
def take_back(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Take an open invitation back."""
    if not joining.take_back(public_id=public_id, by=get_person(request), now=timezone.now()):
        raise Http404
    messages.success(request, "The invitation is taken back; its link opens nothing any more.")
    return redirect("accounts:joining")


@requires_role(Role.ADMIN)
@require_POST
def answer_request(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Approve or decline one request."""
    waiting, form = selectors.find_request(public_id=public_id), AnswerForm(request.POST)
    if waiting is None:
        raise Http404
    if not form.is_valid():
        messages.error(
            request, " ".join(map(str, form.non_field_errors())) or "Nothing changed: the form was not complete."
        )
        return redirect("accounts:joining")
    fields = form.cleaned_data
    try:
        state = joining.answer_request(
            request=waiting, roles=fields["roles"], answer=fields["answer"], by=get_person(request), now=timezone.now()
        )
    except joining.JoiningRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{waiting.user.pseudonym} is {state.label}.")
    return redirect("accounts:joining")


@require_GET
def open_invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Move the secret out of the address, where it could be seen, then show the page."""
    # An address ends up in histories, server logs and Referer headers; a session does not. Nothing is checked here, so
    # that a mail scanner that follows the link neither uses it up nor learns whether it is good.
    request.session[IN_SESSION] = secret[:100]
    return redirect("accounts:join")


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """The invited person chooses a password and is in."""
    secret = str(request.session.get(IN_SESSION, ""))
    invitation = selectors.find_invitation(secret=secret, now=timezone.now())
    # Who is signed in would take the roles of the invitation to an account that was not invited.
    if invitation is None or request.user.is_authenticated:
        return render(request, "accounts/join/closed.html", status=404 if invitation is None else 409)
    form = AcceptanceForm(request.POST or None, email=invitation.email)
    if request.method == "POST" and form.is_valid():
        try:
            person = joining.accept(secret=secret, password=form.cleaned_data["password1"], now=timezone.now())
        except joining.JoiningRefusedError as error:
            form.add_error(None, str(error))
        else:
            login(request, person, backend=BACKEND)
            messages.success(
                request, f"Welcome. Others see you as {person.pseudonym}; your profile says what you can judge."
            )
            return redirect("accounts:profile")
    context = {"form": form, "invitation": invitation, "roles": [Role(role).label for role in invitation.roles]}
    return render(request, "accounts/join/page.html", context, status=422 if form.errors else 200)
