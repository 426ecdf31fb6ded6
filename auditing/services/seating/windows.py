"""drawing -> committing: the auditors of rounds are drawn and their windows for sealed votes open.

The rounds of one audit that wait are drawn together, one after the other in memory and stored in a few statements: who
may be drawn, the list and its seed are the same for all of them.

A round waits for three things: a checkpoint that covers the audit's list, its policy (batch full, premises decided, not
paused), and enough people who may sit. The sweep looks again every few seconds.

Reads Round, Leaf, Checkpoint, Profile; writes Round, Seat, Roster, Leaf, Notice, AuditEvent.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import BooleanField, Q, QuerySet

from accounts.models import Profile
from accounts.prepared import Mark, PreparedQuery, PreparedRows, Written
from accounts.prepared.cursors import fetch
from auditing import broadcast, dispatch
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Round, Seat
from auditing.selectors.seating.crowds import Crowd
from auditing.services.campaigns.notices import call_to_desk
from auditing.services.events import record_events
from auditing.services.intake.batching import rounds_to_open
from auditing.services.ledger import leaves
from auditing.services.seating.auditors import ensure_auditors
from auditing.services.seating.draws import Draws
from auditing.services.seating.sortition import Lots
from auditing.services.transitions import open_windows
from hdag.store import content
from hdag.store.rows import insert

MOST = 100  # rounds of one audit that are drawn in one transaction; the next ones follow in the next
LOOK_AGAIN, LOOK_AGAIN_LATER = timedelta(seconds=5), timedelta(seconds=30)
CAPACITY = 0x7365617473  # "seats": the key of an advisory lock, for draws where somebody's week is limited
_AUDIT = ("policy", "trace__provider__profile", "trace__decoy", "trace__payload", "campaign")
_ROUND = (*(f"audit__{name}" for name in _AUDIT), "segment__block")


def seat(*, round: Round, now: datetime) -> bool:
    """Draw the auditors of a round and open its window; False while it waits for the ledger, its policy or people."""
    return _draw([round], now) > 0


def seat_audit(*, audit_id: UUID, now: datetime, crowd: Crowd | None = None) -> int:
    """Draw every round of an audit that is due; returns how many windows opened.

    Nothing while another worker draws for this audit. crowd: of the sweep, which has made auditors of all newcomers.
    """
    return _draw(_due.rows(audit=audit_id, now=now), now, waits=False, crowd=crowd)


@PreparedQuery
def _due(audit: UUID, now: datetime) -> QuerySet[Round]:
    is_due = Q(due_at__isnull=True) | Q(due_at__lte=now)
    return Round.objects.filter(is_due, audit=audit, stage=RoundStage.DRAWING).order_by("due_at", "pk")[:MOST]


@PreparedQuery
def _locked_rounds() -> QuerySet[Round]:
    asked = Written("auditing_round.id = ANY(%s)", [Mark("rounds")], output_field=BooleanField())
    rounds = Round.objects.filter(asked, stage=RoundStage.DRAWING).order_by("due_at", "pk")
    return rounds.select_related("segment__block").select_for_update(of=("self",), skip_locked=True)


def _draw(asked: Iterable[Round], now: datetime, *, waits: bool = True, crowd: Crowd | None = None) -> int:
    rounds = list(asked)
    if not rounds:
        return 0
    # 1. Before any lock: who sits for the first time, and what the policy lets open.
    audit = _share_audit(rounds, next(_AS_IT_IS.rows(audit=rounds[0].audit_id)))
    ensure_auditors(rounds=rounds, knows_people=crowd is not None)
    lots = Lots(audit=audit)
    ready = [] if lots.basis is None else rounds_to_open(audit=audit, rounds=rounds, now=now)
    _look_again([round for round in rounds if round not in ready], now)
    if not ready:
        return 0
    # 2. Under the audit's lock: draw one after the other, store together.
    with transaction.atomic():
        audit_now = lock_draw(ready, waits=waits)
        if audit_now is None:
            return 0
        rounds = list(_locked_rounds.rows(rounds=[round.pk for round in ready]))
        if not rounds:
            return 0
        content.fetch(round.segment.block for round in rounds)
        draws = Draws(audit=_share_audit(rounds, audit_now), now=now, crowd=crowd)
        for round in rounds:
            draws.draw(round=round)
        _store(draws)
    return len(draws.opened)


def _share_audit(rounds: Sequence[Round], audit: Audit) -> Audit:
    """One object for the audit of all `rounds`: what is read of it is read once."""
    for round in rounds:
        round.audit = audit
    return audit


def _store(draws: Draws) -> None:
    """Store what was drawn, and tell whom it concerns after the commit."""
    _look_again(draws.waiting, draws.now)
    if not draws.opened:
        return
    open_windows(rounds=draws.opened)
    leaves.write(audit=draws.audit, leaves=draws.leaves)
    insert(draws.seats)
    record_events(audit=draws.audit, events=draws.events)
    announce(seats=[seat for seat in draws.seats if seat.stage == SeatStage.OFFERED])


def lock_draw(rounds: Sequence[Round], *, waits: bool = True) -> Audit | None:
    """Make draws that could disturb each other take turns, until the end of the transaction; the audit as it is now.

    rounds: of one audit. None when another worker draws for it and `waits` is False.
    """
    # 1. Draws of one audit: the order of the leaves is the order of the draws.
    audit = (_LOCKED if waits else _LOCKED_IF_FREE).first(audit=rounds[0].audit_id)
    if audit is None or all(round.tier != Tier.HUMAN for round in rounds):
        return audit
    # 2. Draws for one text: two copies of it must not each disclose a person's whole share.
    _wait_for(int.from_bytes(bytes(audit.trace.digest)[:8], signed=True))
    # 3. All draws where somebody's week is limited: two traces must not give the last free seat of a week twice.
    if _limited.rows():
        _wait_for(CAPACITY)
    return audit


@PreparedRows
def _limited() -> QuerySet[Profile, Any]:
    return Profile.objects.filter(weekly_capacity__isnull=False).values_list("pk")[:1]


def _audit(audit: UUID) -> QuerySet[Audit]:
    return Audit.objects.filter(pk=audit).select_related(*_AUDIT)


def _locked(audit: UUID, *, skips: bool) -> QuerySet[Audit]:
    return _audit(audit).select_for_update(no_key=True, of=("self",), skip_locked=skips)


_AS_IT_IS = PreparedQuery(_audit)
_LOCKED, _LOCKED_IF_FREE = (PreparedQuery(partial(_locked, skips=skips)) for skips in (False, True))


def _wait_for(key: int) -> None:
    """An advisory lock: PostgreSQL releases it at the end of the transaction, however that ends."""
    fetch("SELECT pg_advisory_xact_lock($1)", [key])


def _look_again(rounds: Sequence[Round], now: datetime) -> None:
    """After five seconds; after half a minute for a round that has long waited, so that many cost little."""
    by_wait: dict[timedelta, list[UUID]] = defaultdict(list)
    for round in rounds:
        # A twentieth of the time it has waited: a round that waits for an hour is not asked every five seconds.
        wait = (now - round.stage_since) / 20
        by_wait[min(max(LOOK_AGAIN, timedelta(seconds=wait.total_seconds() // 1)), LOOK_AGAIN_LATER)].append(round.pk)
    for wait, keys in by_wait.items():
        Round.objects.filter(pk__in=keys, stage=RoundStage.DRAWING).update(due_at=now + wait)


def current(round: Round) -> Round:
    """The round as it stands, locked."""
    return Round.objects.select_for_update(of=("self",)).select_related(*_ROUND).get(pk=round.pk)


def announce(*, seats: Sequence[Seat]) -> None:
    """Tell those who were drawn, and the open desks; neither learns more than that something waits."""
    calls: dict[str, list[Any]] = defaultdict(list)
    for seat in seats:
        # Models have no desk: each seat is a task.
        if seat.round.tier != Tier.HUMAN:
            dispatch.enqueue("auditing.ask_model", seat.pk, queue="llm")
        else:
            calls[f"assigned:{seat.round_id}"].append(seat.auditor.person)
    if calls:
        call_to_desk(calls=calls)
        broadcast.tell("desk")
