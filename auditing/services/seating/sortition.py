"""Sortition: the committed list in the order of the seed, and what became of every auditor that the draw came to.

1. The basis: the list of eligible auditors, as far as a signed checkpoint covers it, and the seed: a hash of a secret,
   of the leaf that commits to the list, and of the root of that checkpoint, which nobody knew when the list was made.
2. The order: core/seating/sortition.py ranks the list by the seed and leaves out whom the rules of the draw forbid.
3. The seats: places are filled in that order. Who is passed over (not available, disclosure budget) gets a row too, as
   lapsed and with the reason, so that a stranger who repeats the draw finds nobody missing.

What the draws of an audit share is read once (Lots); a round's own draw is a Turn, which stores nothing.

Call under the audit's lock: one draw of a trace at a time. Reads Roster, Leaf, Checkpoint, Auditor; writes Roster and
Leaf when newcomers are added.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedRows
from auditing.core.ledger.leaves import DrawRules
from auditing.core.seating.rosters import EligibleLine
from auditing.core.seating.sortition import Candidate, draw, draw_seed, in_draw_order
from auditing.core.stages import SeatStage
from auditing.core.voting.commitment import auditor_pseudonym
from auditing.models import Audit, Auditor, Checkpoint, Leaf, Roster, Round, Seat
from auditing.selectors.seating.disclosure import DisclosureState
from auditing.selectors.seating.rosters import eligible_lines, listed_segments, rules_of
from auditing.selectors.voting.bindings import pseudonym_key
from auditing.services.ledger import leaves
from auditing.services.seating import rosters
from auditing.translog.merkle import leaf_hash
from hdag.store.rows import fresh

TRUSTED = "trusted"
CONTESTED_DAYS = 1  # a contested segment stands this much earlier in the queue for every round before it


@dataclass(frozen=True, slots=True)
class Basis:
    """What a draw rests on: the list up to extension `roster`, and the seed that needs that list's checkpoint."""

    roster: int
    seed: bytes


def first_seed(*, audit: Audit) -> bytes | None:
    """The seed of the audit's first list, which stays when others join; None before a checkpoint covers audit.open."""
    heads = leaves.draw_heads(audit=audit)
    return _seed(audit, *heads[0]) if heads else None


def _seed(audit: Audit, leaf: Leaf, head: Checkpoint) -> bytes:
    entry = leaf_hash(entry=bytes(leaf.body))
    return draw_seed(secret=bytes(audit.seed), open_leaf=entry, root=bytes(head.root))


class Lots:
    """What all draws of one audit share, each part read once: list, seed, rules, and who was drawn where so far."""

    def __init__(self, *, audit: Audit) -> None:
        """Reads the heads that the seed comes from; the rest when a draw asks for it."""
        self.audit = audit
        heads = leaves.draw_heads(audit=audit)
        self._covered = len(heads)
        self._opening = bytes(heads[0][0].body) if heads else b""
        self.basis: Basis | None = None
        if heads:
            # The newest extension that a checkpoint covers.
            self.basis = Basis(len(heads) - 1, _seed(audit, *heads[-1]))
        self._candidates: dict[tuple[str, str], dict[bytes, Candidate]] = {}
        self._rules: dict[tuple[str, str], DrawRules] = {}
        self._names: dict[str, dict[bytes, UUID]] = {}
        self._held: dict[str, dict[bytes, set[int]]] = {}

    def name(self, *, auditor: UUID) -> bytes:
        """The pseudonym of an auditor in this audit."""
        return auditor_pseudonym(key=pseudonym_key(), audit_id=self.audit.pk, auditor=auditor)

    @cached_property
    def position(self) -> dict[UUID, int]:
        """Position of each segment in reading order, as audit.open fixed them."""
        return {segment: number for number, segment in enumerate(listed_segments(audit=self.audit))}

    def extend(self) -> bool:
        """Add newcomers to the list; whether some are added that no checkpoint covers yet: they are drawn later."""
        added = rosters.extend(audit=self.audit)
        return added > 0 or self._covered < Roster.objects.filter(audit=self.audit).count()

    def rank(self, *, round: Round) -> list[Candidate]:
        """The committed list of the round's tier and pool, as the seed ranks it."""
        if self.basis is None:
            return []
        people = self._list(round)
        ranked = draw(seed=self.basis.seed, segment_id=round.segment_id, round=round.number, candidates=people.values())
        return [people[name] for name in ranked]

    def allow(self, *, round: Round, ranked: Sequence[Candidate]) -> list[UUID]:
        """The auditors of `ranked` whom the constraints of the draw let sit in `round`, in the same order."""
        names = self._auditors(round.tier)
        allowed = in_draw_order(
            order=ranked,
            position=self.position[round.segment_id],
            segments=len(self.position),
            held=self._drawn(round.tier),
            rules=self._rules_of(round),
        )
        return [names[name] for name in allowed if name in names]

    def record(self, *, round: Round, seats: Iterable[Seat]) -> None:
        """These seats were drawn: from now on they count against whoever sits on them."""
        held = self._drawn(round.tier)
        for seat in seats:
            held[bytes(seat.pseudonym)].add(self.position[round.segment_id])

    def _rules_of(self, round: Round) -> DrawRules:
        key = (round.tier, round.pool)
        if key not in self._rules:
            self._rules[key] = rules_of(round=round, opening=self._opening)
        return self._rules[key]

    @cached_property
    def _lines(self) -> tuple[EligibleLine, ...]:
        assert self.basis is not None
        return eligible_lines(audit=self.audit, upto=self.basis.roster)

    def _list(self, round: Round) -> dict[bytes, Candidate]:
        key = (round.tier, round.pool)
        if key not in self._candidates:
            mine = [line for line in self._lines if line.kind == round.tier and line.is_in(pool=round.pool or None)]
            # Everything that ranks them is on the committed list: a change after the leaf changes no draw.
            self._candidates[key] = {
                line.auditor: Candidate(auditor_id=line.auditor, weight=line.weight, load=line.load) for line in mine
            }
        return self._candidates[key]

    def _auditors(self, tier: str) -> dict[bytes, UUID]:
        """From pseudonyms of this audit back to auditors."""
        if tier not in self._names:
            self._names[tier] = {self.name(auditor=key): key for (key,) in _auditors.rows(tier=str(tier))}
        return self._names[tier]

    def _drawn(self, tier: str) -> dict[bytes, set[int]]:
        """Positions that each pseudonym was ever drawn for in this audit, as anyone can read them from the leaves."""
        if tier not in self._held:
            held: dict[bytes, set[int]] = defaultdict(set)
            for name, segment in _drawn.rows(audit=self.audit.pk, tier=str(tier)):
                held[bytes(name)].add(self.position[segment])
            self._held[tier] = held
        return self._held[tier]


