"""Damaged texts: the audits that rest on one pause, admins hear of it, and only they let them go on.

A text is damaged when what is stored no longer hashes to its address. Nobody is shown it and nothing is decided on it;
what is decided already stays. Reads Block, Trace, Vote; writes Audit, Round, Seat, Notice, AuditEvent.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import Role, User
from auditing.core.events import EventKind
from auditing.core.stages import AUDIT_STAGES
from auditing.models import Audit, Notice, Round, Seat
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event
from auditing.services.transitions import move_deadlines
from hdag.models import Block
from hdag.store import content
from hdag.store.content import ContentDamagedError

log = logging.getLogger(__name__)
FINAL = [str(stage) for stage, row in AUDIT_STAGES.items() if row.is_final]
T = TypeVar("T")


def pausing_on_damage(work: Callable[[], T], *, otherwise: T) -> T:
    """The result of `work` on one audit of many; a damaged text pauses that audit and gives `otherwise` instead."""
    try:
        return work()
    except ContentDamagedError as error:
        pause(error=error)
        return otherwise


def pause(*, error: ContentDamagedError) -> int:
    """Pause every running audit that rests on the damaged block; returns how many this call paused."""
    log.error("content damaged: %s", error)
    with transaction.atomic():
        paused = [audit for audit in _resting_on(error.block) if _pause(audit, error)]
        if paused:
            _tell_admins(error.block, paused[0], len(paused))
    return len(paused)


def resume(*, audit: Audit, actor: User, now: datetime) -> bool:
    """Read every text of a paused audit; when all are whole again, it goes on and its deadlines move by the pause.

    False when it is not paused. Raises ContentDamagedError naming what is still wrong.
    """
    # Read everything before anything changes: an audit that goes on over damage would pause at the next step again.
    blocks = _blocks_of(audit)
    content.fetch(blocks)
    for block in blocks:
        if block.wrapped_key is not None:  # None: it was erased, on purpose
            content.read(block)
    with transaction.atomic():
        current = Audit.objects.select_for_update(of=("self",)).get(pk=audit.pk)
        if current.paused_at is None:
            return False
        lasted = max(now - current.paused_at, timedelta())
        Audit.objects.filter(pk=audit.pk).update(paused_at=None, paused_because="", stage_since=Now())
        move_deadlines(rounds=Round.objects.filter(audit=audit), by=lasted)
        record_event(audit=audit, actor=actor, kind=EventKind.AUDIT_RESUMED, seconds=round(lasted.total_seconds()))
    audit.refresh_from_db()
    return True


def _pause(audit: Audit, error: ContentDamagedError) -> bool:
    why = f"A stored text does not match its address: {error}"[:300]
    moved = Audit.objects.filter(pk=audit.pk, paused_at__isnull=True).exclude(stage__in=FINAL)
    if not moved.update(paused_at=Now(), paused_because=why, lease_until=None, attempts=0):
        return False
    record_event(audit=audit, kind=EventKind.AUDIT_PAUSED, why=why, block=error.block)
    return True


def _resting_on(block: str) -> list[Audit]:
    # The trace itself, its graph, and what auditors said.
    graph = Q(trace__decompositions__notes=block) | Q(trace__decompositions__segments__block=block)
    words = Q(rounds__seats__vote__rationale=block) | Q(answers_appeals__block=block)
    audits = Audit.objects.filter(Q(trace__payload=block) | graph | words).exclude(stage__in=FINAL)
    return list(audits.distinct().select_related("trace"))


def _blocks_of(audit: Audit) -> list[Block]:
    graph = Q(pk__in=audit.trace.decompositions.values("notes")) | Q(
        pk__in=audit.trace.decompositions.values("segments__block")
    )
    words = Q(pk__in=Seat.objects.filter(round__audit=audit).values("vote__rationale"))
    return list(Block.objects.filter(Q(pk=audit.trace.payload_id) | graph | words))


def _tell_admins(block: str, audit: Audit, count: int) -> None:
    admins = User.objects.filter(grants__role=Role.ADMIN, is_active=True).distinct()
    text = f"A stored text is damaged; {count} audit{'s are' if count > 1 else ' is'} paused. Its page says what to do."
    tell_people(people=admins, kind=Notice.Kind.DANGER, key=f"damaged:{block}", text=text, link=f"/audits/{audit.pk}")
