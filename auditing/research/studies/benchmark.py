"""Study `benchmark`: first-error accuracy on wrong and on right traces and their harmonic mean, by tier.

Option dataset=NAME picks one of the public sets (without it, ProcessBench), endpoint=NAME adds the model tier step by
step, with critique=N by N critiques of the whole trace (ProcessBench's setting; 8 for its maj@8). Source of the
measure: ProcessBench (2024).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from auditing.core.consensus.proportions import Rate, wilson_interval
from auditing.research.studies.instruments.examination import examine
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.labelled import Labelled
from auditing.research.studies.instruments.model_tier import ModelTier, UnansweredError, open_model
from auditing.research.studies.instruments.own_file import labelled_sets
from auditing.research.studies.instruments.plots import cost_table, detection_table
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study
from auditing.research.studies.steps.critique import critique
from hdag.core.values import Trace

CHUNK = 20  # traces a piece
SUBSETS = ("GSM8K", "MATH", "OlympiadBench", "Omni-MATH", "average")
PUBLISHED: dict[str, tuple[str, tuple[str, ...], tuple[tuple[str | float, ...], ...]]] = {
    "processbench": (
        # Compared with the text of both papers.
        "F1 on ProcessBench by subset, % (Zheng et al., 2024, table 3: QwQ by maj@8, GPT-4o greedily, o1-mini by one "
        "sample; the PRM: Zhang et al., 2025, table 7)",
        SUBSETS,
        (
            ("GPT-4o-0806", 79.2, 63.6, 51.4, 53.5, 61.9),
            ("QwQ-32B-Preview", 88.0, 78.7, 57.8, 61.3, 71.5),
            ("Qwen2.5-Math-PRM-7B", 82.4, 77.6, 67.5, 66.3, 73.5),
            ("o1-mini", 93.2, 88.9, 87.2, 82.4, 87.9),
        ),
    ),
    "mr_ben": (
        # Compared with the project's page; two more rows could not be, and were taken out.
        "Average MR-Score, k = 0 (Zeng et al., 2024): MCC, first error and reason weighed together, so no F1",
        ("figure",),
        (("Claude3-Haiku", 4.4), ("GPT-3.5-Turbo", 4.0), ("Mistral-Large", 21.3)),
    ),
}


@dataclass(frozen=True, slots=True)
class Score:
    """Accuracy with an error (the first one named exactly), without one, and how often an error gets any flag."""

    # Literature: "accuracy on erroneous samples".
    on_wrong: Rate
    on_right: Rate
    flagged: Rate

    @property
    def f1(self) -> float | None:
        """Harmonic mean of the two accuracies."""
        a, b = self.on_wrong.share, self.on_right.share
        if a is None or b is None:
            return None
        return 2 * a * b / (a + b) if a + b else 0.0


def score_of(*, labels: list[int | None], predicted: list[int | None]) -> Score:
    """Score predicted first errors against labels, None for no error."""
    pairs = list(zip(labels, predicted, strict=True))
    wrong = [(label, named) for label, named in pairs if label is not None]
    right = [named for label, named in pairs if label is None]
    return Score(
        wilson_interval(count=sum(label == named for label, named in wrong), of=len(wrong)),
        wilson_interval(count=sum(named is None for named in right), of=len(right)),
        wilson_interval(count=sum(named is not None for _, named in wrong), of=len(wrong)),
    )


def _row(name: str, tier: str, score: Score) -> list[Cell]:
    cells: list[Cell] = [name, tier, score.on_wrong.of, score.on_wrong.share, score.flagged.share]
    return [*cells, score.on_right.of, score.on_right.share, score.on_right.low, score.on_right.high, score.f1]


def _tell(run: Run, model: ModelTier, items: list[Labelled]) -> None:
    """Each step once, and at the most again beside everything earlier: half of the thinking in the mean."""
    if samples := _critiques(run):
        size = samples * sum(len(labelled.trace.problem) + len(labelled.trace.thinking) for labelled in items)
        calls = samples * len(items)
        tell_forecast(run=run, client=model.client, purpose="critique", calls=calls, characters=size)
        return
    calls = sum(2 * len(labelled.trace.steps) for labelled in items)
    sent = (
        (len(labelled.trace.problem) + len(labelled.trace.thinking) / 2) * 2 * len(labelled.trace.steps)
        for labelled in items
    )
    tell_forecast(run=run, client=model.client, purpose="judge", calls=calls, characters=round(sum(sent)))


_UNKNOWN = "unknown"  # a step before the first failure has no answer
First = int | str | None


def _first_errors(trace: Trace, model: ModelTier | None) -> list[First]:
    """The first error by the computer tier, and by the computer and the model tier together."""
    # The computer tier is cheap and certain, so the model is asked only about what stands before its first refutation.
    examined = examine(trace=trace)
    by_computer = examined.first_failed
    if model is None:
        return [by_computer]
    try:
        by_model = model.first_failed(trace=trace, graph=examined.graph, before=by_computer)
    except UnansweredError:
        return [by_computer, _UNKNOWN]
    return [by_computer, by_computer if by_model is None else by_model]


def _critiques(run: Run) -> int:
    """How many critiques of a whole trace are asked; 0: it is judged step by step."""
    return max(0, run.number("critique", 0))


def _critique(labelled: Labelled, model: ModelTier, samples: int) -> list[First]:
    """The computer's first error, and that of the critiques alone: published figures know no computer tier."""
    by_computer = examine(trace=labelled.trace).first_failed
    try:
        return [by_computer, critique(model=model, trace=labelled.trace, samples=samples)]
    except UnansweredError:
        return [by_computer, _UNKNOWN]


