"""Every process of a run must find the same tests: what stands in their names is the same each time."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHANCE = {"uuid4", "uuid1", "token_hex", "token_bytes", "token_urlsafe", "urandom", "random", "randint", "now", "time"}


def drawn(source: str) -> list[int]:
    """The lines of decorators that call something whose value is another one in each process.

    >>> drawn("@pytest.mark.parametrize('key', [uuid4()])\\ndef test(key): ...")
    [1]
    """
    if not any(name in source for name in CHANCE):
        return []
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
