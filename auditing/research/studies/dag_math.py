"""Study `dag_math`: logical closeness, PASS@1, R, A(t) and its area, and why nodes stay unused.

On traces with annotated premises (PARC), or with option endpoint=NAME on traces that this endpoint writes in DAG-MATH
format, with gold graphs beside them (node -> parents -> edge). Options: problems, traces. Closeness says nothing of
whether steps are right. Source: DAG-MATH; denominators as in hdag/core/metrics.py.
"""

from collections import Counter
from pathlib import Path
from typing import Any

from auditing.checker.answers import same_answer
from auditing.core.consensus.proportions import wilson_interval
from auditing.research.studies.consistency import without_calculator
from auditing.research.studies.parts.dag_model import CAUSES, Drawn, build_gold, sample_trace, why_unclosed
from auditing.research.studies.parts.labelled import DataMissingError, Record, read_lines
from auditing.research.studies.parts.model_tier import ModelTier, open_model
from auditing.research.studies.parts.runner import Cell, Report, Run, Table, study
from hdag.core.metrics import (
    Measures,
    Sample,
    accuracy_at,
    area_under_accuracy,
    is_perfect,
    mean_perfect_reasoning,
    measure_steps,
)
from hdag.core.steps import StepGraph

THRESHOLDS = tuple(step / 20 for step in range(21))


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


@study("dag_math", "Logical closeness and perfect reasoning, on annotated premises or by an endpoint")
def run_dag_math(run: Run) -> Report:
    """The paper's table and curve on PARC; with option endpoint=NAME on traces that this endpoint writes."""
    with open_model(run=run, study="dag_math") as model:
        return _by_endpoint(run, model) if model else _annotated(run)


def _annotated(run: Run) -> Report:
    """PARC: where a record does not say whether its answer is right, its file says it."""
    folder: Path = run.data / "parc"
    if not folder.is_dir():
        raise DataMissingError(f"parc is not in {folder}")
    found: list[tuple[Measures, bool]] = []
    refused, causes = 0, Counter[str]()
    for path in sorted(folder.glob("*_negatives.jsonl")) + sorted(folder.glob("*_positives.jsonl")):
        run.say(path.stem, 0.5)
        for record in list(read_lines(path))[: None if run.full else 12]:
            steps = graph_of(record)
            if steps is None:
                refused += 1
                continue
            measures = measure_steps(steps=steps)
            found.append((measures, record.get("is_correct", path.stem.endswith("_positives"))))
            causes.update(_causes(_drawn_from(record, steps), str(record.get("question", ""))))
    notes = [
        "The premises of PARC are model-assisted annotations, checked in part by people.",
        "PARC was chosen to hold both wrong and right traces, so PASS@1 is a property of the set, not of a model.",
        f"{refused} traces were left out, because a premise does not come before its step.",
    ]
    return Report("DAG-MATH measures", [*_tables(found), _cause_table(causes)], notes)


def _drawn_from(record: Record, steps: StepGraph) -> Drawn:
    texts = {str(one["step_number"]): str(one["original_step"]) for one in record["premise_annotation"]["steps"]}
    place = {name: number for number, name in enumerate(steps.nodes)}
    parents = tuple(tuple(place[p] for p in steps.parents[name]) for name in steps.nodes)
    return Drawn(tuple(texts.get(name, "") for name in steps.nodes), parents, (), "")


