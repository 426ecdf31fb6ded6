"""Gold segments by id and by what they are for."""

from uuid import UUID

from django.db.models import Q, QuerySet

from auditing.models import Auditor, GoldSegment

PURPOSES = GoldSegment.Purpose.choices


def find_gold(*, key: UUID) -> GoldSegment | None:
    """One gold segment; None if unknown."""
    return GoldSegment.objects.filter(pk=key).first()


def calibration_set(*, domain: str) -> QuerySet[GoldSegment]:
    """What reviewers of a domain are asked before they take live seats there."""
    return GoldSegment.objects.filter(purpose=GoldSegment.Purpose.CALIBRATION, domain=domain, is_active=True)


def practice_set(*, auditor: Auditor) -> QuerySet[GoldSegment]:
    """What the sandbox may show a reviewer: practice gold, and calibration gold whose truth they were shown already.

    Anything else would give truths away before they are asked.
    """
    already_answered = Q(answers__auditor=auditor, purpose=GoldSegment.Purpose.CALIBRATION)
    return GoldSegment.objects.filter(
        Q(purpose=GoldSegment.Purpose.PRACTICE) | already_answered, is_active=True
    ).distinct()


def practice_fields(*, auditor: Auditor) -> list[str]:
    """The fields in which there is something to practise on, by name."""
    return sorted(set(practice_set(auditor=auditor).values_list("domain", flat=True)))
