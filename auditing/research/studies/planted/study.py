"""Study `planted`: recall and false alarms by tier and template, on right public traces with one planted error each.

An untouched control stands beside every trace. Pooled intervals are bootstraps over traces, because one trace carries
an error of every template that can stand in it. A template that a tier surely finds in less than a tenth is unseen.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from auditing.core.consensus.proportions import wilson_interval
from auditing.research.studies.instruments.examination import examine
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.labelled import Labelled
from auditing.research.studies.instruments.model_tier import ModelTier, UnansweredError, open_model
from auditing.research.studies.instruments.own_file import labelled_sets
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study
from auditing.research.studies.planted.templates import TEMPLATES, plant
from hdag.core.values import Trace
from hdag.readers.records import read_record

RESAMPLES = 1_000
UNSEEN, FEWEST = 0.1, 20
# what is kept of an errand: template ("" for the control), steps, and for each tier: found, doubted, accused elsewhere
Row = list[Any]


def _with_step(trace: Trace, index: int, text: str) -> Trace:
    steps = [trace.thinking[span.start : span.end] for span in trace.steps]
    steps[index] = text
    return read_record({"problem": trace.problem, "steps": steps}, where="planted")


def _seen(trace: Trace, at: int | None, model: ModelTier | None) -> list[list[int]]:
    """For each tier whether it fails the planted step, doubts it, and how many other steps it fails."""
    examined = examine(trace=trace)
    failed = examined.failed_steps
    doubted = any(
        segment.step == at and any(finding.doubts for finding in examined.votes[segment.id].evidence)
        for segment in examined.graph.segments
    )
    by_tier = [[int(at in failed), int(doubted and at not in failed), len(failed - {at})]]
    if model is not None:
        try:
            first = model.first_failed(trace=trace, graph=examined.graph, before=examined.first_failed)
        except UnansweredError:
            return by_tier
        # A model is asked up to the step that the computer has refuted: without an earlier one that step is the first.
        named = examined.first_failed if first is None else first
        by_tier.append([int(named is not None and named == at), 0, int(named is not None and named != at)])
    return by_tier


def rows_of(*, labelled: Labelled, rng: np.random.Generator, model: ModelTier | None = None) -> list[Row]:
    """The control and one error of each template that can stand in a right trace."""
    trace = labelled.trace
    steps = [trace.thinking[span.start : span.end] for span in trace.steps]
    rows: list[Row] = [["", len(steps), _seen(trace, None, model)]]
    for template in TEMPLATES:
        planted = plant(template=template, steps=steps, problem=trace.problem, rng=rng)
        if planted is not None:
            changed = _with_step(trace, planted.step, planted.text)
            rows.append([template, len(steps), _seen(changed, planted.step, model)])
    return rows


def interval(*, groups: Sequence[tuple[float, float]], rng: np.random.Generator) -> tuple[float | None, float | None]:
    """95 % of a ratio of sums over traces (hits, of): Wilson where a trace counts once, else traces drawn anew.

    Where all or nothing was hit, drawing anew knows no doubt: then Wilson, each trace counted once. None without any.
    """
    table = np.array([group for group in groups if group[1]], dtype=float).reshape(-1, 2)
    if not len(table):
        return None, None
    share = table[:, 0].sum() / table[:, 1].sum()
    if share in (0, 1) or (table[:, 1] == 1).all():
        rate = wilson_interval(count=round(share * len(table)), of=len(table))
        return rate.low, rate.high
    drawn = rng.integers(len(table), size=(RESAMPLES, len(table)))
    sums = table[drawn].sum(axis=1)
    low, high = np.quantile(sums[:, 0] / sums[:, 1], (0.025, 0.975))
    return float(low), float(high)


def _line(name: str, groups: list[tuple[float, float]], rng: np.random.Generator) -> list[Cell]:
    hits, of = sum(group[0] for group in groups), sum(group[1] for group in groups)
    return [name, int(of), hits / of if of else None, *interval(groups=groups, rng=rng)]


def _tables(run: Run, tier: str, number: int, traces: list[list[Row]]) -> tuple[list[Table], list[str]]:
    """Recall by template and the controls, for one tier; and the templates that it cannot see."""
    rows, unseen = list[list[Cell]](), list[str]()
    for stream, template in enumerate((*TEMPLATES, "all templates")):
        judged = [
            [
                row[2][number]
                for row in trace
                if row[0] and template in (row[0], "all templates") and len(row[2]) > number
            ]
            for trace in traces
        ]
        groups = [(float(sum(seen[0] for seen in seens)), float(len(seens))) for seens in judged]
        line = _line(template, groups, run.rng(stream=1000 + 100 * number + stream))
        doubted = sum(seen[1] for seens in judged for seen in seens)
        rows.append([*line, doubted / max(1.0, sum(group[1] for group in groups))])
        high = line[4]
        # The upper end, not the share: few planted errors that were missed do not yet show that a tier is blind.
        if sum(group[1] for group in groups) >= FEWEST and isinstance(high, float) and high < UNSEEN:
            unseen.append(template)
    # Rows without a template are the traces as they were: whatever is accused there is a false alarm.
    controls = [[row for row in trace if not row[0] and len(row[2]) > number] for trace in traces]
    steps = [
        (float(sum(row[2][number][2] for row in trace)), float(sum(row[1] for row in trace))) for trace in controls
    ]
    whole = [(float(any(row[2][number][2] for row in trace)), float(len(trace))) for trace in controls]
    alarms = [
        _line("steps of untouched traces accused", steps, run.rng(stream=2000 + number)),
        _line("untouched traces accused", whole, run.rng(stream=2100 + number)),
    ]
    columns = ("template", "planted", "found", "low", "high", "doubted only")
    return [
        Table(f"{tier}: share of planted errors found", columns, rows, "Intervals: 95 %, resampled by trace."),
        Table(f"{tier}: false alarms", ("what", "of", "share", "low", "high"), alarms),
    ], unseen


def _tell(run: Run, model: ModelTier, right: list[Labelled]) -> None:
    """Each step of a trace as it is and with each error, and at the most again beside everything earlier."""
    copies = 2 * (len(TEMPLATES) + 1)
    calls = sum(copies * len(labelled.trace.steps) for labelled in right)
    # half of the thinking in the mean
    sent = (
        copies * len(labelled.trace.steps) * (len(labelled.trace.problem) + len(labelled.trace.thinking) / 2)
        for labelled in right
    )
    tell_forecast(run=run, client=model.client, purpose="judge", calls=calls, characters=round(sum(sent)))


@study("planted", "Which planted errors each tier finds", reads="steps", options=("dataset", "endpoint", "traces"))
def run_planted(run: Run) -> Report:
    """One error of each template in right traces, and the same traces untouched. Options: dataset, endpoint, traces."""
    most = run.number("traces", 10**9 if run.full else 40)
    traces, notes = list[list[Row]](), list[str]()
    tables = list[Table]()
    with open_model(run=run, study="planted") as model:
        for name, items in labelled_sets(run=run, name=run.options.get("dataset", "processbench"), most=most):
            run.say(name, 0.5)
            right = [labelled for labelled in items if labelled.first_error is None]
            if model is not None:
                _tell(run, model, right)
            for index, labelled in enumerate(items):
                if labelled.first_error is None:
                    rng = run.rng(stream=10_000 + len(traces))
                    make = lambda: rows_of(labelled=labelled, rng=rng, model=model)  # noqa: B023, E731
                    traces.append(run.piece(key=f"{name} {index}", make=make))
        tiers = ["computer", *([f"computer and {model.name}"] if model else [])]
    for number, tier in enumerate(tiers):
        of_tier, unseen = _tables(run, tier, number, traces)
        tables += of_tier
        notes.append(f"The tier {tier} cannot see: {', '.join(unseen) or 'nothing that was planted often enough'}.")
    notes.append(
        "An error is planted in any equation that holds, whether or not a checker reads it; where the arithmetic stays "
        "true (copied number, sign, dropped case, wrong formula) nothing but the meaning is wrong."
    )
    return Report("Planted errors", tables, notes, items=_items(tiers, traces))


def _items(tiers: Sequence[str], traces: Sequence[list[Row]]) -> Table:
    """One line an errand: 1 where the tier found the planted error, or accused the untouched trace."""
    lines: list[list[Cell]] = [
        [number, row[0] or "untouched", *(int(seen[0] if row[0] else seen[2]) for seen in row[2])]
        # A model that did not answer leaves its tier out.
        + [None] * (len(tiers) - len(row[2]))
        for number, trace in enumerate(traces, 1)
        for row in trace
    ]
    return Table("Items", ("trace", "planted", *tiers), lines)
