"""Plan seats: three questions about a whole trace, each at a segment of the passage graph, with a text to read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hdag.core.passages.conclusions import concluding_sentence
from hdag.core.passages.values import Passage, PlanKind, PlanSeat, Why
from hdag.core.units import BETWEEN
from hdag.core.values import Source, Trace

GOAL, STRATEGY, ANSWER = "G1", "S1", "A1"  # their ids in the passage graph
LONGEST = 4_000  # characters of the digest of a strategy
BRIEF = 2  # asked passages up to which the reader of the last one sees the whole strategy anyway
READINGS = 2  # passages in which a trace says how it reads the problem
READ_ALONE = 900  # characters of the first of them from which it is enough
_OUTLINE = frozenset((Why.ASKED, Why.HEADING, Why.PROVED))
_CONCLUDES = frozenset((Why.ASKED, Why.FRAGMENT, Why.LEAD_IN))


def plan_seats(*, trace: Trace, passages: Sequence[Passage]) -> tuple[PlanSeat, ...]:
    """One seat each for goal (where a problem is given), strategy and answer; none where nothing is asked.

    A trace of two passages has no strategy seat of its own: the answer seat asks for it too. The goal seat reads the
    problem and how the trace begins; the strategy seat headings and the conclusion of each passage; the answer seat
    judges A1, the passage that concludes.
    """
    asked = [passage for passage in passages if passage.asked]
    if not asked:
        return ()
    closing = next(passage for passage in passages if passage.id == ANSWER)
    opening = [p for p in passages if p.why in (Why.ASKED, Why.RESTATED_PROBLEM) and p is not closing][:READINGS]
    if opening and len(opening[0].text) >= READ_ALONE:
        opening = opening[:1]
    goal = _seat(GOAL, PlanKind.GOAL, opening, _reading(trace, opening))
    answer = _seat(ANSWER, PlanKind.ANSWER, [closing], closing.text)
    strategies: list[PlanSeat] = []
    if len(asked) <= BRIEF:
        answer = replace(answer, asks=(PlanKind.STRATEGY, PlanKind.ANSWER))
    else:
        strategies.append(_seat(STRATEGY, PlanKind.STRATEGY, asked, "\n".join(_outline(passages))[:LONGEST]))
    # Without a problem there is nothing that the trace could have misread.
    return (*([goal] if trace.problem.strip() else []), *strategies, answer)


def _seat(key: str, kind: PlanKind, passages: Sequence[Passage], text: str) -> PlanSeat:
    return PlanSeat(key, kind, tuple(passage.id for passage in passages), text, (kind,))


def digest_text(*, seat: PlanSeat, passages: Mapping[str, Passage]) -> str:
    """What a plan seat reads. The problem is pinned beside it: the goal seat reads what the trace makes of it."""
    if seat.kind is PlanKind.GOAL and seat.segments:
        return BETWEEN.join(passages[key].text for key in seat.segments)
    return seat.text


def find_closing(*, passages: Sequence[Passage]) -> Passage | None:
    """What the answer seat judges: the last passage of the answer that says something, else of the thinking."""
    for source in (Source.ANSWER, Source.THINKING):
        concluding = [p for p in passages if p.source is source and p.why in _CONCLUDES]
        if concluding:
            return concluding[-1]
    return None


def _reading(trace: Trace, opening: Sequence[Passage]) -> str:
    """The problem, and below it the passages in which the trace says what it takes it to be."""
    return "\n\n".join(text for text in (trace.problem.strip(), *(p.text for p in opening)) if text)


def _outline(passages: Sequence[Passage]) -> Iterator[str]:
    for passage in passages:
        if passage.why is Why.HEADING:
            yield passage.text
        elif passage.why in _OUTLINE:
            yield f"{passage.id}: {concluding_sentence(text=passage.text)}"
