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
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q

from accounts.models import Profile
from auditing import broadcast, dispatch
from auditing.core.events import EventKind
from auditing.core.ledger.leaves import Leaf
from auditing.core.stages import ACTIVE_SEATS, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, Round, Seat
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.disclosure import TraceDisclosure
from auditing.selectors.seating.eligible import Eligible
from auditing.services.campaigns.notices import call_to_desk
from auditing.services.events import record_events
from auditing.services.intake.batching import rounds_to_open
from auditing.services.ledger import leaves
from auditing.services.seating.auditors import ensure_auditors
from auditing.services.seating.sortition import TRUSTED, Lots, Turn
from auditing.services.transitions import open_windows
from hdag.store import content

MOST = 100  # rounds of one audit that are drawn in one transaction; the next ones follow in the next
LOOK_AGAIN, LOOK_AGAIN_LATER = timedelta(seconds=5), timedelta(seconds=30)
WAIT_FOR_FULL_ROUND = timedelta(minutes=10)  # then fewer than k people are enough
CAPACITY = 0x7365617473  # "seats": the key of an advisory lock, for draws where somebody's week is limited
_ROUND = ("audit__policy", "audit__trace__provider__profile", "audit__campaign", "segment__block")


def seat(*, round: Round, now: datetime) -> bool:
    """Draw the auditors of a round and open its window; False while it waits for the ledger, its policy or people."""
    return _draw(Round.objects.filter(pk=round.pk), now) > 0


def seat_audit(*, audit_id: UUID, now: datetime) -> int:
    """Draw every round of an audit that is due; returns how many windows opened.

    Nothing while another worker draws for this audit.
    """
    is_due = Q(due_at__isnull=True) | Q(due_at__lte=now)
    return _draw(Round.objects.filter(is_due, audit=audit_id), now, waits=False)


def _draw(asked: Any, now: datetime, *, waits: bool = True) -> int:
    asked = asked.filter(stage=RoundStage.DRAWING)
    rounds = list(asked.select_related(*_ROUND).order_by("due_at", "pk")[:MOST])
    if not rounds:
        return 0
    # 1. Before any lock: who sits for the first time, and what the policy lets open.
    audit = _share_audit(rounds)
    ensure_auditors(rounds=rounds)
    lots = Lots(audit=audit)
    ready = [] if lots.basis is None else rounds_to_open(audit=audit, rounds=rounds, now=now)
    _look_again([round for round in rounds if round not in ready], now)
    if not ready:
        return 0
    # 2. Under the audit's lock: draw one after the other, store together.
    with transaction.atomic():
        if not lock_draw(ready, waits=waits):
            return 0
        locked = asked.filter(pk__in=[round.pk for round in ready]).select_for_update(of=("self",), skip_locked=True)
        rounds = list(locked.select_related(*_ROUND).order_by("due_at", "pk"))
        if not rounds:
            return 0
        content.fetch(round.segment.block for round in rounds)
        draws = _Draws(_share_audit(rounds), now)
        for round in rounds:
            draws.draw(round)
        draws.store()
    return len(draws.opened)


def _share_audit(rounds: Sequence[Round]) -> Audit:
    """One object for the audit of all `rounds`: what is read of it is read once."""
    audit = rounds[0].audit
    for round in rounds:
        round.audit = audit
    return audit


