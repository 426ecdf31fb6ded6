"""Causal audits (Ariadne) as rows of work, and their trials."""

from django.db import models

from auditing.models.jobs import Job


class CausalBatch(Job):
    """A causal audit of several traces: rule mode, or an agent at `endpoint` that runs on from the changed segment."""

    task = "auditing.run_causal"

    title = models.CharField(max_length=120)
    endpoint = models.ForeignKey("hdag.Endpoint", models.PROTECT, null=True, related_name="+")
    critic = models.ForeignKey("hdag.Endpoint", models.PROTECT, null=True, related_name="+")  # none: rules
    pick = models.CharField(max_length=10, default="every")  # which segments: causal.core.plan.Pick
    chosen = models.JSONField(default=list)  # labels, when they are chosen
    mode = models.CharField(max_length=10, default="adaptive")  # how the type is found: causal.core.plan.Mode
    kind = models.CharField(max_length=20, blank=True)  # the type, when it is fixed
    together = models.BooleanField(default=False)  # all of a trace's segments changed in one trial
    audits = models.ManyToManyField("auditing.Audit", related_name="causal_batches", blank=True)
    public = models.PositiveSmallIntegerField(default=0)  # this many public traces beside the audits
    # Problems, and once the agent has answered its thinking and answer.
    queries = models.OneToOneField("hdag.Block", models.PROTECT, null=True, related_name="+")
    seed = models.PositiveIntegerField(default=1)


class CausalTrial(models.Model):
    """One intervention with its rerun; both traces lie in the block."""

    batch = models.ForeignKey(CausalBatch, models.CASCADE, related_name="trials")
    # Null for a public trace.
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
            # A worker that takes a batch up again cannot store a trial twice.
            models.UniqueConstraint(fields=["batch", "trace", "label", "kind"], name="one_trial_an_intervention")
        ]

    def __str__(self) -> str:
        return f"{self.kind} on {self.label} of {self.trace}: {self.reaction}"
