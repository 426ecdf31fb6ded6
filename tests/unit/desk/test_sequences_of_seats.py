"""One auditor, any graph, any order of being drawn and opening: the share and the distance hold over all its seats."""

from decimal import Decimal
from itertools import pairwise
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from auditing.core.ledger.leaves import DrawRules
from auditing.selectors.seating.disclosure import DisclosureState
from hdag.core.disclosure import Degree, Disclosed, budget, choose_degree, current_alone, views
from hdag.core.levels import Level
from hdag.core.values import Segment, Source

ME = UUID(int=1)
STATED = ("full", "summaries", "premises", "conclusions", "alone")
lengths = st.lists(st.integers(2, 9), min_size=4, max_size=10)
picks = st.lists(st.tuples(st.integers(0, 40), st.booleans(), st.sets(st.integers(0, 40), max_size=3)), max_size=25)


class SeatSequence:
    """A text of sentences, each a step, and tactics over three of them each: words of the first, then two parts."""

    def __init__(self, lengths: list[int], share: Decimal | None) -> None:
        pieces = [f"Part {number}: " + "so " * length + "on.\n\n" for number, length in enumerate(lengths)]
        self.text, at = "".join(pieces), 0
        self.segments: list[Segment] = []
        for number, piece in enumerate(pieces):
            self.segments.append(self._segment(f"ST{number}", Level.STEP, at, at + len(piece.rstrip())))
            at += len(piece)
        steps = list(self.segments)
        self.parts = {f"T{first}": steps[first + 1 : first + 3] for first in range(0, len(steps), 3)}
        for name, parts in self.parts.items():
            last = parts[-1] if parts else steps[int(name[1:])]
            self.segments.append(self._segment(name, Level.TACTIC, steps[int(name[1:])].start, last.end))
        self.limit = None if share is None else budget(characters=len(self.text), share=share)
        self.seats: list[dict[str, Disclosed]] = []

    def _segment(self, name: str, level: Level, start: int, end: int) -> Segment:
        said = self.text[start:end]
        return Segment(name, level, said, Source.THINKING, start, end, summary=said[:7])

    def current(self, segment: Segment) -> Disclosed:
        return current_alone(segment=segment, children=self.parts.get(segment.id, ()))

    def seen(self, *, but: dict[str, Disclosed] | None = None) -> Disclosed:
        found = Disclosed()
        for seat in self.seats:
            for part in () if seat is but else seat.values():
                found = found | part
        return found

    def objection(self, segment: Segment) -> str:
        currents = [span for seat in self.seats for span in seat["current"].spans]
        return DisclosureState(
            position=0,
            segments=99,
            rules=DrawRules(load_cap=99, share_cap=Decimal(1), adjacent=False),
            limit=self.limit,
            current=self.current(segment),
            text={"thinking": self.text},
            held={},
            seen={ME: self.seen()},
            currents={ME: currents},
        ).objection(ME)

    def open(self, seat: dict[str, Disclosed], near: set[int]) -> None:
        """Open the panes of a seat: the fullest degree that keeps the share, and none fuller would."""
        around = [self.segments[one % len(self.segments)] for one in sorted(near)]
        offered = views(current=seat["current"], dependencies=around[:2], implications=around[2:])
        seen = self.seen(but=seat)
        assert self.limit is not None
        degree = choose_degree(seen=seen, views=offered, budget=self.limit)
        assert degree is not None
        fuller = [Degree(name) for name in STATED[: STATED.index(degree)]]
        assert all((seen | offered[one]).characters > self.limit for one in fuller)
        seat["view"] = offered[degree]


def letters(sequence: SeatSequence, seen: Disclosed) -> set[int]:
    return {at for span in seen.spans for at in range(span.start, span.end) if sequence.text[at].isalnum()}


@settings(max_examples=150, deadline=None)
@given(lengths, picks, st.decimals("0.1", "0.9", places=2))
def test_share_and_distance_hold_over_all_seats_of_one_auditor(
    lengths: list[int], drawn: list[tuple[int, bool, set[int]]], share: Decimal
) -> None:
    sequence = SeatSequence(lengths, share)
    telling = [at for at, one in enumerate(sequence.text) if one.isalnum()]
    for number, opens, near in drawn:
        segment = sequence.segments[number % len(sequence.segments)]
        if not sequence.objection(segment):
            sequence.seats.append({"current": sequence.current(segment)})
        waiting = [seat for seat in sequence.seats if "view" not in seat]
        if opens and waiting:
            sequence.open(waiting[number % len(waiting)], near)
        everything = sequence.seen()
        characters = {at for span in everything.spans for at in range(span.start, span.end)}
        assert len(characters) + sum(everything.summaries.values()) <= share * len(sequence.text)
    read = [letters(sequence, seat["current"]) for seat in sequence.seats]
    owner = {at: number for number, one in enumerate(read) for at in one}
    assert sum(map(len, read)) == len(owner)
    sides = [(owner.get(one), owner.get(other)) for one, other in pairwise(telling)]
    assert all(one == other or None in (one, other) for one, other in sides)


@given(lengths, st.integers(0, 40))
def test_a_trace_that_policy_exempts_keeps_nobody_from_any_segment(lengths: list[int], first: int) -> None:
    sequence = SeatSequence(lengths, None)
    for segment in sequence.segments[first % len(sequence.segments) :]:
        assert sequence.objection(segment) == ""
        sequence.seats.append({"current": sequence.current(segment)})
