"""Soundness certificates (ARES) of traces as jobs beside the votes, and the thresholds they are read at."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.intake.audit import Audit
from auditing.models.jobs import Job


class SoundnessRun(Job):
    """Soundness of a trace's claims under one entailment model, with its certificate (ARES): a job and its result.

    `endpoints` answer where the computer tier is silent; without one it answers alone.
    `one_open_soundness_run_an_audit`; `a_done_run_has_a_certificate`.
    """

    task = "auditing.run_soundness"

    audit = models.ForeignKey(Audit, models.PROTECT, related_name="soundness_runs")
    endpoints = models.ManyToManyField("hdag.Endpoint", related_name="+", blank=True)
    seed = models.PositiveIntegerField(default=1)  # of the particles: the same seed gives the same run
    epsilon = models.FloatField(default=0.1)  # half-width asked for; 0 in the certificate where nothing was sampled
    premises = models.CharField(max_length=20, default="declared first")  # core/soundness/second_look.py, Premises
    limit_money = models.DecimalField(max_digits=12, decimal_places=4, null=True)  # beside the endpoints' own caps
    delta = models.FloatField(default=0.1)  # all intervals hold at once with probability 1 - delta
    model = models.CharField(max_length=400, blank=True)  # name of the entailment model, as the certificate prints it
    statement = models.TextField(blank=True)  # the certificate in words
    claims = models.JSONField(default=dict)  # by segment label: tau, low, high, local, context, looked_at, declared
    # epsilon, particles, calls, batches, settled, mean, last, premises; asked, answered, reused, failed, coverage, why
    certificate = models.JSONField(default=dict)
    answers = models.JSONField(default=dict, db_default={})  # of a run with holes, by keyed digests of its questions

    @property
    def is_partial(self) -> bool:
        """Whether claims were left out, because a limit was met or a server did not answer."""
        return self.state == self.State.DONE and float(self.certificate.get("coverage", 1)) < 1

    @property
    def counts(self) -> str:
        """What was asked, in the words of studies; nothing for runs from before they were counted."""
        if "coverage" not in self.certificate:
            return ""
        told = ", ".join(f"{name} {self.certificate[name]}" for name in ("asked", "answered", "reused", "failed"))
        head = "partial" if self.is_partial else "complete"
        why = f" ({self.certificate['why']})" if self.certificate["why"] else ""
        return f"{head}: {told}, coverage {100 * float(self.certificate['coverage']):.1f} %{why}"

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
    """From which soundness on a claim counts as sound under one entailment model; the newest of a model counts."""

    model = models.CharField(max_length=400, db_index=True)  # as SoundnessRun.model names it
    data = models.CharField(max_length=200)  # name of the labelled data set
    chains = models.PositiveIntegerField()  # labelled chains it was fitted on
    threshold = models.FloatField()
    macro_f1 = models.FloatField()  # mean over five folds of chains held out
    deviation = models.FloatField()  # standard deviation over the folds
    body = models.JSONField(default=dict)  # thresholds of the folds, held-out false alarms and other figures
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(threshold__gte=0, threshold__lte=1), name="threshold_is_a_share"),
        ]

    def __str__(self) -> str:
        return f"{self.model}: {self.threshold:.3f}"
