"""The RADO loop: evaluations of a reward model, their audits, corrections by people, PROOF scores."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.jobs import Job
from hdag.models import Block, Endpoint


class TrainingLoop(models.Model):
    """One loop k = 0..K; sets are cumulative over its iterations, splits go by problem under its seed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    title = models.CharField(max_length=120)
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.title


class Iteration(Job):
    """Iteration k: which models it was made with, and the job that audits its evaluations."""

    task = "auditing.run_iteration"
    queue = "llm"

    loop = models.ForeignKey(TrainingLoop, models.CASCADE, related_name="iterations")
    number = models.PositiveSmallIntegerField()
    reward_model = models.CharField(max_length=120)
    audit_model = models.CharField(max_length=120, blank=True)  # named by the file, or the endpoint's
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, null=True, related_name="+")
    reward_endpoint = models.ForeignKey(Endpoint, models.PROTECT, null=True, related_name="+")  # none: the file's
    samples = models.PositiveSmallIntegerField(default=1)  # evaluations of each response, from the reward endpoint
    items = models.OneToOneField(Block, models.PROTECT, null=True, related_name="+")  # responses to evaluate

    class Meta(Job.Meta):
        ordering = ["number"]
        constraints = [
            *Job.Meta.constraints,
            models.UniqueConstraint(fields=["loop", "number"], name="one_iteration_a_number"),
        ]


class Evaluation(models.Model):
    """What a reward model said of one response. Prompt, rationale and audit lie in blocks."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    iteration = models.ForeignKey(Iteration, models.CASCADE, related_name="evaluations")
    key = models.CharField(max_length=120)  # its id in the file
    problem = models.CharField(max_length=120)
    reason = models.PositiveSmallIntegerField()
    answer = models.PositiveSmallIntegerField()
    given = models.OneToOneField(Block, models.PROTECT, related_name="+")  # prompt, rationale
    audit = models.OneToOneField(Block, models.PROTECT, null=True, related_name="+")  # the audit in the tag format
    audit_score = models.PositiveSmallIntegerField(null=True)
    audit_confidence = models.FloatField(null=True)
    # In words for people; empty while the audit is still to be made.
    no_audit_because = models.CharField(max_length=200, blank=True)
    # Of an audit that was made here; NULL where a file brought it.
    tool_calls = models.PositiveSmallIntegerField(null=True)
    refused_calls = models.PositiveSmallIntegerField(null=True)  # of those, not allowed or malformed
    corrected_answers = models.PositiveSmallIntegerField(null=True)  # asked for again because they did not parse
    is_conflict = models.BooleanField(null=True)  # it found right what its own tool call refuted
    # HardReason, empty for a sample that needs nobody.
    hard = models.CharField(max_length=24, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["iteration", "key"], name="one_evaluation_a_key"),
            models.CheckConstraint(
                condition=Q(reason__in=[0, 1], answer__in=[0, 1]), name="scores_of_an_evaluation_are_0_or_1"
            ),
            models.CheckConstraint(
                condition=Q(audit__isnull=True, audit_score__isnull=True)
                | Q(audit__isnull=False, audit_score__in=[0, 1]),
                name="an_audited_evaluation_has_a_score",
            ),
        ]
        indexes = [models.Index(fields=["iteration", "hard"])]

    def __str__(self) -> str:
        return f"evaluation {self.key}"


class Correction(models.Model):
    """A person's judgement of an audit; the newest counts, the earlier ones stay."""

    evaluation = models.ForeignKey(Evaluation, models.CASCADE, related_name="corrections")
    corrector = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    label = models.PositiveSmallIntegerField()  # 1: the evaluation is right
    confirms = models.BooleanField()  # the audit stands as it was
    tags = models.JSONField(default=list)
    block = models.OneToOneField(Block, models.PROTECT, related_name="+")  # corrected audit and evaluation
    created = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]
        constraints = [models.CheckConstraint(condition=Q(label__in=[0, 1]), name="a_correction_says_0_or_1")]

    def __str__(self) -> str:
        return f"correction of {self.evaluation_id}"


class ProofScore(models.Model):
    """One judge's scores of one item: reasoning completeness, domain safety, factual accuracy, 1 to 7."""

    loop = models.ForeignKey(TrainingLoop, models.CASCADE, related_name="proof_scores")
    item = models.CharField(max_length=120)
    judge = models.CharField(max_length=60)
    is_expert = models.BooleanField()
    # Reasoning completeness, domain safety, factual accuracy.
    rc = models.PositiveSmallIntegerField()
    ds = models.PositiveSmallIntegerField()
    fa = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["loop", "item", "judge"], name="one_proof_score_a_judge"),
            models.CheckConstraint(
                condition=Q(rc__range=(1, 7), ds__range=(1, 7), fa__range=(1, 7)), name="proof_scores_are_1_to_7"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge} on {self.item}"
