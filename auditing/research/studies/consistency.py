"""Study `consistency`: several traces of one problem aligned by the values that they compute.

A value is supported by the other traces that compute it too. Do agreeing segments sit in right traces?
"""

from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.mathematics.chains import read_page
from auditing.checker.mathematics.tree import bare_number, literals
from auditing.core.consensus.proportions import wilson_interval
from auditing.research.studies.complexity import area_under_roc
from auditing.research.studies.instruments.labelled import Record, get_public_file, read_lines
from auditing.research.studies.instruments.own_answers import is_right
from auditing.research.studies.instruments.own_file import own_records
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study
from hdag.readers.records import read_record

# The four solutions that each record of the GSM8K example file holds.
MODELS = ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification")


@dataclass(frozen=True, slots=True)
class Sampled:
    """One sampled trace: the values its segments compute, its final answer, and whether that is right."""

    values: frozenset[Fraction]
    final: str
    right: bool
    sums: frozenset[tuple[tuple[Fraction, ...], Fraction]] = frozenset()  # operands in order, and what they give


def results_in(text: str) -> frozenset[Fraction]:
    """The values on the right of the equations of a text."""
    results = set()
    for chain in read_page(text).chains:
        tree = chain.sides[-1].tree
        number = bare_number(tree) if tree is not None else None
        if number is not None:
            results.add(number.value)
    return frozenset(results)


def sums_in(text: str) -> frozenset[tuple[tuple[Fraction, ...], Fraction]]:
    """(numbers on the left, value on the right) of the equations of a text."""
    sums = set()
    for chain in read_page(text).chains:
        left, right = chain.sides[0].tree, chain.sides[-1].tree
        number = bare_number(right) if right is not None else None
        if left is not None and number is not None and bare_number(left) is None:
            # Sorted operands: 3 + 4 and 4 + 3 are the same computation.
            sums.add((tuple(sorted(literal.value for literal in literals(left))), number.value))
    return frozenset(sums)


def without_calculator(text: str) -> str:
    """The solution without its <<...>> calculator notes."""
    # "<<3+4=7>>7" becomes "7".
    pieces = text.split("<<")
    return pieces[0] + "".join(piece.partition(">>")[2] for piece in pieces[1:])


def sampled_of(record: Record) -> list[Sampled]:
    """The four traces of a problem."""
    traces = []
    for model in MODELS:
        text = without_calculator(record[model]["solution"])
        body, _, final = text.rpartition("A:")
        sums = sums_in(body or text)
        values = results_in(body or text)
        traces.append(Sampled(values, final.strip(), bool(record[model]["is_correct"]), sums))
    return traces


def support(*, traces: list[Sampled], index: int) -> float | None:
    """Mean share of the other traces that compute each value of this one; None without values."""
    values, others = traces[index].values, [trace for number, trace in enumerate(traces) if number != index]
    if not values or not others:
        return None
    # The mean over all pairs of a value and another trace.
    return sum(value in trace.values for value in values for trace in others) / (len(values) * len(others))


def stand_of(*, traces: list[Sampled], index: int, value: Fraction) -> str:
    """How a value stands among the traces of its problem: shared, alone, or in conflict.

    In conflict: another trace computes the same operands to another value; alone: nobody else computes it.
    """
    others = [trace for number, trace in enumerate(traces) if number != index]
    if any(value in trace.values for trace in others):
        return "shared"
    # Same operands, another result: one of the two traces is wrong there.
    asked = {operands for operands, result in traces[index].sums if result == value}
    rivals = {operands for trace in others for operands, result in trace.sums if result != value}
    return "in conflict" if asked & rivals else "alone"


def _problems(run: Run) -> list[list[Sampled]]:
    """The samples of each problem."""
    if run.file is None:
        path = get_public_file(name="gsm8k", file="example_model_solutions.jsonl", data=run.data)
        most = run.limit if run.limit is not None or run.full else 120
        return [sampled_of(record) for record in list(read_lines(path))[:most]]
    by_problem: dict[str, list[Sampled]] = {}
    for problem, sampled in own_records(run=run, make=_own_sample):
        by_problem.setdefault(problem, []).append(sampled)
    return list(by_problem.values())


def _own_sample(record: Record) -> tuple[str, Sampled]:
    trace = read_record(record, where="record")
    values, sums = results_in(trace.thinking), sums_in(trace.thinking)
    return trace.problem.strip(), Sampled(values, trace.answer.strip(), is_right(record), sums)


def _segments(problems: list[list[Sampled]]) -> list[Table]:
    """Values by how they stand, and how often each kind sits in a right trace."""
    seen: dict[str, list[bool]] = {"shared": [], "alone": [], "in conflict": []}
    for traces in problems:
        for index, trace in enumerate(traces):
            for value in trace.values:
                seen[stand_of(traces=traces, index=index, value=value)].append(trace.right)
    rows: list[list[Cell]] = []
    for name, right in seen.items():
        rate = wilson_interval(count=sum(right), of=len(right))
        rows.append([name, rate.of, rate.share, rate.low, rate.high])
    columns = ("segments whose value is", "segments", "share in right traces", "low", "high")
    note = "In conflict: another trace combines the same numbers into another value."
    return [Table("Agreeing and conflicting segments", columns, rows, note)]


@study("consistency", "Do traces of one problem agree, and does it matter?", reads="answers")
def run_consistency(run: Run) -> Report:
    """Right answers by agreement on the final answer and by support of intermediate values."""
    problems = _problems(run)
    run.say("aligned", 0.8)
    rows: list[list[Cell]] = []
    # A row for each number of traces of one problem that share a final answer, up to all of them.
    for size in range(1, max(map(len, problems)) + 1):
        hits = [
            trace.right
            for traces in problems
            for trace in traces
            if sum(trace.final == sibling.final for sibling in traces) == size
        ]
        rate = wilson_interval(count=sum(hits), of=len(hits))
        rows.append([size, rate.of, rate.share, rate.low, rate.high])
    tables_of_segments = _segments(problems)
    pairs = [
        (support(traces=traces, index=index), trace.right) for traces in problems for index, trace in enumerate(traces)
    ]
    supported = [(score, right) for score, right in pairs if score is not None]
    auc = area_under_roc(scores=[score for score, _ in supported], wrong=[right for _, right in supported])
    columns = ("traces with this final answer", "traces", "share right", "low", "high")
    tables = [
        Table(f"{len(problems)} problems of {run.file.name}", columns, rows)
        if run.file
        else Table(f"{len(problems)} GSM8K problems, four traces each", columns, rows),
        Table("Support of intermediate values", ("measure", "AUC for a right answer"), [["mean support", auc]]),
    ]
    return Report("Consistency", [*tables, *tables_of_segments])
