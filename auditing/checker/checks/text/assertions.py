"""Checker: what functions of the trace return: `assert f(3) == 9`, `print(f(3))  # 9`, ">>> f(3)", "f(3) returns 9".

The functions are walked by an interpreter of our own (programs/) with one budget for the whole trace. The verifier's
file has no such interpreter, so what is found is likely at most.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from auditing.checker.checks.text.tools import read_python
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.programs.interpreter import Interpreter
from auditing.checker.programs.values import Budget, UnsupportedError
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "assertions"
MAX_CODE, MAX_BRACKETS, MAX_LINE = 4_000, 200, 300
_BLOCK = re.compile(r"```(?:python|py)?[ \t]*\n(?P<code>.{1,4000}?)\n[ \t]*```", re.DOTALL | re.IGNORECASE)
# a function without a fence: its head, and the lines that are set in below it
_FUNCTION = re.compile(
    r"^(?P<code>def [A-Za-z_]\w{0,40}\([^\n]{0,200}\)[^\n:]{0,60}:[^\n]{0,200}(?:\n(?:[ \t]+[^\n]{0,200}|(?=\n)))*)",
    re.M,
)
_LITERAL = (
    r"(?P<said>-?\d{1,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?(?![\w.]*\d)|True|False|None|'[^'\n]{0,80}'|\"[^\"\n]"
    r"{0,80}\"|"
    r"[\[(][^\n#]{0,120}[\])])"
)
_CALL = r"[A-Za-z_]\w{0,40}\([^\n#]{0,160}\)"
_COMMENT = re.compile(
    rf"^[ \t]*(?P<code>{_CALL})[ \t]*#[ \t]*(?:=>|->|=|→|(?:expected )?(?:output|returns?|prints?|should (?:be|print"
    rf"|return)|result)\s?:?)?[ \t]*{_LITERAL}[ \t]*$",
    re.M | re.I,
)
_PROMPT = re.compile(rf"^[ \t]*>>>[ \t]*(?P<code>[^\n]{{1,200}})\n[ \t]*{_LITERAL}[ \t]*$", re.M)
_ASSERT = re.compile(
    rf"^[ \t]*assert[ \t]+(?P<code>[^\n#]{{1,200}}?)[ \t]*==[ \t]*{_LITERAL}[ \t]*(?:,[^\n]*|#[^\n]*)?$", re.M
)
_SAID = re.compile(
    rf"(?<![\w.])`?(?P<code>{_CALL[:-2]}\))`?\s(?:returns|gives|outputs|prints|evaluates to|will return|would return"
    rf"|should return|yields)\s`?{_LITERAL}`?"
    r"(?=[\s.,;:)]|$)"
)
_RAISED = (
    ArithmeticError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    RecursionError,
    UnsupportedError,
    MemoryError,
)


def check(script: Script) -> Iterator[Placed]:
    """Every claim about a function that was defined before it, in the problem or in the trace."""
    texts = (script.problem, *script.passages)
    if not any("def " in passage.text for passage in texts):
        return
    interpreter = Interpreter(Budget())
    for passage in texts:
        text = passage.text[:MAX_PASSAGE]
        _define(interpreter, text)
        if interpreter.functions and passage is not script.problem:
            yield from _claims(interpreter, passage, text)


def _define(interpreter: Interpreter, text: str) -> None:
    blocks = [*_BLOCK.finditer(text), *_FUNCTION.finditer(_BLOCK.sub(_blank, text))] if "def " in text else []
    for block in blocks:
        # what a decorator makes of a function is not known
        before = text[: block.start()].rstrip("\n").rpartition("\n")[2]
        for statement in _parsed(block["code"]) if not before.lstrip().startswith("@") else ():
            try:
                interpreter.define(statement)
            except _RAISED:
                continue


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _parsed(code: str) -> list[ast.stmt]:
    if len(code) > MAX_CODE or sum(map(code.count, "([{")) > MAX_BRACKETS:
        return []
    try:
        return ast.parse(code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []


def _claims(interpreter: Interpreter, passage: Passage, text: str) -> Iterator[Placed]:
    for pattern in (_COMMENT, _PROMPT, _ASSERT, _SAID):
        for match in pattern.finditer(text):
            # what is arithmetic alone is read by tools.py
            if (
                any(f"{name}(" in match["code"] for name in interpreter.functions)
                and read_python(match["code"]) is None
            ):
                yield from _judged(interpreter, passage, match, is_prose=pattern is _SAID)


def _judged(interpreter: Interpreter, passage: Passage, match: re.Match[str], *, is_prose: bool) -> Iterator[Placed]:
    expression = _expression(match["code"])
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name) and expression.func.id == "print":
        expression = expression.args[0] if len(expression.args) == 1 and not expression.keywords else None
    claimed = _expression(match["said"])
    if expression is None or claimed is None:
        return
    try:
        value, said = interpreter.value_of(expression), interpreter.value_of(claimed)
        holds = value == said or str(value) == match["said"]
        is_open = not holds and (_is_rounded(value, match["said"]) or type(value) is not type(said))
        shown = repr(value)[:80]
    except _RAISED:
        return
    if is_open or (not holds and is_prose and _is_doubted(passage.text, match)):
        return
    correction = "" if holds else f", not {match['said']}"
    sentence = f"{match['code'].strip()} is {shown}{correction}."
    yield place(
        passage=passage,
        start=match.start("code"),
        end=match.end("said"),
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule="a function's value",
        sentence=sentence,
        details={
            "left": shown,
            "right": match["said"],
            "rule": "a function's value",
            "evidence_latex": rf"\text{{{shown}}}",
        },
        grade=Grade.LIKELY,
    )


def _is_doubted(text: str, match: re.Match[str]) -> bool:
    sides = [Side(None, match.start(), match.end("code")), Side(None, match.start("said"), match.end())]
    return bool(context_doubt(text, Chain(sides, ["="], match.start(), match.end()), 0))


def _expression(code: str) -> ast.expr | None:
    statements = _parsed(code.strip())
    return statements[0].value if len(statements) == 1 and isinstance(statements[0], ast.Expr) else None


def _is_rounded(value: Any, said: str) -> bool:
    """3.14 for 3.14159...: printed with fewer digits than it has."""
    if not isinstance(value, float) or not re.fullmatch(r"-?\d+\.\d+", said):
        return False
    return abs(value - float(said)) <= 10.0 ** -len(said.partition(".")[2])
