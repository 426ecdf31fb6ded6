"""Norming rooms, their votes and what is said in them; nothing of it pays, weighs or is logged."""

import uuid
from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.core.values import Choice
from auditing.models import Auditor, GoldSegment
from auditing.models.choices import choices
from hdag.models import Block


class Stage(StrEnum):
    """Where a norming room stands; each opens the next."""

    BLIND = "blind"  # everybody votes, nobody sees another's vote
    DISCUSSING = "discussing"  # the votes lie open, the truth does not
    AGAIN = "again"  # everybody votes once more
    CLOSED = "closed"  # agreement before and after, and the truth


NEXT = dict(zip(list(Stage)[:-1], list(Stage)[1:], strict=True))
ROUND = {Stage.BLIND: 1, Stage.AGAIN: 2}  # of votes that a stage takes


class NormingRoom(models.Model):
    """A set of practice passages that some reviewers talk about."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=80)
    domain = models.CharField(max_length=60)
    stage = models.CharField(max_length=10, choices=choices(Stage), default=Stage.BLIND)
    items = models.ManyToManyField(GoldSegment, related_name="+")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.title


class NormingVote(models.Model):
    """One vote in a norming room. `one_vote_an_item_and_round`: whoever has seen the others' votes changes none."""

    room = models.ForeignKey(NormingRoom, models.CASCADE, related_name="votes")
    gold = models.ForeignKey(GoldSegment, models.PROTECT, related_name="+")
    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="+")
    round = models.PositiveSmallIntegerField()  # 1: blind; 2: after the discussion
    choice = models.CharField(max_length=8, choices=choices(Choice)[:2])
    confidence = models.PositiveIntegerField(null=True)  # basis points, 5000 to 10000
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "gold", "auditor", "round"], name="one_vote_an_item_and_round"),
            models.CheckConstraint(condition=Q(round__in=[1, 2]), name="a_norming_vote_is_before_or_after"),
        ]

    def __str__(self) -> str:
        return f"{self.choice} on {self.gold_id}, round {self.round}"


class NormingRemark(models.Model):
    """What somebody said about a passage while the votes lay open."""

    room = models.ForeignKey(NormingRoom, models.CASCADE, related_name="remarks")
    gold = models.ForeignKey(GoldSegment, models.PROTECT, related_name="+")
    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="+")
    block = models.OneToOneField(Block, models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"remark on {self.gold_id}"
