"""Campaigns, their guidelines, and the numbered, immutable policies they audit under."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from auditing.core.policy import Openings
from auditing.models.choices import values


class PolicyVersion(models.Model):
    """A numbered, immutable set of parameters; `body` is auditing.core.policy.Policy as JSON."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    number = models.PositiveIntegerField(unique=True)
    name = models.CharField(max_length=80)
    body = models.JSONField()
    digest = models.BinaryField(max_length=32)
    follows = models.ForeignKey("self", models.PROTECT, null=True, related_name="successors")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(body__has_key="openings") | models.Q(body__openings__in=values(Openings)),
                name="a_policy_says_who_keeps_openings",
            )
        ]

    def __str__(self) -> str:
        return f"policy {self.number}: {self.name}"


class Campaign(models.Model):
    """A set of traces audited together under one policy, by its reviewers, until a deadline."""

    class State(models.TextChoices):
        OPEN = "open"
        PAUSED = "paused"
        CLOSED = "closed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=160)
    domain = models.CharField(max_length=60, blank=True)
    language = models.CharField(max_length=40, blank=True)  # who names languages is drawn only where this is one
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    paused_at = models.DateTimeField(null=True, editable=False)  # its windows stand still since then
    policy = models.ForeignKey(PolicyVersion, models.PROTECT, related_name="campaigns")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="campaigns")
    reviewers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="reviews_for", blank=True)
    open_to_all = models.BooleanField(default=True)  # every reviewer, or only those named
    deadline = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(db_default=Now(), db_index=True)

    def __str__(self) -> str:
        return self.title


class Guidelines(models.Model):
    """What a campaign asks of its reviewers; a change is a new version, each vote records the one it saw."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField()
    created = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-version"]
        constraints = [models.UniqueConstraint(fields=["campaign", "version"], name="one_text_a_version")]

    def __str__(self) -> str:
        return f"guidelines {self.version}"
