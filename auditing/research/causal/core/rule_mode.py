"""Rule mode: a segment is changed by a rule, and the written computations downstream are carried out again.

Source: Ariadne, with symbolic recomputation in place of a rerun of the agent; ours.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.answers import tell_apart
from auditing.checker.mathematics.chains import read_page
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.tree import Node, Num, Tree, bare_number, free_symbols, literals
from auditing.research.causal.core.interventions import Intervention, InterventionKind, intervene
from auditing.research.causal.core.judgement import Causal, Trial, judge
from auditing.research.causal.core.propagation import Computation, load_bearing, propagate
from auditing.research.causal.core.similarity import measure_similarity, rule_semantic
from hdag.core.levels import Level
from hdag.core.steps import project_steps
from hdag.core.values import Graph, Segment, Source


@dataclass(frozen=True, slots=True)
class Examined:
    """One trial in rule mode: what was changed, both answers, and what it says."""

    trial: Trial
    causal: Causal
    reached: tuple[str, ...]
    made: tuple[Intervention, ...]  # one for each changed segment
    values: Mapping[Fraction, Fraction]  # old -> new, the changed ones and those recomputed from them


def with_numbers(tree: Tree, values: Iterator[Fraction]) -> Tree:
    """The same expression on other numbers, taken in the order of _numbers_of()."""
    if isinstance(tree, Num):
        return Num(next(values), percent=tree.percent)
    if isinstance(tree, Node):
        return Node(tree.op, tuple(with_numbers(arg, values) for arg in tree.args))
    return tree


def computation_of(*, segment: str, tree: Tree, result: Fraction) -> Computation:
    """A computation that carries out `tree` on other numbers."""
    operands = tuple(number.value for number in literals(tree))

    def compute(values: tuple[Fraction, ...]) -> Fraction | None:
        # literals() visits a tree from the right, with_numbers() from the left, so values are looked up by the old.
        by_old = dict(zip(operands, values, strict=True))
        in_order = iter([by_old[number.value] for number in _numbers_of(tree)])
        try:
            value = evaluate(with_numbers(tree, in_order))
        except IncalculableError:
            return None
        return value if isinstance(value, Fraction) else None

    return Computation(segment, operands, result, compute)


def _numbers_of(tree: Tree) -> Iterator[Num]:
    """Numbers of a tree in the order of with_numbers."""
    if isinstance(tree, Num):
        yield tree
    elif isinstance(tree, Node):
        for arg in tree.args:
            yield from _numbers_of(arg)


def computations_in(*, segment: Segment) -> list[Computation]:
    """The equations of a segment whose right side is a number and whose left side can be computed."""
    computations = []
    for chain in read_page(segment.content).chains:
        tree, last = chain.sides[0].tree, chain.sides[-1].tree
        result = bare_number(last) if last is not None else None
        # "x + 1 = 5" has an unknown and "5 = 5.0" computes nothing; neither can be carried out on other numbers.
        if tree is None or result is None or free_symbols(tree) or bare_number(tree) is not None:
            continue
        computations.append(computation_of(segment=segment.id, tree=tree, result=result.value))
    return computations


def _tell_apart(first: str, second: str) -> bool | None:
    return tell_apart(first=first, second=second)


def examine_segment(*, graph: Graph, segment: Segment, answer: str) -> Examined | None:
    """Change the last number of one segment, run on, and judge; None when the segment has no number."""
    return examine_segments(graph=graph, segments=(segment,), answer=answer)


def examine_segments(
    *, graph: Graph, segments: Sequence[Segment], answer: str, kinds: Sequence[InterventionKind] = ()
) -> Examined | None:
    """Change several segments at once, each by its type (a number by default); None when a rule has nothing to do.

    What no computation takes up (a negation, a swapped cause) cannot be carried out again without a model: such a trial
    is UNCLEAR and says so, rather than counting as ignored. The first segment carries the trial.
    """
    # 1. Change every segment by its type; if one of them cannot be changed, there is no trial.
    kinds = kinds or (InterventionKind.FACT_REVERSAL,) * len(segments)
    pairs = zip(segments, kinds, strict=True)
    changes = [
        change for segment, change_type in pairs if (change := intervene(text=segment.content, kind=change_type))
    ]
    if not changes or len(changes) < len(segments):
        return None
    # 2. Carry out again, in reading order, the computations that use a changed value.
    steps = project_steps(graph=graph)
    nodes = [segment for segment in graph.segments if segment.id in steps.parents]
    changed = {old: new for change in changes for old, new in values_changed(made=change).items()}
    run_on = propagate(
        changed=changed,
        segments=tuple(segment.id for segment in segments),
        computations=[c for node in nodes for c in computations_in(segment=node)],
        premises=steps.parents,
        answer=answer,
    )
    # 3. Without a changed value nothing can be carried out again: the empty answer makes the trial UNCLEAR.
    after = run_on.answer if changed else ""
    semantic = rule_semantic(first=answer, second=after, same_answer=_tell_apart)
    bearing = load_bearing(sink=steps.sink, premises=steps.parents)
    trial = Trial(
        intervention=changes[0],
        answer=answer,
        answer_after=after,
        similarity=measure_similarity(first=answer, second=after, semantic=semantic),
        same_answer=_tell_apart(answer, after),
        load_bearing=any(segment.id in bearing for segment in segments),
        repaired=run_on.rederived,
        control=1.0,  # a paraphrase changes no number, and rule mode reads only numbers
    )
    return Examined(trial, judge(trial=trial), run_on.reached, tuple(changes), run_on.values)


def values_changed(*, made: Intervention) -> dict[Fraction, Fraction]:
    """Old -> new values that a change gives a computation: a number put in, or an equation made another."""
    if made.old_number is not None and made.new_number is not None:
        return {made.old_number: made.new_number}
    # A flipped sign changes no number but what the equation gives: 3 + 4 = 7 became 3 - 4, so 7 becomes -1.
    before, after = _results(made.original), _results(made.changed)
    return {result: new for result, new in after if (result, new) not in before and new != result}


def _results(text: str) -> list[tuple[Fraction, Fraction]]:
    """(stated, computed) of each equation of a text."""
    segment = Segment("x", Level.STEP, text, Source.THINKING, 0, len(text))
    pairs = [
        (computation.result, computation.compute(computation.operands))
        for computation in computations_in(segment=segment)
    ]
    return [(stated, new) for stated, new in pairs if new is not None]
