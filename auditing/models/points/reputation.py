"""Reputation as a history of steps: one row for each judged vote in each column."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.core.ledger.leaves import Column
from auditing.models.choices import choices
from auditing.models.seating.round import Auditor, Seat


class ReputationStep(models.Model):
    """One judged vote in one column. Append-only; an auditor's reputation is the newest row of a column.

    `value` is exact to 12 places and never published; `prior` and `after` stand in the ledger.
    """

    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="reputation_steps")
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="reputation_steps")
    column = models.CharField(max_length=10, choices=choices(Column))
    prior = models.DecimalField(max_digits=3, decimal_places=2)
    correct = models.BooleanField()
    after = models.DecimalField(max_digits=16, decimal_places=14)
    value = models.DecimalField(max_digits=13, decimal_places=12)
    votes = models.PositiveIntegerField()
    standard_error = models.FloatField()
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "column"], name="one_step_a_seat_and_column"),
            models.UniqueConstraint(fields=["auditor", "column", "votes"], name="steps_follow_each_other"),
            models.CheckConstraint(condition=Q(value__gte=0, value__lte=1), name="reputation_lies_between_0_and_1"),
        ]
        indexes = [models.Index(fields=["auditor", "column", "-votes"], name="newest_reputation")]

    def __str__(self) -> str:
        return f"{self.column} {self.value}"
