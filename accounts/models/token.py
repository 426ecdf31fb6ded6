"""API tokens: a secret kept only as its digest."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from accounts.models.person import User


class Scope(models.TextChoices):
    """What a token may be used for, within the roles of its person; every operation of the API needs one."""

    READ = "read", "Read: whatever your roles let you read"
    TRACES = "traces", "Traces: hand them in, forecast, ask for graphs and soundness"
    AUDIT = "audit", "Audit: take seats, seal and open votes, put points at stake"
    MANAGE = "manage", "Manage: campaigns, models, exports, causal audits, comments"


def every_scope() -> list[str]:
    """All of them: what a token could do that was made before there were scopes."""
    return list(Scope.values)


class ApiToken(models.Model):
    """A secret for programs: shown once when made, kept only as its SHA-256 and a short prefix.

    Scopes and end are chosen when it is made and never change.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=8, choices=Scope.choices), default=every_scope)
    expires_at = models.DateTimeField(null=True, blank=True)  # None: no end; the page makes none like that any more
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-id")

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}...)"
