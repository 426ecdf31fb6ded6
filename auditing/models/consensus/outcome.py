"""What consensus found for segments and traces."""

from django.db import models
from django.db.models.functions import Now

from auditing.core.values import Outcome
from auditing.models.choices import choices
from auditing.models.intake.audit import Audit
from auditing.models.seating.round import Round
from hdag.models import Segment


class SegmentOutcome(models.Model):
    """The final outcome of one segment in one audit, with the round it rests on."""

    audit = models.ForeignKey(Audit, models.PROTECT, related_name="segment_outcomes")
    segment = models.ForeignKey(Segment, models.PROTECT, related_name="outcomes")
    round = models.ForeignKey(Round, models.PROTECT, null=True, related_name="+")
    outcome = models.CharField(max_length=10, choices=choices(Outcome))
    paper_outcome = models.CharField(max_length=10, choices=choices(Outcome), blank=True)
    posterior = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    decided_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["audit", "segment"], name="one_outcome_a_segment")]

    def __str__(self) -> str:
        return f"{self.segment_id}: {self.outcome}"


class TraceOutcome(models.Model):
    """The outcome of an audit: the binding rule's and the paper's, with their numbers."""

    audit = models.OneToOneField(Audit, models.PROTECT, primary_key=True, related_name="trace_outcome")
    outcome = models.CharField(max_length=10, choices=choices(Outcome))
    paper_outcome = models.CharField(max_length=10, choices=choices(Outcome))
    score = models.FloatField(null=True)
    weighted_score = models.FloatField(null=True)  # W / sum w of the paper
    first_failing = models.ForeignKey(Segment, models.PROTECT, null=True, related_name="+")
    body = models.JSONField(default=dict)
    decided_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.audit_id}: {self.outcome}"
