"""F19: whatever runs in the sandbox ends as "cannot check", in time; it leaves nothing behind, its siblings go on."""

import os
import resource
import threading
import time
from fractions import Fraction

import psutil
import pytest

from auditing.checker.mathematics.tree import Node, Num, Sym
from auditing.checker.sandbox.pool import Sandbox
from tests.doubles.hostile_worker import HARM

X = Sym("x")
TWICE = (Node("+", (X, X)), Node("*", (Num(Fraction(2)), X)))
OURS = "tests.doubles.hostile_worker"


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(size=2, program=OURS) as pool:
        yield pool


def workers():
    return {one.pid for one in psutil.Process().children(recursive=True) if OURS in one.cmdline()}


@pytest.mark.parametrize("harm", HARM)
def test_harm_ends_soon_and_leaves_nothing_behind(sandbox, harm):
    assert sandbox.run(task="same", trees=TWICE) is True
    before, began = workers(), time.monotonic()
    assert sandbox.run(task=harm, trees=(), seconds=1.5) is None
    assert time.monotonic() - began < 4
    assert len(workers()) <= len(before)  # the harmful one and whatever it started are gone
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 4 * 1024 * 1024
    assert not os.path.exists("/tmp/trust-sandbox-canary.py")
    assert sandbox.run(task="same", trees=TWICE) is True


def test_a_sibling_answers_while_another_one_runs_wild(sandbox):
    harm = threading.Thread(target=sandbox.run, kwargs={"task": "endless loop", "trees": (), "seconds": 2.0})
    harm.start()
    answers = [sandbox.run(task="same", trees=TWICE) for _ in range(5)]
    assert harm.is_alive()
    harm.join()
    assert answers == [True] * 5


def test_every_task_of_the_engine_works_under_the_guard():
    square = Node("^", (Node("+", (X, Num(Fraction(1)))), Num(Fraction(2))))
    with Sandbox() as pool:
        said = {task: pool.run(task=task, trees=(square,)) for task in ("expand", "factor", "simplify", "integrate")}
        roots = pool.run(task="solve", trees=(square, Num(Fraction(4))))
    assert said == {
        "expand": "x**2 + 2*x + 1",
        "factor": "(x + 1)**2",
        "simplify": "(x + 1)**2",
        "integrate": "x**3/3 + x**2 + x",
    }
    assert sorted(roots) == ["-3", "1"]