def _by_endpoint(run: Run, model: ModelTier) -> Report:
    """N traces of each problem in DAG-MATH format, then gold graphs in three stages. Options: problems, traces."""
    path = run.data / "gsm8k" / "test.jsonl"
    if not path.exists():
        raise DataMissingError(f"gsm8k is not in {path.parent}")
    problems = int(run.options.get("problems", 100 if run.full else 5))
    traces = int(run.options.get("traces", 8 if run.full else 3))
    records = list(read_lines(path))
    chosen = sorted(run.rng().permutation(len(records))[:problems].tolist())
    found: list[tuple[Measures, bool]] = []
    by_problem, gold, causes, silent = list[list[Sample]](), list[list[Cell]](), Counter[str](), 0
    for place, number in enumerate(chosen):
        run.say(f"problem {place + 1} of {len(chosen)}", place / len(chosen))
        samples = [_sampled(run, model, records[number], number, sample) for sample in range(traces)]
        silent += samples.count(None)
        measured = [(one, measure_steps(steps=one.steps), _is_right(one, records[number])) for one in samples if one]
        for one, _, _ in measured:
            causes.update(_causes(one, records[number]["question"]))
        found += [(measures, right) for _, measures, right in measured]
        by_problem.append([Sample(measures.closeness, right) for _, measures, right in measured])
        gold += _gold_row(run, model, records[number], number)
    if not found:
        raise DataMissingError(f"{model.name} gave no trace in the format of DAG-MATH")
    answered = [samples for samples in by_problem if samples]
    rates: list[list[Cell]] = [
        ["R, mean over problems of the perfect reasoning rate", mean_perfect_reasoning(problems=answered)],
        ["PASS@1", accuracy_at(samples=[one for some in answered for one in some], threshold=0.0)],
    ]
    tables = [
        *_tables(found),
        Table("Over problems", ("measure", "value"), rates),
        _cause_table(causes),
        Table("Gold graphs, three stages", ("problem", "nodes", "edges", "closeness", "pruned", "right"), gold),
    ]
    notes = [
        f"{len(chosen)} GSM8K problems, {traces} traces each by {model.name}; {silent} were no usable trace.",
        "Closeness says nothing about the truth of a step.",
    ]
    return Report(f"DAG-MATH by {model.name}", tables, notes)


def _sampled(run: Run, model: ModelTier, record: Record, number: int, sample: int) -> Drawn | None:
    def make() -> dict[str, Any]:
        drawn = sample_trace(client=model.client, problem=record["question"], sample=sample + 1, account=model.account)
        return {"drawn": drawn.as_json() if drawn else None}

    kept = run.piece(key=f"trace {number} {sample}", make=make)["drawn"]
    return Drawn.from_json(kept) if kept else None


def _gold_row(run: Run, model: ModelTier, record: Record, number: int) -> list[list[Cell]]:
    def make() -> dict[str, Any]:
        solution = without_calculator(record["answer"])
        built = build_gold(client=model.client, problem=record["question"], solution=solution, account=model.account)
        return {"gold": [built[0].as_json(), built[1]] if built else None}

    kept = run.piece(key=f"gold {number}", make=make)["gold"]
    if kept is None:
        return [[f"gsm8k {number + 1}", None, None, None, None, "no answer"]]
    drawn, pruned = Drawn.from_json(kept[0]), kept[1]
    measures = measure_steps(steps=drawn.steps)
    right = "yes" if _is_right(drawn, record) else "no"
    return [[f"gsm8k {number + 1}", measures.nodes, measures.edges, measures.closeness, pruned, right]]


def _is_right(drawn: Drawn, record: Record) -> bool:
    return same_answer(first=drawn.answer, second=str(record["answer"]).rpartition("####")[2].strip())


def _causes(drawn: Drawn, problem: str) -> list[str]:
    used = {place for some in drawn.parents for place in some}
    unused = [place for place in range(len(drawn.nodes) - 1) if place not in used]
    return [why_unclosed(drawn=drawn, place=place, problem=problem) for place in unused]


def _cause_table(causes: Counter[str]) -> Table:
    total = sum(causes.values())
    rows: list[list[Cell]] = []
    for cause in CAUSES:
        rate = wilson_interval(count=causes[cause], of=total)
        rows.append([cause, rate.count, rate.share, rate.low, rate.high])
    note = "By rules (see auditing/research/studies/parts/dag_model.py): a first reading, no annotation."
    return Table("Why a node is not used", ("cause", "nodes", "share", "low", "high"), rows, note)


def _tables(found: list[tuple[Measures, bool]]) -> list[Table]:
    samples = [Sample(measures.closeness, right) for measures, right in found]
    columns = ("class", "traces", "nodes", "edges", "density", "max in", "max out", "closeness", "dead branches")
    curve: list[list[Cell]] = [[t, accuracy_at(samples=samples, threshold=t)] for t in THRESHOLDS]
    curve.append(["area", area_under_accuracy(samples=samples)])
    return [
        Table("Means over graphs", columns, [_row(name, items) for name, items in classes_of(found).items()]),
        Table("A(t): right and closed to t; A(0) = PASS@1, A(1) = R", ("t", "A(t)"), curve, curve=("t", "A(t)")),
    ]
