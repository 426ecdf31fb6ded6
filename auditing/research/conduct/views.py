"""Signs of conduct for admins, what they decided, and appeals; for the person, how to appeal, and what it rests on."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.parameters import read_id, read_text, read_texts
from accounts.permissions import Role, get_person, requires_role
from auditing.core.conduct import DECISIONS, RULINGS, ConductStep
from auditing.research.conduct.core import ALPHA, LABELS, LEAST_RIGHT
from auditing.research.conduct.selectors.accounts import linked_accounts
from auditing.research.conduct.selectors.cases import appeals, find_case, record_of_case
from auditing.research.conduct.selectors.rings import find_flagged, find_ring, flagged_rings, rings
from auditing.research.conduct.selectors.signs import LEAST, all_conducts, find_reviewer
from auditing.research.conduct.services.cases import LONGEST_PLEA, ConductRefusedError, appeal, decide, rule
from auditing.research.conduct.services.rings import OwnRingError, clear_ring, flag_ring
from auditing.selectors.clock import database_now

LONGEST_WHY = 200


@requires_role(Role.ADMIN)
@require_GET
def conduct_list(request: HttpRequest) -> HttpResponse:
    """Every reviewer whose votes were judged, the most striking first; appeals; rings."""
    flagged = flagged_rings()
    standing = [{member.pk for member in row.members.all()} for row in flagged if row.cleared_at is None]
    context = {
        "rows": all_conducts(),
        "alpha": ALPHA,
        "least_right": LEAST_RIGHT,
        "least": LEAST,
        "rings": [ring for ring in rings() if {member.pk for member in ring.members} not in standing],
        "flagged": flagged,
        "linked": linked_accounts(),
        "appeals": appeals(reader=get_person(request)),
        "rulings": [(str(step), label) for step, label in LABELS.items() if step in RULINGS],
    }
    return render(request, "auditing/conduct/page.html", context)


@requires_role(Role.ADMIN)
@require_POST
def decide_conduct(request: HttpRequest, auditor_id: UUID) -> HttpResponse:
    """Decide about a reviewer on the signs that the page shows; the person is told why, and may appeal."""
    auditor, word = find_reviewer(key=auditor_id), read_text(request.POST, "decision")
    if auditor is None or word not in list(DECISIONS):
        raise Http404
    try:
        why = read_text(request.POST, "why", most=LONGEST_WHY)
        person, now = get_person(request), database_now()
        decide(auditor=auditor, decision=ConductStep(word), why=why, actor=person, now=now)
    except ConductRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Recorded, and the reviewer is told.")
    return redirect("auditing:conduct")


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_POST
def appeal_case(request: HttpRequest, case_id: UUID) -> HttpResponse:
    """The person whom a case is about says why it is wrong."""
    case, person = find_case(key=case_id), get_person(request)
    if case is None or case.auditor.user_id != person.pk:
        raise Http404
    try:
        text = read_text(request.POST, "text", most=LONGEST_PLEA)
        appeal(case=case, by=person, text=text, now=database_now())
    except ConductRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Filed. An admin who did not decide it rules on it; you will be told.")
    return redirect("auditing:record")


@requires_role(Role.ADMIN)
@require_POST
def rule_case(request: HttpRequest, case_id: UUID) -> HttpResponse:
    """Another admin rules on an appeal."""
    case, word = find_case(key=case_id), read_text(request.POST, "ruling")
    if case is None or word not in list(RULINGS):
        raise Http404
    try:
        why = read_text(request.POST, "why", most=300)
        rule(case=case, ruling=ConductStep(word), why=why, by=get_person(request), now=database_now())
    except ConductRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Recorded, and the reviewer is told.")
    return redirect("auditing:conduct")


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def case_record(request: HttpRequest, case_id: UUID) -> JsonResponse:
    """What a decision about oneself rests on, with the salt: its SHA-256 stands in the ledger."""
    case = find_case(key=case_id)
    if case is None or case.auditor.user_id != get_person(request).pk:
        raise Http404
    response = JsonResponse(record_of_case(case=case))
    response["Content-Disposition"] = 'attachment; filename="my-case.json"'
    return response


@requires_role(Role.ADMIN)
@require_POST
def flag(request: HttpRequest) -> HttpResponse:
    """Say that a group votes together, while its votes still show it."""
    members = {read_id({"member": text}, "member") for text in read_texts(request.POST, "member")}
    ring = find_ring(members={key for key in members if key is not None})
    why = read_text(request.POST, "why", most=300)
    try:
        if ring is None:
            messages.error(request, "The votes no longer show this group.")
        elif not why:
            messages.error(request, "Say why: it is kept with your name.")
        else:
            flag_ring(ring=ring, why=why, by=get_person(request))
            messages.success(request, "Flagged: their votes teach nobody's skills any more.")
    except OwnRingError as error:
        messages.error(request, str(error))
    return redirect("auditing:conduct")


@requires_role(Role.ADMIN)
@require_POST
def clear(request: HttpRequest, number: int) -> HttpResponse:
    """Take the flag of a ring back."""
    row = find_flagged(number=number)
    if row is None:
        raise Http404
    try:
        why = read_text(request.POST, "why", most=300)
        is_cleared = clear_ring(row=row, why=why, by=get_person(request), now=database_now())
        messages.info(request, "The flag is cleared." if is_cleared else "It was cleared already.")
    except OwnRingError as error:
        messages.error(request, str(error))
    return redirect("auditing:conduct")
