"""Plan seats: three questions about a whole trace, each at a segment of the passage graph, with a digest to read."""

from collections.abc import Sequence

from hdag.core.passages.values import Passage, PlanKind, PlanSeat, Why
from hdag.core.values import Graph, Source, Trace

GOAL, STRATEGY, ANSWER = "G1", "S1", "A1"  # their ids in the passage graph
LONGEST = 200  # characters that the digest takes of one passage


def plan_seats(*, trace: Trace, graph: Graph, passages: Sequence[Passage]) -> tuple[PlanSeat, ...]:
    """One seat each for goal, strategy and answer; none for a trace of which nothing is asked."""
    asked = [passage for passage in passages if passage.asked or passage.why is Why.ANSWER_SEAT]
    if not asked:
        return ()
    digest = "\n".join(_line(passage) for passage in passages if passage.why in (Why.ASKED, Why.HEADING))
    closing = closing_passages(passages=passages)
    everything = tuple(passage.id for passage in asked)
    return (
        PlanSeat(GOAL, PlanKind.GOAL, everything[:1], trace.problem or passages[0].text[:LONGEST]),
        PlanSeat(STRATEGY, PlanKind.STRATEGY, everything, digest),
        PlanSeat(ANSWER, PlanKind.ANSWER, tuple(p.id for p in closing), "\n".join(p.text for p in closing)),
    )


def closing_passages(*, passages: Sequence[Passage]) -> list[Passage]:
    """What the answer seat stands at: the answer, without one the last passage that claims something."""
    answer = [passage for passage in passages if passage.source is Source.ANSWER]
    return answer or [p for p in passages if p.asked][-1:]


def _line(passage: Passage) -> str:
    text = " ".join(passage.text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
