"""Functions of a trace are walked, never run: what they return is verified or doubted, and nothing costs much."""

import ast
import time

import pytest

from auditing.checker.programs.interpreter import Interpreter
from auditing.checker.programs.values import BUDGET, Budget, UnsupportedError
from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified

SQUARE = "def square(x):\n    return x * x\n"
LOOP = """def total(values):
    result = 0
    for index, value in enumerate(values):
        if value % 2:
            continue
        result += value * index
    return result
"""
CLAIMS = {
    "an assertion": (SQUARE + "\nassert square(3) == 9", SQUARE + "\nassert square(3) == 8"),
    "a comment": (SQUARE + "\nprint(square(3))  # 9", SQUARE + "\nprint(square(3))  # Output: 8"),
    "a session": (SQUARE + "\n>>> square(3)\n9", SQUARE + "\n>>> square(3)\n6"),
    "a sentence": (SQUARE + "\nHere square(3) returns 9.", SQUARE + "\nHere square(3) returns 8."),
    "a fence": (f"```python\n{SQUARE}assert square(4) == 16\n```", f"```python\n{SQUARE}assert square(4) == 15\n```"),
    "a loop": (LOOP + "\nassert total([2, 3, 4]) == 8", LOOP + "\nassert total([2, 3, 4]) == 10"),
    "a text": (
        'def name(text):\n    return "".join([word.upper() for word in text.split()])\n\nname("a b") returns "AB".',
        'def name(text):\n    return "".join([word.upper() for word in text.split()])\n\nname("a b") returns "ab".',
    ),
    "a recursion": (
        "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n\nassert fib(10) == 55",
        "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n\nassert fib(10) == 89",
    ),
    "a default": (
        "def price(n, rate=0.5):\n    while n > 10:\n        n -= 1\n    return n * rate\n\nassert price(12) == 5.0",
        "def price(n, rate=0.5):\n    while n > 10:\n        n -= 1\n    return n * rate\n\nassert price(12) == 6.0",
    ),
}


@pytest.mark.parametrize("kind", CLAIMS)
def test_what_a_function_returns_is_verified_and_another_value_doubted(kind: str) -> None:
    right, wrong = CLAIMS[kind]
    assert is_verified(right)
    assert is_doubted(wrong)
    assert not is_refuted(wrong)


def test_a_function_of_the_problem_is_known_in_the_trace() -> None:
    assert is_verified("Here square(5) returns 25.", problem=f"What does it return?\n{SQUARE}")
    assert is_doubted("Here square(5) returns 10.", problem=f"What does it return?\n{SQUARE}")


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    import os\n    return os.getpid()\n\nassert f(1) == 2",
        "def f(x):\n    return open('/etc/passwd').read()\n\nassert f(1) == 2",
        "def f(x):\n    return ().__class__.__base__\n\nassert f(1) == 2",
        "def f(x):\n    return x.__class__\n\nassert f(1) == 2",
        "def f(x):\n    return eval('1')\n\nassert f(1) == 2",
        "def f(x):\n    return unknown(x)\n\nassert f(1) == 2",
        "def f(x):\n    return x / 3\n\nassert f(1) == 0.33",
        "def f(x):\n    return 'a'\n\nassert f(1) == 2",
        "def f(x):\n    return x\n\nIf it were wrong, f(1) returns 2.",
        "@cached\ndef f(x):\n    return x\n\nassert f(1) == 2",
    ],
)
def test_what_the_interpreter_does_not_know_is_left_alone(text: str) -> None:
    assert not [item for item in findings(text) if item.finding.evidence.checker == "assertions"]


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n        pass",
        "return f(x)",
        "return 9 ** 9 ** 9",
        "return 'a' * 10 ** 9",
        "return list(range(10 ** 9))",
        "a = [x]\n    for i in range(40):\n        a = [a, a]\n    return str(a)",
        "a = []\n    a.append(a)\n    return str(a)",
        "a = 'a' * 9999\n    return a.replace('a', a)",
        "return round(5, -(10 ** 9))",
        "return 1 << 10 ** 9",
        "return sum([sum([j for j in range(9999)]) for i in range(9999)])",
        "return pow(7 ** 1000, 7 ** 1000, 7 ** 1000)",
    ],
)
def test_a_program_that_would_not_end_costs_its_budget_and_says_nothing(body: str) -> None:
    start = time.process_time()
    text = f"def f(x):\n    {body}\n\n" + "assert f(1) == 2\n" * 200
    assert not [item for item in findings(text) if item.finding.evidence.checker == "assertions"]
    assert time.process_time() - start < 5


def test_the_budget_belongs_to_the_whole_trace() -> None:
    interpreter = Interpreter(Budget())
    interpreter.define(
        ast.parse("def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total").body[0]
    )
    call = ast.parse("f(1000)", mode="eval").body
    assert interpreter.value_of(call) == 499_500
    interpreter.budget.spend(BUDGET - 10_000)
    with pytest.raises(UnsupportedError):
        interpreter.value_of(call)
