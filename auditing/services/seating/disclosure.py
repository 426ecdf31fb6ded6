"""The disclosure of a seat: how much of the trace stands around its segment is decided once and written down.

A policy limits the share of a trace that one auditor may ever see. Of the degrees full, shortened, alone, a seat gets
the fullest that keeps its holder within the limit, and the same one whenever the page is opened again.

Reads Trace, Segment, Seat; writes Seat.shown, Auditor.looks, AuditEvent.
"""

import json
from typing import Any

from accounts.prepared.cursors import fetch
from auditing import broadcast
from auditing.core.events import EventKind
from auditing.models import Seat
from auditing.selectors.consensus.workbench import case_disclosure
from auditing.selectors.seating.disclosure import limit_of, pack, seen_besides
from auditing.selectors.seating.spans import disclosed_unit
from auditing.selectors.voting.neighbourhood import Neighbourhood, neighbourhood_of
from hdag.core.disclosure import Degree, Disclosed, choose_degree, current_alone, views


def open_case(*, seat: Seat) -> None:
    """An adjudicator decides on the whole trace: no limit binds, and what is shown is written down as of any seat."""
    if seat.shown.get("case"):
        return
    panes = {**seat.shown, "case": True, "degree": Degree.FULL, "view": pack(seen=case_disclosure(seat=seat))}
    Seat.objects.filter(pk=seat.pk, shown=seat.shown).update(shown=panes)
    # Another tab of the same adjudicator may have written it a moment ago: both show the same.
    seat.refresh_from_db(fields=["shown"])


def open_panes(*, seat: Seat, near: Neighbourhood | None = None) -> Degree:
    """The degree at which the holder sees the segment: the fullest that keeps to the budget, the same ever after.

    near: what stands around the segment, where the caller has read it already.
    """
    if seat.shown.get("degree"):
        return Degree(seat.shown["degree"])
    near = near or neighbourhood_of(round=seat.round)
    limit = limit_of(audit=seat.round.audit, trace=near.trace)
    current = _alone(near)
    if seat.round.segment.unit:
        current = disclosed_unit(row=seat.round.segment, carried=near.carried, trace=near.trace)
    offered = views(current=current, dependencies=near.premises, implications=near.implications, takes=near.takes)
    while not seat.shown.get("degree"):
        fullest: Degree | None = Degree.FULL
        if limit is not None:
            fullest = choose_degree(seen=seen_besides(seat=seat), views=offered, budget=limit)
        # Even the least is over the limit: the trusted pool, and seats drawn before the limit was reached.
        degree = fullest or Degree.ALONE
        if not _show(seat, degree, offered[degree], is_limited=limit is not None):
            # Another request of the same holder was first, for this seat, which then stands, or for another one.
            seat.refresh_from_db(fields=["shown"])
            seat.auditor.refresh_from_db(fields=["looks"])
    return Degree(seat.shown["degree"])


def _alone(near: Neighbourhood) -> Disclosed:
    # Parts of the current reasoning that are segments of their own: inside its span, in the same text.
    here = near.current
    children = [
        child
        for child in near.parts
        if (child.source, child.source_index) == (here.source, here.source_index)
        and here.start <= child.start
        and child.end <= here.end
    ]
    return current_alone(segment=here, children=sorted(children, key=lambda child: child.start))


def _show(seat: Seat, degree: Degree, view: Disclosed, *, is_limited: bool) -> bool:
    """Store what a seat shows, with its event; False when its row or what its holder has seen changed meanwhile."""
    panes = {**seat.shown, "degree": degree, "view": pack(seen=view)}
    event: tuple[EventKind, dict[str, Any]] | None = (EventKind.SEAT_SHORT_TRACE, {"seat": str(seat.pk)})
    if is_limited:
        shortened = {"seat": str(seat.pk), "degree": degree}
        event = None if degree is Degree.FULL else (EventKind.SEAT_SHORTENED, shortened)
    kind, body = event or (None, {})
    values = [json.dumps(panes), seat.pk, json.dumps(seat.shown), seat.round.audit_id, kind, json.dumps(body)]
    # What one auditor has seen is counted at one state of `looks` and spent only there: not twice by two seats.
    limited = [seat.auditor_id, seat.auditor.looks]
    is_stored = bool(fetch(_LIMITED, [*values, *limited]) if is_limited else fetch(_FREE, values))
    if is_stored:
        seat.shown = panes
        if is_limited:
            seat.auditor.looks += 1
        if kind is not None:
            broadcast.tell_audit(seat.round.audit_id)
    return is_stored


# One statement for the seat and its event. What was read must still stand, else no row changes.
_STORE = """
WITH turn AS ({turn}),
shown AS (
    UPDATE auditing_seat AS seat SET shown = $1::jsonb FROM turn
    WHERE seat.id = $2 AND seat.shown = $3::jsonb RETURNING seat.id
),
told AS (
    INSERT INTO auditing_auditevent (audit_id, kind, body)
    SELECT $4::uuid, $5::text, $6::jsonb FROM shown WHERE $5::text IS NOT NULL
)
SELECT id FROM shown
"""
_FREE = _STORE.format(turn="SELECT 1")
_LIMITED = _STORE.format(turn="UPDATE auditing_auditor SET looks = looks + 1 WHERE id = $7 AND looks = $8 RETURNING 1")
