"""Study `dag_math`: logical closeness, PASS@1, R, A(t) and its area, and why nodes stay unused.

On traces with annotated premises (PARC), or with option endpoint=NAME on traces that this endpoint writes in DAG-MATH
format, with gold graphs beside them (node -> parents -> edge). Options: problems, traces, dataset (of the problems:
gsm8k, aime_2024, aime_2025, brumo_2025, hmmt_feb_2025, omni_math). Closeness says nothing of whether steps are right.
Source: DAG-MATH; denominators as in hdag/core/metrics.py.
"""

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

from auditing.checker.answers import same_answer
from auditing.research.studies.consistency import without_calculator
from auditing.research.studies.dags.difficulty import (
    COMPETITIONS,
    by_difficulty,
    competition_problems,
    difficulty_of,
    problem_of,
)
from auditing.research.studies.dags.gold import GoldGraph, Task, build_gold
from auditing.research.studies.dags.task_graph import TaskGraph, merge_traces, task_tables
from auditing.research.studies.instruments.dag_model import Drawn, sample_trace, why_unclosed
from auditing.research.studies.instruments.dag_samples import cause_table, over_problems, own_samples
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.labelled import (
    DataMissingError,
    Record,
    get_public_file,
    missing_set,
    read_lines,
)
from auditing.research.studies.instruments.model_tier import ModelTier, open_model
from auditing.research.studies.instruments.own_file import own_records
from auditing.research.studies.instruments.runner import Cell, OptionError, Report, Run, Table, study
from hdag.core.metrics import (
    Measures,
    Sample,
    accuracy_at,
    area_under_accuracy,
    is_perfect,
    measure_steps,
)
from hdag.core.steps import StepGraph

GOLD_COLUMNS = ("problem", "nodes", "edges", "closeness", "pruned", "node sets drawn", "checks")
THRESHOLDS = tuple(step / 20 for step in range(21))


def graph_of(record: Record) -> StepGraph | None:
    """The step graph that the annotators drew; None when it is empty or a premise does not come before its step."""
    # Step 0 is the problem.
    steps = [step for step in record["premise_annotation"]["steps"] if int(step["step_number"]) > 0]
    numbers = [str(step["step_number"]) for step in steps]
    if not numbers or len(set(numbers)) != len(numbers):
        return None
    position = {step_number: number for number, step_number in enumerate(numbers)}
    parents: dict[str, tuple[str, ...]] = {}
    for number, step in enumerate(steps):
        cited = {str(premise[0]) for premise in step["premises"]} & position.keys()
        # A cycle, or a step that rests on a later one: no graph of reasoning.
        if any(position[step_number] >= number for step_number in cited):
            return None
        parents[numbers[number]] = tuple(sorted(cited, key=position.__getitem__))
    return StepGraph(tuple(numbers), parents, numbers[-1])


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _row(name: str, measured: list[tuple[Measures, bool]]) -> list[Cell]:
    columns: list[list[float]] = [
        [m.nodes for m, _ in measured],
        [m.edges for m, _ in measured],
        [m.density for m, _ in measured],
        [m.max_in_degree for m, _ in measured],
        [m.max_out_degree for m, _ in measured],
        [m.closeness for m, _ in measured],
        [m.dead_branch_rate for m, _ in measured],
    ]
    # Means over graphs: each trace counts once, however large its graph is.
    return [name, len(measured), *[_mean(column) for column in columns]]


def classes_of(measured: list[tuple[Measures, bool]]) -> dict[str, list[tuple[Measures, bool]]]:
    """The four classes of the paper's table: all, incorrect, correct, perfect."""
    return {
        "All": measured,
        "Incorrect": [pair for pair in measured if not pair[1]],
        "Correct": [pair for pair in measured if pair[1]],
        "Perfect": [pair for pair in measured if is_perfect(sample=Sample(pair[0].closeness, pair[1]))],
    }


@study(
    "dag_math",
    "Logical closeness and perfect reasoning, on annotated premises or by an endpoint",
    reads="graphs",
    options=("endpoint", "problems", "traces", "dataset"),
)
def run_dag_math(run: Run) -> Report:
    """The paper's table and curve on PARC, or on one's own samples; with an endpoint on traces that it writes.

    With both, the endpoint writes traces of the problems of the file, each of which has gold.
    """
    with open_model(run=run, study="dag_math") as model:
        if model:
            return _by_endpoint(run, model)
        return _annotated(run) if run.file is None else _own(run)


