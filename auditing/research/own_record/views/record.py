"""A reviewer's own pages: the record, the votes, the weights."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.listing import read_query
from accounts.parameters import read_choice, read_text
from accounts.permissions import Role, get_person, requires_role
from auditing.research.comments import selectors as comments
from auditing.research.conduct.selectors.cases import cases_of
from auditing.research.conduct.selectors.signs import conduct_of
from auditing.research.downloads import csv_answer
from auditing.research.own_record.selectors.own_record import record_of
from auditing.research.own_record.selectors.own_vote import OwnVote, find_own_panes, find_own_vote
from auditing.research.own_record.selectors.own_votes import COLUMNS, FILTERS, NEWEST, own_votes, vote_rows
from auditing.research.policy_lab.views.forms import PolicyForm
from auditing.research.practice.selectors.calibrations import calibrations_of
from auditing.research.practice.selectors.own_gold import own_gold
from auditing.research.reports.appeals import is_open
from auditing.research.reports.selectors.appeals import has_appealed
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.weights import own_weights
from auditing.selectors.policy.lookup import find_version
from auditing.selectors.policy.versions import load_policy
from auditing.services.gold import disputes
from auditing.services.seating import declining
from auditing.services.seating.auditors import auditor_of


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def record(request: HttpRequest) -> HttpResponse:
    """Agreement with outcomes, points with every posting, calibration."""
    person = get_person(request)
    auditor = auditor_of(user=person)
    context = {
        "record": record_of(auditor=auditor),
        "gold": own_gold(auditor=auditor),
        "conduct": conduct_of(auditor=auditor),
        "followed": auditor.followed,
        "cases": cases_of(auditor=auditor),
        "calibrations": calibrations_of(auditor=auditor, person=person),
    }
    return render(request, "auditing/points/record.html", context)


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def votes(request: HttpRequest) -> HttpResponse:
    """All own votes with their texts; `?format=csv` is what the address narrows them to, as a file."""
    auditor = auditor_of(user=get_person(request))
    query = read_query(request.GET, filters=FILTERS, columns=COLUMNS, default=NEWEST)
    if read_choice(request.GET, "format", ("csv",)):
        return csv_answer(rows=vote_rows(auditor=auditor, query=query), name="my-votes.csv")
    page, lines = own_votes(auditor=auditor, query=query, after=read_text(request.GET, "after"))
    context = {"page": page, "lines": lines, "query": query, "filters": query.filters, "columns": COLUMNS}
    is_part = request.htmx.target == "listing"  # type: ignore[attr-defined]
    return render(request, f"auditing/points/{'_votes' if is_part else 'votes'}.html", context)


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def recusals(request: HttpRequest) -> HttpResponse:
    """Whose traces the visitor is not asked about, because they said so at a seat."""
    declared = auditor_of(user=get_person(request)).recusals.select_related("seat__round__segment")
    return render(request, "auditing/points/recusals.html", {"recusals": declared.order_by("-created")})


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_POST
def end_recusal(request: HttpRequest, number: int) -> HttpResponse:
    """Take a recusal back: the next draws may find this person again."""
    if not declining.end_recusal(auditor=auditor_of(user=get_person(request)), number=number):
        raise Http404
    messages.success(request, "Taken back. The next draws may ask you about these traces again.")
    return redirect("auditing:recusals")


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def own_vote(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """One vote of one's own, with its receipt; after the outcome the others' votes and reasons by pseudonym."""
    vote = _find_vote(request, seat_id)
    audit = vote.sealed.seat.round.audit
    # Points or none: whoever was outvoted has no posting, and most reason to appeal.
    may_appeal = bool(vote.choice) and audit.trace.erased_at is None and is_open(audit=audit, now=database_now())
    context: dict[str, object] = {
        "one": vote,
        "may_appeal": may_appeal and not has_appealed(audit=audit, person=get_person(request)),
    }
    if vote.may_read_peers and comments.is_open(audit=audit):
        context |= {"may_read_comments": True, "comments": comments.counts_of(audit=audit).get(vote.label, 0)}
    return render(request, "auditing/points/own_vote.html", context)


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_POST
def dispute(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """Say that the gold of one's own seat is wrong, and why."""
    seat, text = _find_vote(request, seat_id).sealed.seat, read_text(request.POST, "text", most=disputes.LONGEST)
    try:
        disputes.dispute_vote(seat=seat, by=get_person(request), text=text)
    except disputes.DisputeRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Filed. Somebody who did not vote on it decides; you will be told.")
    return redirect("auditing:record")


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def own_panes(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """What stood around the text of one own vote: the panes as they were."""
    panes = find_own_panes(auditor=auditor_of(user=get_person(request)), seat_id=seat_id)
    if panes is None:
        raise Http404
    return render(request, "auditing/points/own_panes.html", {"panes": panes, "seat_id": seat_id})


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def receipt(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """The signed receipt of one vote, as a file."""
    vote = _find_vote(request, seat_id)
    # Commitment.receipt may be blank, and an empty file would look like a promise.
    if not vote.sealed.receipt:
        raise Http404
    response = HttpResponse(vote.sealed.receipt, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="receipt-{vote.label}.txt"'
    return response


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def weights(request: HttpRequest) -> JsonResponse:
    """How the own votes were weighed, with salts: a file for `verify_audit.py weights`."""
    response = JsonResponse(own_weights(auditor=auditor_of(user=get_person(request))))
    response["Content-Disposition"] = 'attachment; filename="my-weights.json"'
    return response


@requires_role(*Role.values)
@require_GET
def policy(request: HttpRequest, number: int) -> HttpResponse:
    """The parameters under which points were posted; they stand in the public ledger as well."""
    version = find_version(number=number)
    if version is None:
        raise Http404
    context = {"version": version, "groups": PolicyForm(base=load_policy(version=version)).groups}
    return render(request, "auditing/points/policy_in_force.html", context)


def _find_vote(request: HttpRequest, seat_id: UUID) -> OwnVote:
    vote = find_own_vote(auditor=auditor_of(user=get_person(request)), seat_id=seat_id)
    # 404 for somebody else's seat as for none: an id must not tell whether a vote exists.
    if vote is None:
        raise Http404
    return vote
