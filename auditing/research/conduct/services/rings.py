"""An admin says that a group of reviewers votes together, or takes it back: one row a ring, with what it rests on.

From then on their votes teach nobody's skills, and their own skills come from gold alone: services/consensus/skills.py.
A ring by itself takes no points and no seats: that is decided about each person (cases.py).

Reads Ring; writes CollusionRing, AuditEvent, and new snapshots of skills.
"""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from auditing.core.events import EventKind
from auditing.models import Campaign, CollusionRing
from auditing.research.conduct.selectors.rings import Ring
from auditing.services.consensus import skills
from auditing.services.events import record_event


class OwnRingError(Exception):
    """Nobody decides about a ring of which they are a member."""


def flag_ring(*, ring: Ring, why: str, by: User) -> CollusionRing:
    """Flag a group with the evidence as it stands now; skills are learned anew at once. Raises OwnRingError."""
    if by.pk in {member.user_id for member in ring.members}:
        raise OwnRingError(OwnRingError.__doc__)
    with transaction.atomic():
        row = CollusionRing.objects.create(evidence=ring.evidence, why=why[:300], by=by)
        row.members.set(ring.members)
        names = sorted(str(member.pk) for member in ring.members)
        record_event(audit=None, actor=by, kind=EventKind.RING_FLAGGED, ring=row.pk, members=names, why=why[:300])
        _learn_anew(row)
    return row


def clear_ring(*, row: CollusionRing, why: str, by: User, now: datetime) -> bool:
    """Take a flag back; False where somebody else did. Raises OwnRingError."""
    if row.members.filter(user=by).exists():
        raise OwnRingError(OwnRingError.__doc__)
    with transaction.atomic():
        standing = CollusionRing.objects.filter(pk=row.pk, cleared_at__isnull=True)
        if not standing.update(cleared_by=by, cleared_why=why[:300], cleared_at=now):
            return False
        record_event(audit=None, actor=by, kind=EventKind.RING_CLEARED, ring=row.pk, why=why[:300])
        _learn_anew(row)
    return True


def _learn_anew(row: CollusionRing) -> None:
    """In every open campaign where a member voted: the next tally believes the new snapshot."""
    members = row.members.values("pk")
    voted = Campaign.objects.filter(
        audits__rounds__seats__auditor__in=members, audits__rounds__seats__vote__isnull=False
    )
    for campaign in voted.exclude(state=Campaign.State.CLOSED).select_related("policy").distinct():
        skills.learn(campaign=campaign)
