"""Hostile text costs one abstention: no code runs, nothing hangs, the pool stays alive."""

import importlib
import json
import os
import pkgutil
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import auditing.checker
from auditing.checker.checks.text import quotation
from auditing.checker.examination import BREAKS
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.tree import Node, Num, Sym
from auditing.checker.reading.passages import script_of
from auditing.checker.sandbox.pool import Sandbox
from auditing.checker.scratchpad import ScratchState, evaluate
from hdag.core.values import Trace
from tests.tools.patience import PATIENCE
from tests.tools.sweeping import shares
from tests.unit.checker.readings import findings, is_refuted, verdicts

ROOT = Path(__file__).parents[3]
LETTERS = "(a+b+c+d+e+f+g)"
ADVERSARIAL = {
    "tower": "9^9^9 = 1",
    "latex tower": "9^{9^{9^9}} = 1",
    "factorial": "factorial(10^8) = 1",
    "big factorial": "100000000! = 1",
    "parentheses": "(" * 5000 + "1" + ")" * 5000 + " = 1",
    "digits": "9" * 100_000 + " = 1",
    "minus": "-" * 20_000 + "1 = 1",
    "expansion": LETTERS + "^60 = 1",
    "long expansion": f"{LETTERS}^{{20}}*{LETTERS}^{{20}} = a + b",
    "braces": "{" * 5000 + " = 1",
    "open braces": r"\frac{" * 5000 + " = 1",
    "dots": "1 + 2 + ... + 10^9999 = 5",
    "binomial": r"\binom{10^9}{5*10^8} = 1",
    "power of fractions": "(1/3)^(10^9) = 1",
    "equals": "=" * 50_000,
    "lost breaks": "x = 1 " * 20_000,
    "results in words": "3 + 4 is 7 " * 20_000,
    "many words": "a " * 50_000 + "= 3",
    "many sums": "+".join(["1"] * 20_000) + " = 3",
    "macro": r"\def\a{\a\a}\a" * 1000,
    "redos": "a" * 50_000 + "!",
    "quotes": '"' * 20_000,
    "commas": "1," * 30_000 + "= 2",
    "dollars": "$" * 20_000,
    "many units": "12 ft 2 in " * 5_000 + "= 3",
    "many hours": "1 h = " * 8_000,
    "many percentages": "1% of 2 " * 9_000,
    "many times": "from 9:40 to 11:15 " * 3_000,
    "many number words": "one hundred and " * 8_000,
    "many margins": "1 ± 2 × " * 8_000,
    "many vectors": "(1,2) + " * 8_000,
    "many sums over sums": r"\sum_{k=1}^{300} " * 300 + "k = 1",
    "many integrals": r"\int_0^1 x " * 4_000,
    "many deeds": "divide 5 apples by 4 pears and " * 2_000,
    "many points": "(1,2) = " * 8_000,
    "many marks": "<<1+1=2>>" * 4_000,
    "many confessions": "we get 1 by adding " * 5_000 + "wrongly",
    "many remarks": "5 aa bb cc (1 + " * 2_000,
    "many told things": "5 red apples and " * 6_000,
    "many totals": "5 apples and 7 pears, a total of " * 3_000,
    "many vertices": "square with vertices at " + "(1, 2), " * 6_000,
    "many crossings": "The curves y = x and y = x^2 intersect at (1, 2). " * 1_000,
    "many bounds in words": "[x] from 0 to " * 4_000,
    "many dots of powers": "1^2 + 2^2 + ... + " * 3_000,
    "many labels": "Total = 27 + 22. Therefore, " * 2_000,
    "many open products": "π(4 - " * 6_000,
    "many boxes": "5 boxes with 6 pens each is " * 3_000,
    "many rates": "$5 per day for 3 days is " * 4_000,
    "many shares": "3 of the 12 marbles are red, or " * 3_000,
    "many halves": "half of half the 12 of " * 4_000,
    "many alternatives": "12 + 15 or " * 8_000,
    "many numbers in brackets": "45/50 (90% (" * 6_000,
    "many investments": "$1,000 invested at 5% compounded monthly for 3 years " * 1_500,
    "many scales": "2 million thousand " * 6_000,
    "many bold marks": "**1 " * 12_000,
    "many retractions": "Wait, it should be 15, not 12. " * 3_000,
    "many functions": "def f(x):\n    return x\n\nassert f(1) == 1\n" * 1_000,
    "many units beside": "3 hours (180 minutes, or " * 4_000,
    "many inequalities": " and ".join(f"{one} + {two} <= 7" for one in "abcd" for two in "abcd") * 60,
    "many arrays": r"2\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}^T + " * 800,
    "many matrices": "$" + r"\begin{pmatrix} 1 & x \\ 3 & 4 \end{pmatrix} " * 58 + "= 1$ ",
    "many formulas of matrices": (r"$\begin{pmatrix} a & b \\ c & f \end{pmatrix}^4 = \mathbf{A}^3 \mathbf{B}$ " * 600),
    "many open matrices": r"$\begin{pmatrix} 1 = " * 2_000,
    "many names of vectors": r"$\mathbf{a} = (1, 2) = \overrightarrow{AB}$ " * 900,
    "many points in points": r"\[" + "(1, " * 700 + "2" + ")" * 700 + r" = (1, 2)\]",
    "many norms": (r"\[" + r"\left\| " * 120 + "(1, 2)" + r" \right\|" * 120 + r" = 1\] ") * 12,
    "many products of vectors": (r"\[" + r"(\vec{a} + \vec{b} + \vec{c}) \times " * 70 + r"\vec{a} = \vec{0}\] ") * 12,
    "many brackets with commas": "$" + "(" * 20_000 + ", = 1$",
    "many lists": "[1, 2], " * 5_000,
    "many cells": "| 3 + 4 = 8 " * 3_500 + "|",
    "many ticks and stars": "` *3* _4_ = " * 3_500,
    "many cited steps": "10 (from step 1) + " * 2_200,
    "many repeated digits": r"0.\dot{3} = 1/3 " * 2_600,
    "many orders": "in ascending order: 1, 2, 3, " * 1_400,
    "many bases": "101₂ + " * 6_000,
    "many quotations": '"aaaa' * 8_000,
    "many things gathered": "20 from the morning and 35 from the afternoon " * 900,
    "many factors": "360 factors as 2 * 2 * " * 1_800,
}
CODE = [
    "__import__('os').system('touch {canary}') = 1",
    "().__class__.__base__.__subclasses__() = 1",
    "(lambda: open('{canary}', 'w'))() = 1",
    "[open('{canary}', 'w') for _ in [1]] = 1",
    'f\'{{open("{canary}", "w")}}\' = 1',
    ">>> open('{canary}', 'w')\n1",
    ">>> __import__('os').getpid()\n1",
]
READ = """
import json, sys, time
from tests.unit.checker.readings import is_refuted
from tests.unit.checker.test_safety import ADVERSARIAL
seconds, refuted = {}, {}
for name in json.loads(sys.argv[1]):
    text = ADVERSARIAL[name]
    start = time.process_time()
    refuted[name] = is_refuted(text)
    seconds[name] = time.process_time() - start
kilobytes = int(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0])
print(json.dumps({"seconds": seconds, "refuted": refuted, "kilobytes": kilobytes}))
"""


