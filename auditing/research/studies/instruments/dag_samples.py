"""Samples of several problems in DAG-MATH form: read from one's own file, and their figures over problems.

Source: DAG-MATH, section 3 and table 2 (PASS@1, R and the gap between them); PASS@k by Chen et al. (2021).
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from auditing.core.consensus.proportions import wilson_interval
from auditing.research.studies.dags.difficulty import difficulty_of
from auditing.research.studies.instruments.dag_model import CAUSES, Drawn
from auditing.research.studies.instruments.labelled import Record
from auditing.research.studies.instruments.own_answers import is_right
from auditing.research.studies.instruments.own_file import own_records
from auditing.research.studies.instruments.runner import Cell, Run, Table
from hdag.core.metrics import Sample, area_under_accuracy, pass_at, perfect_reasoning_rate
from hdag.readers import dag_math
from hdag.readers.compose import first_text

PASSES = (1, 2, 4, 8, 16, 32)
# A problem, one of its samples, whether the sample's answer is right, and how difficult the problem is ("" unknown).
OwnSample = tuple[str, Drawn, bool, str]


def own_samples(*, run: Run) -> list[OwnSample]:
    """The samples of the run's own file, in its order. Raises DataMissingError."""
    return own_records(run=run, make=_sample)


def over_problems(*, problems: Sequence[Sequence[Sample]]) -> Table:
    """PASS@k, R, the gap and the area under A(t), each a mean over problems with its standard error.

    Every problem is one observation: its samples share it, and are not independent.
    """
    rows: list[list[Cell]] = [_row("PASS@1", [pass_at(samples=samples, k=1) for samples in problems])]
    for k in PASSES[1:]:
        deep = [samples for samples in problems if len(samples) >= k]
        rows += [_row(f"PASS@{k}", [pass_at(samples=samples, k=k) for samples in deep])] if deep else []
    rates = [perfect_reasoning_rate(samples=samples) for samples in problems]
    gaps = [pass_at(samples=samples, k=1) - rate for samples, rate in zip(problems, rates, strict=True)]
    rows.append(_row("R, perfect reasoning rate", rates))
    rows.append(_row("gap, PASS@1 - R", gaps))
    rows.append(_row("area under A(t)", [area_under_accuracy(samples=samples) for samples in problems]))
    note = "PASS@k over the problems with at least k samples. The standard error is over problems."
    return Table("Over problems", ("measure", "value", "standard error", "problems"), rows, note)


def cause_table(causes: Counter[str]) -> Table:
    """How often each cause stands behind an unused node."""
    total = sum(causes.values())
    rows: list[list[Cell]] = []
    for cause in CAUSES:
        rate = wilson_interval(count=causes[cause], of=total)
        rows.append([cause, rate.count, rate.share, rate.low, rate.high])
    note = "By rules (see auditing/research/studies/instruments/dag_model.py): a first reading, no annotation."
    return Table("Why a node is not used", ("cause", "nodes", "share", "low", "high"), rows, note)


def _row(name: str, values: Iterable[float]) -> list[Cell]:
    figures = np.array(list(values))
    # One problem tells nothing about the spread between problems.
    error = float(figures.std(ddof=1) / len(figures) ** 0.5) if len(figures) > 1 else None
    return [name, float(figures.mean()), error, len(figures)]


def _sample(record: Record) -> OwnSample:
    """Raises ValueError, KeyError, TypeError for a line that is no sample in this form."""
    if not dag_math.reads(record):
        raise ValueError("steps have no step_id")
    (trace,) = dag_math.read(record, where="record")
    steps = list(record["steps"])
    nodes, edges = (
        tuple(first_text(fields=step, names=names, where="record") for step in steps)
        for names in (dag_math.NODES, dag_math.EDGES)
    )
    answer = str(record.get("answer") or record.get("final_answer") or nodes[-1])
    parents = tuple(span.parents or () for span in trace.steps)
    right = is_right({**record, "answer": answer})
    return trace.problem.strip(), Drawn(nodes, parents, edges, answer), right, difficulty_of(record)
