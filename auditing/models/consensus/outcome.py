"""The outcomes that consensus found, for segments and for traces."""

from django.db import models
from django.db.models.functions import Now

from auditing.core.values import Outcome
from auditing.models.choices import choices
from auditing.models.intake.audit import Audit
from auditing.models.seating.round import Round
from hdag.models import Segment


class SegmentOutcome(models.Model):
    """The final outcome of one segment in one audit. Final by trigger; `one_outcome_a_segment`."""

    audit = models.ForeignKey(Audit, models.PROTECT, related_name="segment_outcomes", db_index=False)
    segment = models.ForeignKey(Segment, models.PROTECT, related_name="outcomes")
    # the last one, which decided
    round = models.ForeignKey(Round, models.PROTECT, null=True, related_name="+")
    outcome = models.CharField(max_length=10, choices=choices(Outcome))
    # what the paper's quorum rule would have decided
    paper_outcome = models.CharField(max_length=10, choices=choices(Outcome), blank=True)
    posterior = models.FloatField(null=True)  # P(valid); exact in the round's tally, here for queries and pages
    low = models.FloatField(null=True)  # with `high`: 95 % credible interval of the posterior
    high = models.FloatField(null=True)
    decided_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["audit", "segment"], name="one_outcome_a_segment")]

    def __str__(self) -> str:
        return f"{self.segment_id}: {self.outcome}"


class TraceOutcome(models.Model):
    """The outcome of an audit: the binding rule's and the paper's. Final by trigger; the key allows one an audit."""

    audit = models.OneToOneField(Audit, models.PROTECT, primary_key=True, related_name="trace_outcome")
    outcome = models.CharField(max_length=10, choices=choices(Outcome))
    paper_outcome = models.CharField(max_length=10, choices=choices(Outcome))
    score = models.FloatField(null=True)  # posterior that the basis of the answer is valid
    weighted_score = models.FloatField(null=True)  # the paper's W: summed weights of the segments that passed
    first_failing = models.ForeignKey(Segment, models.PROTECT, null=True, related_name="+")  # in reading order
    body = models.JSONField(default=dict)  # the other numbers of core TraceOutcome, fractions as text
    decided_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.audit_id}: {self.outcome}"
