"""Audits that a prior has not read yet, and the offered seats of people in those that it has. Reads Audit, Seat."""

from django.db.models import QuerySet

from auditing.core.stages import AuditStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Seat


def audits_to_read(*, most: int) -> list[Audit]:
    """Running audits of campaigns with a prior that it has said nothing of."""
    audits = Audit.objects.filter(stage=AuditStage.AUDITING, campaign__prior__isnull=False, prior_order__isnull=True)
    return list(audits.select_related("trace", "campaign__prior").order_by("pk")[:most])


def seats_to_order(*, most: int) -> QuerySet[Seat]:
    """Seats that nobody has taken yet and whose place in the queue is still that of the draw."""
    offered = Seat.objects.filter(stage=SeatStage.OFFERED, round__tier=Tier.HUMAN, round__segment__step__isnull=False)
    running = offered.filter(round__audit__stage=AuditStage.AUDITING, round__audit__prior_order__isnull=False)
    unmoved = running.exclude(round__audit__prior_order__chances=[]).filter(prior_place__isnull=True)
    return unmoved.select_related("round__segment", "round__audit__prior_order").order_by("pk")[:most]
