"""What is known of auditors: steps of their reputation, skills learned for a campaign, recusals, and known truths."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.core.ledger.leaves import Column
from auditing.core.policy import ConsensusRule
from auditing.core.values import Choice
from auditing.models.campaigns import Campaign
from auditing.models.choices import choices
from auditing.models.seating.round import Auditor, Seat
from hdag.models import Segment


class ReputationStep(models.Model):
    """One judged vote in one column. Append-only; an auditor's reputation is the newest row of a column.

    `value` is exact to 12 places and never published; `prior` and `after` stand in the ledger.
    """

    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="reputation_steps")
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="reputation_steps")
    column = models.CharField(max_length=10, choices=choices(Column))
    prior = models.DecimalField(max_digits=3, decimal_places=2)
    correct = models.BooleanField()
    after = models.DecimalField(max_digits=16, decimal_places=14)
    value = models.DecimalField(max_digits=13, decimal_places=12)
    votes = models.PositiveIntegerField()
    standard_error = models.FloatField()
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "column"], name="one_step_a_seat_and_column"),
            models.UniqueConstraint(fields=["auditor", "column", "votes"], name="steps_follow_each_other"),
            models.CheckConstraint(condition=Q(value__gte=0, value__lte=1), name="reputation_lies_between_0_and_1"),
        ]
        indexes = [models.Index(fields=["auditor", "column", "-votes"], name="newest_reputation")]

    def __str__(self) -> str:
        return f"{self.column} {self.value}"


class SkillSnapshot(models.Model):
    """The rule that `auto` took for a campaign, why, and the skills it published. The newest row counts."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="skill_snapshots")
    rule = models.CharField(max_length=16, choices=choices(ConsensusRule))
    why = models.CharField(max_length=200)
    brier_gold_only = models.FloatField(null=True)
    brier_learned = models.FloatField(null=True)
    gold = models.PositiveIntegerField(default=0)
    skills = models.JSONField(default=dict)  # auditor id -> [sensitivity, specificity], decimals as text
    thresholds = models.JSONField(default=dict)  # theta_pass, theta_fail with the least cost on gold
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.rule} for {self.campaign_id}"


class CollusionFlag(models.Model):
    """An admin's word that auditors of a campaign collude; `is_set` False takes it back. The newest row counts."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="collusion_flags")
    is_set = models.BooleanField()
    why = models.CharField(max_length=300)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"collusion {'flagged' if self.is_set else 'cleared'}"


class Recusal(models.Model):
    """An auditor passed a seat on for a conflict of interest, and is never asked about that provider's traces again.

    The auditor is never told who the provider is, and the provider never hears of it.
    """

    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="recusals")
    provider = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="+")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["auditor", "provider"], name="one_recusal_a_provider")]

    def __str__(self) -> str:
        return f"{self.auditor_id} is recused"


class GoldTruth(models.Model):
    """The truth of a segment of a trace, known to the system alone before anybody voted on it."""

    segment = models.OneToOneField(Segment, models.PROTECT, primary_key=True, related_name="gold_truth")
    truth = models.CharField(max_length=8, choices=choices(Choice)[:2])
    source = models.CharField(max_length=80)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(truth__in=["pass", "fail"]), name="a_truth_is_pass_or_fail")]

    def __str__(self) -> str:
        return f"{self.segment_id}: {self.truth}"
