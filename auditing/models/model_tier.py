"""What models did in seats, what soundness found in traces, and the documents that models may look into."""

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.intake.audit import Audit
from auditing.models.jobs import Job
from auditing.models.seating.round import Seat


class SeatAttempt(models.Model):
    """One attempt of a model to vote on its seat: stands before the first call goes out, ended once. Never a vote."""

    class State(models.TextChoices):
        ASKED = "asked"
        SEALED = "sealed"
        NO_VOTE = "no vote"

    seat = models.ForeignKey(Seat, models.PROTECT, related_name="attempts_made")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.ASKED)
    failure = models.CharField(max_length=40, blank=True)
    reason = models.CharField(max_length=300, blank=True)  # about the call, never words of the trace
    signs = models.JSONField(default=list)  # kinds of signs of injection
    is_suspect = models.BooleanField(default=False)  # the segment goes to a person as well
    tool_calls = models.PositiveSmallIntegerField(default=0)
    refused_calls = models.PositiveSmallIntegerField(default=0)
    corrections = models.PositiveSmallIntegerField(default=0)
    is_conflict = models.BooleanField(default=False)  # it passed what its own checker call refuted
    calls = models.PositiveSmallIntegerField(default=0)
    bytes_sent = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=8, default=0)
    created = models.DateTimeField(db_default=Now(), db_index=True)
    ended = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "number"], name="one_attempt_a_number"),
            models.UniqueConstraint(fields=["seat"], condition=Q(state="sealed"), name="one_sealed_attempt_a_seat"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} on {self.seat_id}"


class SoundnessRun(Job):
    """Soundness of a trace's claims under one entailment model, with its certificate (ARES). A job and its result.

    `endpoints` answer where the computer tier is silent; without one it answers alone. Claims stand by segment label.
    """

    task = "auditing.run_soundness"

    audit = models.ForeignKey(Audit, models.PROTECT, related_name="soundness_runs")
    endpoints = models.ManyToManyField("hdag.Endpoint", related_name="+", blank=True)
    seed = models.PositiveIntegerField(default=1)
    epsilon = models.FloatField(default=0.1)  # half-width asked for; 0 in the certificate where nothing was sampled
    delta = models.FloatField(default=0.1)
    model = models.CharField(max_length=400, blank=True)
    statement = models.TextField(blank=True)
    claims = models.JSONField(default=dict)  # by segment label: tau, low, high, local
    certificate = models.JSONField(default=dict)  # epsilon, particles, calls, batches, settled, mean, last

    class Meta(Job.Meta):
        constraints = [
            *Job.Meta.constraints,
            models.UniqueConstraint(
                fields=["audit"], condition=Q(state__in=["waiting", "running"]), name="one_open_soundness_run_an_audit"
            ),
            models.CheckConstraint(condition=~Q(state="done") | ~Q(statement=""), name="a_done_run_has_a_certificate"),
        ]
        indexes = [*Job.Meta.indexes, models.Index(fields=["audit", "-created"], name="soundness_by_audit")]


class SoundnessThreshold(models.Model):
    """From which soundness on a claim counts as sound under one entailment model, and the data it was measured on."""

    model = models.CharField(max_length=400, db_index=True)
    data = models.CharField(max_length=200)
    chains = models.PositiveIntegerField()
    threshold = models.FloatField()
    macro_f1 = models.FloatField()
    deviation = models.FloatField()
    body = models.JSONField(default=dict)
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(threshold__gte=0, threshold__lte=1), name="threshold_is_a_share"),
        ]

    def __str__(self) -> str:
        return f"{self.model}: {self.threshold:.3f}"


class FamilyMeasure(models.Model):
    """How far errors of one family of models correlate on one segment, as measured; the newest of a family counts."""

    family = models.CharField(max_length=120)  # as selectors.endpoints.family_name writes it
    correlation = models.FloatField()
    segments = models.PositiveIntegerField()  # with two votes of the family at least, truth known
    votes = models.PositiveIntegerField()
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(correlation__gte=0, correlation__lte=1), name="correlation_is_a_share"),
        ]
        indexes = [models.Index(fields=["family", "-id"], name="newest_family_measure")]

    def __str__(self) -> str:
        return f"{self.family}: {self.correlation:.2f} on {self.segments} segments"


class Document(models.Model):
    """A document of the operator that audit models may search, where an endpoint is allowed to."""

    title = models.CharField(max_length=200)
    text = models.TextField()
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [GinIndex(SearchVector("title", "text", config="english"), name="documents_by_words")]

    def __str__(self) -> str:
        return self.title
