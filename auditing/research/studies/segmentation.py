"""Study `segmentation`: HDAG segments against random, short and long fixed ones, with the computer tier.

A segment is wrong when it overlaps the first wrong step, right when it ends before it; later ones have no label. The
chance of being wrong given the tier's vote is learnt on one half of the traces and scored on the other (Brier), then
the reverse.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from auditing.core.routing.computer_tier import votes_on
from auditing.core.values import Choice
from auditing.research.studies.instruments.examination import examine
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.labelled import Labelled
from auditing.research.studies.instruments.model_tier import (
    ModelTier,
    UnansweredError,
    in_parallel,
    open_model,
)
from auditing.research.studies.instruments.own_file import labelled_sets
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study
from hdag.core.levels import Level
from hdag.core.values import Graph, Segment, Source, StepSpan, Trace

SHORT, LONG = 60, 400  # characters


@dataclass(frozen=True, slots=True)
class Judged:
    """One labelled segment: does it hold the error, was it refuted."""

    wrong: bool
    refuted: bool


Span = tuple[int, int, bool]  # of the thinking, refuted or not
Scheme = Callable[[Trace, np.random.Generator], list[Span]]


def _spans_vote(trace: Trace, cuts: list[int]) -> list[Span]:
    """Examine the thinking cut at `cuts`, each piece on its own."""
    # A set: two cuts at the same place make no empty piece.
    edges = sorted({0, *cuts, len(trace.thinking)})
    # Blank pieces hold nothing to judge.
    spans = [(a, b) for a, b in pairwise(edges) if trace.thinking[a:b].strip()]
    steps = tuple(StepSpan(number, a, b) for number, (a, b) in enumerate(spans))
    cut = Trace(problem=trace.problem, thinking=trace.thinking, answer=trace.answer, steps=steps)
    segments = tuple(
        Segment(f"ST{number}", Level.STEP, trace.thinking[a:b], Source.THINKING, a, b, step=number)
        for number, (a, b) in enumerate(spans)
    )
    votes = votes_on(trace=cut, graph=Graph(segments, ()))
    return [(s.start, s.end, votes[s.id].choice is Choice.FAIL) for s in segments]


def _by_hdag(trace: Trace, rng: np.random.Generator) -> list[Span]:
    examined = examine(trace=trace)
    failed = {key for key, vote in examined.votes.items() if vote.choice is Choice.FAIL}
    # A step is refuted when it or one of its operations is.
    parts = examined.graph.children()
    steps = [s for s in examined.graph.segments if s.level is Level.STEP and s.source is Source.THINKING]
    return [(s.start, s.end, bool(failed & {s.id, *parts[s.id]})) for s in steps]


def _fixed(size: int) -> Scheme:
    return lambda trace, rng: _spans_vote(trace, list(range(size, len(trace.thinking), size)))


def _at_random(trace: Trace, rng: np.random.Generator) -> list[Span]:
    # n steps need n - 1 cuts.
    length, pieces = len(trace.thinking), max(1, len(trace.steps))
    cuts = rng.integers(1, max(2, length), pieces - 1)
    return _spans_vote(trace, [int(cut) for cut in cuts])


SCHEMES: dict[str, Scheme] = {
    "HDAG steps": _by_hdag,
    "random cuts, as many as steps": _at_random,
    f"fixed, {SHORT} characters": _fixed(SHORT),
    f"fixed, {LONG} characters": _fixed(LONG),
}


def label_spans(*, labelled: Labelled, spans: list[Span]) -> list[Judged]:
    """Labels by overlap with the first wrong step; spans after it are left out."""
    if labelled.first_error is None:
        return [Judged(False, refuted) for _, _, refuted in spans]
    # None: the label points behind the last step that could be read.
    error = next((step for step in labelled.trace.steps if step.index == labelled.first_error), None)
    if error is None:
        return []
    labelled_spans = [span for span in spans if span[0] < error.end]
    return [Judged(end > error.start, refuted) for _, end, refuted in labelled_spans]


def f1_of(judged: list[Judged]) -> float:
    """F1 of "refuted" as a sign of "wrong"; 0 when nothing is hit."""
    hits = sum(segment.wrong and segment.refuted for segment in judged)
    total = sum(segment.wrong for segment in judged) + sum(segment.refuted for segment in judged)
    return 2 * hits / total if total else 0.0


def brier_of(*, learn: list[Judged], score: list[Judged]) -> float:
    """Mean squared error of P(wrong | vote), learnt with one pseudo-count each way."""
    chance = {}
    for refuted in (False, True):
        seen = [segment.wrong for segment in learn if segment.refuted is refuted]
        # Laplace's rule: one pseudo-count each way, so that no probability is 0 or 1.
        chance[refuted] = (sum(seen) + 1) / (len(seen) + 2)
    return sum((chance[segment.refuted] - segment.wrong) ** 2 for segment in score) / max(1, len(score))


def _flat(groups: list[list[Judged]]) -> list[Judged]:
    return [segment for group in groups for segment in group]


def _figures(groups: list[list[Judged]]) -> tuple[float, float]:
    # Cross-fitting on two halves of the traces: nothing is scored on what it was learnt from.
    odd, even = _flat(groups[::2]), _flat(groups[1::2])
    brier = (brier_of(learn=odd, score=even) + brier_of(learn=even, score=odd)) / 2
    return f1_of(odd + even), brier


def _row(name: str, groups: list[list[Judged]], rng: np.random.Generator, resamples: int) -> list[Cell]:
    f1, brier = _figures(groups)
    # Traces are resampled, not segments: segments of one trace are not independent.
    drawn = [_figures([groups[index] for index in rng.integers(0, len(groups), len(groups))]) for _ in range(resamples)]
    low, high = np.quantile(np.array(drawn), [0.025, 0.975], axis=0)
    size = len(_flat(groups))
    return [name, size, f1, float(low[0]), float(high[0]), brier, float(low[1]), float(high[1])]


def _with_model(model: ModelTier, trace: Trace, spans: list[Span]) -> list[Span] | None:
    """The spans judged by the model as well; None where it gives no answer to one of them."""
    try:
        return _judged_spans(model, trace, spans)
    except UnansweredError:
        return None


def _judged_spans(model: ModelTier, trace: Trace, spans: list[Span]) -> list[Span]:
    """The spans again; what the computer tier let pass is put before the model, in order, up to the first failure."""
    texts = [
        Segment(f"ST{number}", Level.STEP, trace.thinking[a:b], Source.THINKING, a, b)
        for number, (a, b, _) in enumerate(spans)
    ]
    spans_judged: list[Span] = []
    for (a, b, refuted), segment in zip(spans, texts, strict=True):
        # The first failure ends the trace, as it does for the computer tier.
        over = any(hit for _, _, hit in spans_judged)
        is_refuted = refuted or (
            not over and bool(model.fails(trace=trace, graph=Graph((segment,), ()), segment=segment))
        )
        spans_judged.append((a, b, is_refuted))
    return spans_judged


def _groups(run: Run, scheme_index: int, items: list[Labelled], model: ModelTier | None) -> list[list[list[Judged]]]:
    """For each tier, the labelled segments of each trace under one scheme; one piece a trace."""
    name, scheme = list(SCHEMES.items())[scheme_index]
    tiers: list[list[list[Judged]]] = [[], *([[]] if model else [])]

    def spans(number: int) -> list[list[Span] | None]:
        trace = items[number].trace
        by_computer = scheme(trace, np.random.default_rng([run.seed, scheme_index, number]))
        return [by_computer, *([_with_model(model, trace, by_computer)] if model else [])]

    def piece_of(number: int) -> Any:
        return run.piece(key=f"{name} {number}", make=partial(spans, number))

    workers = model.client.endpoint.max_concurrency if model else 1
    pieces = in_parallel(work=piece_of, items=range(len(items)), workers=workers)
    for labelled, by_tier in zip(items, pieces, strict=True):
        for tier, tier_spans in zip(tiers, by_tier, strict=True):
            if tier_spans is None:  # without an answer to each of its segments a trace is not measured
                continue
            tier.append(label_spans(labelled=labelled, spans=[(a, b, refuted) for a, b, refuted in tier_spans]))
    return tiers


@study("segmentation", "HDAG segments against random and fixed ones", reads="steps", options=("dataset", "endpoint"))
def run_segmentation(run: Run) -> Report:
    """F1 and Brier of four segmentations, with bootstrap intervals over traces. Options: dataset, endpoint."""
    most, dataset = 10**9 if run.full else 30, run.options.get("dataset", "processbench")
    sets = labelled_sets(run=run, name=dataset, most=most)
    items = [labelled for _, labelled_traces in sets for labelled in labelled_traces]
    if run.file is not None:
        dataset = run.file.name
    tables, lines = dict[str, list[list[Cell]]](), list[list[Cell]]()
    with open_model(run=run, study="segmentation") as model:
        if model is not None:
            # Each scheme cuts about once a step, or once in so many characters.
            calls = sum(2 * len(i.trace.steps) + len(i.trace.thinking) // SHORT + 2 for i in items)
            size = sum(4 * len(i.trace.thinking) + len(i.trace.problem) * len(i.trace.steps) for i in items)
            tell_forecast(run=run, client=model.client, purpose="judge", calls=calls, characters=size)
        for index, name in enumerate(SCHEMES):
            run.say(name, index / len(SCHEMES))
            for tier, groups in enumerate(_groups(run, index, items, model)):
                if not groups:
                    continue
                words = "computer tier" if tier == 0 or model is None else f"computer tier and {model.name}"
                row = _row(name, groups, run.rng(stream=100 + index), 500 if run.full else 100)
                tables.setdefault(words, []).append(row)
                lines += [
                    [words, name, trace, place, int(segment.wrong), int(segment.refuted)]
                    for trace, judged in enumerate(groups, 1)
                    for place, segment in enumerate(judged, 1)
                ]
    columns = ("segmentation", "labelled segments", "F1", "low", "high", "Brier", "low", "high")
    note = "Brier scores of different segmentations have different base rates: compare each with its own interval."
    told = [] if model else ["Computer tier alone: no endpoint was named (option endpoint=NAME adds the model tier)."]
    return Report(
        "Segmentation",
        [Table(f"{dataset}, {tier}", columns, rows, note) for tier, rows in tables.items()],
        told,
        items=Table("Items", ("tier", "segmentation", "trace", "segment", "holds the error", "refuted"), lines),
    )
