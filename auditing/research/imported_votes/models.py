"""Votes that were cast elsewhere: never sealed, never paid, and apart from our own in tables of their own."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.core.values import Choice, Tier
from auditing.models.choices import choices
from hdag.models import Block


class ImportedVoteSet(models.Model):
    """One file of votes as it was imported; the same file of one person twice is one set."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    title = models.CharField(max_length=120)
    layout = models.CharField(max_length=24)
    domain = models.CharField(max_length=60, blank=True)
    tier = models.CharField(max_length=8, choices=choices(Tier), default=Tier.HUMAN)
    digest = models.BinaryField(max_length=32)  # SHA-256 of the votes as read
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "digest"], name="same_votes_twice_are_one_set")]

    def __str__(self) -> str:
        return self.title


class ImportedVote(models.Model):
    """One vote from elsewhere; its reason, if it came with one, lies in a block."""

    set = models.ForeignKey(ImportedVoteSet, models.CASCADE, related_name="votes")
    item = models.CharField(max_length=120)
    auditor = models.CharField(max_length=120)
    choice = models.CharField(max_length=8, choices=choices(Choice))
    confidence = models.FloatField(null=True)
    classes = models.JSONField(default=list)  # kinds of error that it marks
    seconds = models.FloatField(null=True)
    level = models.CharField(max_length=10, blank=True)
    reason = models.OneToOneField(Block, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["set", "item", "auditor"], name="one_imported_vote_an_auditor"),
            models.CheckConstraint(
                condition=Q(confidence__isnull=True) | Q(confidence__gte=0.5, confidence__lte=1),
                name="imported_confidence_is_half_to_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} on {self.item} by {self.auditor}"
