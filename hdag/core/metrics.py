"""Measures of a reasoning graph: logical closeness, perfect reasoning, PRR, R, A(t), AUC, dead branches, counts.

Source: DAG-MATH, definitions 1 to 4, with the denominators of docs/formulas.md section 3. Closeness says nothing about
the truth of a step; combine it with outcomes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from hdag.core.steps import StepGraph, project_steps
from hdag.core.values import Graph


@dataclass(frozen=True, slots=True)
class Measures:
    """The figures of one step-level graph of n nodes (the last of them the sink) and E edges."""

    nodes: int
    edges: int
    density: float
    max_in_degree: int
    max_out_degree: int
    closeness: float
    is_closed: bool
    dead_branch_rate: float
    unclosed: tuple[str, ...]
    dead: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One of N sampled traces of a problem: its logical closeness and whether its final answer is right."""

    closeness: float
    is_right: bool


def measure(*, graph: Graph) -> Measures:
    """The measures of `graph` on its step-level projection."""
    return measure_steps(steps=project_steps(graph=graph))


def measure_steps(*, steps: StepGraph) -> Measures:
    """The measures of a step-level graph.

    closeness rho = #{v != sink: out(v) >= 1} / (n - 1), 1 for n <= 1; density = 2E / (n(n - 1)), 0 for n < 2;
    dead-branch rate = #{v != sink: v no ancestor of the sink} / (n - 1), 0 for n <= 1.

    >>> m = measure_steps(steps=StepGraph(("a", "b", "c"), {"a": (), "b": ("a",), "c": ("a",)}, "c"))
    >>> m.closeness, m.unclosed, m.dead_branch_rate
    (0.5, ('b',), 0.5)
    """
    out = dict.fromkeys(steps.nodes, 0)
    for bases in steps.parents.values():
        for base in bases:
            out[base] += 1
    # The sink is the answer: nothing needs to rest on it, so it counts in no denominator.
    others = [node for node in steps.nodes if node != steps.sink]
    # unclosed: nothing uses the step at all; dead: something may, but no path leads on to the answer
    unclosed = tuple(node for node in others if not out[node])
    living = steps.ancestors()
    dead = tuple(node for node in others if node not in living)
    count, edges = len(steps.nodes), sum(out.values())
    return Measures(
        nodes=count,
        edges=edges,
        density=2 * edges / (count * (count - 1)) if count > 1 else 0.0,
        max_in_degree=max((len(bases) for bases in steps.parents.values()), default=0),
        max_out_degree=max(out.values(), default=0),
        closeness=(len(others) - len(unclosed)) / len(others) if others else 1.0,
        is_closed=not unclosed,
        dead_branch_rate=len(dead) / len(others) if others else 0.0,
        unclosed=unclosed,
        dead=dead,
    )


def is_perfect(*, sample: Sample) -> bool:
    """Perfect reasoning: every step is used (rho = 1) and the final answer is right."""
    return sample.is_right and sample.closeness >= 1


def perfect_reasoning_rate(*, samples: Sequence[Sample]) -> float:
    """PRR of one problem = mean over its N samples of delta_close * delta_final (DAG-MATH, definition 3).

    Raises ValueError without samples.

    >>> perfect_reasoning_rate(samples=[Sample(1, True), Sample(0.5, True), Sample(1, False), Sample(1, True)])
    0.5
    """
    return _mean(is_perfect(sample=sample) for sample in samples)


def mean_perfect_reasoning(*, problems: Iterable[Sequence[Sample]]) -> float:
    """R over a set = mean over problems of PRR. Raises ValueError without problems."""
    return _mean(perfect_reasoning_rate(samples=samples) for samples in problems)


def pass_at(*, samples: Sequence[Sample], k: int) -> float:
    """PASS@k of one problem = 1 - C(n - c, k) / C(n, k), for n samples of which c are right (Chen et al., 2021).

    The probability that at least one of k samples drawn without replacement is right. Raises ValueError when k > n.

    >>> samples = [Sample(1, True), Sample(1, False), Sample(1, False), Sample(1, False)]
    >>> pass_at(samples=samples, k=1), pass_at(samples=samples, k=2)
    (0.25, 0.5)
    """
    count, right = len(samples), sum(sample.is_right for sample in samples)
    if not 1 <= k <= count:
        raise ValueError(f"PASS@{k} needs at least {max(1, k)} samples, got {count}")
    return float(1 - Fraction(comb(count - right, k), comb(count, k)))


def accuracy_at(*, samples: Sequence[Sample], threshold: float) -> float:
    """A(t) = mean of delta_final * 1[rho >= t]; A(0) is PASS@1, A(1) is the perfect-reasoning rate."""
    return _mean(sample.is_right and sample.closeness >= threshold for sample in samples)


def area_under_accuracy(*, samples: Sequence[Sample]) -> float:
    """AUC = integral of A(t) over t in [0, 1] = mean of delta_final * rho, exactly and without a grid.

    >>> area_under_accuracy(samples=[Sample(0.75, True), Sample(0.25, True), Sample(1, False)])
    0.3333333333333333
    """
    return _mean(sample.closeness if sample.is_right else 0.0 for sample in samples)


def _mean(values: Iterable[float]) -> float:
    """Exact mean, rounded once."""
    # Floats are exact fractions: the sum does not depend on the order of the samples.
    fractions = [Fraction(value) for value in values]
    if not fractions:
        raise ValueError("a mean needs at least one sample")
    return float(sum(fractions, Fraction(0)) / len(fractions))
