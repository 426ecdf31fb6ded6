"""The page of a decomposition job: how far it is, what it took, and what it has to report."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.models import Role
from accounts.permissions import requires_role
from auditing.selectors.decomposition import job_of
from auditing.views.audits import find_audit


@requires_role(*Role.values)
@require_GET
def job_page(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """Progress while the graph is made, its report afterwards."""
    audit = find_audit(request, audit_id)
    context = {"audit": audit, "job": job_of(audit=audit)}
    template = "_fragment.html" if request.htmx else "page.html"  # type: ignore[attr-defined]
    return render(request, f"auditing/decomposition/{template}", context)
