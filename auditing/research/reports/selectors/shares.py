"""Links to reports: those of an audit, and the one that a secret opens. Reads Share."""

import hashlib
from datetime import datetime

from django.db.models import QuerySet

from auditing.models import Audit, Share
from auditing.selectors.intake.lookup import get_audit


def shares_of(*, audit: Audit) -> QuerySet[Share]:
    """Every link to this audit, the newest first."""
    return Share.objects.filter(audit=audit).order_by("-created")


def find_share(*, secret: str, now: datetime) -> Share | None:
    """The open link with this secret and its audit; None when it never was, has expired or was ended."""
    # Looked up by digest, as a token is: the time that it takes tells a guesser nothing about the secret.
    digest = hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
    link = Share.objects.filter(digest=digest, ended_at__isnull=True, expires_at__gt=now).first()
    if link is not None:
        link.audit = get_audit(key=link.audit_id)
    return link
