"""Decisions of people about reviewers, with what they rested on and what became of them on appeal; flagged rings."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from auditing.core.conduct import DECISIONS, RULINGS, TIMED, ConductStep
from auditing.models.choices import choices
from auditing.models.seating.round import Auditor
from hdag.models import Block

_WORDS = dict(choices(ConductStep))
_ENDING = [step.value for step in TIMED]
_WORDS_ALONE = [ConductStep.CLEARED.value, ConductStep.WARNED.value]


class ConductCase(models.Model):
    """What an admin decided about a reviewer; an appeal is ruled on by somebody else.

    `one_decision_on_the_same_votes`: nobody answers twice for the same votes. `a_measure_ends`: what keeps a person
    from seats has an end. `an_appeal_is_ruled_on_by_somebody_else`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="conduct_cases")
    decision = models.CharField(max_length=10, choices=[(step.value, _WORDS[step.value]) for step in DECISIONS])
    why = models.CharField(max_length=200, blank=True)
    evidence = models.JSONField()  # the signs as the admin saw them
    votes = models.PositiveIntegerField()  # of the reviewer, that were looked at
    points = models.PositiveIntegerField(default=0)  # taken
    until = models.DateTimeField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created = models.DateTimeField(db_default=Now())
    plea = models.OneToOneField(Block, models.PROTECT, null=True, related_name="+")  # what the person wrote
    appealed_at = models.DateTimeField(null=True)
    ruling = models.CharField(max_length=8, choices=[(step.value, step.value) for step in RULINGS], blank=True)
    ruled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    ruled_why = models.CharField(max_length=300, blank=True)
    ruled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["auditor", "decision", "votes"],
                condition=~Q(decision__in=_WORDS_ALONE),
                name="one_decision_on_the_same_votes",
            ),
            models.CheckConstraint(
                condition=Q(decision__in=_ENDING, until__isnull=False)
                | (~Q(decision__in=_ENDING) & Q(until__isnull=True)),
                name="a_measure_ends",
            ),
            models.CheckConstraint(
                condition=Q(ruling="", ruled_by__isnull=True, ruled_at__isnull=True)
                | (
                    Q(ruled_at__isnull=False, ruled_by__isnull=False, appealed_at__isnull=False)
                    & ~Q(ruling="")
                    & ~Q(ruled_by=F("by"))
                ),
                name="an_appeal_is_ruled_on_by_somebody_else",
            ),
        ]
        indexes = [models.Index(fields=["until"], condition=Q(until__isnull=False), name="standing_measures")]

    def __str__(self) -> str:
        return f"{self.auditor_id}: {self.decision}"


class CollusionRing(models.Model):
    """An admin says that a group of reviewers votes together: their votes teach nobody's skills from then on.

    evidence: each pair's agreement, and what independent votes with the same skills would show (the null distribution).
    """

    members = models.ManyToManyField(Auditor, related_name="rings")
    evidence = models.JSONField()
    why = models.CharField(max_length=300)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created = models.DateTimeField(db_default=Now())
    cleared_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    cleared_why = models.CharField(max_length=300, blank=True)
    cleared_at = models.DateTimeField(null=True)  # NULL: it stands

    def __str__(self) -> str:
        return f"ring {self.pk}: {'cleared' if self.cleared_at else 'stands'}"
