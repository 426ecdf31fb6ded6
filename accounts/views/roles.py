"""Roles: who holds which, given and taken by an admin, with the history of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.forms import RoleForm
from accounts.listing import read_query
from accounts.parameters import read_text
from accounts.permissions import Role, get_person, requires_role
from accounts.selectors import people
from accounts.selectors.joining import waiting_requests
from accounts.services import roles

if TYPE_CHECKING:
    from accounts.models import User


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def role_list(request: HttpRequest) -> HttpResponse:
    """Show people and roles; POST gives or takes one role."""
    if request.method == "POST":
        return _change(request)
    query = read_query(request.GET, filters=people.FILTERS, columns=people.COLUMNS, default="email")
    context = {
        "page": people.people_page(query=query, after=read_text(request.GET, "after")),
        "columns": people.COLUMNS,
        "query": query,
        "filters": query.filters,
        "roles": Role.choices,
    }
    if request.htmx.target == "listing":  # type: ignore[attr-defined]
        return render(request, "accounts/roles/_people.html", context)
    context |= {"history": people.role_history(), "waiting": waiting_requests().count()}
    return render(request, "accounts/roles/page.html", context)


def _change(request: HttpRequest) -> HttpResponse:
    form = RoleForm(request.POST)
    person = people.find_person(public_id=form.cleaned_data["person"]) if form.is_valid() else None
    if person is None:
        messages.error(request, "Nothing changed: choose a person, a role, and whether to give or take it.")
        return redirect("accounts:roles")
    try:
        sentence = _apply(form.cleaned_data, person, get_person(request))
    except roles.LastAdminError as error:
        messages.error(request, str(error))
        return redirect("accounts:roles")
    messages.success(request, sentence)
    return redirect("accounts:roles")


def _apply(wanted: dict[str, Any], person: User, admin: User) -> str:
    """Do what was asked; the sentence that says so."""
    match wanted["verb"]:
        case "close":
            roles.close_account(user=person, by=admin, note=wanted["note"])
            return f"The account of {person.pseudonym} is closed; open seats go to others."
        case "reopen":
            roles.reopen_account(user=person, by=admin)
            return f"{person.pseudonym} may sign in again. Give the roles anew."
    is_given = wanted["verb"] == "grant"
    verb = roles.grant_role if is_given else roles.revoke_role
    if not verb(user=person, role=wanted["role"], by=admin, note=wanted["note"]):
        return "Nothing changed: it was so already."
    return f"{Role(wanted['role']).label} {'given to' if is_given else 'taken from'} {person.pseudonym}."
