"""A paused audit: said without a word of its text; an admin lets it go on once the storage is whole again."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_POST

from accounts.permissions import Role, get_person, requires_role
from auditing.core.stages import CORRIDOR
from auditing.permissions import may_manage
from auditing.selectors.clock import database_now
from auditing.selectors.intake.lookup import find_audit
from auditing.services.intake.damage import resume
from hdag.store.content import ContentDamagedError

if TYPE_CHECKING:
    from auditing.models import Audit


def show_paused(request: HttpRequest, audit: Audit, still: str = "") -> HttpResponse:
    """The page of a paused audit; `still`: what the last check found."""
    context = {"audit": audit, "corridor": CORRIDOR, "may_resume": may_manage(user=request.user), "still": still}
    # 409 only for the attempt to go on: the storage is still damaged. The page itself is an ordinary answer.
    return render(request, "auditing/report/paused.html", context, status=409 if still else 200)


@requires_role(Role.ADMIN)
@require_POST
def resume_audit(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """Read every text of the audit again, then go on."""
    audit = find_audit(key=audit_id)
    if audit is None:
        raise Http404
    try:
        resume(audit=audit, actor=get_person(request), now=database_now())
    except ContentDamagedError as error:
        return show_paused(request, audit, str(error))
    return redirect("auditing:audit", audit_id=audit.pk)


urlpatterns = [path("audits/<uuid:audit_id>/resume", resume_audit, name="resume")]
