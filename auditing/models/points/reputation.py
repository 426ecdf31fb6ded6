"""Reputation as a history of steps: one row for each judged vote in each column."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.core.ledger.leaves import Column
from auditing.models.choices import choices
from auditing.models.seating.round import Auditor, Seat


class ReputationStep(models.Model):
    """One judged vote in one column. Final by trigger; an auditor's reputation is the newest row of a column.

    `one_step_a_seat_and_column`: a vote is judged once, and what judged it is taken back once.
    `steps_follow_each_other`: of two workers that read the same newest step only one can write the next.
    """

    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="reputation_steps", db_index=False)
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="reputation_steps")
    column = models.CharField(max_length=10, choices=choices(Column))  # measured against gold, or against consensus
    prior = models.DecimalField(max_digits=3, decimal_places=2)  # published value before, in cents
    correct = models.BooleanField()
    # (1 - gamma) prior + gamma correct, exactly as on the leaf
    after = models.DecimalField(max_digits=16, decimal_places=14)
    value = models.DecimalField(max_digits=13, decimal_places=12)  # exact, never published
    votes = models.PositiveIntegerField()  # steps in this column so far, this one included
    # This row takes an earlier step out of the chain (its gold was overturned); `correct` is the word of that step.
    takes_back = models.OneToOneField("self", models.PROTECT, null=True, related_name="taken_back_by")
    standard_error = models.FloatField()  # of `value` as an estimate of accuracy
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["seat", "column"], condition=Q(takes_back__isnull=True), name="one_step_a_seat_and_column"
            ),
            models.UniqueConstraint(fields=["auditor", "column", "votes"], name="steps_follow_each_other"),
            models.CheckConstraint(condition=Q(value__gte=0, value__lte=1), name="reputation_lies_between_0_and_1"),
        ]

    def __str__(self) -> str:
        return f"{self.column} {self.value}"
