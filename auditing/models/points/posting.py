"""Points as double-entry bookkeeping: accounts, transfers, and postings that sum to zero; balances are sums of them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.intake.audit import Audit
from auditing.models.policy import PolicyVersion
from auditing.models.seating.round import Auditor, Seat


class Account(models.Model):
    """One of an auditor's accounts (points, held, stake), a provider's credit, or one of the system's (pool, treasury).

    `one_account_a_name` for each auditor, each provider, and for the system. A trigger lets no credit fall below zero,
    and nobody put more at stake, or withdraw more, than there is (`trust_points_are_there`).
    """

    class Name(models.TextChoices):
        POINTS = "points"  # earned and released
        HELD = "held"  # until the appeal window closes
        STAKE = "stake"  # what stands behind the votes
        POOL = "pool"  # takes prices and penalties, pays rewards
        TREASURY = "treasury"  # issues stakes and grants: the only account that points come from
        CREDIT = "credit"  # what a provider pays traces from

    # NULL: an account of a provider, or of the system
    auditor = models.ForeignKey(Auditor, models.PROTECT, null=True, related_name="accounts")
    provider = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="accounts")
    name = models.CharField(max_length=40, choices=Name)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(auditor__isnull=False, provider__isnull=True, name__in=["points", "held", "stake"])
                | Q(auditor__isnull=True, provider__isnull=False, name="credit")
                | Q(auditor__isnull=True, provider__isnull=True, name__in=["pool", "treasury"]),
                name="an_account_is_an_auditors_or_the_houses",
            ),
            models.UniqueConstraint(
                fields=["auditor", "provider", "name"], name="one_account_a_name", nulls_distinct=False
            ),
        ]

    def __str__(self) -> str:
        owner = self.auditor_id or self.provider_id
        return f"{self.name} of {owner}" if owner else self.name


class Transfer(models.Model):
    """One movement of points. Final by trigger; unique by `key`, so that it happens once.

    A reversal or a release is a new transfer that names the one it answers, which can be answered once.
    """

    class Kind(models.TextChoices):
        REWARD = "reward"
        SLASH = "slash"
        NO_SHOW = "no_show", "no-show"
        AGREEMENT = "agreement"
        STAKE = "stake"  # a newcomer's, from the treasury
        STAKING = "staking"  # own points put at stake
        WITHDRAWAL = "withdrawal"  # ... and taken back after notice
        GRANT = "grant"  # from the treasury to a provider or to the pool, by an admin
        PRICE = "price"  # of a trace, from its provider's credit
        CONDUCT = "conduct"  # taken by a decision of a person
        RELEASE = "release"
        REVERSAL = "reversal"
        RETURNED = "returned", "fine returned"  # from the pool: short windows, gold overturned later

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.CharField(max_length=120, unique=True)  # names the cause, so that a repeated task finds it done
    kind = models.CharField(max_length=24, choices=Kind)
    audit = models.ForeignKey(Audit, models.PROTECT, null=True, related_name="transfers")
    seat = models.ForeignKey(Seat, models.PROTECT, null=True, related_name="transfers")  # whose vote it pays or fines
    policy = models.ForeignKey(PolicyVersion, models.PROTECT, null=True, related_name="+")  # that it was computed under
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversed_by")
    releases = models.OneToOneField("self", models.PROTECT, null=True, related_name="released_by")
    is_held = models.BooleanField(default=False)  # until the appeal window closes; released by a new transfer
    reason = models.CharField(max_length=300, blank=True, db_default="")  # of a grant: why
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")  # of a grant: who
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="reversal", reverses__isnull=False) | (~Q(kind="reversal") & Q(reverses__isnull=True)),
                name="a_reversal_names_what_it_reverses",
            ),
            models.CheckConstraint(
                condition=Q(kind="release", releases__isnull=False) | (~Q(kind="release") & Q(releases__isnull=True)),
                name="a_release_names_what_it_releases",
            ),
            models.CheckConstraint(
                condition=Q(kind="grant", by__isnull=False) & ~Q(reason="") | ~Q(kind="grant") & Q(by__isnull=True),
                name="a_grant_says_who_and_why",
            ),
        ]
        indexes = [
            models.Index(fields=["created"], condition=Q(kind__in=["price", "grant"]), name="prices_and_grants"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Posting(models.Model):
    """One line of a transfer, in integer points. Final by trigger.

    A deferred trigger refuses a transaction at whose end the lines of a transfer do not sum to zero.
    """

    transfer = models.ForeignKey(Transfer, models.PROTECT, related_name="postings", db_index=False)
    account = models.ForeignKey(Account, models.PROTECT, related_name="postings")
    amount = models.BigIntegerField()  # positive: into the account

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["transfer", "account"], name="one_line_an_account"),
            models.CheckConstraint(condition=~Q(amount=0), name="no_empty_line"),
        ]

    def __str__(self) -> str:
        return f"{self.amount:+d}"
