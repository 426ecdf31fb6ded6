"""Study `benchmark`: first-error accuracy on wrong and on right traces and their harmonic mean, computer tier.

Option dataset=NAME picks one of the public sets; without it, ProcessBench. Source of the measure: ProcessBench (2024).
"""

from dataclasses import dataclass

from auditing.core.faithfulness import Rate, wilson_interval
from auditing.studies.examination import examine
from auditing.studies.labelled import Labelled, files_of, read_labelled
from auditing.studies.runner import Cell, Report, Run, Table, study

PUBLISHED = (
    ("GPT-4o", 61.9),
    ("QwQ-32B-Preview", 71.5),
    ("Qwen2.5-Math-PRM-7B", 73.5),
    ("o1-mini", 87.9),
)


@dataclass(frozen=True, slots=True)
class Score:
    """Accuracy with an error (the first one named exactly), without one, and how often an error gets any flag."""

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


def score_of(*, labels: list[int | None], found: list[int | None]) -> Score:
    """Score predicted first errors against labels, None for no error."""
    pairs = list(zip(labels, found, strict=True))
    wrong = [(label, named) for label, named in pairs if label is not None]
    right = [named for label, named in pairs if label is None]
    return Score(
        wilson_interval(count=sum(label == named for label, named in wrong), of=len(wrong)),
        wilson_interval(count=sum(named is None for named in right), of=len(right)),
        wilson_interval(count=sum(named is not None for _, named in wrong), of=len(wrong)),
    )


def _row(name: str, traces: list[Labelled]) -> list[Cell]:
    found = [examine(trace=item.trace).first_failed for item in traces]
    score = score_of(labels=[item.first_error for item in traces], found=found)
    cells: list[Cell] = [name, score.on_wrong.of, score.on_wrong.share, score.flagged.share]
    return [*cells, score.on_right.of, score.on_right.share, score.on_right.low, score.on_right.high, score.f1]


@study("benchmark", "First-error accuracy on public step labels")
def run_benchmark(run: Run) -> Report:
    """One row a file of the set."""
    name = run.options.get("dataset", "processbench")
    files = files_of(name=name, data=run.data)
    rows = []
    for place, path in enumerate(files):
        run.say(f"{name} {path.stem}", place / len(files))
        rows.append(_row(path.stem, read_labelled(name=name, path=path, most=10**9 if run.full else 25)))
    columns = ("file", "wrong", "first error named", "any flag", "right", "left alone", "low", "high", "F1")
    tables = [Table(f"{name}, computer tier, no language model", columns, rows)]
    if name == "processbench":
        tables.append(
            Table("Published F1 on all of ProcessBench (literature, not rerun)", ("model", "F1 %"), PUBLISHED)
        )
    notes = (
        "A computer tier names few first errors, because most are errors of meaning; it must leave right traces alone.",
        ""
        if run.full
        else "Small run: the first 25 traces of each file; run it in full for the figures of the README.",
    )
    return Report(f"Benchmark {name}", tables, [note for note in notes if note])
