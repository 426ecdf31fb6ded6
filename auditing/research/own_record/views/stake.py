"""An auditor's own stake: points put there, notices that take them back, and the tickets that follow."""

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.parameters import read_id, read_number
from accounts.permissions import Role, get_person, requires_role
from auditing.research.own_record.selectors.own_stake import find_withdrawal, own_stake
from auditing.selectors.clock import database_now
from auditing.services.points import stakes
from auditing.services.points.stakes import StakeRefusedError
from auditing.services.seating.auditors import auditor_of


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def stake(request: HttpRequest) -> HttpResponse:
    """What is at stake, what can be put there and withdrawn, and every notice."""
    context = {"own": own_stake(auditor=auditor_of(user=get_person(request))), "key": uuid4()}
    return render(request, "auditing/points/stake.html", context)


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_POST
def put(request: HttpRequest) -> HttpResponse:
    """Released points go to the stake."""
    points, key = read_number(request.POST, "points") or 0, read_id(request.POST, "key") or uuid4()
    try:
        stakes.put(auditor=auditor_of(user=get_person(request)), points=points, key=key)
    except StakeRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{points} points are at stake. The lists of audits to come count them.")
    return redirect("auditing:stake")


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_POST
def give_notice(request: HttpRequest) -> HttpResponse:
    """Notice of points at stake."""
    points = read_number(request.POST, "points") or 0
    try:
        notice = stakes.give_notice(auditor=auditor_of(user=get_person(request)), points=points, now=database_now())
    except StakeRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Notice of {points} points, which ends on {notice.due_at:%Y-%m-%d at %H:%M} UTC.")
    return redirect("auditing:stake")


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_POST
def take_back(request: HttpRequest, withdrawal_id: UUID) -> HttpResponse:
    """A notice is taken back; 404 for somebody else's as for none."""
    withdrawal = find_withdrawal(auditor=auditor_of(user=get_person(request)), key=withdrawal_id)
    if withdrawal is None:
        raise Http404
    try:
        stakes.take_back(withdrawal=withdrawal, now=database_now())
    except StakeRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Taken back: the points stay at stake, and count in draws again.")
    return redirect("auditing:stake")
