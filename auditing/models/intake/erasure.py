"""Requests that the text of a trace be forgotten, and what became of them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from hdag.models import Trace


class Erasure(models.Model):
    """A provider's request to forget a trace's text; an admin confirms or refuses it.

    `one_erasure_a_trace` that is open or done; `a_decided_erasure_says_when`.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"
        REFUSED = "refused"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    trace = models.ForeignKey(Trace, models.PROTECT, related_name="erasures")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    # the provider, or an admin for them
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    because = models.CharField(max_length=300, blank=True)  # the provider's words to the admins
    asked_at = models.DateTimeField(db_default=Now())
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=300, blank=True)  # why it was refused
    texts = models.PositiveIntegerField(null=True)  # keys that were deleted

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trace"], condition=Q(state__in=["waiting", "done"]), name="one_erasure_a_trace"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", decided_at__isnull=True)
                | ~Q(state="waiting") & Q(decided_at__isnull=False),
                name="a_decided_erasure_says_when",
            ),
        ]
        indexes = [models.Index(fields=["-asked_at", "id"])]

    def __str__(self) -> str:
        return f"{self.state} erasure of {self.trace_id}"
