"""Links under which a report is open to whoever holds them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from auditing.models.intake.audit import Audit


class Share(models.Model):
    """A provider's link to the report of an own audit, open without an account until it expires or is ended."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    audit = models.ForeignKey(Audit, models.PROTECT, related_name="shares")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of its secret, which is shown once
    with_text = models.BooleanField(default=False)  # the trace's text and what was found in it, too
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"link to {self.audit_id}"
