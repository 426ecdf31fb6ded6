"""Study `dag_math`: logical closeness on traces with annotated premises (PARC), and PASS@1, R, A(t) and its area.

Closeness says nothing about whether steps are right. Source: DAG-MATH; denominators as in hdag/core/metrics.py.
"""

from pathlib import Path

from auditing.studies.labelled import DataMissing, Record, read_lines
from auditing.studies.runner import Cell, Report, Run, Table, study
from hdag.core.metrics import Measures, Sample, accuracy_at, area_under_accuracy, is_perfect, measure_steps
from hdag.core.steps import StepGraph

THRESHOLDS = (0.0, 0.5, 0.7, 0.8, 0.9, 1.0)


def graph_of(record: Record) -> StepGraph | None:
    """The step graph that the annotators drew; None when it is empty or a premise does not come before its step."""
    steps = [step for step in record["premise_annotation"]["steps"] if int(step["step_number"]) > 0]
    names = [str(step["step_number"]) for step in steps]
    if not names or len(set(names)) != len(names):
        return None
    place = {name: number for number, name in enumerate(names)}
    parents: dict[str, tuple[str, ...]] = {}
    for number, step in enumerate(steps):
        cited = {str(premise[0]) for premise in step["premises"]} & place.keys()
        if any(place[name] >= number for name in cited):
            return None
        parents[names[number]] = tuple(sorted(cited, key=place.__getitem__))
    return StepGraph(tuple(names), parents, names[-1])


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _row(name: str, found: list[tuple[Measures, bool]]) -> list[Cell]:
    columns: list[list[float]] = [
        [m.nodes for m, _ in found],
        [m.edges for m, _ in found],
        [m.density for m, _ in found],
        [m.max_in_degree for m, _ in found],
        [m.max_out_degree for m, _ in found],
        [m.closeness for m, _ in found],
        [m.dead_branch_rate for m, _ in found],
    ]
    return [name, len(found), *[_mean(column) for column in columns]]


def classes_of(found: list[tuple[Measures, bool]]) -> dict[str, list[tuple[Measures, bool]]]:
    """The four classes of the paper's table: all, incorrect, correct, perfect."""
    return {
        "All": found,
        "Incorrect": [item for item in found if not item[1]],
        "Correct": [item for item in found if item[1]],
        "Perfect": [item for item in found if is_perfect(sample=Sample(item[0].closeness, item[1]))],
    }


@study("dag_math", "Logical closeness and perfect reasoning on annotated premises")
def run_dag_math(run: Run) -> Report:
    """The paper's table and curve on PARC; where a record does not say, its file says if the answer is right."""
    folder: Path = run.data / "parc"
    if not folder.is_dir():
        raise DataMissing(f"parc is not in {folder}")
    found: list[tuple[Measures, bool]] = []
    refused = 0
    for path in sorted(folder.glob("*_negatives.jsonl")) + sorted(folder.glob("*_positives.jsonl")):
        for record in list(read_lines(path))[: None if run.full else 12]:
            steps = graph_of(record)
            if steps is None:
                refused += 1
            else:
                found.append((measure_steps(steps=steps), record.get("is_correct", path.stem.endswith("_positives"))))
    samples = [Sample(measures.closeness, right) for measures, right in found]
    columns = ("class", "traces", "nodes", "edges", "density", "max in", "max out", "closeness", "dead branches")
    curve: list[list[Cell]] = [[t, accuracy_at(samples=samples, threshold=t)] for t in THRESHOLDS]
    curve.append(["area", area_under_accuracy(samples=samples)])
    tables = [
        Table("Means over graphs", columns, [_row(name, items) for name, items in classes_of(found).items()]),
        Table("A(t): right and closed to t; A(0) = PASS@1, A(1) = R", ("t", "A(t)"), curve),
    ]
    notes = [
        "The premises of PARC are model-assisted annotations, checked in part by people.",
        "PARC was chosen to hold both wrong and right traces, so PASS@1 is a property of the set, not of a model.",
        f"{refused} traces were left out, because a premise does not come before its step.",
    ]
    return Report("DAG-MATH measures", tables, notes)
