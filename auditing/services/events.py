"""The history of audits: every event is written in the transaction of the thing that happened. Writes AuditEvent."""

from typing import Any

from auditing import broadcast
from auditing.models import Audit, AuditEvent


def record_event(*, audit: Audit | None, kind: str, actor: Any = None, **body: Any) -> None:
    """Write what happened, in the transaction of the thing itself, and tell open pages after commit."""
    AuditEvent.objects.create(audit=audit, actor=actor, kind=kind, body=body)
    if audit is not None:
        broadcast.tell_audit(audit.pk)
