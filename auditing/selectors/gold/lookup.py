"""Gold segments by id and by what they are for."""

from uuid import UUID

from django.db.models import QuerySet

from auditing.models import GoldSegment

PURPOSES = GoldSegment.Purpose.choices


def find_gold(*, key: UUID) -> GoldSegment | None:
    """One gold segment; None if unknown."""
    return GoldSegment.objects.filter(pk=key).first()


def calibration_set(*, domain: str) -> QuerySet[GoldSegment]:
    """What reviewers of a domain are asked before they take live seats there."""
    return GoldSegment.objects.filter(purpose=GoldSegment.Purpose.CALIBRATION, domain=domain, is_active=True)