def _own(run: Run) -> Report:
    """One's own samples, grouped by their problem."""
    samples = own_samples(run=run)
    measured = [(measure_steps(steps=drawn.steps), right) for _, drawn, right, _ in samples]
    by_problem: dict[str, list[Sample]] = {}
    causes, lines = Counter[str](), list[list[Cell]]()
    for (problem, drawn, right, _), (measures, _) in zip(samples, measured, strict=True):
        by_problem.setdefault(problem, []).append(Sample(measures.closeness, right))
        causes.update(_causes(drawn, problem))
        number = list(by_problem).index(problem) + 1
        lines.append([number, measures.nodes, measures.edges, measures.closeness, "yes" if right else "no"])
    graded = [(group, *pair) for (*_, group), pair in zip(samples, measured, strict=True)]
    merged = {
        f"problem {number}": merge_traces(
            traces=[drawn for name, drawn, *_ in samples if name == problem],
            right=[right for name, _, right, _ in samples if name == problem],
        )
        for number, problem in enumerate(by_problem, 1)
    }
    whole = over_problems(problems=list(by_problem.values()))
    apart = [*by_difficulty(graded), *task_tables(merged)]
    tables = [*_tables(measured), whole, *apart, cause_table(causes)]
    notes = ["Closeness says nothing about the truth of a step."]
    items = Table("Items", ("problem", "nodes", "edges", "closeness", "right"), lines)
    title = f"DAG-MATH measures of {run.file.name if run.file else ''}"
    return Report(title, tables, notes, items=items)


def _annotated(run: Run) -> Report:
    """PARC: where a record does not say whether its answer is right, its file says it."""
    folder: Path = run.data / "parc"
    if not folder.is_dir():
        raise missing_set(name="parc", folder=folder, files="*_negatives.jsonl and *_positives.jsonl")
    measured: list[tuple[Measures, bool]] = []
    refused, causes = 0, Counter[str]()
    # Wrong traces first, then right ones.
    for path in sorted(folder.glob("*_negatives.jsonl")) + sorted(folder.glob("*_positives.jsonl")):
        run.say(path.stem, 0.5)
        for record in list(read_lines(path))[: run.limit if run.limit is not None or run.full else 12]:
            steps = graph_of(record)
            if steps is None:
                refused += 1
                continue
            measures = measure_steps(steps=steps)
            measured.append((measures, record.get("is_correct", path.stem.endswith("_positives"))))
            causes.update(_causes(_drawn_from(record, steps), str(record.get("question", ""))))
    notes = [
        "The premises of PARC are model-assisted annotations, checked in part by people.",
        "PARC was chosen to hold both wrong and right traces, so PASS@1 is a property of the set, not of a model.",
        f"{refused} traces were left out, because a premise does not come before its step.",
    ]
    return Report("DAG-MATH measures", [*_tables(measured), cause_table(causes)], notes)


def _drawn_from(record: Record, steps: StepGraph) -> Drawn:
    texts = {str(step["step_number"]): str(step["original_step"]) for step in record["premise_annotation"]["steps"]}
    position = {name: number for number, name in enumerate(steps.nodes)}
    parents = tuple(tuple(position[p] for p in steps.parents[name]) for name in steps.nodes)
    return Drawn(tuple(texts.get(name, "") for name in steps.nodes), parents, (), "")


def _by_endpoint(run: Run, model: ModelTier) -> Report:
    """N traces of each problem in DAG-MATH format, then gold graphs in three stages. Options: problems, traces."""
    source, records = _problems(run)
    problems = run.number("problems", len(records) if run.file else 100 if run.full else 5)
    traces = run.number("traces", 8 if run.full else 3)
    # Sorted: progress and tables follow the order of the file.
    chosen = sorted(run.rng().permutation(len(records))[:problems].tolist())
    measured: list[tuple[Measures, bool]] = []
    by_problem, gold, causes, silent = list[list[Sample]](), list[list[Cell]](), Counter[str](), 0
    graded, merged = list[tuple[str, Measures, bool]](), dict[str, TaskGraph]()
    lines = list[list[Cell]]()
    # Each problem: its traces, and three stages of a gold graph with a judge after the first.
    size = sum(len(records[number]["question"]) for number in chosen) * (traces + 4)
    calls = len(chosen) * (traces + 4)
    tell_forecast(run=run, client=model.client, purpose="dag_sample", calls=calls, characters=size)
    done = itertools.count(1)

    def asked(number: int) -> tuple[list[Drawn | None], list[list[Cell]]]:
        # None for an answer that does not keep to the format.
        samples = [_sampled(run, model, records[number], number, sample) for sample in range(traces)]
        gold_row = _gold_row(run, model, records[number], f"{source} {number + 1}")
        position = next(done)
        run.say(f"problem {position} of {len(chosen)}", position / len(chosen))
        return samples, gold_row

    for number, (samples, gold_row) in zip(chosen, model.in_parallel(asked, chosen), strict=True):
        silent += samples.count(None)
        of_problem = [
            (drawn, measure_steps(steps=drawn.steps), _is_right(drawn, records[number])) for drawn in samples if drawn
        ]
        for drawn, _, _ in of_problem:
            causes.update(_causes(drawn, records[number]["question"]))
        measured += [(measures, right) for _, measures, right in of_problem]
        lines += [
            [f"{source} {number + 1}", sample, m.nodes, m.edges, m.closeness, "yes" if right else "no"]
            for sample, (_, m, right) in enumerate(of_problem, 1)
        ]
        graded += [(difficulty_of(records[number]), measures, right) for _, measures, right in of_problem]
        if of_problem:
            merged[f"{source} {number + 1}"] = merge_traces(
                traces=[drawn for drawn, *_ in of_problem], right=[right for *_, right in of_problem]
            )
        by_problem.append([Sample(measures.closeness, right) for _, measures, right in of_problem])
        gold += gold_row
    if not measured:
        raise DataMissingError(f"{model.name} gave no trace in the format of DAG-MATH")
    answered = [samples for samples in by_problem if samples]
    tables = [
        *_tables(measured),
        over_problems(problems=answered),
        *by_difficulty(graded),
        *task_tables(merged),
        cause_table(causes),
        Table("Gold graphs, three stages", GOLD_COLUMNS, gold),
    ]
    notes = [
        f"{len(chosen)} problems of {source}, {traces} traces each by {model.name}; {silent} were no usable trace.",
        "Closeness says nothing about the truth of a step.",
    ]
    items = Table("Items", ("problem", "sample", "nodes", "edges", "closeness", "right"), lines)
    return Report(f"DAG-MATH by {model.name}", tables, notes, items=items)


