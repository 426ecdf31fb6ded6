"""The treasury, for admins: the book of all points, and grants; and what a provider has to pay traces with."""

from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from accounts.forms import WholeNumberField
from accounts.permissions import Role, get_person, requires_role
from auditing.research.treasury.selectors import (
    book_of_all,
    books_of_campaigns,
    credit_statement,
    newest_grants,
    providers_with_credit,
)
from auditing.research.treasury.services import LONGEST_REASON, MOST_POINTS, GrantRefusedError, grant
from auditing.selectors.campaigns.lookup import open_campaigns
from auditing.selectors.points.credit import credit_of, prices_of

POOL = "pool"
SHOWN = 200


class GrantForm(forms.Form):
    """Points for one provider, or for the pool."""

    to = forms.ChoiceField(label="To")
    points = WholeNumberField(
        min_value=-MOST_POINTS, max_value=MOST_POINTS, help_text="A negative number takes a provider's credit back."
    )
    reason = forms.CharField(max_length=LONGEST_REASON, help_text="Stays with the points, with your name.")
    key = forms.UUIDField(widget=forms.HiddenInput)  # a form that is sent twice grants once

    def __init__(self, *args: Any, providers: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [(key, f"{person} ({person.credit})") for key, person in providers.items()]
        self.fields["to"].choices = [*people, (POOL, "the pool that pays reviewers")]  # type: ignore[attr-defined]


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def treasury(request: HttpRequest) -> HttpResponse:
    """Where points came from and where they are, as a whole and by campaign; POST grants some."""
    providers = {str(person.pk): person for person in providers_with_credit()}
    form = GrantForm(request.POST or None, providers=providers, initial={"key": uuid4()})
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            grant(
                to=providers.get(given["to"]),
                points=given["points"],
                reason=given["reason"],
                by=get_person(request),
                key=given["key"],
            )
        except GrantRefusedError as error:
            form.add_error("points", str(error))
        else:
            messages.success(request, "Granted." if given["points"] > 0 else "Taken back.")
            return redirect("auditing:treasury")
    context = {
        "form": form,
        "fields": [bound for bound in form if not bound.is_hidden],
        "book": book_of_all(),
        "campaigns": books_of_campaigns(),
        "providers": providers.values(),
        "grants": newest_grants(),
    }
    return render(request, "auditing/points/treasury.html", context, status=400 if form.errors else 200)


@requires_role(Role.PROVIDER, Role.ADMIN)
@require_GET
def credit(request: HttpRequest) -> HttpResponse:
    """Own credit: what there is, what a trace costs where, and every movement."""
    person = get_person(request)
    lines = credit_statement(provider=person)
    context = {
        "credit": credit_of(provider=person),
        "prices": prices_of(campaigns=open_campaigns(user=person).select_related("policy")),
        "lines": lines[:SHOWN],
        "total": len(lines),
    }
    return render(request, "auditing/points/credit.html", context)
