"""Requests that a text be forgotten, and what still stands of an audit whose text is gone. Never writes."""

from uuid import UUID

from django.db.models import QuerySet

from auditing.models import Audit, Erasure, SegmentOutcome, TraceOutcome
from hdag.models import Trace


def find_trace_outcome(*, audit: Audit) -> TraceOutcome | None:
    """What consensus found for the whole trace; None while nothing is decided."""
    return TraceOutcome.objects.filter(audit=audit).first()


def segment_outcomes(*, audit: Audit) -> QuerySet[SegmentOutcome]:
    """Outcomes of segments in the order of the trace."""
    outcomes = SegmentOutcome.objects.filter(audit=audit).select_related("segment", "round")
    return outcomes.order_by("segment__position")


def newest_request(*, trace: Trace) -> Erasure | None:
    """The last request about a trace; None if nobody asked."""
    return Erasure.objects.filter(trace=trace).order_by("-asked_at").first()


def is_done(*, erasure: Erasure) -> bool:
    """Whether the text is gone already."""
    return erasure.state == Erasure.State.DONE


def waiting_requests(*, most: int) -> QuerySet[Erasure]:
    """Requests that wait for an admin, the oldest first."""
    return _requests().filter(state=Erasure.State.WAITING).order_by("asked_at")[:most]


def decided_requests(*, most: int) -> QuerySet[Erasure]:
    """Requests that were confirmed or refused, the newest decision first."""
    return _requests().exclude(state=Erasure.State.WAITING).order_by("-decided_at")[:most]


def find_request(*, key: UUID) -> Erasure | None:
    """One request by its id."""
    return Erasure.objects.select_related("trace", "asked_by").filter(pk=key).first()


def _requests() -> QuerySet[Erasure]:
    return Erasure.objects.select_related("trace", "asked_by", "decided_by").prefetch_related("trace__audits")
