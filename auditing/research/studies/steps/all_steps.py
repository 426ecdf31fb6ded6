"""Study `all_steps`: every wrong step, not the first alone: PRMScore by class of error, and the bounds of MR-Score.

Options: dataset (prmbench, deltabench, mr_ben), endpoint (judges every step that the computer does not settle), traces
(most of a file, 25), premises, grader (an endpoint that grades the reasons given, for MR-Score itself). Where a set
labels the first error only (mr_ben, one's own file without error_steps), later steps are left out of PRMScore.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from auditing.research.studies.instruments.examination import examine
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.labelled import SOURCES, Labelled, Record, evenly, files_of, read_lines
from auditing.research.studies.instruments.model_tier import (
    ModelTier,
    UnansweredError,
    open_clients,
    open_model,
    step_segments,
)
from auditing.research.studies.instruments.own_file import labelled_of, own_records
from auditing.research.studies.instruments.plots import detection_table
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study
from auditing.research.studies.steps.measures import mr_score, prm_score
from auditing.research.studies.steps.reasons import Named, graded_table, reference_of
from hdag.core.errors import BadRecordError
from hdag.readers.records import read_record

__all__ = ["StepLabels", "labels_of", "run_all_steps"]

_EVERY_ERROR = ("error_steps", "error_section_numbers", "idea_error_section_numbers")


@dataclass(frozen=True, slots=True)
class StepLabels:
    """A trace and which of its steps are wrong, from 0; None behind `labelled` steps, where nothing is labelled."""

    trace: Labelled
    wrong: frozenset[int]
    reference: str  # why the first is wrong, as it was annotated; "" for nothing
    is_complete: bool  # every wrong step is labelled, not the first alone

    @property
    def labelled_steps(self) -> list[int]:
        """The steps with a label, in order."""
        last = self.trace.first_error
        steps = [step.index for step in self.trace.trace.steps]
        return steps if self.is_complete or last is None else [index for index in steps if index <= last]


def labels_of(record: Record) -> StepLabels:
    """Of one line of one's own file, or of PRMBench (error_steps, from 1). Raises ValueError, KeyError, TypeError."""
    labelled = labelled_of(record)
    return _labels(labelled, record)


def _labels(labelled: Labelled, record: Record) -> StepLabels:
    # PRMBench and DeltaBench number every wrong step from 1; the second has errors of idea in a list of their own.
    if listed := [record[name] for name in _EVERY_ERROR if isinstance(record.get(name), list)]:
        every = frozenset(int(number) - 1 for numbers in listed for number in numbers)
        return StepLabels(labelled, every, reference_of(record), True)
    wrong = frozenset() if labelled.first_error is None else frozenset({labelled.first_error})
    return StepLabels(labelled, wrong, reference_of(record), labelled.first_error is None)


@study(
    "all_steps",
    "Every wrong step: PRMScore by class of error, bounds of MR-Score",
    reads="steps",
    options=("dataset", "endpoint", "traces", "premises", "grader"),
)
def run_all_steps(run: Run) -> Report:
    """One row a class (a file of the set) and tier."""
    dataset = run.options.get("dataset", "prmbench")
    sets = _sets(run, dataset)
    rows, lines = list[list[Cell]](), list[list[Cell]]()
    with open_model(run=run, study="all_steps") as model:
        every = [row for _, items in sets for row in items]
        if model is not None:
            calls = 2 * sum(len(row.trace.trace.steps) for row in every)
            size = sum(len(row.trace.trace.thinking) * len(row.trace.trace.steps) for row in every)
            tell_forecast(run=run, client=model.client, purpose="judge", calls=calls, characters=size)
        tiers = ["computer", *([f"computer and {model.name}"] if model else [])]
        called = {id(row): judged for row, judged in zip(every, _called(run, every, model), strict=True)}
        graded = _graded(run, every, called, model)
    for name, items in [*sets, *([("all files", every)] if len(sets) > 1 else [])]:
        for column, tier in enumerate(tiers):
            judged = [(row, named[column]) for row in items if (named := called[id(row)])[column] is not None]
            if judged:
                rows.append(_row(name, tier, judged))
    for name, items in sets:
        for number, row in enumerate(items, 1):
            words = [_words(steps) for steps in called[id(row)]]
            lines.append([name, number, _words(sorted(row.wrong)), *words])
    columns = (
        *("class", "tier", "traces", "steps", "wrong steps", "F1", "negative F1", "PRMScore"),
        *("MCC", "first errors named", "MR-Score at least", "at most"),
    )
    notes = [
        "PRMScore is the mean of F1 on right and on wrong steps. MR-Score needs somebody who grades the reason given "
        "for an error: its bounds take no reason, and every reason of a named step, as right.",
        "" if model else "Computer tier alone: no endpoint was named (option endpoint=NAME adds the model tier).",
    ]
    source = run.file.name if run.file else dataset
    items_table = Table("Items", ("class", "trace", "wrong steps", *tiers), lines)
    detected = {
        tier: [
            (index in (called[id(row)][number] or ()), index in row.wrong)
            for row in every
            if called[id(row)][number] is not None
            for index in row.labelled_steps
        ]
        for number, tier in enumerate(tiers)
    }
    tables = [Table(f"{source}, steps", columns, rows), *graded, detection_table(called=detected, of="wrong steps")]
    return Report("Every wrong step", tables, [note for note in notes if note], items=items_table)


