"""Long work that a person asks for, as a queue in the database: the abstract row that every kind of job extends."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class Job(models.Model):
    """One piece of work. `attempts` is the fencing token: a worker that lost its lease can write nothing any more."""

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    task: ClassVar[str]  # name of the Celery task that carries it out
    queue: ClassVar[str] = "export"
    lease_seconds: ClassVar[int] = 1800  # a study, or a model with tools, may be silent between two steps

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    done = models.PositiveBigIntegerField(default=0)  # units of work finished, of `total`
    total = models.PositiveBigIntegerField(default=0)  # 0: not known yet
    says = models.CharField(max_length=200, blank=True)  # progress in words
    error = models.CharField(max_length=500, blank=True)  # why it failed, as its owner reads it
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    created = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running", "done", "failed", "cancelled"]),
                name="%(class)s_state_is_known",
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "-created"], name="%(class)s_by_owner"),
            models.Index(fields=["created"], condition=Q(state__in=["waiting", "running"]), name="%(class)s_to_do"),
        ]

    def __str__(self) -> str:
        return f"{type(self).__name__} {self.id}: {self.state}"

    @property
    def is_open(self) -> bool:
        """Whether it may still move."""
        return self.state in (self.State.WAITING, self.State.RUNNING)

    @property
    def share(self) -> float | None:
        """Progress from 0 to 1; None while the total is unknown."""
        if self.state == self.State.DONE:
            return 1.0
        return min(self.done / self.total, 1.0) if self.total else None
