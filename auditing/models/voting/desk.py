"""What belongs to a person at the desk: an unfinished vote, and news."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.seating.round import Auditor, Seat


class Draft(models.Model):
    """An unfinished vote, encrypted in the reviewer's browser under a key that never leaves it; gone at commit."""

    seat = models.OneToOneField(Seat, models.CASCADE, primary_key=True)
    version = models.PositiveIntegerField()
    body = models.BinaryField(max_length=250_028)
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"draft {self.version} of {self.seat_id}"


class OwnKey(models.Model):
    """Strict mode: a reviewer keeps the own openings, under a key that only the own browsers ever held."""

    auditor = models.OneToOneField(Auditor, models.CASCADE, primary_key=True, related_name="own_key")
    check_value = models.BinaryField(max_length=32)  # HMAC of a fixed text: tells the right key, opens nothing
    is_on = models.BooleanField(default=True)
    made = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"own key of {self.auditor_id}"


class Notice(models.Model):
    """One piece of news for one person; `key` makes it come once, and calls to the desk do not pile up."""

    class Kind(models.TextChoices):
        ASSIGNED = "assigned"
        REVEALING = "revealing"
        OUTCOME = "outcome"
        APPEAL = "appeal"
        DANGER = "danger"
        DECISION = "decision"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10, choices=Kind)
    key = models.CharField(max_length=120)
    text = models.CharField(max_length=300)
    link = models.CharField(max_length=200, blank=True)
    created = models.DateTimeField(db_default=Now())
    read_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="news_comes_once"),
            models.UniqueConstraint(
                fields=["user", "kind"],
                condition=Q(kind__in=["assigned", "revealing"], read_at__isnull=True, mailed_at__isnull=True),
                name="one_unheard_call_to_the_desk",
            ),
        ]
        indexes = [
            models.Index(fields=["user", "-id"], name="news_of_a_person"),
            models.Index(
                fields=["user"], condition=Q(mailed_at__isnull=True, read_at__isnull=True), name="news_to_mail"
            ),
            models.Index(fields=["user"], condition=Q(read_at__isnull=True), name="news_not_read"),
        ]

    def __str__(self) -> str:
        return self.text
