"""What a voter reads at once: the passages of the product, the whole trace, or pieces of so many sentences.

Sizes of the pieces are those of TRUST, table 3: random 2 to 6 sentences, short 2, long 5 to 7.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from auditing.core.routing.computer_tier import votes_on
from auditing.core.values import Choice, Tier
from auditing.research.offline.judges import open_units
from auditing.research.offline.one_trace import audit_trace
from auditing.research.offline.passages import REFUTED
from auditing.research.studies.instruments.labelled import Labelled
from auditing.services.model_tier.judges.shown import Dependency, ShownContext
from hdag.chat.endpoint import MaySee
from hdag.core.levels import Level
from hdag.core.passages.sentences import find_sentences
from hdag.core.spans import Span
from hdag.core.values import Graph, Segment, Source, StepSpan, Trace

__all__ = ["CUTS", "PASSAGES", "WHOLE", "Unit", "cut_by"]

PASSAGES, WHOLE = "passages", "whole trace"


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece of a trace. computer: what the computer tier says of it; tier: who judges it where that abstains.

    holds_error: whether the first wrong step lies in it; None after that step, where nothing is labelled.
    """

    id: str
    shown: ShownContext
    tier: Tier
    computer: Choice = Choice.ABSTAIN
    holds_error: bool | None = None

    @property
    def words(self) -> int:
        """Words that a person reads: the problem, what the unit leans on, and the unit."""
        leaned = sum(len(dependency.text.split()) for dependency in self.shown.dependencies)
        return len(self.shown.context.split()) + leaned + len(self.shown.reasoning.split())


Audited = Mapping[str, Any]  # the record of audit_trace
Cut = Callable[[Labelled, Audited, np.random.Generator], list[Unit]]


def cut_by(*, cuts: Sequence[str], labelled: Labelled, seed: int, number: int) -> list[list[Unit]]:
    """The units of one trace under each of the named cuts; every cut has its own chance."""
    record = audit_trace(trace=labelled.trace, tiers=(Tier.COMPUTER, Tier.LLM))
    order = list(CUTS)
    return [CUTS[name](labelled, record, np.random.default_rng([seed, order.index(name), number])) for name in cuts]


def by_passages(labelled: Labelled, record: Audited, rng: np.random.Generator) -> list[Unit]:
    """The passages that the product asks about, with its routes; what the computer settles is settled."""
    rows = {row["id"]: row for row in record["passages"]}
    settled = [
        Unit(
            row["id"],
            _shown(labelled.trace, row["text"]),
            Tier.COMPUTER,
            Choice.FAIL if row["fails_at"] or row["why"] == REFUTED else Choice.PASS,
            _label(labelled, row),
        )
        for row in rows.values()
        if row["tier"] == Tier.COMPUTER.value or row["fails_at"]
    ]
    done = {unit.id for unit in settled}
    tiers = {row["id"]: Tier(row["tier"]) for row in (*rows.values(), *record["plan_seats"]) if row["tier"]}
    still_open = [
        Unit(unit.id, unit.shown, tiers[unit.id], Choice.ABSTAIN, _label(labelled, rows.get(unit.id)))
        for unit in open_units(record=record, problem=labelled.trace.problem)
        if unit.id not in done
    ]
    return [*settled, *still_open] or by_whole(labelled, record, rng)


def by_whole(labelled: Labelled, record: Audited, rng: np.random.Generator) -> list[Unit]:
    """One unit, named "", that no computer settles: how audits without any cut are done."""
    trace = labelled.trace
    text = "\n\n".join(text for text in (trace.thinking, trace.answer) if text.strip())
    return [Unit("", _shown(trace, text), Tier.LLM, Choice.ABSTAIN, labelled.first_error is not None)]


def by_sentences(fewest: int, most: int) -> Cut:
    """Pieces of `fewest` to `most` sentences of the thinking, each examined by the computer on its own."""

    def cut(labelled: Labelled, record: Audited, rng: np.random.Generator) -> list[Unit]:
        trace = labelled.trace
        spans = list(_pieces(trace, lambda: int(rng.integers(fewest, most + 1))))
        choices = examine_pieces(trace=trace, spans=spans)
        return [
            Unit(
                f"C{number}",
                _shown(trace, trace.thinking[start:end], trace.thinking[:start]),
                Tier.COMPUTER if choice is not Choice.ABSTAIN else _hardest(record, start, end),
                choice,
                _holds(labelled, start, end),
            )
            for number, ((start, end), choice) in enumerate(zip(spans, choices, strict=True), 1)
        ]

    return cut


CUTS: dict[str, Cut] = {
    PASSAGES: by_passages,
    "random cuts, 2 to 6 sentences": by_sentences(2, 6),
    "fixed cuts, 2 sentences": by_sentences(2, 2),
    "fixed cuts, 5 to 7 sentences": by_sentences(5, 7),
    WHOLE: by_whole,
}


def examine_pieces(*, trace: Trace, spans: list[tuple[int, int]]) -> list[Choice]:
    """The computer's vote on each piece of the thinking, as if the trace had been cut there; a pass needs a proof."""
    steps = tuple(StepSpan(number, start, end) for number, (start, end) in enumerate(spans))
    cut = Trace(problem=trace.problem, thinking=trace.thinking, answer=trace.answer, steps=steps)
    segments = tuple(
        Segment(f"ST{number}", Level.STEP, trace.thinking[start:end], Source.THINKING, start, end, step=number)
        for number, (start, end) in enumerate(spans)
    )
    votes = votes_on(trace=cut, graph=Graph(segments, ()))
    return [votes[segment.id].choice for segment in segments]


def _hardest(record: Audited, start: int, end: int) -> Tier:
    """Who judges a piece: people where a passage that it overlaps is theirs, else models."""
    tiers = {
        row["tier"]
        for row in record["passages"]
        if row["source"] == Source.THINKING.value and row["start"] < end and row["end"] > start
    }
    return Tier.HUMAN if Tier.HUMAN.value in tiers else Tier.LLM


def _pieces(trace: Trace, draw: Callable[[], int]) -> Iterator[tuple[int, int]]:
    ends = [span.end for span in find_sentences(text=trace.thinking, span=Span(0, len(trace.thinking)), closed=())]
    edges, count = [0], 0
    while count < len(ends):
        count = min(count + draw(), len(ends))
        edges.append(ends[count - 1])
    return ((start, end) for start, end in pairwise(edges) if trace.thinking[start:end].strip())


def _shown(trace: Trace, text: str, before: str = "") -> ShownContext:
    """What a judge is shown of a piece: the problem, the piece and what stands before it."""
    dependencies = (Dependency("before", before),) if before.strip() else ()
    # The studies send whole public traces, so only endpoints that may see them are used.
    return ShownContext(context=trace.problem, reasoning=text, dependencies=dependencies, scope=MaySee.TRACES)


def _label(labelled: Labelled, row: dict[str, object] | None) -> bool | None:
    """Of a passage; one of the answer, and a seat about the plan, stands behind every step."""
    if row is None or row["source"] != Source.THINKING.value:
        return None if labelled.first_error is not None else False
    return _holds(labelled, int(str(row["start"])), int(str(row["end"])))


def _holds(labelled: Labelled, start: int, end: int) -> bool | None:
    if labelled.first_error is None:
        return False
    error = next((step for step in labelled.trace.steps if step.index == labelled.first_error), None)
    if error is None or start >= error.end:
        return None
    return end > error.start
