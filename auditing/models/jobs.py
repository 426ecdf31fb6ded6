"""Long work that a researcher asks for: the row is the queue of record, its lease says who is at it."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class Job(models.Model):
    """A row of work. `attempts` fences: a worker that lost its lease can write nothing any more."""

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)  # 0: not known yet
    says = models.CharField(max_length=200, blank=True)
    error = models.CharField(max_length=500, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    created = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running", "done", "failed", "cancelled"]),
                name="%(class)s_state_is_known",
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "-created"], name="%(class)s_by_owner"),
            models.Index(fields=["created"], condition=Q(state__in=["waiting", "running"]), name="%(class)s_to_do"),
        ]

    def __str__(self) -> str:
        return f"{type(self).__name__} {self.id}: {self.state}"

    @property
    def is_open(self) -> bool:
        """Whether it may still move."""
        return self.state in (self.State.WAITING, self.State.RUNNING)

    @property
    def share(self) -> float | None:
        """Progress from 0 to 1; None while the total is unknown."""
        if self.state == self.State.DONE:
            return 1.0
        return min(self.done / self.total, 1.0) if self.total else None


class ExportJob(Job):
    """A data set to write. `filters` is selectors.research.scope.Filters as JSON; the file lies in EXPORT_DIR."""

    dataset = models.CharField(max_length=40)
    format = models.CharField(max_length=20)
    filters = models.JSONField(default=dict)
    with_text = models.BooleanField(default=False)  # decrypted content and reasons go along
    rows = models.PositiveBigIntegerField(null=True)
    size = models.PositiveBigIntegerField(null=True)  # bytes of the file
    content_hash = models.CharField(max_length=64, blank=True)
    file = models.CharField(max_length=120, blank=True)  # name within EXPORT_DIR

    class Meta(Job.Meta):
        constraints = [
            *Job.Meta.constraints,
            models.CheckConstraint(
                condition=~Q(state="done") | (~Q(file="") & ~Q(content_hash="")), name="a_done_export_has_a_file"
            ),
        ]


class StudyRun(Job):
    """One run of a study with its seed; `report` is the study's report as JSON."""

    study = models.CharField(max_length=40)
    seed = models.PositiveIntegerField(default=1)
    full = models.BooleanField(default=False)
    options = models.JSONField(default=dict)
    report = models.JSONField(null=True)
    passed = models.BooleanField(null=True)


class StudyPiece(models.Model):
    """A finished piece of a run that is not over: a run that is taken up again finds it. Forgotten at the end."""

    run = models.ForeignKey(StudyRun, models.CASCADE, related_name="pieces")
    key = models.CharField(max_length=200)
    value = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="one_study_piece_a_key")]

    def __str__(self) -> str:
        return self.key


class CausalBatch(Job):
    """A causal audit of several traces: rule mode, or an agent at `endpoint` that runs on from the changed segment."""

    title = models.CharField(max_length=120)
    endpoint = models.ForeignKey("hdag.Endpoint", models.PROTECT, null=True, related_name="+")
    critic = models.ForeignKey("hdag.Endpoint", models.PROTECT, null=True, related_name="+")  # none: rules
    pick = models.CharField(max_length=10, default="every")  # which segments: core.faithfulness.Pick
    chosen = models.JSONField(default=list)  # labels, when they are chosen
    mode = models.CharField(max_length=10, default="adaptive")  # how the type is found: core.faithfulness.Mode
    kind = models.CharField(max_length=20, blank=True)  # the type, when it is fixed
    together = models.BooleanField(default=False)  # all of a trace's segments changed in one trial
    audits = models.ManyToManyField("auditing.Audit", related_name="causal_batches", blank=True)
    public = models.PositiveSmallIntegerField(default=0)  # this many public traces beside the audits
    seed = models.PositiveIntegerField(default=1)


class CausalTrial(models.Model):
    """One intervention with its rerun; both traces lie in the block."""

    batch = models.ForeignKey(CausalBatch, models.CASCADE, related_name="trials")
    audit = models.ForeignKey("auditing.Audit", models.PROTECT, null=True, related_name="+")
    trace = models.CharField(max_length=80)  # id of the stored trace, or set and line of a public one
    label = models.CharField(max_length=400)  # segments changed, joined by +
    kind = models.CharField(max_length=20)
    rule = models.CharField(max_length=40)
    reaction = models.CharField(max_length=10)
    violation = models.BooleanField()
    paper_violation = models.BooleanField()
    phi = models.FloatField()
    phi_net = models.FloatField(null=True)
    severity = models.FloatField()
    strength = models.FloatField()
    similarity = models.JSONField(default=dict)
    load_bearing = models.BooleanField()
    sentence = models.CharField(max_length=200)
    block = models.OneToOneField("hdag.Block", models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "trace", "label", "kind"], name="one_trial_an_intervention")
        ]

    def __str__(self) -> str:
        return f"{self.kind} on {self.label} of {self.trace}: {self.reaction}"
