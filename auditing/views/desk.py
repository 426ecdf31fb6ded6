"""The reviewer's desk: the next segment with its four panes, and the sealing of a vote."""

import json
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Role
from accounts.permissions import requires_role
from auditing.core.rationale import Criterion, ErrorType, Mark
from auditing.models import Seat
from auditing.selectors.clock import database_now
from auditing.selectors.desk import desk_of
from auditing.services.assignment import claim_next, decline
from auditing.services.disclosing import open_panes
from auditing.services.people import auditor_of

DECLINES = ("not my field", "conflict of interest", "unclear", "escalate")


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def desk(request: HttpRequest) -> HttpResponse:
    """The seat the reviewer holds, or the next one."""
    auditor = auditor_of(user=request.user)
    seat = claim_next(auditor=auditor, now=database_now())
    if seat is None:
        return render(request, "auditing/desk/empty.html", {"llm": None})
    open_panes(seat=seat)
    shown = desk_of(seat=seat)
    context = {
        "seat": seat,
        "desk": shown,
        "sealing": json.dumps(shown.sealing),
        "criteria": [(str(one), str(one).replace("_", " ")) for one in Criterion],
        "marks": [(str(one), {"yes": "yes", "no": "no", "na": "n/a"}[one]) for one in Mark],
        "error_types": [(str(one), str(one).replace("_", " ")) for one in ErrorType],
        "declines": DECLINES,
    }
    return render(request, "auditing/desk/page.html", context)


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_POST
def decline_seat(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """Skip with a reason."""
    seat = Seat.objects.select_related("round__audit").filter(pk=seat_id, auditor=auditor_of(user=request.user)).first()
    if seat is None:
        raise Http404
    because = request.POST.get("because", "")
    if because not in DECLINES:
        messages.error(request, "Say why you pass this segment on.")
    elif decline(seat=seat, because=because):
        messages.success(request, "Passed on to the next reviewer of the draw.")
    return redirect("auditing:desk")
