"""A reviewer calls the admins: dangerous content, or a segment that somebody else must decide about.

Reads Seat, User; writes AuditEvent, Notice.
"""

from django.db import transaction

from accounts.models import Role, User
from auditing.core.events import EventKind
from auditing.models import Notice, Seat
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event


def report_danger(*, seat: Seat, actor: User) -> None:
    """Tell every admin at once that a segment holds dangerous content; the vote goes on."""
    text = "A reviewer reports dangerous content."
    _report(seat, actor, EventKind.SEGMENT_DANGEROUS, f"danger:{seat.round_id}", text)


def report_escalation(*, seat: Seat, actor: User) -> None:
    """Tell every admin that a reviewer passed a segment on because somebody else must decide what to do with it."""
    text = f"A reviewer asks for a decision on segment {seat.round.segment.label}."
    _report(seat, actor, EventKind.SEGMENT_ESCALATED, f"escalated:{seat.pk}", text)


def report_unclear(*, seat: Seat, actor: User) -> None:
    """Tell every admin, once a round, that several reviewers could not judge a segment as it stands."""
    text = f"Two reviewers found segment {seat.round.segment.label} too unclear to judge."
    _report(seat, actor, EventKind.SEGMENT_UNCLEAR, f"unclear:{seat.round_id}", text)


def _report(seat: Seat, actor: User, event: EventKind, key: str, text: str) -> None:
    """key: news with the same key is told once, however often it is reported."""
    audit, segment = seat.round.audit, seat.round.segment
    notice = Notice.Kind.DANGER if event is EventKind.SEGMENT_DANGEROUS else Notice.Kind.DECISION
    link = f"/audits/{audit.pk}?segment={segment.label}#reading"
    with transaction.atomic():
        record_event(audit=audit, actor=actor, kind=event, segment=str(segment.pk), seat=str(seat.pk))
        admins = User.objects.filter(is_active=True, grants__role=Role.ADMIN)
        tell_people(people=admins, kind=notice, key=key, text=text, link=link)