class _Draws:
    """The draws of one audit in one transaction: made round by round, then stored in one statement a table."""

    def __init__(self, audit: Audit, now: datetime) -> None:
        self.audit, self.now = audit, now
        self.lots, self.eligible = Lots(audit=audit), Eligible(audit=audit)
        self.disclosure: TraceDisclosure | None = None
        self.opened: list[Round] = []
        self.waiting: list[Round] = []
        self.leaves: list[Leaf] = []
        self.seats: list[Seat] = []
        self.events: list[tuple[EventKind, dict[str, Any]]] = []

    def draw(self, round: Round) -> None:
        """Draw one round as if it were alone; or let it wait."""
        turn = self._find_turn(round)
        if turn is None or not self._is_drawable(turn):
            self.waiting.append(round)
            return
        self._open(turn)

    def store(self) -> None:
        """Store what was drawn, and tell whom it concerns after the commit."""
        _look_again(self.waiting, self.now)
        if not self.opened:
            return
        open_windows(rounds=self.opened)
        leaves.write(audit=self.audit, leaves=self.leaves)
        Seat.objects.bulk_create(self.seats)
        record_events(audit=self.audit, events=self.events)
        announce(seats=[seat for seat in self.seats if seat.stage == SeatStage.OFFERED])

    def _find_turn(self, round: Round) -> Turn | None:
        """The draw, or None while too few may sit; after a while those few, or the trusted pool if there is nobody."""
        candidates = self.eligible.auditors(round=round)
        # Waiting brings no machine: those there are, and nobody when there is none.
        if round.tier != Tier.HUMAN:
            return self._turn(round, candidates, "")
        disclosure = self._disclosure_of(candidates)
        # No limit: the trace is so short that any share of it is the whole. An adjudicator reads everything anyway.
        if disclosure.limit is None or round.adjudicates:
            pool = TRUSTED if round.adjudicates else ""
            return self._turn(round, candidates, pool) if self._are_enough(round, len(candidates)) else None
        turn = self._turn(round, candidates, "", disclosure)
        if self._are_enough(round, sum(not turn.objection(auditor.pk) for auditor in candidates)):
            return turn
        # After a while: people who may see more than their share, rather than a segment that nobody judges.
        if self.now - round.stage_since > WAIT_FOR_FULL_ROUND and (trusted := self.eligible.trusted(round=round)):
            return self._turn(round, trusted, TRUSTED)
        return None

    def _turn(
        self, round: Round, candidates: Sequence[Auditor], pool: str, disclosure: TraceDisclosure | None = None
    ) -> Turn:
        round.pool = pool
        state = None if disclosure is None else disclosure.state(round=round)
        return Turn(lots=self.lots, round=round, candidates=candidates, disclosure=state)

    def _disclosure_of(self, candidates: Sequence[Auditor]) -> TraceDisclosure:
        if self.disclosure is None:
            self.disclosure = TraceDisclosure(audit=self.audit, auditors=candidates)
        self.disclosure.learn(auditors=candidates)
        return self.disclosure

    def _is_drawable(self, turn: Turn) -> bool:
        """Whether enough of the committed list can be seated; newcomers are added to it when nobody can."""
        round, fit = turn.round, sum(1 for _ in turn.fit())
        if not fit and self.lots.extend():
            return False
        return round.tier != Tier.HUMAN or self._are_enough(round, fit)

    def _are_enough(self, round: Round, count: int) -> bool:
        """k people, or anybody once the round has waited long; a redraw has only some places to fill."""
        wanted = 1 if round.redraws else round.k
        return count >= wanted or (count > 0 and self.now - round.stage_since > WAIT_FOR_FULL_ROUND)

    def _open(self, turn: Turn) -> None:
        round = turn.round
        rules = load_policy(version=self.audit.policy, domain=self.audit.trace.domain).tier(Tier(round.tier))
        # A round that nobody can ever fill closes at once, and its segment goes on to the next tier.
        commit_by = self.now + timedelta(seconds=rules.commit_seconds if turn.has_candidates else 0)
        round.stage, round.due_at = RoundStage.COMMITTING, commit_by
        # A redraw is the same round: its round.open leaf stands already.
        if not round.redraws:
            ends = int(commit_by.timestamp())
            self.leaves.append(leaves.opening_leaf(round=round, commit_by=ends, reveal_by=ends + rules.reveal_seconds))
        seats = self._fill(turn)
        round.drawn = [str(auditor) for auditor in turn.order()]
        offered = sum(seat.stage == SeatStage.OFFERED for seat in seats)
        self.events += passed_over(seats=seats)
        self.events.append((EventKind.ROUND_SEATED, _seated(round, offered, self._pool_name(turn))))
        self.opened.append(round)

    def _fill(self, turn: Turn) -> list[Seat]:
        """Seat the next of the draw on the free places; the first draw and a redraw are different leaves."""
        places, draw, silent = _places(turn.round)
        seats = turn.fill(places=places, draw=draw)
        self.seats += seats
        self._count(turn, seats)
        if seats and draw == 0:
            self.leaves.append(leaves.seats_leaf(round=turn.round, seats=seats, roster=turn.roster))
        elif seats:
            # The leaf of a redraw names the seats that it replaces.
            self.leaves.append(
                leaves.substitution_leaf(
                    round=turn.round, seats=seats, replaced=silent, reason="silent", roster=turn.roster
                )
            )
        return seats

    def _count(self, turn: Turn, seats: Iterable[Seat]) -> None:
        """What these seats leave to their holders in the rounds that are drawn after this one."""
        for seat in seats:
            if seat.stage == SeatStage.OFFERED:
                self.eligible.give(auditor=seat.auditor_id)
                if self.disclosure is not None:
                    self.disclosure.give(auditor=seat.auditor_id, segment=turn.round.segment_id, shown=turn.disclosure)

    def _pool_name(self, turn: Turn) -> str:
        if turn.round.pool == TRUSTED and not turn.round.adjudicates:
            return TRUSTED
        is_short = self.disclosure is not None and self.disclosure.limit is None
        return "short trace" if is_short and turn.round.tier == Tier.HUMAN else "eligible"