def _sampled(run: Run, model: ModelTier, record: Record, number: int, sample: int) -> Drawn | None:
    def make() -> dict[str, Any]:
        drawn = sample_trace(client=model.client, problem=record["question"], sample=sample + 1, account=model.account)
        # Wrapped: a piece may not be None, because None means "not done yet".
        return {"drawn": drawn.as_json() if drawn else None}

    piece = run.piece(key=f"trace {number} {sample}", make=make)["drawn"]
    return Drawn.from_json(piece) if piece else None


def _problems(run: Run) -> tuple[str, list[Record]]:
    """(name of the source, records of question, answer and difficulty)"""
    if run.file is not None:
        return run.file.stem, own_records(run=run, make=problem_of)
    name = run.options.get("dataset", "gsm8k")
    if name in COMPETITIONS:
        return name, competition_problems(name=name, data=run.data)
    if name != "gsm8k":
        raise OptionError(f"the option dataset is one of gsm8k, {', '.join(COMPETITIONS)}")
    return name, list(read_lines(get_public_file(name="gsm8k", file="test.jsonl", data=run.data)))


def _gold_row(run: Run, model: ModelTier, record: Record, name: str) -> list[list[Cell]]:
    def make() -> dict[str, Any]:
        solution, _, answer = str(record["answer"]).rpartition("####")
        task = Task(model.client, model.account, record["question"], without_calculator(solution), answer.strip())
        built = build_gold(task=task)
        return {"gold": built.as_json() if built else None}

    piece = run.piece(key=f"gold {name}", make=make)["gold"]
    if piece is None:
        return [[name, None, None, None, None, None, "no answer"]]
    gold = GoldGraph.from_json(piece)
    measures = measure_steps(steps=gold.drawn.steps)
    counts = (measures.nodes, measures.edges, measures.closeness, gold.pruned, gold.tries)
    return [[name, *counts, "; ".join(gold.faults) or "passed"]]


def _is_right(drawn: Drawn, record: Record) -> bool:
    # GSM8K writes the final answer after "####".
    return same_answer(first=drawn.answer, second=str(record["answer"]).rpartition("####")[2].strip())


def _causes(drawn: Drawn, problem: str) -> list[str]:
    used = {index for premises in drawn.parents for index in premises}
    # The last node is the answer, which nothing has to use.
    unused = [index for index in range(len(drawn.nodes) - 1) if index not in used]
    return [why_unclosed(drawn=drawn, index=index, problem=problem) for index in unused]


def _tables(measured: list[tuple[Measures, bool]]) -> list[Table]:
    samples = [Sample(measures.closeness, right) for measures, right in measured]
    columns = ("class", "traces", "nodes", "edges", "density", "max in", "max out", "closeness", "dead branches")
    # A(t): share of traces that are right and whose closeness is at least t.
    curve: list[list[Cell]] = [[t, accuracy_at(samples=samples, threshold=t)] for t in THRESHOLDS]
    curve.append(["area", area_under_accuracy(samples=samples)])
    return [
        Table("Means over graphs", columns, [_row(name, items) for name, items in classes_of(measured).items()]),
        Table("A(t): right and closed to t; A(0) = PASS@1, A(1) = R", ("t", "A(t)"), curve, curve=("t", "A(t)")),
    ]
