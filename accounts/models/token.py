"""API tokens: a secret kept only as its digest."""

import uuid

from django.db import models
from django.db.models.functions import Now

from accounts.models.person import User


class ApiToken(models.Model):
    """A secret for programs: shown once when made, kept only as its SHA-256 and a short prefix."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-id")

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}...)"