def _graded(
    run: Run, every: Sequence[StepLabels], called: dict[int, list[list[int] | None]], model: ModelTier | None
) -> list[Table]:
    """MR-Score whose reasons the endpoint of option grader has graded; nothing without that option."""
    grader = run.options.get("grader", "")
    if model is None or not grader:
        return []
    judged = [(row, steps) for row in every if (steps := called[id(row)][1]) is not None]
    named = [Named(row.trace, row.reference, min(steps, default=None)) for row, steps in judged]
    asked = run.tally.asks
    with open_clients(run=run, names=[grader], account="study:all_steps") as (client,):
        # Both are asked: the first line of the report names them.
        run.tally.asks = f"{asked}, {run.tally.asks}"
        return [graded_table(run=run, rows=named, model=model, grader=client)]


def _sets(run: Run, dataset: str) -> list[tuple[str, list[StepLabels]]]:
    if run.file is not None:
        return [(run.file.stem, own_records(run=run, make=labels_of))]
    most = run.limit or run.number("traces", 10**9 if run.full else 25)
    sets = []
    for path in files_of(name=dataset, data=run.data):
        items = []
        for number, record in evenly(list(read_lines(path)), most):
            fields, first_error = SOURCES[dataset].read(record)
            try:
                trace = read_record(fields, where=f"{path.name} line {number}")
            except BadRecordError:
                continue
            items.append(_labels(Labelled(trace, first_error), record))
        sets.append((path.stem, items))
    return sets


def _called(run: Run, items: Sequence[StepLabels], model: ModelTier | None) -> list[list[list[int] | None]]:
    """For each trace and tier the steps that it calls wrong; None where the model left one without an answer."""
    if model is not None:
        return model.in_parallel(lambda row: _judged(row, model), items)
    judged: list[list[list[int] | None]] = []
    for number, row in enumerate(items):
        run.say(f"trace {number + 1} of {len(items)}", number / len(items))
        judged.append(run.piece(key=f"trace {number}", make=lambda: _judged(row, None)))  # noqa: B023
    return judged


def _judged(row: StepLabels, model: ModelTier | None) -> list[list[int] | None]:
    examined = examine(trace=row.trace.trace)
    by_computer = sorted(examined.failed_steps)
    if model is None:
        return [by_computer]
    wrong = set(by_computer)
    try:
        for segment in step_segments(graph=examined.graph):
            if segment.step is None or segment.step in wrong:
                continue
            if model.fails(trace=row.trace.trace, graph=examined.graph, segment=segment):
                wrong.add(segment.step)
    except UnansweredError:
        return [by_computer, None]
    return [by_computer, sorted(wrong)]


def _row(name: str, tier: str, judged: Sequence[tuple[StepLabels, Sequence[int] | None]]) -> list[Cell]:
    flat = [(index in row.wrong, index in (called or ())) for row, called in judged for index in row.labelled_steps]
    prm = prm_score(wrong=[wrong for wrong, _ in flat], called_wrong=[called for _, called in flat])
    labels = [row.trace.first_error for row, _ in judged]
    mr = mr_score(labels=labels, predicted=[min(called, default=None) if called else None for _, called in judged])
    figures = (prm.f1, prm.negative_f1, prm.score, mr.mcc, mr.named, mr.at_least, mr.at_most)
    return [name, tier, len(judged), prm.steps, prm.wrong, *figures]


def _words(steps: Sequence[int] | None) -> str | None:
    return None if steps is None else " ".join(map(str, steps))
