"""Audits, each one trip of one trace through the stages, and the events of their history."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.core.stages import AuditStage
from auditing.core.values import Outcome
from auditing.models.campaigns import Campaign
from auditing.models.choices import choices, values
from auditing.models.policy import PolicyVersion
from hdag.models import Decomposition, Trace


class Audit(models.Model):
    """One trace under one policy. A recorded audit is never edited; a successor corrects it.

    `one_first_audit_a_campaign`: a trace handed in twice is audited once; `a_decided_audit_has_an_outcome`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    trace = models.ForeignKey(Trace, models.PROTECT, related_name="audits")
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="audits", db_index=False)
    policy = models.ForeignKey(PolicyVersion, models.PROTECT, related_name="audits")  # fixed when the audit opens
    # NULL until there is a graph
    decomposition = models.ForeignKey(Decomposition, models.PROTECT, null=True, related_name="audits")
    stage = models.CharField(max_length=10, choices=choices(AuditStage), default=AuditStage.SUBMITTED)
    stage_since = models.DateTimeField(db_default=Now())
    # the recorded audit that this one looks at again
    follows = models.OneToOneField("self", models.PROTECT, null=True, related_name="successor")
    seed = models.BinaryField(max_length=32)  # secret until recorded; its hash is in audit.open
    outcome = models.CharField(max_length=10, choices=choices(Outcome), blank=True)  # empty until decided
    receipt = models.TextField(blank=True)  # signed promise that its submission leaf will stand in the ledger
    failure = models.CharField(max_length=300, blank=True)  # why it stopped, as its page says it
    lease_until = models.DateTimeField(null=True)  # a worker is on it until then
    attempts = models.PositiveSmallIntegerField(default=0)  # of the present stage's machine work
    is_simulated = models.BooleanField(default=False)  # simulated reviewers held seats in it
    counted_at = models.DateTimeField(null=True)  # the trace can be decided, or the wave ended
    paused_at = models.DateTimeField(null=True)  # a stored text was found damaged: nothing moves until an admin resumes
    paused_because = models.CharField(max_length=300, blank=True)
    batched_at = models.DateTimeField(null=True)  # its batch closed: people may be seated
    batch_providers = models.PositiveSmallIntegerField(null=True)  # providers mixed in the batch
    created = models.DateTimeField(db_default=Now())
    recorded_at = models.DateTimeField(null=True)  # when it reached the stage `recorded`
    appeals_until = models.DateTimeField(null=True)  # postings are held until then
    released_at = models.DateTimeField(null=True)  # when its held postings were released

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trace", "campaign"], condition=Q(follows__isnull=True), name="one_first_audit_a_campaign"
            ),
            models.CheckConstraint(condition=Q(stage__in=values(AuditStage)), name="audit_stage_is_known"),
            models.CheckConstraint(
                condition=~Q(stage__in=["decided", "settled", "recorded"]) | ~Q(outcome=""),
                name="a_decided_audit_has_an_outcome",
            ),
        ]
        indexes = [
            models.Index(fields=["stage", "stage_since"]),
            models.Index(fields=["-created", "-id"], name="audits_by_age"),
            models.Index(fields=["campaign", "-created", "-id"], name="audits_of_a_campaign"),
            models.Index(
                fields=["stage_since"],
                condition=Q(stage__in=["submitted", "decomposed", "routed", "decided", "settled"]),
                name="audits_at_work",
            ),
            models.Index(
                fields=["counted_at"],
                condition=Q(stage="auditing", counted_at__isnull=False),
                name="audits_to_decide",
            ),
            models.Index(
                fields=["appeals_until"],
                condition=Q(appeals_until__isnull=False, released_at__isnull=True),
                name="audits_to_release",
            ),
        ]

    def __str__(self) -> str:
        return f"audit {self.id}"

    @property
    def job(self) -> Decomposition:
        """The decomposition of its trace, which every audit is opened with."""
        assert self.decomposition is not None
        return self.decomposition

    @property
    def fine_job(self) -> Decomposition:
        """The decomposition that checkers examine: of a passage graph the one that it is derived from."""
        return self.job.derived_from or self.job


class AuditEvent(models.Model):
    """What happened, who did it, when: written in the transaction of the change itself. Final by trigger."""

    id = models.BigAutoField(primary_key=True)
    # NULL: an event of the system, such as a new policy
    audit = models.ForeignKey(Audit, models.PROTECT, null=True, related_name="events", db_index=False)
    # NULL: the system itself
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    kind = models.CharField(max_length=40, db_index=True)
    body = models.JSONField(default=dict)  # identifiers and counts, never text of a trace
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["audit", "id"])]

    def __str__(self) -> str:
        return self.kind
