"""Points as double entry: a transfer's postings sum to zero (a deferred trigger sees to it); balances are sums."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.audit import Audit
from auditing.models.campaign import PolicyVersion
from auditing.models.round import Auditor, Seat


class Account(models.Model):
    """An auditor's points, or one of the house's named accounts (pool, treasury)."""

    auditor = models.OneToOneField(Auditor, models.PROTECT, null=True, related_name="account")
    name = models.CharField(max_length=40, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(auditor__isnull=False, name="") | (Q(auditor__isnull=True) & ~Q(name="")),
                name="an_account_is_an_auditors_or_named",
            ),
            models.UniqueConstraint(fields=["name"], condition=~Q(name=""), name="one_account_a_name"),
        ]

    def __str__(self) -> str:
        return self.name or f"account of {self.auditor_id}"


class Transfer(models.Model):
    """One movement of points. Unique by `key`, so that it happens once."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.CharField(max_length=120, unique=True)
    kind = models.CharField(max_length=24)  # reward, slash, no_show, bonus, stake, release, reversal, grant
    audit = models.ForeignKey(Audit, models.PROTECT, null=True, related_name="transfers")
    seat = models.ForeignKey(Seat, models.PROTECT, null=True, related_name="transfers")
    policy = models.ForeignKey(PolicyVersion, models.PROTECT, null=True, related_name="+")
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversed_by")
    is_held = models.BooleanField(default=False)  # until the appeal window closes; released by a new transfer
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Posting(models.Model):
    """One line of a transfer, in integer points."""

    transfer = models.ForeignKey(Transfer, models.PROTECT, related_name="postings")
    account = models.ForeignKey(Account, models.PROTECT, related_name="postings")
    amount = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["transfer", "account"], name="one_line_an_account"),
            models.CheckConstraint(condition=~Q(amount=0), name="no_empty_line"),
        ]

    def __str__(self) -> str:
        return f"{self.amount:+d}"
