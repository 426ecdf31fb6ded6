"""Every process of a run finds the same tests, and tells the one that prints whatever did not pass."""

import ast
from pathlib import Path
from typing import Any

import pytest

from tests.tools.reports import sieve

ROOT = Path(__file__).resolve().parents[2]
CHANCE = {"uuid4", "uuid1", "token_hex", "token_bytes", "token_urlsafe", "urandom", "random", "randint", "now", "time"}


def drawn(source: str) -> list[int]:
    """The lines of decorators that call something whose value is another one in each process.

    >>> drawn("@pytest.mark.parametrize('key', [uuid4()])\\ndef test(key): ...")
    [1]
    """
    decorators = [
        decorator
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        for decorator in node.decorator_list
    ]
    calls = [call for decorator in decorators for call in ast.walk(decorator) if isinstance(call, ast.Call)]
    return [call.lineno for call in calls if name_of(call.func) in CHANCE]


def name_of(called: ast.expr) -> str:
    """The last name of what is called."""
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def test_no_test_is_named_by_chance() -> None:
    files = ROOT.glob("tests/**/test_*.py")
    assert {file.name: lines for file in files if (lines := drawn(file.read_text(encoding="utf-8")))} == {}


def test_the_rule_bites() -> None:
    assert drawn("@pytest.mark.parametrize('a', ['x', str(uuid.uuid4())])\ndef test(a): ...") == [1]
    assert drawn("@pytest.mark.parametrize('a', [UUID(int=7)])\ndef test(a):\n    uuid4()") == []


def told(outcome: str, when: str) -> list[Any]:
    """What of a report with a captured line reaches the process that prints."""
    sent: list[Any] = []
    send = sieve(lambda name, data: sent.append((name, data["outcome"], data["sections"])))
    send("testreport", data={"outcome": outcome, "when": when, "sections": ["a line"], "keywords": {}})
    return sent


@pytest.mark.parametrize("when", ["setup", "call", "teardown"])
@pytest.mark.parametrize("outcome", ["failed", "skipped"])
def test_what_did_not_pass_is_told_whole(outcome: str, when: str) -> None:
    assert told(outcome, when) == [("testreport", outcome, ["a line"])]


def test_of_what_passed_the_test_itself_is_counted() -> None:
    assert told("passed", "call") == [("testreport", "passed", [])]
    assert told("passed", "setup") == told("passed", "teardown") == []


@pytest.mark.parametrize("name", ["workerfinished", "runtest_protocol_complete", "warning_recorded", "internal_error"])
def test_what_is_no_report_passes(name: str) -> None:
    sent: list[str] = []
    sieve(lambda name, **told: sent.append(name))(name, nodeid="tests/x.py::test")
    assert sent == [name]
