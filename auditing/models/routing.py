"""Routes: which tiers look at a segment of an audit, in which order."""

from django.db import models

from auditing.core.values import Tier
from auditing.models.choices import choices
from auditing.models.intake.audit import Audit
from hdag.models import Segment


class Route(models.Model):
    """Where a segment goes in one audit, fixed when it was routed; `one_route_a_segment`."""

    audit = models.ForeignKey(Audit, models.PROTECT, related_name="routes", db_index=False)
    segment = models.ForeignKey(Segment, models.PROTECT, related_name="routes")
    primary = models.CharField(max_length=8, choices=choices(Tier))
    secondaries = models.JSONField(default=list)  # tiers as words, asked in this order when the primary one is hung
    k = models.PositiveSmallIntegerField()  # seats of the primary round
    weight = models.DecimalField(max_digits=8, decimal_places=3)  # of the segment in W, the paper's weighted sum
    by_model = models.BooleanField(default=False, db_default=False)  # the order that a model suggested
    why = models.CharField(max_length=300)  # the row's reason, and what changed the order

    class Meta:
        constraints = [models.UniqueConstraint(fields=["audit", "segment"], name="one_route_a_segment")]

    def __str__(self) -> str:
        return f"{self.segment_id} to {self.primary}"

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """Primary, then secondaries."""
        return (Tier(self.primary), *(Tier(tier) for tier in self.secondaries))
