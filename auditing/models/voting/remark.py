"""What a reviewer says of a seat's form beside the vote: a premise is missing, or the passage is badly cut."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.seating.round import Seat
from hdag.models import Segment


class Remark(models.Model):
    """A remark of a seat's holder; it is no part of the vote and says nothing about it.

    `one_premise_a_seat` and `one_bad_cut_a_seat`: the same remark again is the same row;
    `a_missing_premise_names_it`: the segment that the current reasoning takes something from.
    """

    class Kind(models.TextChoices):
        MISSING_PREMISE = "missing_premise", "a premise is missing"
        BADLY_CUT = "badly_cut", "badly cut passage"

    seat = models.ForeignKey(Seat, models.PROTECT, related_name="remarks")
    kind = models.CharField(max_length=16, choices=Kind)
    # the missing premise; NULL for a passage that is badly cut
    segment = models.ForeignKey(Segment, models.PROTECT, null=True, related_name="+")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["seat", "segment"], condition=Q(segment__isnull=False), name="one_premise_a_seat"
            ),
            models.UniqueConstraint(fields=["seat"], condition=Q(kind="badly_cut"), name="one_bad_cut_a_seat"),
            models.CheckConstraint(
                condition=Q(kind="missing_premise", segment__isnull=False) | Q(kind="badly_cut", segment__isnull=True),
                name="a_missing_premise_names_it",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.seat_id}"
