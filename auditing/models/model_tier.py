"""The model tier on record: consents, attempts to vote, correlations of families, documents that may be searched."""

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.campaigns import Campaign
from auditing.models.policy import PolicyVersion
from auditing.models.seating.round import Seat
from hdag.models import Endpoint


class ModelConsent(models.Model):
    """Somebody agreed that texts of one campaign, under one policy, go to one server. Without it no model is asked.

    It is for the server that it names: an endpoint that moves to another one needs another consent. A row is written
    once and withdrawn once; `one_open_consent`: agreeing twice is agreeing once.
    """

    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="consents")
    server = models.CharField(max_length=300)  # scheme, host and port, as the endpoint's address was then
    # none: traces that are in no campaign
    campaign = models.ForeignKey(Campaign, models.PROTECT, null=True, blank=True, related_name="model_consents")
    policy = models.ForeignKey(PolicyVersion, models.PROTECT, related_name="model_consents")
    extent = models.CharField(max_length=14, choices=Endpoint.MaySee, default=Endpoint.MaySee.SEGMENTS)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")  # none: a shell
    created = models.DateTimeField(db_default=Now())
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint", "server", "campaign", "policy"],
                condition=Q(withdrawn_at__isnull=True),
                nulls_distinct=False,
                name="one_open_consent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.endpoint_id} may be sent {self.extent} of {self.campaign_id} under {self.policy_id}"


class SeatAttempt(models.Model):
    """One attempt of a model to vote on its seat, written before the first call goes out and ended once.

    `one_sealed_attempt_a_seat`: of two workers on one seat only one can seal a vote.
    """

    class State(models.TextChoices):
        ASKED = "asked"
        SEALED = "sealed"
        NO_VOTE = "no vote"

    seat = models.ForeignKey(Seat, models.PROTECT, related_name="attempts_made")
    number = models.PositiveSmallIntegerField()  # 1, 2, ... within the seat
    state = models.CharField(max_length=8, choices=State, default=State.ASKED)
    failure = models.CharField(max_length=40, blank=True)  # code of what went wrong; empty where it voted
    reason = models.CharField(max_length=300, blank=True)  # about the call, never words of the trace
    signs = models.JSONField(default=list)  # kinds of signs that the text tries to instruct its auditor (injection)
    is_suspect = models.BooleanField(default=False)  # the segment goes to a person as well
    tool_calls = models.PositiveSmallIntegerField(default=0)  # checks and searches that the model asked for
    refused_calls = models.PositiveSmallIntegerField(default=0)  # of those, not allowed or malformed
    corrections = models.PositiveSmallIntegerField(default=0)  # answers asked for again because they did not parse
    is_conflict = models.BooleanField(default=False)  # it passed what its own checker call refuted
    calls = models.PositiveSmallIntegerField(default=0)  # requests to the endpoint, retries included
    bytes_sent = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=8, default=0)  # in the operator's currency
    created = models.DateTimeField(db_default=Now(), db_index=True)
    ended = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "number"], name="one_attempt_a_number"),
            models.UniqueConstraint(fields=["seat"], condition=Q(state="sealed"), name="one_sealed_attempt_a_seat"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} on {self.seat_id}"


class FamilyMeasure(models.Model):
    """How far errors of one family of models correlate on one segment, as measured; the newest of a family counts."""

    family = models.CharField(max_length=120)  # as selectors.model_tier.endpoints.family_name writes it
    correlation = models.FloatField()
    segments = models.PositiveIntegerField()  # with two votes of the family at least, truth known
    votes = models.PositiveIntegerField()  # that the measurement rests on
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(correlation__gte=0, correlation__lte=1), name="correlation_is_a_share"),
        ]
        indexes = [models.Index(fields=["family", "-id"], name="newest_family_measure")]

    def __str__(self) -> str:
        return f"{self.family}: {self.correlation:.2f} on {self.segments} segments"


class Document(models.Model):
    """A document of the operator that audit models may search, where an endpoint is allowed to."""

    title = models.CharField(max_length=200)
    text = models.TextField()
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [GinIndex(SearchVector("title", "text", config="english"), name="documents_by_words")]

    def __str__(self) -> str:
        return self.title
