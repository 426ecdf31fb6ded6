"""Rounds of voting, their seats, and the auditors who hold them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import User
from auditing.core.stages import ACTIVE_SEATS, RoundStage, SeatStage
from auditing.core.values import Outcome, Tier
from auditing.models.choices import choices
from auditing.models.intake.audit import Audit
from hdag.models import Endpoint, Segment


class Auditor(models.Model):
    """Whoever can hold a seat: a person, a model behind an endpoint, or a checker of the computer tier.

    `an_auditor_is_one_of_three_kinds`; one row a person, a checker, and an endpoint's n-th seat of a round.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tier = models.CharField(max_length=8, choices=choices(Tier))
    # of a person; exactly one of user, endpoint and checker is set
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="auditor")
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, null=True, related_name="auditors")  # of a model
    sample = models.PositiveSmallIntegerField(default=0)  # an endpoint that fills several seats of a round counts them
    checker = models.CharField(max_length=40, blank=True)  # name of a checker of the computer tier
    is_simulated = models.BooleanField(default=False)  # votes of a study's population, marked wherever they are shown
    suspended_until = models.DateTimeField(null=True)  # drawn for nothing until then
    # a person whose votes were found to repeat a model's: what was measured, and counts; no query where it is none
    followed = models.ForeignKey("auditing.FollowMeasure", models.PROTECT, null=True, related_name="+")
    # counts what was spent of disclosure budgets: who reads the budget and then spends must find it unchanged
    looks = models.PositiveIntegerField(default=0, db_default=0)
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(tier="human", user__isnull=False, endpoint__isnull=True, checker="")
                | Q(tier="llm", user__isnull=True, endpoint__isnull=False, checker="")
                | (Q(tier="computer", user__isnull=True, endpoint__isnull=True) & ~Q(checker="")),
                name="an_auditor_is_one_of_three_kinds",
            ),
            models.UniqueConstraint(fields=["checker"], condition=~Q(checker=""), name="one_auditor_a_checker"),
            models.UniqueConstraint(fields=["endpoint", "sample"], name="one_auditor_a_sample"),
        ]

    def __str__(self) -> str:
        return f"{self.tier} auditor {self.id}"

    @property
    def person(self) -> User:
        """The person that an auditor of the human tier is; a constraint says that there is one."""
        assert self.user is not None
        return self.user


class Round(models.Model):
    """One segment before one tier.

    `one_open_round_a_segment`: the next is opened only when the last is tallied; `a_tallied_round_has_an_outcome`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    audit = models.ForeignKey(Audit, models.PROTECT, related_name="rounds", db_index=False)
    segment = models.ForeignKey(Segment, models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()  # from 0 within the segment, as leaves count
    tier = models.CharField(max_length=8, choices=choices(Tier))
    adjudicates = models.BooleanField(default=False)  # one adjudicator sits, with every earlier vote to read
    k = models.PositiveSmallIntegerField()  # places to fill
    stage = models.CharField(max_length=10, choices=choices(RoundStage), default=RoundStage.DRAWING)
    stage_since = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField(null=True)  # deadline of the stage: from then on a sweep advances it
    redraws = models.PositiveSmallIntegerField(default=0)  # how often silent seats were drawn again
    drawn = models.JSONField(default=list)  # auditor ids in the order of the draw
    next_drawn = models.PositiveIntegerField(default=0)  # position in `drawn` of the next auditor to be offered a seat
    # of this round; empty until tallied
    outcome = models.CharField(max_length=10, choices=choices(Outcome), blank=True)
    tally = models.JSONField(default=dict)  # as core Tally, fractions as text
    why = models.CharField(max_length=300, blank=True)  # the tally's reason
    # probability of the random sample, where it alone had people asked; NULL: 1
    inclusion = models.DecimalField(max_digits=13, decimal_places=12, null=True)
    pool = models.CharField(max_length=10, blank=True)  # "trusted": adjudicators were drawn
    closing_leaf = models.ForeignKey("auditing.Leaf", models.PROTECT, null=True, related_name="+")  # phase.reveal

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["audit", "segment", "number"], name="one_round_a_number"),
            models.UniqueConstraint(
                fields=["audit", "segment"], condition=~Q(stage="tallied"), name="one_open_round_a_segment"
            ),
            models.CheckConstraint(condition=Q(k__gte=1), name="a_round_has_seats"),
            models.CheckConstraint(
                condition=~Q(stage="tallied") | ~Q(outcome=""), name="a_tallied_round_has_an_outcome"
            ),
        ]
        indexes = [
            models.Index(fields=["stage", "due_at"], condition=~Q(stage="tallied"), name="open_rounds_by_stage"),
            # The sweep looks for seats of models every few seconds, beside any number of rounds that wait for people.
            models.Index(fields=["due_at"], condition=Q(stage="committing", tier="llm"), name="open_rounds_of_models"),
            models.Index(fields=["audit", "stage"]),
            models.Index(fields=["audit"], condition=Q(inclusion__isnull=False), name="rounds_of_the_sample"),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.segment_id}"


class Seat(models.Model):
    """One auditor's place in a round.

    `one_auditor_a_place`: each of the k places has at most one seat that is neither declined, silent nor lapsed;
    `one_seat_a_round_and_auditor`: nobody sits twice.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    round = models.ForeignKey(Round, models.PROTECT, related_name="seats", db_index=False)
    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="seats", db_index=False)
    place = models.PositiveSmallIntegerField()  # 0 to k - 1; replacements of a silent seat take its place
    stage = models.CharField(max_length=10, choices=choices(SeatStage), default=SeatStage.OFFERED)
    offered_at = models.DateTimeField(db_default=Now())
    taken_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)  # a held seat goes to the next in the draw after it
    pseudonym = models.BinaryField(max_length=32)  # HMAC of the auditor's id, another one in every audit
    draw = models.PositiveSmallIntegerField(default=0)  # which draw of the round filled it
    attempts = models.PositiveSmallIntegerField(default=0)  # model seats: calls begun
    # code of the reason, also where the system passed over somebody
    declined_because = models.CharField(max_length=40, blank=True)
    wanted_by = models.DateTimeField(db_default=Now())  # orders a reviewer's own queue: contested rounds earlier
    shown = models.JSONField(default=dict)  # what of the trace its holder is shown: degree, spans, summaries

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "auditor"], name="one_seat_a_round_and_auditor"),
            models.UniqueConstraint(
                fields=["round", "place"],
                condition=Q(stage__in=[str(stage) for stage in ACTIVE_SEATS]),
                name="one_auditor_a_place",
            ),
        ]
        indexes = [
            models.Index(
                fields=["auditor", "wanted_by", "id"],
                condition=Q(stage__in=["offered", "held"]),
                name="a_reviewers_queue",
            ),
            models.Index(fields=["lease_until"], condition=Q(stage="held"), name="leases_by_end"),
            models.Index(fields=["auditor", "taken_at"], condition=Q(stage="held"), name="seats_in_hand"),
            models.Index(fields=["auditor"], condition=Q(stage="committed"), name="sealed_seats"),
            models.Index(fields=["auditor", "offered_at"], name="seats_of_a_week"),
            models.Index(fields=["auditor", "-taken_at"], condition=Q(taken_at__isnull=False), name="seats_taken"),
            models.Index(fields=["round", "stage"]),
        ]

    def __str__(self) -> str:
        return f"seat {self.place} of {self.round_id}"
