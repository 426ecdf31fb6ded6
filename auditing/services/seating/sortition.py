"""Sortition: the committed list in the order of the seed, and what became of every auditor that the draw came to.

1. The basis: the list of eligible auditors, as far as a signed checkpoint covers it, and the seed: a hash of a secret,
   of the leaf that commits to the list, and of the root of that checkpoint, which nobody knew when the list was made.
2. The order: core/seating/sortition.py ranks the list by the seed and leaves out whom the rules of the draw forbid.
3. The seats: places are filled in that order. Who is passed over (not available, disclosure budget) gets a row too, as
   lapsed and with the reason, so that a stranger who repeats the draw finds nobody missing.

Call under the audit's lock: one draw of a trace at a time. Reads Roster, Leaf, Checkpoint, Auditor; writes Seat,
AuditEvent, and Roster when newcomers are added.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Max

from auditing.core.events import EventKind
from auditing.core.seating.sortition import Candidate, draw, draw_seed, in_draw_order
from auditing.core.stages import ACTIVE_SEATS, SeatStage
from auditing.models import Auditor, Roster, Round, Seat
from auditing.selectors.seating.disclosure import DisclosureState
from auditing.selectors.seating.rosters import eligible_lines, rules_of, segment_lines
from auditing.selectors.voting.bindings import pseudonym
from auditing.services.events import record_event
from auditing.services.ledger import leaves
from auditing.services.seating import rosters
from auditing.translog.merkle import leaf_hash

TRUSTED = "trusted"
CONTESTED_DAYS = 1  # a contested segment stands this much earlier in the queue for every round before it


@dataclass(frozen=True, slots=True)
class Basis:
    """What a draw rests on: the list up to extension `roster`, and the seed that needs that list's checkpoint."""

    roster: int
    seed: bytes


def find_basis(*, round: Round) -> Basis | None:
    """The longest list that a checkpoint covers, with its seed; None before audit.open is covered.

    A list can thus not be made to fit its seed: nobody knows the root before the list stands in the ledger.
    """
    heads = leaves.draw_heads(audit=round.audit)
    if not heads:
        return None
    leaf, head = heads[-1]  # the newest extension that a checkpoint covers
    entry = leaf_hash(entry=bytes(leaf.body))
    seed = draw_seed(secret=bytes(round.audit.seed), open_leaf=entry, root=bytes(head.root))
    return Basis(len(heads) - 1, seed)


def is_extending(*, round: Round) -> bool:
    """Whether newcomers were added that no checkpoint covers yet: they can be drawn in a moment."""
    return len(leaves.draw_heads(audit=round.audit)) < Roster.objects.filter(audit=round.audit_id).count()


def find_order(*, round: Round, basis: Basis | None = None) -> list[Auditor]:
    """The committed list of the round's tier and pool, as the seed ranks it; whom the constraints keep out is left out.

    Empty before the seed is known.
    """
    basis = basis or find_basis(round=round)
    if basis is None:
        return []
    seed, lines = basis.seed, eligible_lines(audit=round.audit, upto=basis.roster)
    mine = [line for line in lines if line.kind == round.tier and line.is_in(pool=round.pool or None)]
    # Everything that ranks them is on the committed list: a change after the leaf changes no draw.
    people: dict[bytes, Candidate] = {
        line.auditor: Candidate(auditor_id=line.auditor, weight=line.weight, load=line.load) for line in mine
    }
    ranked = draw(seed=seed, segment_id=round.segment_id, round=round.number, candidates=people.values())
    position = {line.segment: number for number, line in enumerate(segment_lines(audit=round.audit))}
    allowed = in_draw_order(
        order=[people[name] for name in ranked],
        position=position[round.segment_id],
        segments=len(position),
        held=_held(round, position),
        rules=rules_of(round=round),
    )
    # From pseudonyms back to auditors.
    by_name = {pseudonym(audit=round.audit, auditor=row): row for row in Auditor.objects.filter(tier=round.tier)}
    return [by_name[name] for name in allowed if name in by_name]


def find_fit(*, round: Round, candidates: Iterable[Auditor], disclosure: DisclosureState | None) -> list[Auditor]:
    """Those of the order who may take a seat now; newcomers are added to the list when it has nobody left.

    They can be drawn as soon as a checkpoint covers their list.
    """
    willing = {auditor.pk for auditor in candidates}
    fit = [auditor for auditor in find_order(round=round) if not _objection(round, auditor, willing, disclosure)]
    if not fit:
        rosters.extend(audit=round.audit)
    return fit


def fill(
    *, round: Round, candidates: Iterable[Auditor], disclosure: DisclosureState | None, places: Sequence[int]
) -> tuple[list[Seat], int]:
    """Seat the next of the draw on `places`: everybody it came to, the passed-over lapsed; and the list's number."""
    basis = find_basis(round=round)
    assert basis is not None
    willing = {candidate.pk for candidate in candidates}
    number = next_draw(round=round)
    free, seats = list(places), []
    for auditor in find_order(round=round, basis=basis):
        if not free:
            break
        why = _objection(round, auditor, willing, disclosure)
        seats.append(_seat(round, auditor, free[0], disclosure, number, why))
        # The next of the order is tried for the same place.
        if why:
            record_event(
                audit=round.audit,
                kind=EventKind.SEAT_PASSED_OVER,
                round=str(round.pk),
                auditor=bytes(seats[-1].pseudonym).hex(),
                because=why,
            )
        else:
            free.pop(0)
    return Seat.objects.bulk_create(seats), basis.roster


def next_draw(*, round: Round) -> int:
    """Number of the next draw of a round: 0 first."""
    last = Seat.objects.filter(round=round).aggregate(last=Max("draw"))["last"]
    return 0 if last is None else int(last) + 1


def _held(round: Round, position: dict[UUID, int]) -> dict[bytes, set[int]]:
    """Positions that each pseudonym was ever drawn for in this audit, as anyone can read them from the leaves."""
    held: dict[bytes, set[int]] = defaultdict(set)
    rows = Seat.objects.filter(round__audit=round.audit_id, round__tier=round.tier)
    for name, segment in rows.values_list("pseudonym", "round__segment"):
        held[bytes(name)].add(position[segment])
    return held


def _objection(round: Round, auditor: Auditor, willing: set[Any], disclosure: DisclosureState | None) -> str:
    """Why somebody whom the draw comes to cannot sit; "" when nothing is against it."""
    if auditor.pk not in willing:
        return "not available"
    if disclosure is None or disclosure.limit is None or round.pool:
        return ""
    return disclosure.objection(auditor.pk)


def _seat(round: Round, auditor: Auditor, place: int, disclosure: DisclosureState | None, draw: int, why: str) -> Seat:
    """A new seat. Contested segments come first in its holder's queue, then those whose window closes first."""
    assert round.due_at is not None
    contested = timedelta(days=CONTESTED_DAYS * (round.number + round.redraws))
    return Seat(
        round=round,
        auditor=auditor,
        place=place,
        draw=draw,
        pseudonym=pseudonym(audit=round.audit, auditor=auditor),
        wanted_by=round.due_at - contested,
        shown=disclosure.shown if disclosure is not None else {},
        stage=SeatStage.LAPSED if why else SeatStage.OFFERED,
        declined_because=f"{leaves.PASSED_OVER}{why}"[:40] if why else "",
    )


def free_places(*, round: Round) -> list[int]:
    """Places of a round that nobody holds."""
    taken = set(Seat.objects.filter(round=round, stage__in=ACTIVE_SEATS).values_list("place", flat=True))
    return [place for place in range(round.k) if place not in taken]
