"""Notices by which auditors take points back from their stake."""

import uuid

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from auditing.models.points.posting import Transfer
from auditing.models.seating.round import Auditor


class Withdrawal(models.Model):
    """Notice that points at stake are taken back. Until `due_at` they stay where they are, and can be lost.

    Final but for its one end, paid or taken back, by trigger. A second trigger lets nobody give notice of more than was
    put at stake by oneself and stands under no other notice: two that arrive at once take turns.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="withdrawals")
    points = models.PositiveBigIntegerField()
    asked_at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField()  # by the policy that was the newest when notice was given
    paid_at = models.DateTimeField(null=True)
    taken_back_at = models.DateTimeField(null=True)
    # NULL also where nothing was left to pay: the stake was lost meanwhile
    transfer = models.OneToOneField(Transfer, models.PROTECT, null=True, related_name="withdrawal")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(points__gt=0), name="a_withdrawal_has_points"),
            models.CheckConstraint(
                condition=Q(paid_at__isnull=True) | Q(taken_back_at__isnull=True, paid_at__gte=F("due_at")),
                name="a_withdrawal_is_paid_when_due",
            ),
            models.CheckConstraint(
                condition=Q(transfer__isnull=True) | Q(paid_at__isnull=False), name="a_withdrawal_ends_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(paid_at__isnull=True, taken_back_at__isnull=True),
                name="open_withdrawals",
            )
        ]

    def __str__(self) -> str:
        return f"{self.points} points of {self.auditor_id}"

    @property
    def paid(self) -> int:
        """What was paid in the end: less than `points` where some was lost meanwhile."""
        return max((line.amount for line in self.transfer.postings.all()), default=0) if self.transfer else 0
