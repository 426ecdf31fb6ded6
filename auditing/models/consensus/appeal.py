"""Appeals against recorded audits, and the reasons an adjudicator gives."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.intake.audit import Audit
from auditing.models.seating.round import Auditor, Round
from hdag.models import Block, Segment


class Appeal(models.Model):
    """Somebody with a stake in a recorded audit asks for a second one. Final by trigger.

    `one_appeal_a_person` for an audit; `an_appeal_opens_another_audit`: a recorded one is never edited.
    """

    class Side(models.TextChoices):
        PROVIDER = "provider"
        AUDITOR = "auditor"
        OPERATOR = "operator"

    class Reason(models.TextChoices):
        WRONG_OUTCOME = "wrong_outcome", "The outcome is wrong"
        MISREAD = "misread", "The segment was misread"
        MISSING_CONTEXT = "missing_context", "Auditors lacked what the segment rests on"
        BAD_SPLIT = "bad_split", "The trace was split at the wrong place"
        CONFLICT = "conflict", "An auditor had a conflict of interest"
        PROCEDURE = "procedure", "A rule of the protocol was broken"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    audit = models.ForeignKey(Audit, models.PROTECT, related_name="appeals")
    segment = models.ForeignKey(Segment, models.PROTECT, null=True, related_name="+")  # NULL: the audit as a whole
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="appeals")
    side = models.CharField(max_length=10, choices=Side)  # what gave the person the right to appeal
    reason = models.CharField(max_length=20, choices=Reason)
    # the appeal's text, encrypted; NULL without one
    block = models.OneToOneField(Block, models.PROTECT, null=True, related_name="+")
    successor = models.ForeignKey(Audit, models.PROTECT, related_name="answers_appeals")  # the audit that looks again
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["audit", "by"], name="one_appeal_a_person"),
            models.CheckConstraint(condition=~Q(audit=models.F("successor")), name="an_appeal_opens_another_audit"),
        ]

    def __str__(self) -> str:
        return f"appeal of {self.audit_id}"


class Adjudication(models.Model):
    """Why an adjudicator thinks that a segment was contested: one row a round, before the vote is sealed.

    Final by trigger; `an_adjudication_has_a_reason` out of the list.
    """

    class Reason(models.TextChoices):
        SPLIT_VOTE = "split_vote", "The votes split on the same reading"
        AMBIGUOUS = "ambiguous", "The segment can be read in two ways"
        MISSING_CONTEXT = "missing_context", "What it rests on was not shown"
        EXPERTISE = "expertise", "It needs knowledge the auditors lacked"
        AUDITOR_ERROR = "auditor_error", "An auditor made a plain mistake"
        CHECKER_ERROR = "checker_error", "A checker or a model was wrong"
        SILENCE = "silence", "Too few auditors answered"
        GUIDELINES = "guidelines", "The guidelines do not settle it"

    round = models.OneToOneField(Round, models.PROTECT, primary_key=True, related_name="adjudication")
    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="adjudications")  # the adjudicator
    reason = models.CharField(max_length=20, choices=Reason)
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    reason__in=[
                        "split_vote",
                        "ambiguous",
                        "missing_context",
                        "expertise",
                        "auditor_error",
                        "checker_error",
                        "silence",
                        "guidelines",
                    ]
                ),
                name="an_adjudication_has_a_reason",
            )
        ]

    def __str__(self) -> str:
        return f"{self.reason} on {self.round_id}"
