"""Checker: recorded calculator calls are recomputed, and pure Python expressions beside their stated results."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.compare import FAILS, HOLDS, compare, shown
from auditing.checker.mathematics.grammar import UnreadableError, parse_slice
from auditing.checker.mathematics.tokens import tokenize
from auditing.checker.mathematics.tree import Node, Num, Tree, bare_number, free_symbols, latex, plain
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.values import Source, ToolCall

NAME = "tools"
# characters of an expression; longer ones are programs
MAX_CODE = 2_000
# tools whose output is the value of their argument; what a search returns cannot be recomputed
_CALCULATORS = re.compile(r"calc|eval|arith|wolfram|math|python|compute|interpreter", re.IGNORECASE)
# an interactive session, ">>> 2 + 3" with its result on the next line; and "2 + 3  # 5"
_PROMPT = re.compile(r"^[ \t]*>>>[ \t]*(?P<code>[^\n]{1,400})\n[ \t]*(?P<said>[-+\d.eE/]{1,60})[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(
    r"^[ \t]*(?:print\()?(?P<code>[-+\d.(][-+*/%().\d \t]{2,300}?)\)?[ \t]*#[ \t]*(?:=>|->|=|output:?)?"
    r"[ \t]*(?P<said>-?\d[\d.]{0,40})[ \t]*$",
    re.MULTILINE,
)
# the calls of a calculator as sets of word problems write them: 40-16 = <<40-16=24>>24
_MARKED = re.compile(r"<<(?P<code>[-+*/%().,\d \t$]{1,120})=(?P<said>-?[\d.,]{1,30})>>")
_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^", ast.Mod: "mod"}
_CALLS = {
    "abs": "abs",
    "sqrt": "sqrt",
    "factorial": "!",
    "floor": "floor",
    "ceil": "ceil",
    "gcd": "gcd",
    "lcm": "lcm",
    "max": "max",
    "min": "min",
    "comb": "binom",
    "perm": "perm",
}


def check(script: Script) -> Iterator[Placed]:
    """Tool calls of the trace, then code in its passages."""
    for index, call in enumerate(script.trace.tool_calls):
        yield from _check_call(call, index)
    for passage in script.passages:
        if ">>>" in passage.text or "#" in passage.text:
            yield from _check_code(passage)
        for match in _MARKED.finditer(passage.text) if "<<" in passage.text else ():
            tree, claimed = _read_call(match["code"]), _number(match["said"])
            if tree is not None and claimed is not None:
                yield from _judged(passage, match.start(), match.end(), tree, claimed, Grade.LIKELY)


def _check_call(call: ToolCall, index: int) -> Iterator[Placed]:
    if not _CALCULATORS.search(call.name):
        return
    claimed = _number(call.output)
    tree = _read_call(call.arguments)
    if claimed is None or tree is None:
        return
    passage = Passage(Source.TOOL_CALL, 0, call.text, None, index)
    yield from _judged(passage, 0, len(call.text), tree, claimed)


def _read_call(arguments: str) -> Tree | None:
    """{"expression": "2*3"} or the bare expression."""
    keyword_argument = re.fullmatch(r"\s*\{\s*\"\w+\"\s*:\s*\"([^\"\\]{1,1000})\"\s*\}\s*", arguments)
    text = (keyword_argument[1] if keyword_argument else arguments)[:MAX_CODE]
    tree = read_python(text)
    if tree is not None:
        return tree
    tokens = tokenize(text)
    try:
        tree, after = parse_slice(tokens=tokens, start=0, end=len(tokens))
    except UnreadableError:
        return None
    return tree if after == len(tokens) and not free_symbols(tree) else None


def _check_code(passage: Passage) -> Iterator[Placed]:
    for pattern in (_PROMPT, _COMMENT):
        for match in pattern.finditer(passage.text):
            tree, claimed = read_python(match["code"]), _number(match["said"])
            if tree is not None and claimed is not None:
                yield from _judged(passage, match.start("code"), match.end("said"), tree, claimed)


def _number(text: str) -> Num | None:
    tokens = tokenize(text.strip()[:80])
    try:
        tree, after = parse_slice(tokens=tokens, start=0, end=len(tokens))
    except UnreadableError:
        return None
    return bare_number(tree) if after == len(tokens) else None


def read_python(code: str) -> Tree | None:
    """A pure arithmetic Python expression as a tree, or None; it is never run.

    >>> plain(read_python("2 * (3 + 4)"))
    '2 * (3 + 4)'
    """
    if len(code) > MAX_CODE or code.count("(") > 60:
        return None
    try:
        body = ast.parse(code.strip(), mode="eval").body
        # parsed by Python's own parser and walked by a whitelist: the code is never run
        return _from_python(body, 0)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _from_python(node: ast.expr, depth: int) -> Tree:
    if depth > 40:
        raise ValueError("nested too deeply")
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        text = repr(node.value)
        # repr gives the shortest text of a float, which is what was typed
        return Num(Fraction(text), len(text.partition(".")[2]) if "e" not in text else 0)
    if isinstance(node, ast.BinOp):
        return _binary(node, depth)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return Node("neg", (_from_python(node.operand, depth + 1),))
    if isinstance(node, ast.Call) and not node.keywords:
        name = (
            node.func.id
            if isinstance(node.func, ast.Name)
            else node.func.attr
            if isinstance(node.func, ast.Attribute)
            else ""
        )
        if name == "print" and len(node.args) == 1:
            return _from_python(node.args[0], depth + 1)
        if name in _CALLS:
            return Node(_CALLS[name], tuple(_from_python(arg, depth + 1) for arg in node.args))
    raise ValueError("not a pure expression")


def _binary(node: ast.BinOp, depth: int) -> Tree:
    left, right = _from_python(node.left, depth + 1), _from_python(node.right, depth + 1)
    # a // b
    if isinstance(node.op, ast.FloorDiv):
        return Node("floor", (Node("/", (left, right)),))
    op = _BINARY.get(type(node.op))
    if op is None:
        raise ValueError("not a pure expression")
    return Node(op, (left, right))


def _judged(
    passage: Passage, start: int, end: int, tree: Tree, claimed: Num, grade: Grade = Grade.CERTAIN
) -> Iterator[Placed]:
    judgement = compare(left=tree, right=claimed, relation="=")
    if judgement.state not in (HOLDS, FAILS):
        return
    text = f"{plain(tree)} = {plain(claimed)}"
    holds = judgement.state == HOLDS
    sentence = f"{text} holds." if holds else f"{plain(tree)} is {shown(judgement.left)}, not {shown(judgement.right)}."
    details = {
        "normal_form": text,
        "left": shown(judgement.left),
        "right": shown(judgement.right),
        "rule": "recomputed",
        "evidence_latex": f"{latex(tree)} = {latex(claimed)}",
        **of_values(tree, claimed),
    }
    yield place(
        passage=passage,
        start=start,
        end=end,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule="recomputed",
        sentence=sentence,
        details=details,
        grade=Grade.CERTAIN if holds else grade,
    )
