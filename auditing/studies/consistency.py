"""Study `consistency`: several traces of one problem aligned by the values that they compute.

A value is supported by the other traces that compute it too. Do agreeing segments sit in right traces?
"""

from dataclasses import dataclass
from fractions import Fraction

from auditing.core.faithfulness import wilson_interval
from auditing.core.mathematics.chains import read_page
from auditing.core.mathematics.tree import bare_number
from auditing.studies.complexity import area_under_roc
from auditing.studies.labelled import DataMissing, Record, read_lines
from auditing.studies.runner import Cell, Report, Run, Table, study

MODELS = ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification")


@dataclass(frozen=True, slots=True)
class Sampled:
    """One sampled trace: the values its segments compute, its final answer, and whether that is right."""

    values: frozenset[Fraction]
    final: str
    right: bool


def results_in(text: str) -> frozenset[Fraction]:
    """The values on the right of the equations of a text."""
    found = set()
    for chain in read_page(text).chains:
        tree = chain.sides[-1].tree
        number = bare_number(tree) if tree is not None else None
        if number is not None:
            found.add(number.value)
    return frozenset(found)


def without_calculator(text: str) -> str:
    """The solution without its <<...>> calculator notes."""
    pieces = text.split("<<")
    return pieces[0] + "".join(piece.partition(">>")[2] for piece in pieces[1:])


def sampled_of(record: Record) -> list[Sampled]:
    """The four traces of a problem."""
    found = []
    for model in MODELS:
        text = without_calculator(record[model]["solution"])
        body, _, final = text.rpartition("A:")
        found.append(Sampled(results_in(body or text), final.strip(), bool(record[model]["is_correct"])))
    return found


def support(*, traces: list[Sampled], place: int) -> float | None:
    """Mean share of the other traces that compute each value of this one; None without values."""
    own, others = traces[place].values, [t for n, t in enumerate(traces) if n != place]
    if not own or not others:
        return None
    return sum(value in other.values for value in own for other in others) / (len(own) * len(others))


@study("consistency", "Do traces of one problem agree, and does it matter?")
def run_consistency(run: Run) -> Report:
    """Right answers by agreement on the final answer and by support of intermediate values."""
    path = run.data / "gsm8k" / "example_model_solutions.jsonl"
    if not path.exists():
        raise DataMissing(f"gsm8k is not in {path.parent}")
    problems = [sampled_of(record) for record in list(read_lines(path))[: None if run.full else 120]]
    run.say("aligned", 0.8)
    rows: list[list[Cell]] = []
    for size in range(1, len(MODELS) + 1):
        hits = [t.right for p in problems for t in p if sum(t.final == other.final for other in p) == size]
        rate = wilson_interval(count=sum(hits), of=len(hits))
        rows.append([size, rate.of, rate.share, rate.low, rate.high])
    pairs = [(support(traces=p, place=n), t.right) for p in problems for n, t in enumerate(p)]
    known = [(score, right) for score, right in pairs if score is not None]
    auc = area_under_roc(scores=[score for score, _ in known], wrong=[right for _, right in known])
    columns = ("traces with this final answer", "traces", "share right", "low", "high")
    tables = [
        Table(f"{len(problems)} GSM8K problems, four traces each", columns, rows),
        Table("Support of intermediate values", ("measure", "AUC for a right answer"), [["mean support", auc]]),
    ]
    return Report("Consistency", tables)
