"""Roles: who holds which, given and taken by an admin, with the history of it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.forms import RoleForm
from accounts.listing import read_query
from accounts.parameters import read_text
from accounts.permissions import Role, requires_role
from accounts.selectors import people
from accounts.selectors.joining import waiting_requests
from accounts.services import roles


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
    wanted = form.cleaned_data
    verb = roles.grant_role if wanted["verb"] == "grant" else roles.revoke_role
    try:
        changed = verb(user=person, role=wanted["role"], by=request.user, note=wanted["note"])  # type: ignore[arg-type]
    except roles.LastAdminError as error:
        messages.error(request, str(error))
        return redirect("accounts:roles")
    done = "given to" if wanted["verb"] == "grant" else "taken from"
    sentence = (
        f"{Role(wanted['role']).label} {done} {person.pseudonym}." if changed else "Nothing changed: it was so already."
    )
    messages.success(request, sentence)
    return redirect("accounts:roles")
