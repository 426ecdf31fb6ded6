"""What a person says about themselves."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from accounts.models.person import User


class Profile(models.Model):
    """What a person says about themselves: fields they can judge, and whom they must not judge."""

    class Digest(models.TextChoices):
        """How often news is gathered into one mail."""

        OFF = "off", "Never"
        HOURLY = "hourly", "Once an hour"
        DAILY = "daily", "Once a day"
        WEEKLY = "weekly", "Once a week"

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="profile")
    domains = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    organisation = models.CharField(max_length=120, blank=True)
    conflicts = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    languages = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    weekly_capacity = models.PositiveSmallIntegerField(null=True, blank=True)
    digest = models.CharField(max_length=8, choices=Digest.choices, default=Digest.DAILY, db_default="daily")
    time_zone = models.CharField(max_length=64, default="UTC", db_default="UTC")
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True)  # hours on the own clock, no mail within
    quiet_until = models.PositiveSmallIntegerField(null=True, blank=True)
    # whether passages of traces handed in may be put before reviewers again as gold
    lends_gold = models.BooleanField(default=True, db_default=True)
    changed_at = models.DateTimeField(auto_now=True, db_default=Now())  # the last time anything above was said

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(weekly_capacity__isnull=True) | models.Q(weekly_capacity__lte=1000),
                name="profile_capacity_is_sane",
            ),
            models.CheckConstraint(
                condition=models.Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | models.Q(quiet_from__lte=23, quiet_until__lte=23),
                name="quiet_hours_are_a_pair_of_hours",
            ),
        )

    def __str__(self) -> str:
        return f"profile of {self.user}"

    @property
    def clock(self) -> tzinfo:
        """The person's time zone; UTC where this machine does not know it."""
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return UTC

    def is_quiet(self, *, now: datetime) -> bool:
        """Whether no mail may be sent now, by the clock on the person's wall: over midnight, summer time and all."""
        if self.quiet_from is None or self.quiet_until is None or self.quiet_from == self.quiet_until:
            return False
        hour = now.astimezone(self.clock).hour
        if self.quiet_from < self.quiet_until:
            return self.quiet_from <= hour < self.quiet_until
        return hour >= self.quiet_from or hour < self.quiet_until
