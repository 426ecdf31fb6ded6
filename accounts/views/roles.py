"""Roles: who holds which, given and taken by an admin, with the history of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.forms import RoleForm
from accounts.listing import read_query
from accounts.parameters import read_choice, read_id, read_text, read_texts
from accounts.permissions import Role, get_person, requires_role
from accounts.selectors import people
from accounts.selectors.joining import waiting_requests
from accounts.services import roles, sessions

if TYPE_CHECKING:
    from accounts.models import User


MOST_AT_ONCE = 200
BULK_VERBS = {"grant": roles.grant_role, "revoke": roles.revoke_role}


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def role_list(request: HttpRequest) -> HttpResponse:
    """Show people and roles; POST gives or takes one role."""
    if request.method == "POST":
        return _change_many(request) if "people" in request.POST else _change(request)
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
    except (roles.LastAdminError, roles.NobodyError) as error:
        messages.error(request, str(error))
        return redirect("accounts:roles")
    messages.success(request, sentence)
    return redirect("accounts:roles")


def _change_many(request: HttpRequest) -> HttpResponse:
    """Give one role to, or take it from, everybody who is ticked: all of them or, where one may not be, none."""
    chosen = people.find_people(public_ids=filter(None, map(_id_of, read_texts(request.POST, "people")[:MOST_AT_ONCE])))
    role, verb = (read_choice(request.POST, name, of) for name, of in (("role", Role.values), ("verb", BULK_VERBS)))
    if not (chosen and role and verb):
        messages.error(request, "Nothing changed: tick people, and choose a role.")
        return redirect("accounts:roles")
    try:
        with transaction.atomic():
            changed = [
                person
                for person in chosen
                if BULK_VERBS[verb](user=person, role=role, by=get_person(request), note="many at once")
            ]
    except (roles.LastAdminError, roles.NobodyError) as error:
        messages.error(request, str(error))
        return redirect("accounts:roles")
    done = "given to" if verb == "grant" else "taken from"
    messages.success(request, f"{Role(role).label} {done} {len(changed)} of {len(chosen)} people.")
    return redirect("accounts:roles")


def _id_of(text: str) -> UUID | None:
    return read_id({"id": text}, "id")


def _apply(wanted: dict[str, Any], person: User, admin: User) -> str:
    """Do what was asked; the sentence that says so."""
    match wanted["verb"]:
        case "close":
            roles.close_account(user=person, by=admin, note=wanted["note"])
            return f"The account of {person.pseudonym} is closed; open seats go to others."
        case "reopen":
            roles.reopen_account(user=person, by=admin)
            return f"{person.pseudonym} may sign in again. Give the roles anew."
        case "end":
            ended = sessions.end_sessions_of(user=person, by=admin)
            return f"Sessions of {person.pseudonym} that are ended: {ended}."
    is_given = wanted["verb"] == "grant"
    verb = roles.grant_role if is_given else roles.revoke_role
    if not verb(user=person, role=wanted["role"], by=admin, note=wanted["note"]):
        return "Nothing changed: it was so already."
    return f"{Role(wanted['role']).label} {'given to' if is_given else 'taken from'} {person.pseudonym}."
