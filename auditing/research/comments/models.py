"""What people say of a passage once its votes are open."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from auditing.models import Audit
from hdag.models import Block, Segment


class Comment(models.Model):
    """One comment at a segment of a recorded audit; pages name its author by `pseudonym` alone.

    `a_place_has_two_ends`: start and end are code points of the text that was judged, or both NULL for all of it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    audit = models.ForeignKey(Audit, models.PROTECT, related_name="comments")
    segment = models.ForeignKey(Segment, models.PROTECT, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    # of the author's seats in this audit; empty: the provider of the trace
    pseudonym = models.BinaryField(max_length=32, blank=True)
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    # encrypted like the trace itself, whose words a comment repeats
    block = models.OneToOneField(Block, models.PROTECT, related_name="+")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["audit", "segment", "created"], name="comments_of_a_segment")]
        constraints = [
            models.CheckConstraint(
                condition=Q(start__isnull=True, end__isnull=True) | Q(start__lt=F("end")),
                name="a_place_has_two_ends",
            )
        ]

    def __str__(self) -> str:
        return f"comment {self.id}"
