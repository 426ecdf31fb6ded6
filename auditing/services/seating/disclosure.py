"""The disclosure of a seat: how much of the trace stands around its segment is decided once and written down.

A policy limits the share of a trace that one auditor may ever see. Of the degrees full, shortened, alone, a seat gets
the fullest that keeps its holder within the limit, and the same one whenever the page is opened again.

Reads Trace, Segment, Seat; writes Seat.shown, AuditEvent.
"""

from django.db import transaction

from auditing.core.events import EventKind
from auditing.models import Auditor, Seat
from auditing.selectors.consensus.workbench import case_disclosure
from auditing.selectors.seating.disclosure import limit_of, pack, seen_besides
from auditing.selectors.seating.spans import disclosed_alone
from auditing.selectors.voting.neighbourhood import Neighbourhood, neighbourhood_of
from auditing.services.events import record_event
from hdag.core.disclosure import Degree, choose_degree, current_alone, views
from hdag.core.relations import Relation
from hdag.selectors import load_trace


def open_case(*, seat: Seat) -> None:
    """An adjudicator decides on the whole trace: no limit binds, and what is shown is written down as of any seat."""
    if seat.shown.get("case"):
        return
    shown = {**seat.shown, "case": True, "degree": Degree.FULL, "view": pack(seen=case_disclosure(seat=seat))}
    Seat.objects.filter(pk=seat.pk, shown=seat.shown).update(shown=shown)
    # Another tab of the same adjudicator may have written it a moment ago: both show the same.
    seat.refresh_from_db(fields=["shown"])


def open_panes(*, seat: Seat, near: Neighbourhood | None = None) -> Degree:
    """The degree at which the holder sees the segment: the fullest that keeps to the budget, the same ever after.

    near: what stands around the segment, where the caller has read it already.
    """
    if seat.shown.get("degree"):
        return Degree(seat.shown["degree"])
    audit = seat.round.audit
    limit = limit_of(audit=audit, trace=load_trace(audit.trace))
    near = near or neighbourhood_of(row=seat.round.segment)
    # Parts of the current reasoning that are segments of their own: inside its span, in the same text.
    children = [
        segment
        for segment in near.around
        if any(edge.relation is Relation.DECOMPOSES_TO and edge.target == segment.id for edge in near.edges)
        and (segment.source, segment.source_index) == (near.current.source, near.current.source_index)
        and near.current.start <= segment.start
        and segment.end <= near.current.end
    ]
    alone = current_alone(segment=near.current, children=sorted(children, key=lambda segment: segment.start))
    offered = views(
        current=disclosed_alone(row=seat.round.segment) if seat.round.segment.unit else alone,
        dependencies=near.premises,
        implications=near.implications,
    )
    with transaction.atomic():
        fullest: Degree | None = Degree.FULL
        if limit is not None:
            # What one auditor has seen is counted and spent under this lock, so that two seats cannot spend it twice.
            Auditor.objects.select_for_update(no_key=True).get(pk=seat.auditor_id)
            fullest = choose_degree(seen=seen_besides(seat=seat), views=offered, budget=limit)
        # Even the least is over the limit: the trusted pool, and seats drawn before the limit was reached.
        degree = fullest or Degree.ALONE
        panes = {**seat.shown, "degree": degree, "view": pack(seen=offered[degree])}
        # Another request of the same holder may have decided it a moment ago: then that stands.
        if not Seat.objects.filter(pk=seat.pk, shown=seat.shown).update(shown=panes):
            seat.refresh_from_db(fields=["shown"])
            return Degree(seat.shown["degree"])
        seat.shown = panes
        if limit is None:
            record_event(audit=audit, kind=EventKind.SEAT_SHORT_TRACE, seat=str(seat.pk))
        elif degree is not Degree.FULL:
            record_event(audit=audit, kind=EventKind.SEAT_SHORTENED, seat=str(seat.pk), degree=degree)
    return degree
