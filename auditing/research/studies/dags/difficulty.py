"""Problems of competitions with their answers, and statistics of graphs by the difficulty of their problem.

AIME, BRUMO and HMMT as MathArena publishes them (problem, answer), AIME as others do (Problem, Answer), Omni-MATH with
its difficulty from 1 to 10. Source of the statistics: DAG-MATH, appendix D and figure 5.
"""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from auditing.research.studies.instruments.labelled import Record, missing_set, read_lines
from auditing.research.studies.instruments.own_answers import gold_of
from auditing.research.studies.instruments.runner import Cell, Table
from hdag.core.metrics import Measures, Sample, is_perfect

__all__ = ["COMPETITIONS", "by_difficulty", "competition_problems", "difficulty_of", "problem_of"]

COMPETITIONS = ("aime_2024", "aime_2025", "brumo_2025", "hmmt_feb_2025", "omni_math")
_PROBLEMS, _ANSWERS = ("problem", "Problem", "question", "Question"), ("answer", "Answer")
_SOLUTIONS, _DIFFICULTIES = ("solution", "Solution"), ("difficulty", "level")
# A trace, its problem's difficulty, and whether its answer is right.
Graded = tuple[str, Measures, bool]


def problem_of(record: Record) -> Record:
    """{question, answer, difficulty}: the answer as GSM8K writes it, after the worked solution and "####".

    Raises ValueError where the problem or its answer is missing. `answer` is gold here: nobody has answered yet.
    """
    question = _first(record, _PROBLEMS)
    gold = gold_of(record) or _first(record, _ANSWERS).rpartition("####")[2].strip()
    if not question.strip():
        raise ValueError("problem is missing")
    if not gold:
        raise ValueError("gold is missing")
    # A worked solution before "####" serves where none stands apart; gold graphs follow it.
    solution = _first(record, _SOLUTIONS) or str(record.get("answer", "")).rpartition("####")[0]
    return {"question": question, "answer": f"{solution}\n#### {gold}", "difficulty": difficulty_of(record)}


def competition_problems(*, name: str, data: Path) -> list[Record]:
    """Every problem of one of COMPETITIONS that can be used. Raises DataMissingError."""
    paths = sorted((data / name).glob("*.jsonl"))
    if not paths:
        raise missing_set(name=name, folder=data / name, files="*.jsonl")
    problems = []
    for path in paths:
        for record in read_lines(path):
            try:
                problems.append(problem_of(record))
            # A proof without an answer cannot be marked right or wrong.
            except ValueError:
                continue
    return problems


def difficulty_of(record: Record) -> str:
    """The group of a problem: k for a number in (k - 1, k], as the paper groups; a word as it stands; "" for none.

    >>> difficulty_of({"difficulty": 4.5}), difficulty_of({"level": "Level 3"}), difficulty_of({})
    ('5', 'Level 3', '')
    """
    value = next((record[name] for name in _DIFFICULTIES if record.get(name) not in (None, "")), "")
    try:
        return str(math.ceil(float(value)))
    except (TypeError, ValueError, OverflowError):
        return str(value)[:40]


def by_difficulty(graded: Sequence[Graded]) -> list[Table]:
    """One row a group, easy ones first; nothing where no problem has a difficulty."""
    groups = sorted({group for group, _, _ in graded if group}, key=lambda name: (_number(name), name))
    rows: list[list[Cell]] = []
    for group in groups:
        of_group = [(measures, right) for name, measures, right in graded if name == group]
        nodes = np.array([measures.nodes for measures, _ in of_group])
        low, median, high = (float(value) for value in np.quantile(nodes, [0.25, 0.5, 0.75]))
        shapes = [(m.edges, m.density, m.max_in_degree, m.max_out_degree, m.closeness) for m, _ in of_group]
        perfect = [is_perfect(sample=Sample(m.closeness, right)) for m, right in of_group]
        cells = [*_means(shapes), *_means([(right,) for _, right in of_group]), *_means([(p,) for p in perfect])]
        rows.append([int(group) if group.isdigit() else group, len(of_group), median, low, high, *cells])
    columns = (
        *("difficulty", "traces", "nodes, median", "quarter below", "quarter above", "edges", "density", "max in"),
        *("max out", "closeness", "PASS@1", "R"),
    )
    curve = ("difficulty", "nodes, median") if all(isinstance(row[0], int) for row in rows) else ()
    note = "Group k holds problems of difficulty above k - 1 up to k; means over graphs but for the nodes."
    return [Table("By difficulty", columns, rows, note, curve)] if rows else []


def _means(rows: Iterable[Sequence[float]]) -> list[float]:
    return [float(np.mean(column)) for column in zip(*rows, strict=True)]


def _number(name: str) -> float:
    # Words come behind all numbers.
    return float(name) if name.isdigit() else math.inf


def _first(record: Record, names: Sequence[str]) -> str:
    return next((str(record[name]) for name in names if record.get(name) not in (None, "")), "")
