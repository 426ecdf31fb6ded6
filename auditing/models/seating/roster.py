"""The lists whose Merkle roots stand in audit.open and eligible.extend: segments, and auditors who may be drawn."""

from django.db import models
from django.db.models.functions import Now

from auditing.models.intake.audit import Audit


class Roster(models.Model):
    """The lines behind one such leaf, as they were. Final by trigger; `one_roster_a_number`."""

    audit = models.ForeignKey(Audit, models.PROTECT, related_name="rosters", db_index=False)
    number = models.PositiveSmallIntegerField()  # 0: audit.open; n: its n-th extension
    segments = models.JSONField(default=list)  # rosters.SegmentLine, as in the leaf's root
    eligible = models.JSONField(default=list)  # rosters.EligibleLine, likewise
    created = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["audit", "number"], name="one_roster_a_number")]

    def __str__(self) -> str:
        return f"roster {self.number} of {self.audit_id}"
