"""Truths of segments that were known beforehand (gold), and their final outcomes along a chain of audits.

Reads GoldTruth, Audit, SegmentOutcome.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from accounts.prepared import PreparedRows
from auditing.core.stages import AuditStage
from auditing.core.values import Outcome
from auditing.models import Audit, GoldOverturn, GoldTruth, SegmentOutcome, TraceOutcome

OF_A_VOTE = "seat__round__segment__"  # how a query of votes names their segments
FINISHED = (AuditStage.SETTLED, AuditStage.RECORDED)  # from then on an audit overturns those before it


def truths_of(*, audit: Audit) -> dict[UUID, str]:
    """pass or fail of each gold segment of an audit's graph."""
    return dict(_truths.rows(graph=audit.decomposition_id))


@PreparedRows
def _truths(graph: UUID) -> QuerySet[GoldTruth, Any]:
    return GoldTruth.objects.filter(segment__decomposition=graph).values_list("segment_id", "truth")


def overturned_in(*, audit: Audit) -> set[UUID]:
    """Gold segments of an audit's graph whose truth was overturned: nothing is judged by it any more."""
    rows = GoldOverturn.objects.filter(truth__segment__decomposition=audit.decomposition_id)
    return set(rows.values_list("truth", flat=True))


def on_gold(*, segment: str = OF_A_VOTE) -> Q:
    """Rows whose segment is gold that stands. segment: how the query names it, with the underscores behind it."""
    return Q(**{f"{segment}gold_truth__isnull": False, f"{segment}gold_truth__overturn__isnull": True})


def standing_truth(*, segment: str = OF_A_VOTE) -> Case:
    """pass or fail where the segment is gold that stands, else NULL."""
    return Case(When(on_gold(segment=segment), then=F(f"{segment}gold_truth__truth")), default=None)


def chain_of(*, audit: Audit) -> list[Audit]:
    """The audit and those that followed it, oldest first."""
    chain = [audit]
    while (following := Audit.objects.filter(follows=chain[-1]).first()) is not None:
        chain.append(following)
    return chain


def predecessors_of(*, audit: Audit) -> list[Audit]:
    """The audits that this one corrects, newest first."""
    predecessors: list[Audit] = []
    key = audit.follows_id
    while key is not None:
        predecessors.append(Audit.objects.select_related("policy", "trace", "follows").get(pk=key))
        key = predecessors[-1].follows_id
    return predecessors


def final_outcomes(*, audits: Iterable[Audit]) -> dict[UUID, str]:
    """pass or fail of each segment by the last of `audits` (oldest first) that decided it; the rest is left out."""
    outcomes: dict[UUID, str] = {}  # a later audit's outcome overwrites an earlier one's
    for audit in audits:
        rows = SegmentOutcome.objects.filter(audit=audit, outcome__in=(Outcome.PASS, Outcome.FAIL))
        outcomes.update(rows.values_list("segment_id", "outcome"))
    return outcomes


def later_outcomes(*, audit: str, segment: str) -> QuerySet[SegmentOutcome]:
    """What finished audits after a row's own said of its segment, pass or fail, the newest first.

    audit, segment: how the query names them. A graph is shared by the audits of one chain alone.
    """
    later = SegmentOutcome.objects.filter(
        segment=OuterRef(segment),
        outcome__in=(Outcome.PASS, Outcome.FAIL),
        audit__stage__in=FINISHED,
        audit__created__gt=OuterRef(f"{audit}__created"),
    )
    return later.order_by("-audit__created")


def standing_outcome(*, audit: str, segment: str) -> Coalesce:
    """The outcome that stands for a row's segment: of the last finished audit that decided it, else its own."""
    own = SegmentOutcome.objects.filter(audit=OuterRef(audit), segment=OuterRef(segment))
    later = later_outcomes(audit=audit, segment=segment)
    return Coalesce(Subquery(later.values("outcome")[:1]), Subquery(own.values("outcome")[:1]))


def standing_trace_outcome(*, audit: str) -> Coalesce:
    """The outcome that stands for a row's whole trace: of the last finished audit of its chain, else its own."""
    own = TraceOutcome.objects.filter(audit=OuterRef(audit))
    later = TraceOutcome.objects.filter(
        audit__decomposition=OuterRef(f"{audit}__decomposition"),
        audit__stage__in=FINISHED,
        audit__created__gt=OuterRef(f"{audit}__created"),
    )
    newest = later.order_by("-audit__created").values("outcome")[:1]
    return Coalesce(Subquery(newest), Subquery(own.values("outcome")[:1]))
