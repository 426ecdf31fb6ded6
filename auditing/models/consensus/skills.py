"""What was learned about auditors from a campaign's votes, and what admins say about collusion among them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from auditing.core.policy import ConsensusRule
from auditing.models.campaigns import Campaign
from auditing.models.choices import choices


class SkillSnapshot(models.Model):
    """The rule that `auto` took for a campaign, why, and the skills it published. The newest row counts.

    Final by trigger: what a tally rested on can be read again.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="skill_snapshots")
    rule = models.CharField(max_length=16, choices=choices(ConsensusRule))  # the one that `auto` came to
    why = models.CharField(max_length=200)
    brier_gold_only = models.FloatField(null=True)  # on held-out gold; NULL with too little of it
    brier_learned = models.FloatField(null=True)  # of gold-initialised EM, likewise
    gold = models.PositiveIntegerField(default=0)  # gold segments compared on
    skills = models.JSONField(default=dict)  # auditor id -> [sensitivity, specificity], decimals as text
    audits = models.JSONField(default=list, db_default=[])  # ids of the finished audits whose votes were learned from
    thresholds = models.JSONField(default=dict)  # theta_pass, theta_fail with the least cost on gold
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.rule} for {self.campaign_id}"


class WeightSource(models.Model):
    """What the weight of a seat came from, behind the digest in its `skills` leaf. Written at the closing; final."""

    seat = models.OneToOneField("auditing.Seat", models.PROTECT, primary_key=True, related_name="weight_source")
    record = models.JSONField()  # core.consensus.weight_sources
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"weight of seat {self.seat_id}"


class FollowMeasure(models.Model):
    """How far a person says what a family of models says, in these finished audits. Final; Auditor.followed counts."""

    auditor = models.ForeignKey("auditing.Auditor", models.PROTECT, related_name="follow_measures")
    family = models.CharField(max_length=120)  # as selectors.model_tier.endpoints.family_name writes it
    following = models.DecimalField(max_digits=3, decimal_places=2)
    shared = models.PositiveIntegerField()  # votes beside a clear word of the family
    alike = models.PositiveIntegerField()
    audits = models.JSONField(default=list)  # ids of the finished audits that the votes are of
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(following__gt=0, following__lt=1), name="following_is_never_certain"),
            models.CheckConstraint(condition=Q(alike__lte=F("shared")), name="alike_are_shared"),
        ]

    def __str__(self) -> str:
        return f"{self.auditor_id} follows {self.family}: {self.following}"


class CollusionFlag(models.Model):
    """An admin's statement that auditors of a campaign collude, or no longer do. The newest row counts; final."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="collusion_flags")
    is_set = models.BooleanField()  # False takes an earlier flag back
    why = models.CharField(max_length=300)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"collusion {'flagged' if self.is_set else 'cleared'}"
