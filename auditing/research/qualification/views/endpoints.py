"""Endpoints, for admins: the list with figures, adding, changing, switching, trying; documents to search."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.parameters import read_text
from accounts.permissions import Role, get_person, requires_role
from auditing.research.qualification.selectors.endpoint_figures import figures
from auditing.research.qualification.selectors.standing import standing_of
from auditing.research.qualification.services import watch_endpoint
from auditing.research.qualification.views.forms import DocumentForm, EndpointForm
from auditing.selectors.model_tier.families import families
from auditing.selectors.model_tier.lookup import find_endpoint, listed_documents
from auditing.services.model_tier.documents import remove
from auditing.services.model_tier.endpoints import probe_endpoint, save_endpoint, switch, try_out
from auditing.services.model_tier.families import measure_all

if TYPE_CHECKING:
    from hdag.models import Endpoint


@requires_role(Role.ADMIN)
@require_GET
def endpoint_list(request: HttpRequest) -> HttpResponse:
    """All endpoints, what they cost today, how they behave, and how families judge."""
    documents = listed_documents()
    context = {"endpoints": figures(), "families": families(), "documents": documents}
    return render(request, "auditing/model_tier/page.html", context)


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_endpoint(request: HttpRequest, endpoint_id: UUID | None = None) -> HttpResponse:
    """Add or change an endpoint."""
    row = _find(endpoint_id) if endpoint_id else None
    # The form has no stored key to show: `key` starts empty, and an empty one keeps what is stored.
    form = EndpointForm(request.POST or None, instance=row)
    if request.method == "POST" and form.is_valid():
        saved = save_endpoint(row=form.save(commit=False), key=form.cleaned_data["key"], actor=get_person(request))
        messages.success(request, f"{saved.name} is stored.")
        return redirect("auditing:endpoints")
    holds_key = row is not None and bool(row.wrapped_key)
    context = {"form": form, "row": row, "holds_key": holds_key}
    return render(request, "auditing/model_tier/edit.html", context, status=400 if form.errors else 200)


@requires_role(Role.ADMIN)
@require_POST
def switch_endpoint(request: HttpRequest, endpoint_id: UUID) -> HttpResponse:
    """Let it take seats, or take none."""
    row = _find(endpoint_id)
    enabled = read_text(request.POST, "enabled") == "yes"
    switch(row=row, enabled=enabled, actor=get_person(request))
    messages.success(request, f"{row.name} {'takes seats' if enabled else 'takes no more seats'}.")
    return redirect("auditing:endpoints")


@requires_role(Role.ADMIN)
@require_POST
def try_endpoint(request: HttpRequest, endpoint_id: UUID) -> HttpResponse:
    """Ask it one small question in each answer mode."""
    row = _find(endpoint_id)
    return render(request, "auditing/model_tier/trial.html", {"row": row, "trials": try_out(row=row)})


@requires_role(Role.ADMIN)
@require_POST
def probe_model(request: HttpRequest, endpoint_id: UUID) -> HttpResponse:
    """Ask it every question of the product in each answer mode, and keep what works best."""
    row = _find(endpoint_id)
    report = probe_endpoint(row=row, actor=get_person(request))
    # A dated name of the same model is usual; another model's name is what an admin must see before it judges.
    other = (
        f"{row.model} was asked for, and {row.answers_as} answered. Answers under that name are taken from now on: "
        "where it is another model, switch the endpoint off, or change “Answers under the name”."
    )
    return render(request, "auditing/model_tier/probe.html", {"row": row, "report": report, "other_name": other})


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def qualification_page(request: HttpRequest, endpoint_id: UUID) -> HttpResponse:
    """How it stands as a judge; POST measures drift and the alternative annotator test now, instead of at night."""
    row = _find(endpoint_id)
    if request.method == "POST":
        watch_endpoint(row=row)
        return redirect("auditing:qualification", endpoint_id=endpoint_id)
    standing = standing_of(endpoint=row)
    return render(request, "auditing/model_tier/qualification.html", {"row": row, "standing": standing})


@requires_role(Role.ADMIN)
@require_POST
def measure_families(request: HttpRequest) -> HttpResponse:
    """Measure now how far errors within families correlate, instead of at night."""
    written = measure_all()
    messages.success(request, f"{written} families have a new figure." if written else "No figure has changed.")
    return redirect("auditing:endpoints")


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def new_document(request: HttpRequest) -> HttpResponse:
    """Add a document."""
    form = DocumentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.instance.added_by = request.user
        form.save()
        return redirect("auditing:endpoints")
    return render(request, "auditing/model_tier/document.html", {"form": form}, status=400 if form.errors else 200)


@requires_role(Role.ADMIN)
@require_POST
def remove_document(request: HttpRequest, document_id: int) -> HttpResponse:
    """Take a document out of the search."""
    if not remove(number=document_id):
        raise Http404
    return redirect("auditing:endpoints")


def _find(endpoint_id: UUID) -> Endpoint:
    row = find_endpoint(key=endpoint_id)
    if row is None:
        raise Http404
    return row


urlpatterns = [
    path("endpoints", endpoint_list, name="endpoints"),
    path("endpoints/new", edit_endpoint, name="new_endpoint"),
    path("endpoints/<uuid:endpoint_id>", edit_endpoint, name="endpoint"),
    path("endpoints/<uuid:endpoint_id>/switch", switch_endpoint, name="switch_endpoint"),
    path("endpoints/<uuid:endpoint_id>/try", try_endpoint, name="try_endpoint"),
    path("endpoints/<uuid:endpoint_id>/probe", probe_model, name="probe_endpoint"),
    path("endpoints/<uuid:endpoint_id>/qualification", qualification_page, name="qualification"),
    path("endpoints/families", measure_families, name="measure_families"),
    path("endpoints/documents/new", new_document, name="new_document"),
    path("endpoints/documents/<int:document_id>/remove", remove_document, name="remove_document"),
]