@dataclass(frozen=True)
class Read:
    """Of the adversarial texts by name: CPU seconds, and whether it was refuted; and what memory they took at most."""

    seconds: dict[str, float]
    refuted: dict[str, bool]
    kilobytes: int


@pytest.fixture(scope="module", params=shares(3))
def read(request: pytest.FixtureRequest) -> Read:
    """Some of them, in a process of its own: what other tests have left in this one is not what the checkers take."""
    names = json.dumps(list(ADVERSARIAL)[:: request.param])
    command = [sys.executable, "-c", READ, names]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return Read(**json.loads(said.stdout.splitlines()[-1]))


def test_an_adversarial_text_ends_soon_and_accuses_nobody(read: Read) -> None:
    assert [name for name, refuted in read.refuted.items() if refuted] == []
    assert {name: seconds for name, seconds in read.seconds.items() if seconds >= 5} == {}
    assert {*read.seconds} == {*read.refuted} <= {*ADVERSARIAL}


def test_the_adversarial_texts_stay_below_a_gibibyte_of_memory(read: Read) -> None:
    assert read.kilobytes < 1024 * 1024


@pytest.mark.parametrize("text", CODE)
def test_code_in_a_text_is_never_run(text, tmp_path):
    canary = tmp_path / "canary"
    findings(text.format(canary=canary))
    evaluate(text.format(canary=canary))
    assert not os.path.exists(canary)


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=300))
def test_no_text_makes_a_checker_raise(text):
    findings("x" + text)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=r"0123456789+-*/^=(){}\fracsqt$.,% xyn!", max_size=80))
