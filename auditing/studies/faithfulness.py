"""Study `faithfulness`: a causal audit of 30 public traces in rule mode (Ariadne).

One number of one load-bearing segment is changed; the computations downstream are carried out again. A trace whose
written answer does not move does not rest, in writing, on that segment.
"""

from collections.abc import Iterator
from fractions import Fraction

from auditing.core.faithfulness import (
    Causal,
    Computation,
    Intervention,
    InterventionKind,
    Reaction,
    Trial,
    intervene,
    judge,
    load_bearing,
    measure_similarity,
    propagate,
    rule_semantic,
    summarise,
)
from auditing.core.faithfulness.interventions import NUMBER, number_of
from auditing.core.mathematics.chains import read_page
from auditing.core.mathematics.enclosure import Incalculable
from auditing.core.mathematics.evaluate import evaluate
from auditing.core.mathematics.tree import Node, Num, Tree, bare_number, free_symbols, literals
from auditing.studies.consistency import without_calculator
from auditing.studies.labelled import DataMissing, Record, read_lines
from auditing.studies.runner import Cell, Report, Run, Table, study
from hdag.core.steps import project_steps
from hdag.core.values import Graph, Segment
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

TRACES = 30


def with_numbers(tree: Tree, values: Iterator[Fraction]) -> Tree:
    """The same expression on other numbers, taken in the order of literals()."""
    if isinstance(tree, Num):
        return Num(next(values), percent=tree.percent)
    if isinstance(tree, Node):
        return Node(tree.op, tuple(with_numbers(arg, values) for arg in tree.args))
    return tree


def computation_of(*, segment: str, tree: Tree, result: Fraction) -> Computation:
    """A computation that carries out `tree` on other numbers."""
    operands = tuple(number.value for number in literals(tree))

    def compute(values: tuple[Fraction, ...]) -> Fraction | None:
        by_old = dict(zip(operands, values, strict=True))
        in_order = iter([by_old[number.value] for number in _walk_numbers(tree)])
        try:
            found = evaluate(with_numbers(tree, in_order))
        except Incalculable:
            return None
        return found if isinstance(found, Fraction) else None

    return Computation(segment, operands, result, compute)


def _walk_numbers(tree: Tree) -> Iterator[Num]:
    """Numbers of a tree in the order of with_numbers."""
    if isinstance(tree, Num):
        yield tree
    elif isinstance(tree, Node):
        for arg in tree.args:
            yield from _walk_numbers(arg)


def computations_in(*, segment: Segment) -> list[Computation]:
    """The equations of a segment whose right side is a number and whose left side can be computed."""
    found = []
    for chain in read_page(segment.content).chains:
        tree, last = chain.sides[0].tree, chain.sides[-1].tree
        result = bare_number(last) if last is not None else None
        if tree is None or result is None or free_symbols(tree) or bare_number(tree) is not None:
            continue
        found.append(computation_of(segment=segment.id, tree=tree, result=result.value))
    return found


def same_number(first: str, second: str) -> bool | None:
    """Whether the last numbers of two answers are equal; None when one has none."""
    a, b = NUMBER.findall(first), NUMBER.findall(second)
    return number_of(a[-1]) == number_of(b[-1]) if a and b else None


def audit_segment(*, graph: Graph, segment: Segment, answer: str) -> tuple[Intervention, Causal] | None:
    """Change the last number of one segment, run on, and judge; None when the segment has no number."""
    steps = project_steps(graph=graph)
    made = intervene(text=segment.content, kind=InterventionKind.FACT_REVERSAL)
    if made is None or made.old_number is None or made.new_number is None:
        return None
    nodes = [s for s in graph.segments if s.id in steps.parents]
    computations = [c for node in nodes for c in computations_in(segment=node)]
    run_on = propagate(
        changed={made.old_number: made.new_number},
        segments=(segment.id,),
        computations=computations,
        premises=steps.parents,
        answer=answer,
    )
    semantic = rule_semantic(first=answer, second=run_on.answer, same_answer=same_number)
    trial = Trial(
        intervention=made,
        answer=answer,
        answer_after=run_on.answer,
        similarity=measure_similarity(first=answer, second=run_on.answer, semantic=semantic),
        same_answer=same_number(answer, run_on.answer),
        load_bearing=segment.id in load_bearing(sink=steps.sink, premises=steps.parents),
        repaired=run_on.rederived,
        control=1.0,  # a paraphrase changes no number, and rule mode reads only numbers
    )
    return made, judge(trial=trial)


def audit_record(record: Record) -> list[tuple[InterventionKind, Causal]]:
    """Every intervention on one GSM8K trace."""
    text = without_calculator(record["175b_verification"]["solution"])
    body, _, final = text.rpartition("A:")
    fields = {"problem": record["question"], "thinking": body or text, "answer": final.strip()}
    trace = read_record(fields, where="gsm8k")
    graph = RulesDecomposer().decompose(trace)
    steps = project_steps(graph=graph)
    nodes = [s for s in graph.segments if s.id in steps.parents and s.id != steps.sink]
    made = [audit_segment(graph=graph, segment=node, answer=trace.answer) for node in nodes]
    return [(found[0].kind, found[1]) for found in made if found]


@study("faithfulness", "Causal audit of 30 public traces in rule mode")
def run_faithfulness(run: Run) -> Report:
    """Classes of reaction with Wilson intervals, and violations by the paper's rule and by ours."""
    path = run.data / "gsm8k" / "example_model_solutions.jsonl"
    if not path.exists():
        raise DataMissing(f"gsm8k is not in {path.parent}")
    records = [r for r in read_lines(path) if "A:" in r["175b_verification"]["solution"]]
    chosen = sorted(run.rng().permutation(len(records))[:TRACES].tolist())
    results: list[tuple[InterventionKind, Causal]] = []
    for place, number in enumerate(chosen):
        run.say(f"trace {place + 1} of {len(chosen)}", place / len(chosen))
        results += audit_record(records[number])
    found = summarise(results=results)
    rows: list[list[Cell]] = [
        [name.value, rate.count, rate.of, rate.share, rate.low, rate.high] for name, rate in found.reactions.items()
    ]
    for name, rate in (("violation, our rule", found.violations), ("violation, paper's rule", found.paper_violations)):
        rows.append([name, rate.count, rate.of, rate.share, rate.low, rate.high])
    columns = ("class", "count", "of", "share", "low", "high")
    note = f"Mean phi {found.mean_phi or 0:.3f}; {Reaction.UNCLEAR.value} trials are left out of violations."
    notes = [
        "Rule mode follows written computations only; that an answer stays may also mean that a link was not read."
    ]
    return Report("Causal audit in rule mode", [Table(f"{len(chosen)} GSM8K traces", columns, rows, note)], notes)
