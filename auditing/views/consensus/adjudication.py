"""The adjudication queue, and the desk on one of its cases."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from accounts.listing import Column, Filter, read_query
from accounts.parameters import read_text
from accounts.permissions import Role, get_person, has_role, requires_role
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.adjudication import Contested, contested_rounds, seat_of
from auditing.selectors.consensus.cases import find_round
from auditing.services.consensus.adjudication import NotYoursError, ReasonMissingError, hold_case, state_reason
from auditing.services.seating.auditors import auditor_of
from auditing.views.voting.desk import seat_context

FAR = datetime.max.replace(tzinfo=UTC)
SORTS: dict[str, Callable[[Contested], Any]] = {
    "segment": lambda case: case.round.segment.label,
    "domain": lambda case: case.round.audit.trace.domain,
    "split": lambda case: -case.contest,
    "age": lambda case: case.round.stage_since,
    "deadline": lambda case: case.deadline or FAR,
}
# The queue is sorted in memory, after its votes were counted: what a column is sorted by is a word of SORTS.
COLUMNS = (
    Column("segment", "Segment", "segment"),
    Column("state", "State"),
    Column("domain", "Field", "domain"),
    Column("split", "Votes so far", "split"),
    Column("why", "Why"),
    Column("age", "Waits", "age"),
    Column("deadline", "Until", "deadline"),
)


@requires_role(Role.ADJUDICATOR, Role.ADMIN)
@require_GET
def queue(request: HttpRequest) -> HttpResponse:
    """What waits for an adjudicator, the most evenly split first."""
    judges = has_role(request.user, Role.ADJUDICATOR)
    # Admins look at the queue but hold no seats: no auditor is made for them.
    auditor = auditor_of(user=get_person(request)) if judges else None
    contested = contested_rounds(auditor=auditor, sees_all=has_role(request.user, Role.ADMIN))
    fields = sorted({case.round.audit.trace.domain for case in contested} - {""})
    filters = (
        Filter("whose", "Whose", choices=(("mine", "mine"),)),
        Filter("field", "Field", choices=tuple((field, field) for field in fields)),
    )
    query = read_query(request.GET, filters=filters, columns=COLUMNS, default="split")
    field = read_text(request.GET, "field", most=60)
    cases = [
        case
        for case in contested
        if (not field or case.round.audit.trace.domain == field) and (case.is_mine or not query["whose"])
    ]
    # "split" is the order that contested_rounds has made, with its finer rules: a stable sort keeps it.
    cases.sort(key=SORTS[query.sort.removeprefix("-")], reverse=query.sort.startswith("-"))
    context = {
        "contested": cases,
        "total": len(contested),
        "query": query,
        "is_narrow": bool(field or query["whose"]),
        "filters": query.filters,
        "columns": COLUMNS,
    }
    is_part = request.htmx.target == "listing"  # type: ignore[attr-defined]
    return render(request, f"auditing/consensus/{'_queue' if is_part else 'adjudication'}.html", context)


@requires_role(Role.ADJUDICATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def case(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """One contested segment at the desk, with the opened votes, the whole trace, and the reason code in the form."""
    auditor = auditor_of(user=get_person(request))
    round = find_round(key=round_id)
    seat = seat_of(round=round, auditor=auditor) if round is not None else None
    # Without a seat the round does not exist for this person: its votes are shown to its adjudicator alone.
    if round is None or seat is None:
        raise Http404
    if request.method == "POST":
        reason = read_text(request.POST, "reason")
        try:
            state_reason(round=round, auditor=auditor, reason=reason, now=database_now())
        except (NotYoursError, ReasonMissingError) as error:
            messages.error(request, str(error))
        else:
            return redirect("auditing:adjudicate", round_id=round.pk)
    hold_case(seat=seat, now=database_now())
    # A POST that arrives here was refused: the accepted one was redirected above.
    status = 400 if request.method == "POST" else 200
    return render(request, "auditing/voting/desk.html", seat_context(seat=seat, auditor=auditor), status=status)