def test_no_formula_makes_the_scratchpad_raise(text):
    assert evaluate(text).sentence


@settings(max_examples=100, deadline=None)
@given(st.integers(-999, 999), st.integers(-999, 999), st.sampled_from("+-*"))
def test_true_sums_are_verified_and_false_ones_refuted(a, b, sign):
    value = {"+": a + b, "-": a - b, "*": a * b}[sign]
    right = verdicts(f"We get {a} {sign} ({b}) = {value}.")
    wrong = verdicts(f"We get {a} {sign} ({b}) = {value + 7}.")
    assert (right, wrong) == ({Verdict.VERIFIED}, {Verdict.REFUTED})


def test_every_error_of_our_own_costs_no_more_than_the_findings_of_one_check():
    own = [
        (module.name, error)
        for module in pkgutil.walk_packages(auditing.checker.__path__, "auditing.checker.")
        for error in vars(importlib.import_module(module.name)).values()
        if isinstance(error, type) and issubclass(error, Exception) and error.__module__ == module.name
    ]
    assert len(own) > 3
    assert [name for name, error in own if not issubclass(error, BREAKS)] == []


@pytest.mark.parametrize("word", ["break", "continue"])
def test_a_word_of_loops_without_a_loop_breaks_no_check(word):
    text = f"```python\ndef f(x):\n    {word}\n    return x\n```\nSo f(2) returns 3."
    assert not is_refuted(text)
    looped = f"```python\ndef f(x):\n    for y in [x]:\n        {word}\n    return x\n```\nSo f(2) returns 3."
    assert [item.finding.verdict for item in findings(looped)] == [Verdict.REFUTED]


def test_a_text_of_numbers_that_the_problem_has_is_cut_into_words_once():
    script = script_of(Trace("1 " * 3_000, thinking="1 " * 3_000))
    quotation._places.cache_clear()
    list(quotation.check(script))
    assert quotation._places.cache_info().misses < 4


def test_a_value_that_no_computation_has_contradicts_nothing():
    assert not is_refuted(r"$x = \log_5(-10)$", r"$x = -10$")


def test_a_worker_that_overruns_is_killed_and_the_next_call_is_answered():
    x = Sym("x")
    tower = Node(
        "^", (Num(Fraction(9)), Node("^", (Num(Fraction(9)), Node("^", (Num(Fraction(9)), Num(Fraction(9)))))))
    )
    with Sandbox() as sandbox:
        assert sandbox.run(task="simplify", trees=(tower,), seconds=2) is None
        assert (
            sandbox.run(task="same", trees=(Node("+", (x, x)), Node("*", (Num(Fraction(2)), x))), seconds=PATIENCE)
            is True
        )


def test_the_scratchpad_says_what_it_cannot_check():
    assert evaluate("9^9^9").state is ScratchState.CANNOT
    assert evaluate("2 + * 3").state is ScratchState.CANNOT


def test_the_scratchpad_solves_and_judges():
    assert evaluate("2x + 3 = 11").result == "x = 4"
    assert evaluate("1/3 + 1/6 = 1/2").state is ScratchState.TRUE
    assert evaluate("137/965 = 14.23 %").state is ScratchState.FALSE
    assert evaluate("(x+1)^2 = x^2 + 2x + 1").state is ScratchState.TRUE
