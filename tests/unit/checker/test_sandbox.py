"""F19: whatever runs in the sandbox ends as "cannot check", in time; it leaves nothing behind, its siblings go on."""

import contextlib
import os
import resource
import threading
from fractions import Fraction

import psutil
import pytest

from auditing.checker.mathematics.tree import Node, Num, Sym
from auditing.checker.sandbox.pool import Sandbox
from tests.doubles.hostile_worker import HARM
from tests.tools.patience import PATIENCE, wait_for

X = Sym("x")
TWICE = (Node("+", (X, X)), Node("*", (Num(Fraction(2)), X)))
OURS = "tests.doubles.hostile_worker"


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(size=2, program=OURS) as pool:
        yield pool


def workers():
    """The pool's processes at this moment, whatever they have started included."""
    alive = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it ended while we looked
            if OURS in process.cmdline():
                alive.append(process)
    return alive


def is_twice(sandbox):
    """Ask something that is true, and wait for a worker that starts slowly."""
    return sandbox.run(task="same", trees=TWICE, seconds=PATIENCE)


@pytest.mark.parametrize("harm", HARM)
def test_harm_ends_and_leaves_nothing_behind(sandbox, harm):
    assert is_twice(sandbox) is True
    before = len(workers())
    assert sandbox.run(task=harm, trees=(), seconds=1.5) is None
    wait_for(lambda: len(workers()) <= before)  # the harmful one and whatever it started are gone
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 4 * 1024 * 1024
    assert not os.path.exists("/tmp/trust-sandbox-canary.py")
    assert is_twice(sandbox) is True


def test_a_sibling_answers_while_another_one_runs_wild():
    with Sandbox(size=2, program=OURS) as pool:
        wild = {"task": "an answer that never ends", "trees": (), "seconds": 2 * PATIENCE}
        harm = threading.Thread(target=pool.run, kwargs=wild)
        harm.start()
        wait_for(workers)
        answers = [is_twice(pool) for _ in range(5)]
        assert harm.is_alive()
        for process in workers():
            process.kill()
        harm.join()
    assert answers == [True] * 5


def test_every_task_of_the_engine_works_under_the_guard():
    square = Node("^", (Node("+", (X, Num(Fraction(1)))), Num(Fraction(2))))
    with Sandbox() as pool:
        said = {
            task: pool.run(task=task, trees=(square,), seconds=PATIENCE)
            for task in ("expand", "factor", "simplify", "integrate")
        }
        roots = pool.run(task="solve", trees=(square, Num(Fraction(4))), seconds=PATIENCE)
    assert said == {
        "expand": "x**2 + 2*x + 1",
        "factor": "(x + 1)**2",
        "simplify": "(x + 1)**2",
        "integrate": "x**3/3 + x**2 + x",
    }
    assert sorted(roots) == ["-3", "1"]
