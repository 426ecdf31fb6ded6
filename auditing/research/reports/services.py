"""Links to reports: made by a trace's provider, ended by them. Writes Share, AuditEvent."""

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from accounts.models import User
from accounts.services.tokens import digest
from auditing.core.events import EventKind
from auditing.models import Audit, Share
from auditing.services.events import record_event

MOST_DAYS = 365


def share(*, audit: Audit, by: User, days: int, with_text: bool, now: datetime) -> str:
    """A new link; returns its secret, which is never seen again."""
    secret = secrets.token_urlsafe(32)
    expires = now + timedelta(days=min(days, MOST_DAYS))
    with transaction.atomic():
        link = Share.objects.create(
            audit=audit, made_by=by, digest=digest(secret), with_text=with_text, expires_at=expires
        )
        record_event(audit=audit, kind=EventKind.REPORT_SHARED, actor=by, share=str(link.pk), text=with_text)
    return secret


def end_share(*, share_id: UUID, by: User, now: datetime) -> bool:
    """End one of the own links; False when there is no such open one."""
    with transaction.atomic():
        open_links = Share.objects.filter(pk=share_id, made_by=by, ended_at__isnull=True)
        link = open_links.select_for_update().select_related("audit").first()
        if link is None:
            return False
        open_links.update(ended_at=now)
        record_event(audit=link.audit, kind=EventKind.REPORT_UNSHARED, actor=by, share=str(link.pk))
    return True