@PreparedRows
def _auditors(tier: str) -> QuerySet[Auditor, Any]:
    return Auditor.objects.filter(tier=tier).values_list("pk")


@PreparedRows
def _drawn(audit: UUID, tier: str) -> QuerySet[Seat, Any]:
    return Seat.objects.filter(round__audit=audit, round__tier=tier).values_list("pseudonym", "round__segment")


class Turn:
    """One round's draw: the order that the seed gives, and who of it may take a seat now."""

    def __init__(
        self, *, lots: Lots, round: Round, candidates: Iterable[Auditor], disclosure: DisclosureState | None
    ) -> None:
        """candidates: who is eligible now; disclosure: None where no budget binds."""
        self.lots, self.round, self.disclosure = lots, round, disclosure
        self._willing = {auditor.pk: auditor for auditor in candidates}
        self._objections: dict[UUID, str] = {}
        self._order: list[UUID] | None = None

    @property
    def has_candidates(self) -> bool:
        """Whether anybody is eligible at all."""
        return bool(self._willing)

    @property
    def roster(self) -> int:
        """Number of the list that is drawn from."""
        assert self.lots.basis is not None
        return self.lots.basis.roster

    def order(self) -> list[UUID]:
        """The committed list as the seed ranks it; whom the constraints keep out by now is left out."""
        if self._order is None:
            ranked = self.lots.rank(round=self.round)
            self._order = self.lots.allow(round=self.round, ranked=ranked) if ranked else []
        return self._order

    def fit(self) -> Iterator[UUID]:
        """Those of the order who may take a seat now."""
        return (auditor for auditor in self.order() if not self.objection(auditor))

    def fill(self, *, places: Sequence[int], draw: int) -> list[Seat]:
        """Unsaved seats on `places`: everybody the draw came to, the passed-over lapsed."""
        free, seats = list(places), []
        for auditor in self.order():
            if not free:
                break
            why = self.objection(auditor)
            seats.append(self._seat(auditor, free[0], draw, why))
            # The next of the order is tried for the same place.
            if not why:
                free.pop(0)
        self.lots.record(round=self.round, seats=seats)
        # Whoever the draw came to holds this segment from now on, and nobody holds it twice; nothing else has changed.
        drawn = {seat.auditor_id for seat in seats}
        self._order = [auditor for auditor in self.order() if auditor not in drawn]
        return seats

    def objection(self, auditor: UUID) -> str:
        """Why somebody whom the draw comes to cannot sit; "" when nothing is against it."""
        if auditor not in self._objections:
            self._objections[auditor] = self._find_objection(auditor)
        return self._objections[auditor]

    def _find_objection(self, auditor: UUID) -> str:
        if auditor not in self._willing:
            return "not available"
        if self.disclosure is None or self.disclosure.limit is None or self.round.pool:
            return ""
        return self.disclosure.objection(auditor)

    def _seat(self, auditor: UUID, index: int, draw: int, why: str) -> Seat:
        """A new seat. Its holder's queue goes by the end of the window, a contested segment a day earlier a round."""
        assert self.round.due_at is not None
        contested = timedelta(days=CONTESTED_DAYS * (self.round.number + self.round.redraws))
        seat = fresh(
            Seat,
            round=self.round,
            auditor_id=auditor,
            place=index,
            draw=draw,
            pseudonym=self.lots.name(auditor=auditor),
            wanted_by=self.round.due_at - contested,
            shown=self.disclosure.shown if self.disclosure is not None else {},
            stage=SeatStage.LAPSED if why else SeatStage.OFFERED,
            declined_because=f"{leaves.PASSED_OVER}{why}"[:40] if why else "",
        )
        if not why:
            seat.auditor = self._willing[auditor]  # whoever is told that a seat waits
        return seat
