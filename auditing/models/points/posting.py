"""Points as double-entry bookkeeping: accounts, transfers, and postings that sum to zero; balances are sums of them."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.intake.audit import Audit
from auditing.models.policy import PolicyVersion
from auditing.models.seating.round import Auditor, Seat


class Account(models.Model):
    """One of an auditor's accounts (points, held, stake), or one of the system's (pool, treasury).

    `one_account_a_name` for each auditor, and for the system.
    """

    class Name(models.TextChoices):
        POINTS = "points"  # earned and released
        HELD = "held"  # until the appeal window closes
        STAKE = "stake"  # what stands behind the votes
        POOL = "pool"  # pays rewards, takes penalties
        TREASURY = "treasury"  # issues stakes

    # NULL: an account of the system
    auditor = models.ForeignKey(Auditor, models.PROTECT, null=True, related_name="accounts")
    name = models.CharField(max_length=40, choices=Name)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(auditor__isnull=False, name__in=["points", "held", "stake"])
                | Q(auditor__isnull=True, name__in=["pool", "treasury"]),
                name="an_account_is_an_auditors_or_the_houses",
            ),
            models.UniqueConstraint(fields=["auditor", "name"], name="one_account_a_name", nulls_distinct=False),
        ]

    def __str__(self) -> str:
        return self.name if self.auditor_id is None else f"{self.name} of {self.auditor_id}"


class Transfer(models.Model):
    """One movement of points. Final by trigger; unique by `key`, so that it happens once.

    A reversal or a release is a new transfer that names the one it answers, which can be answered once.
    """

    class Kind(models.TextChoices):
        REWARD = "reward"
        SLASH = "slash"
        NO_SHOW = "no_show", "no-show"
        AGREEMENT = "agreement"
        STAKE = "stake"
        CONDUCT = "conduct"  # taken by a decision of a person
        RELEASE = "release"
        REVERSAL = "reversal"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.CharField(max_length=120, unique=True)  # names the cause, so that a repeated task finds it done
    kind = models.CharField(max_length=24, choices=Kind)
    audit = models.ForeignKey(Audit, models.PROTECT, null=True, related_name="transfers")
    seat = models.ForeignKey(Seat, models.PROTECT, null=True, related_name="transfers")  # whose vote it pays or fines
    policy = models.ForeignKey(PolicyVersion, models.PROTECT, null=True, related_name="+")  # that it was computed under
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversed_by")
    releases = models.OneToOneField("self", models.PROTECT, null=True, related_name="released_by")
    is_held = models.BooleanField(default=False)  # until the appeal window closes; released by a new transfer
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
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Posting(models.Model):
    """One line of a transfer, in integer points. Final by trigger.

    A deferred trigger refuses a transaction at whose end the lines of a transfer do not sum to zero.
    """

    transfer = models.ForeignKey(Transfer, models.PROTECT, related_name="postings")
    account = models.ForeignKey(Account, models.PROTECT, related_name="postings")
    amount = models.BigIntegerField()  # positive: into the account

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["transfer", "account"], name="one_line_an_account"),
            models.CheckConstraint(condition=~Q(amount=0), name="no_empty_line"),
        ]

    def __str__(self) -> str:
        return f"{self.amount:+d}"
