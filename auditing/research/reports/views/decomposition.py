"""The page of a decomposition job: how far it is, what it took, what it has to report, and how to ask for another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.permissions import Role, get_person, requires_role
from auditing.permissions import may_ask_for_a_graph
from auditing.research.importing.forms import GraphForm
from auditing.research.reports.views.audits import find_audit
from auditing.selectors.intake.decomposition import job_of, why_not_again
from auditing.services.intake.decomposition import NotAgainError, decompose_again

if TYPE_CHECKING:
    from auditing.models import Audit


@requires_role(*Role.values)
@require_GET
def job_page(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """Progress while the graph is made, its report afterwards."""
    return _show(request, find_audit(request, audit_id), None)


@requires_role(Role.PROVIDER, Role.ADMIN)
@require_POST
def again(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """Another graph by another decomposer: a successor audit."""
    audit = find_audit(request, audit_id)
    # Consumers and researchers may read this audit, but for them the button does not exist.
    if not may_ask_for_a_graph(user=request.user, audit=audit):
        raise Http404
    form = graph_form(audit, request.user, request.POST)
    if form.is_valid():
        try:
            made = decompose_again(audit=audit, actor=get_person(request), **form.cleaned_data)
        except NotAgainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Another graph is being made. The earlier audit is withdrawn and linked.")
            return redirect("auditing:decomposition", audit_id=made.pk)
    return _show(request, audit, form)


def graph_form(audit: Audit, user: Any, data: Any = None) -> GraphForm:
    """The form of another graph; whether models may see the trace is its provider's to say, once."""
    agreed = audit.trace.whole_to_models
    form = GraphForm(data, initial={"decomposer": "rules" if audit.fine_job.decomposer == "llm" else "llm"})
    # A consent is given once and never taken back by a form, and nobody gives it for somebody else.
    if agreed or audit.trace.provider_id != user.pk:
        form.fields["whole_to_models"].disabled = True
        form.fields["whole_to_models"].initial = agreed
        form.fields["whole_to_models"].help_text = (
            "Agreed when the trace was handed in." if agreed else "Only its provider can agree to this."
        )
    return form


def _show(request: HttpRequest, audit: Audit, form: GraphForm | None) -> HttpResponse:
    context: dict[str, Any] = {"audit": audit, "job": job_of(audit=audit)}
    if may_ask_for_a_graph(user=request.user, audit=audit):
        context |= {
            "asks": True,
            "why_not": why_not_again(audit=audit),
            "form": form or graph_form(audit, request.user),
        }
    # The open page asks again at each change of the job, at most once a second, and wants the report alone.
    template = "auditing/intake/_decomposition.html" if request.htmx else "auditing/intake/decomposition.html"  # type: ignore[attr-defined]
    status = 400 if form is not None and form.errors else 200
    return render(request, template, context, status=status)
