"""The scratchpad as a reviewer uses it: every digit, every fraction that solves, and where reading stopped."""

import time

import pytest

from auditing.checker.mathematics.tree import Sym
from auditing.checker.sandbox.pool import Sandbox, warm_sandbox
from auditing.checker.scratchpad import ScratchState, evaluate
from tests.tools.patience import PATIENCE

SAID = {
    "2^100": "2^100 = 1267650600228229401496703205376",
    "log(100)": "log(100) = 2",
    "sin(30)": "sin(30) = -0.988032...; angles without ° are radians",
    "x^2 - 5x + 6 = 0": "x = 2 or x = 3 solve x^2 - 5 * x + 6 = 0.",
    "x^3 = 8": "x = 2 solves x^3 = 8. Others, if any, are no fractions.",
    "(x^2-1)/(x-1) = 0": "x = -1 solves (x^2 - 1) / (x - 1) = 0.",
    "x + y = 3": "x + y = 3 does not hold for all values; which values solve it is not decided here.",
    "3 km + 200 m": "This cannot be read: km and m are units of different size; convert one of them first.",
    "3 + ": "This cannot be read: at character 3, '+': something must follow it.",
    "1 + 2)": "This cannot be read: at character 6, ')': this bracket was never opened.",
    "(1 + 2": "This cannot be read: a bracket is never closed.",
    "x =": "The right side of = at character 4 cannot be read: nothing stands there.",
    "2 + 2 4": "This cannot be read: at character 7, '4': it does not go on from what stands before it.",
}


@pytest.mark.parametrize("typed", SAID)
def test_the_scratchpad_says_it_in_words(typed):
    assert evaluate(typed).sentence == SAID[typed]


def test_an_equation_that_holds_for_some_values_is_not_called_false():
    assert evaluate("sqrt(x) = 3").state is ScratchState.OPEN
    assert evaluate("x = x + 1").state is not ScratchState.SOLVED


@pytest.mark.parametrize(
    "typed", ["(x+7)^40*(x+11)^20 = 12345678901", "x^9999 = 1", "x^2 = 9^99", "(x" * 50 + ")" * 50]
)
def test_a_hard_equation_ends_soon(typed):
    start = time.process_time()  # of this process alone: a busy machine is not counted
    assert evaluate(typed).sentence
    assert time.process_time() - start < 2


def test_the_pool_keeps_its_worker_warm_and_replaces_a_dead_one():
    pool, x = Sandbox(), Sym("x")
    with pool:
        assert pool.run(task="same", trees=(x, x), seconds=PATIENCE) is True
        (first,) = pool._idle
        assert pool.run(task="same", trees=(x, x), seconds=PATIENCE) is True
        assert pool._idle == [first]
        first.process.kill()
        first.process.wait()
        assert pool.run(task="same", trees=(x, x), seconds=PATIENCE) is None
        assert pool.run(task="same", trees=(x, x), seconds=PATIENCE) is True
    assert warm_sandbox() is warm_sandbox()