def _examined(run: Run, name: str, items: list[Labelled], model: ModelTier | None) -> list[list[First]]:
    """_first_errors of every trace: in pieces of some traces, or many at a time where a model is asked."""
    if model is not None and (samples := _critiques(run)):
        return model.in_parallel(lambda labelled: _critique(labelled, model, samples), items)
    if model is not None:
        return judge_traces(items, model)
    first_errors = list[list[First]]()
    for start in range(0, len(items), CHUNK):
        chunk = items[start : start + CHUNK]
        key = f"{name} {start}"
        first_errors += run.piece(key=key, make=lambda: [_first_errors(labelled.trace, model) for labelled in chunk])  # noqa: B023
    return first_errors


def judge_traces(items: list[Labelled], model: ModelTier) -> list[list[First]]:
    """The first errors of every trace by both tiers, as many traces at a time as the endpoint allows calls."""
    # Longest first: at the end no trace is left that all others wait for.
    order = sorted(range(len(items)), key=lambda index: -len(items[index].trace.steps))
    by_order = model.in_parallel(lambda index: _first_errors(items[index].trace, model), order)
    by_index = dict(zip(order, by_order, strict=True))
    return [by_index[index] for index in range(len(items))]


def _rows(name: str, tiers: list[str], pairs: list[tuple[int | None, list[First]]]) -> Iterator[list[Cell]]:
    """One row a tier, over the traces that it judged; none for a tier that judged none."""
    for number, tier in enumerate(tiers):
        judged = [(label, by_tier[number]) for label, by_tier in pairs if by_tier[number] != _UNKNOWN]
        if judged:
            predicted = [named if isinstance(named, int) else None for _, named in judged]
            yield _row(name, tier, score_of(labels=[label for label, _ in judged], predicted=predicted))


def _detection(tiers: list[str], whole: list[tuple[int | None, list[First]]]) -> Table:
    called = {
        tier: [(by[n] is not None, label is not None) for label, by in whole if by[n] != _UNKNOWN]
        for n, tier in enumerate(tiers)
    }
    return detection_table(called=called, of="wrong traces accused")


def _figure(cell: Cell) -> float | None:
    return float(cell) if isinstance(cell, int | float) else None


@study(
    "benchmark",
    "First-error accuracy on public step labels",
    reads="steps",
    options=("dataset", "endpoint", "traces", "premises", "critique"),
)
def run_benchmark(run: Run) -> Report:
    """One row a file of the set and tier. Options: dataset, endpoint, traces (most of a file), critique."""
    name = run.options.get("dataset", "processbench")
    rows, whole = list[list[Cell]](), list[tuple[int | None, list[First]]]()
    lines = list[list[Cell]]()
    most = run.number("traces", 10**9 if run.full else 25)
    sets = list(labelled_sets(run=run, name=name, most=most))
    if run.file is not None:
        name = run.file.name
    with open_model(run=run, study="benchmark") as model:
        if model is not None:
            _tell(run, model, [labelled for _, items in sets for labelled in items])
        samples = _critiques(run)
        judged_by = (
            f"{model.name}, critiques maj@{samples}"
            if model and samples
            else f"computer and {model.name if model else None}"
        )
        tiers = ["computer", *([judged_by] if model else [])]
        for index, (stem, items) in enumerate(sets):
            run.say(f"{name} {stem}", index / len(sets))
            first_errors = _examined(run, f"{name} {stem}", items, model)
            pairs = list(zip((labelled.first_error for labelled in items), first_errors, strict=True))
            # Over all files, weighted by their traces.
            whole += pairs
            rows += _rows(stem, tiers, pairs)
            lines += [[stem, number, label, *by_tier] for number, (label, by_tier) in enumerate(pairs, 1)]
    if len(sets) > 1:
        rows += _rows("all files", tiers, whole)
    columns = ("file", "tier", "wrong", "first error named", "any flag", "right", "left alone", "low", "high", "F1")
    published = PUBLISHED.get(name)
    tables = [Table(f"{name}, {'; '.join(tiers)}", columns, rows)]
    tables += (
        [Table(f"Published, not rerun: {published[0]}", ("model", *published[1]), published[2])] if published else []
    )
    notes = [
        "" if published or run.file else f"No published figure of this measure on {name} is known to us.",
        "" if model else "Computer tier alone: no endpoint was named (option endpoint=NAME adds the model tier).",
        "A computer tier names few first errors, because most are errors of meaning; it must leave right traces alone.",
        "" if run.full or run.file else f"Small run: {run.limit or most} evenly spaced traces of each file.",
    ]
    tables.append(_detection(tiers, whole))
    asked = run.tally.coverage()
    f1 = {str(row[1]): row[-1] for row in rows}
    spent = {tier: asked.asked if asked and tier != "computer" else 0 for tier in tiers}
    cost = cost_table(rows=[(t, spent[t], _figure(f1.get(t))) for t in tiers], cost="questions", accuracy="F1")
    tables.append(cost)
    items_table = Table("Items", ("file", "trace", "label", *tiers), lines)
    return Report(f"Benchmark {name}", tables, [note for note in notes if note], items=items_table)
