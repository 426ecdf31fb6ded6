"""Requests that a program named itself, so that a repeat is known as one."""

from django.db import models
from django.db.models.functions import Now

from accounts.models.person import User


class RequestKey(models.Model):
    """One Idempotency-Key of one person: the digest of what was asked under it, and what was answered.

    `status` is empty while the first request runs. Kept for a day.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="request_keys")
    key = models.CharField(max_length=200)
    digest = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.JSONField(null=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "key"), name="request_key_once"),)

    def __str__(self) -> str:
        return f"{self.key[:20]} of {self.user}"
