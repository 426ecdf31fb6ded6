"""The lists that audit.open commits to, kept as they were: who may be drawn, which segments there are."""

from django.db import models
from django.db.models.functions import Now

from auditing.models.intake.audit import Audit


class Roster(models.Model):
    """The lines behind audit.open (number 0) or behind an eligible.extend leaf (1, 2, ...). Final by trigger."""

    audit = models.ForeignKey(Audit, models.PROTECT, related_name="rosters")
    number = models.PositiveSmallIntegerField()
    segments = models.JSONField(default=list)  # rosters.SegmentLine, as in the leaf's root
    eligible = models.JSONField(default=list)  # rosters.EligibleLine, likewise
    created = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["audit", "number"], name="one_roster_a_number")]

    def __str__(self) -> str:
        return f"roster {self.number} of {self.audit_id}"
