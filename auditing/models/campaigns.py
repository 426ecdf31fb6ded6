"""Campaigns, their guidelines for reviewers, and the notices that people get."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.policy import PolicyVersion


class Campaign(models.Model):
    """A set of traces audited together under one policy, by its reviewers, until a deadline. Its owner may edit it."""

    class State(models.TextChoices):
        OPEN = "open"
        PAUSED = "paused"
        CLOSED = "closed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=160)
    domain = models.CharField(max_length=60, blank=True)  # of its gold and its calibration; traces bring their own
    language = models.CharField(max_length=40, blank=True)  # reviewers who name languages are drawn only for theirs
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    paused_at = models.DateTimeField(null=True, editable=False)  # its windows stand still since then
    # for audits opened from now on; an open audit keeps its own
    policy = models.ForeignKey(PolicyVersion, models.PROTECT, related_name="campaigns")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="campaigns")
    # those named; read only where open_to_all is off
    reviewers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="reviews_for", blank=True)
    open_to_all = models.BooleanField(default=True)  # every reviewer, or only those named
    # those named; read only where any_provider is off
    providers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="provides_for", blank=True)
    any_provider = models.BooleanField(default=True, db_default=True)  # every provider, or only those named
    # those named; read only where any_adjudicator is off
    adjudicators = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="adjudicates_for", blank=True)
    any_adjudicator = models.BooleanField(default=True, db_default=True)  # every adjudicator, or only those named
    # run it beside the admins, and so neither hand in its traces nor judge them
    managers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="manages", blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(db_default=Now(), db_index=True)

    def __str__(self) -> str:
        return self.title


class Guidelines(models.Model):
    """One version of what a campaign asks of its reviewers; each vote records the one it saw.

    `one_text_a_version`: two editors cannot both write the next version.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()  # 1, 2, 3, ... within the campaign
    text = models.TextField()
    created = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-version"]
        constraints = [models.UniqueConstraint(fields=["campaign", "version"], name="one_text_a_version")]

    def __str__(self) -> str:
        return f"guidelines {self.version}"


class Notice(models.Model):
    """One notification for one person.

    `news_comes_once`: a repeated task tells nobody twice. `one_unheard_call_to_the_desk`: "a seat is yours" is not said
    again before the first was read or mailed.
    """

    class Kind(models.TextChoices):
        ASSIGNED = "assigned"
        REVEALING = "revealing"
        OUTCOME = "outcome"
        APPEAL = "appeal"
        DANGER = "danger"
        DECISION = "decision"
        REMINDER = "reminder"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices", db_index=False)
    kind = models.CharField(max_length=10, choices=Kind)
    key = models.CharField(max_length=120)  # what it is about, such as "decided:<audit>"
    text = models.CharField(max_length=300)
    link = models.CharField(max_length=200, blank=True)  # address on this site
    created = models.DateTimeField(db_default=Now())
    read_at = models.DateTimeField(null=True)  # NULL: counted on the badge
    mailed_at = models.DateTimeField(null=True)  # NULL: the next digest carries it, unless it is read before

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="news_comes_once"),
            models.UniqueConstraint(
                fields=["user", "kind"],
                condition=Q(kind__in=["assigned", "revealing"], read_at__isnull=True, mailed_at__isnull=True),
                name="one_unheard_call_to_the_desk",
            ),
        ]
        indexes = [
            models.Index(fields=["user", "-id"], name="news_of_a_person"),
            models.Index(
                fields=["user"], condition=Q(mailed_at__isnull=True, read_at__isnull=True), name="news_to_mail"
            ),
            models.Index(fields=["user"], condition=Q(read_at__isnull=True), name="news_not_read"),
        ]

    def __str__(self) -> str:
        return self.text
