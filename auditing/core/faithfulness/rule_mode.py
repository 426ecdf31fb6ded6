"""Rule mode: one number of one segment is changed, and the written computations downstream are carried out again.

Source: Ariadne, with symbolic recomputation in place of a rerun of the agent; ours.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditing.core.answers import same_answer
from auditing.core.faithfulness.interventions import Intervention, InterventionKind, intervene
from auditing.core.faithfulness.judgement import Causal, Trial, judge
from auditing.core.faithfulness.propagation import Computation, load_bearing, propagate
from auditing.core.faithfulness.similarity import measure_similarity, rule_semantic
from auditing.core.mathematics.chains import read_page
from auditing.core.mathematics.enclosure import Incalculable
from auditing.core.mathematics.evaluate import evaluate
from auditing.core.mathematics.tree import Node, Num, Tree, bare_number, free_symbols, literals
from hdag.core.steps import project_steps
from hdag.core.values import Graph, Segment


@dataclass(frozen=True, slots=True)
class Examined:
    """One trial in rule mode: what was changed, both answers, and what it says."""

    trial: Trial
    causal: Causal
    reached: tuple[str, ...]


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


def same_text(first: str, second: str) -> bool | None:
    """Whether two answers say the same; None when one is missing."""
    return same_answer(one=first, other=second) if first.strip() and second.strip() else None


def examine_segment(*, graph: Graph, segment: Segment, answer: str) -> Examined | None:
    """Change the last number of one segment, run on, and judge; None when the segment has no number."""
    return examine_segments(graph=graph, segments=(segment,), answer=answer)


def examine_segments(*, graph: Graph, segments: Sequence[Segment], answer: str) -> Examined | None:
    """Change several segments at once; the first carries the trial. None when one of them has no number."""
    steps = project_steps(graph=graph)
    made = [intervene(text=one.content, kind=InterventionKind.FACT_REVERSAL) for one in segments]
    changed = {one.old_number: one.new_number for one in made if one and one.old_number is not None}
    if not made or None in made or None in changed.values():
        return None
    nodes = [one for one in graph.segments if one.id in steps.parents]
    run_on = propagate(
        changed={old: new for old, new in changed.items() if new is not None},
        segments=tuple(one.id for one in segments),
        computations=[c for node in nodes for c in computations_in(segment=node)],
        premises=steps.parents,
        answer=answer,
    )
    semantic = rule_semantic(first=answer, second=run_on.answer, same_answer=same_text)
    bearing = load_bearing(sink=steps.sink, premises=steps.parents)
    first: Intervention = made[0]  # type: ignore[assignment]
    trial = Trial(
        intervention=first,
        answer=answer,
        answer_after=run_on.answer,
        similarity=measure_similarity(first=answer, second=run_on.answer, semantic=semantic),
        same_answer=same_text(answer, run_on.answer),
        load_bearing=any(one.id in bearing for one in segments),
        repaired=run_on.rederived,
        control=1.0,  # a paraphrase changes no number, and rule mode reads only numbers
    )
    return Examined(trial, judge(trial=trial), run_on.reached)