def _seated(round: Round, seats: int, pool: str) -> dict[str, Any]:
    return {"segment": str(round.segment_id), "tier": round.tier, "seats": seats, "pool": pool}


def passed_over(*, seats: Iterable[Seat]) -> list[tuple[EventKind, dict[str, Any]]]:
    """An event for everybody whom the draw came to and who could not sit."""
    return [
        (
            EventKind.SEAT_PASSED_OVER,
            {
                "round": str(seat.round_id),
                "auditor": bytes(seat.pseudonym).hex(),
                "because": seat.declined_because.removeprefix(leaves.PASSED_OVER),
            },
        )
        for seat in seats
        if seat.stage == SeatStage.LAPSED
    ]


def _places(round: Round) -> tuple[list[int], int, list[UUID]]:
    """(places of a round that nobody holds, number of its next draw, its silent seats)."""
    if not round.redraws:
        return list(range(round.k)), 0, []  # the first draw: nobody sat here before
    rows = list(Seat.objects.filter(round=round).order_by("pk").values_list("pk", "place", "stage", "draw"))
    taken = {place for _, place, stage, _ in rows if stage in ACTIVE_SEATS}
    silent = [key for key, _, stage, _ in rows if stage == SeatStage.SILENT]
    return (
        [place for place in range(round.k) if place not in taken],
        1 + max((row[3] for row in rows), default=-1),
        silent,
    )


def lock_draw(rounds: Sequence[Round], *, waits: bool = True) -> bool:
    """Make draws that could disturb each other take turns, until the end of the transaction.

    rounds: of one audit. False when another worker draws for it and `waits` is False.
    """
    # 1. Draws of one audit: the order of the leaves is the order of the draws.
    audits = Audit.objects.select_for_update(no_key=True, of=("self",), skip_locked=not waits).select_related("trace")
    audit = audits.filter(pk=rounds[0].audit_id).first()
    if audit is None:
        return False
    if all(round.tier != Tier.HUMAN for round in rounds):
        return True
    # 2. Draws for one text: two copies of it must not each disclose a person's whole share.
    _wait_for(int.from_bytes(bytes(audit.trace.digest)[:8], signed=True))
    # 3. All draws where somebody's week is limited: two traces must not give the last free seat of a week twice.
    if Profile.objects.filter(weekly_capacity__isnull=False).exists():
        _wait_for(CAPACITY)
    return True


def _wait_for(key: int) -> None:
    """An advisory lock: PostgreSQL releases it at the end of the transaction, however that ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])


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
