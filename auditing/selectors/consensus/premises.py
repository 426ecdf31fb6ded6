"""Premises of a segment and whether they are decided, for policies that open rounds in that order.

Reads Edge, Route, SegmentOutcome.
"""

from uuid import UUID

from auditing.models import Round, Route, SegmentOutcome
from hdag.core.relations import Relation
from hdag.models import Edge


def premises_of(*, segment_id: UUID) -> set[UUID]:
    """Segments that this one rests on, by depends_on and enables."""
    # An edge "A depends_on B" and an edge "B enables A" both make B a premise of A.
    required = Edge.objects.filter(source=segment_id, relation=Relation.DEPENDS_ON).values_list("target_id", flat=True)
    enabling = Edge.objects.filter(target=segment_id, relation=Relation.ENABLES).values_list("source_id", flat=True)
    return {*required, *enabling}


def premises_are_decided(*, round: Round) -> bool:
    """Whether every audited premise of the round's segment has its outcome in this audit."""
    premises = premises_of(segment_id=round.segment_id)
    audited = Route.objects.filter(audit=round.audit_id, segment__in=premises).values_list("segment_id", flat=True)
    decided = SegmentOutcome.objects.filter(audit=round.audit_id, segment__in=premises)
    return set(audited) <= set(decided.values_list("segment_id", flat=True))
