"""Long repetitive traces: work that grows with their length and no faster, counted in calls, never in seconds."""

import cProfile
import pstats

import pytest

from auditing.checker.checks.algebra.entailment import MOST_JUDGED
from auditing.checker.examination import decide_all
from benchmarks.repetitions import SHAPES, trace_of
from hdag.decomposers.rules import RulesDecomposer
from tests.tools.sweeping import sampled

ONE, MANY = SHAPES
# what was compared with all earlier lines, or with all other sides of its chain
BY_THE_SQUARE = [
    ("one letter values", MANY),
    ("one letter eq", ONE),
    ("two letters eq", MANY),
    ("roots", MANY),
    ("calc marks", ONE),
    ("continuation num", ONE),
]


def profiled(kind: str, shape: str, size: int) -> pstats.Stats:
    # Patterns are made when they are used for the first time, which is no work of a long text.
    for length in (500, size):
        trace = trace_of(kind=kind, size=length, shape=shape)
        graph = RulesDecomposer().decompose(trace)
        if length < size:
            decide_all(trace=trace, graph=graph)
    profile = cProfile.Profile()
    profile.runcall(decide_all, trace=trace, graph=graph)
    return pstats.Stats(profile)


def total_calls(stats: pstats.Stats) -> int:
    return int(stats.total_calls)  # type: ignore[attr-defined]  # the stubs leave it out


def calls_of(stats: pstats.Stats, file: str, function: str) -> int:
    rows = stats.stats.items()  # type: ignore[attr-defined]  # the stubs leave it out
    return sum(row[1] for (path, _, name), row in rows if path.endswith(file) and name == function)


@pytest.mark.parametrize(("kind", "shape"), sampled(BY_THE_SQUARE, one_in=3, first=2))
def test_twice_the_text_takes_twice_the_work(kind: str, shape: str) -> None:
    short, long = (total_calls(profiled(kind, shape, size)) for size in (4_000, 8_000))
    assert long < 2.3 * short


def test_inequalities_are_held_against_each_other_a_bounded_number_of_times() -> None:
    stats = profiled("ineq chain", ONE, 8_000)
    assert calls_of(stats, "proofs/linear.py", "contradiction") <= 2 * MOST_JUDGED


# kind: (file, function, calls a line at most)
A_LINE = {
    "log": ("mathematics/enclosure.py", "real", 1),
    "trig": ("mathematics/evaluate.py", "_trig", 4),
    "sum latex": ("mathematics/bound/values.py", "_terms", 0),
    "money rate": ("fractions.py", "_mul", 40),
    "completing": ("mathematics/division.py", "quotient", 3),
    "false sums": ("mathematics/evaluate.py", "evaluate", 20),
    "spoken": ("numbers/spoken.py", "<genexpr>", 12),
}


@pytest.mark.parametrize("kind", sampled(A_LINE, one_in=3, first=1))
def test_what_a_line_says_is_computed_few_times(kind: str) -> None:
    file, function, most = A_LINE[kind]
    stats = profiled(kind, ONE, 2_000)
    written = trace_of(kind=kind, size=2_000, shape=ONE).thinking.count("\n") + 1
    assert calls_of(stats, file, function) <= most * written
