"""Signs of conduct, for admins: whose votes are worth a look, what speaks against them, and what an admin decided."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.parameters import read_text
from accounts.permissions import Role, get_person, requires_role
from auditing.research.conduct.core import ALPHA, LEAST_RIGHT, Decision
from auditing.research.conduct.selectors import LEAST, all_conducts, find_reviewer, rings
from auditing.research.conduct.services import OwnConductError, decide

LONGEST_WHY = 200


@requires_role(Role.ADMIN)
@require_GET
def conduct_list(request: HttpRequest) -> HttpResponse:
    """Every reviewer whose votes were judged, the most striking first."""
    context = {"rows": all_conducts(), "alpha": ALPHA, "least_right": LEAST_RIGHT, "least": LEAST, "rings": rings()}
    return render(request, "auditing/conduct/page.html", context)


@requires_role(Role.ADMIN)
@require_POST
def decide_conduct(request: HttpRequest, auditor_id: UUID) -> HttpResponse:
    """Warn a reviewer, or say that nothing is to be objected to; the person is told why."""
    auditor, word = find_reviewer(key=auditor_id), read_text(request.POST, "decision")
    if auditor is None or word not in list(Decision):
        raise Http404
    try:
        why = read_text(request.POST, "why", most=LONGEST_WHY)
        decide(auditor=auditor, decision=Decision(word), why=why, actor=get_person(request))
    except OwnConductError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Recorded, and the reviewer is told.")
    return redirect("auditing:conduct")
