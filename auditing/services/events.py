"""The history of audits: each event is a row, written in the transaction of what it tells of and never changed.

Every service that changes something calls `record_event` inside its transaction: "a vote was sealed" is committed with
the vote or not at all. Pages that show the audit are told after the commit. The kinds are one enum
(core/events.py); selectors/report/event_words.py has the sentence that a page shows for each.

Writes AuditEvent.
"""

from collections.abc import Collection, Iterable
from typing import Any

from accounts.models import User
from auditing import broadcast
from auditing.core.events import EventKind
from auditing.models import Audit, AuditEvent
from hdag.store.rows import insert


def record_event(*, audit: Audit | None, kind: EventKind, actor: User | None = None, **body: Any) -> None:
    """Write what happened; call it inside the transaction of the change itself.

    audit: None for what concerns no single audit. body: JSON; ids, numbers and reasons, never the text of a vote.
    """
    insert([AuditEvent(audit=audit, actor=actor, kind=kind, body=body)])
    if audit is not None:
        broadcast.tell_audit(audit.pk)


def record_for_each(*, audits: Collection[Audit], kind: EventKind, actor: User | None = None) -> None:
    """Write the same event of each audit, in order, in one insert."""
    insert(AuditEvent(audit=audit, actor=actor, kind=kind) for audit in audits)
    for audit in audits:
        broadcast.tell_audit(audit.pk)


def record_of_audits(*, events: Iterable[tuple[Audit, EventKind, dict[str, Any]]]) -> None:
    """Write events of several audits, in order, in one insert; the pages of each are told once."""
    made = insert(AuditEvent(audit=audit, kind=kind, body=body) for audit, kind, body in events)
    for audit in dict.fromkeys(event.audit_id for event in made if event.audit_id is not None):
        broadcast.tell_audit(audit)


def record_events(*, audit: Audit, events: Iterable[tuple[EventKind, dict[str, Any]]]) -> None:
    """The same of one audit."""
    record_of_audits(events=((audit, kind, body) for kind, body in events))
