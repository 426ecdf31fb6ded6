"""The draws of one audit: its rounds one after the other in memory, each as if it were alone. Stores nothing.

Who may be drawn, the committed list and what everybody has seen of the text are read once for all rounds and kept up as
seats are given: the order, the seats and the leaves are those of rounds drawn one by one.

Reads Round, Seat, Roster, Leaf, Profile; writes Roster and Leaf when newcomers are added to the list.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

from auditing.core.events import EventKind
from auditing.core.ledger.leaves import Digest, Leaf
from auditing.core.policy.windows import window_of
from auditing.core.stages import ACTIVE_SEATS, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, Round, Seat
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.crowds import Crowd
from auditing.selectors.seating.disclosure import TraceDisclosure
from auditing.selectors.seating.eligible import Eligible
from auditing.services.ledger import leaves
from auditing.services.seating.sortition import TRUSTED, Lots, Turn

WAIT_FOR_FULL_ROUND = timedelta(minutes=10)  # then fewer than k people are enough


class Draws:
    """The draws of one audit: made round by round in memory, for windows.py to store in one statement a table."""

    def __init__(self, *, audit: Audit, now: datetime, crowd: Crowd | None = None) -> None:
        """Reads the list and its seed; the rest when a draw asks for it, or what `crowd` knows already."""
        self.audit, self.now = audit, now
        self.lots, self.eligible = Lots(audit=audit), Eligible(audit=audit, crowd=crowd)
        self.disclosure: TraceDisclosure | None = None
        self.opened: list[Round] = []
        self.waiting: list[Round] = []
        self.leaves: list[Leaf] = []
        self.seats: list[Seat] = []
        self.events: list[tuple[EventKind, dict[str, Any]]] = []

    def draw(self, *, round: Round) -> None:
        """Draw one round as if it were alone; or let it wait."""
        turn = self._find_turn(round)
        if turn is None or not self._is_drawable(turn):
            self.waiting.append(round)
            return
        self._open(turn)

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
            self.disclosure = TraceDisclosure(audit=self.audit)
        if self.disclosure.limit is not None:
            self.disclosure.learn(auditors=candidates)
        return self.disclosure

    def _is_drawable(self, turn: Turn) -> bool:
        """Whether enough of the committed list can be seated; newcomers are added to it when too few can."""
        round, fit = turn.round, sum(1 for _ in turn.fit())
        is_enough = self._are_enough(round, fit) if round.tier == Tier.HUMAN else fit > 0
        if not is_enough and self._is_extended:
            return False
        return is_enough or round.tier != Tier.HUMAN

    @cached_property
    def _is_extended(self) -> bool:
        """Whether newcomers wait behind the list for a checkpoint; added by the first round that needs them."""
        return self.lots.extend()

    def _are_enough(self, round: Round, count: int) -> bool:
        """k people, or anybody once the round has waited long; a redraw has only some places to fill."""
        wanted = 1 if round.redraws else round.k
        return count >= wanted or (count > 0 and self.now - round.stage_since > WAIT_FOR_FULL_ROUND)

    def _open(self, turn: Turn) -> None:
        round = turn.round
        rules = load_policy(version=self.audit.policy, domain=self.audit.trace.domain).tier(Tier(round.tier))
        # A round that nobody can ever fill closes at once, and its segment goes on to the next tier.
        # Under a version from before the floor of windows, too: nobody is fined who had no time to come.
        seconds = window_of(tier=Tier(round.tier), seconds=rules.commit_seconds)
        commit_by = self.now + timedelta(seconds=seconds if turn.has_candidates else 0)
        round.stage, round.due_at = RoundStage.COMMITTING, commit_by
        # A redraw is the same round: its round.open leaf stands already.
        if not round.redraws:
            ends = int(commit_by.timestamp())
            reveal_by = ends + rules.reveal_seconds
            self.leaves.append(
                leaves.opening_leaf(round=round, commit_by=ends, reveal_by=reveal_by, key=self._reveal_key)
            )
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

    @cached_property
    def _reveal_key(self) -> Digest | None:
        return leaves.reveal_key_digest()

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
    taken = {position for _, position, stage, _ in rows if stage in ACTIVE_SEATS}
    silent = [key for key, _, stage, _ in rows if stage == SeatStage.SILENT]
    return (
        [position for position in range(round.k) if position not in taken],
        1 + max((row[3] for row in rows), default=-1),
        silent,
    )
