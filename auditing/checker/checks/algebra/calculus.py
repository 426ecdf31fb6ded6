"""Checker: derivatives and antiderivatives that a step states."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.calculus import derivative
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.grammar import UnreadableError, parse_slice
from auditing.checker.mathematics.identity import agree_at_points
from auditing.checker.mathematics.tokens import Token, tokenize
from auditing.checker.mathematics.tree import Node, Tree, free_symbols, latex, plain
from auditing.checker.proofs.formulas import of_derivative
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "calculus"
WINDOW = 400
# signs of one text that are read, each with its window: more of them make no derivation
MOST_READ = 200
# letters that stand for functions of the variable, more often than for constants
DEPENDENT = frozenset(("y", "z", "u", "v", "w", "f", "g", "h", "s", "r", "mu", "theta", "phi", "x"))
_DERIVATIVE = Cue(r"\\d?frac\{d\}\{d([a-z])\}|(?<![\w/])d/d([a-z])\b|\\d?frac\{\\partial\}\{\\partial ?([A-Za-z])\}")
# d/dy c_s(y) = ...: a function by its name
_APPLIED = re.compile(r"[\s\\{(\[]{0,3}[A-Za-z](?:_\{?\w{1,4}\}?)?\([a-z]\)[\s)}\]]{0,3}=")
_INTEGRAL = Cue(r"\\int(?![\w_^\\])|∫(?![\w_^\[])")
_JOINED = re.compile(r"(?:[\d)}\]+*/·×−–-]|\\(?:cdot|times|left|,|;|!)|(?<![A-Za-z])[A-Za-z])[\s\\,;!]*$")
_FORMULA_ENDS = re.compile(r"\\[\])]|\$|\n\s*\n")
# sides of one integral that are looked at
MOST_SIDES = 8
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_END = frozenset(("nl", "math", "stop", "word", "text", "dollar"))


def check(script: Script) -> Iterator[Placed]:
    """d/dx A = B, and integral of A dx = B + C."""
    if script.near(_DERIVATIVE) or script.near(_INTEGRAL):
        for passage in script.passages:
            yield from _written(passage)


def _written(passage: Passage) -> Iterator[Placed]:
    text = passage.text
    for match in itertools.islice(_DERIVATIVE.finditer(text), MOST_READ):
        # - d/dx(x^2) = -2x, and 3 d/dx(x^2): what stands before it belongs to the left side
        if _JOINED.search(text[max(0, match.start() - 24) : match.start()]) or _APPLIED.match(text, match.end()):
            continue
        sides = _two_sides(text[match.end() : match.end() + WINDOW])
        name = match[1] or match[2] or match[3]
        if sides is not None:
            is_partial = match[3] is not None
            span = match.start(), match.end() + sides[2]
            yield from _differentiated(passage, span, name, sides[0], sides[1], is_partial=is_partial)
    for match in itertools.islice(_INTEGRAL.finditer(text), MOST_READ):
        # 1/3 of an integral, and a term less one, are derived with what stands before them
        if _JOINED.search(text[max(0, match.start() - 24) : match.start()]):
            continue
        yield from _integrated(passage, match.start(), match.end())


def _differentiated(
    passage: Passage, span: tuple[int, int], name: str, left: Tree, right: Tree, *, is_partial: bool
) -> Iterator[Placed]:
    # d/dx(xy) = x dy/dx + y: another letter may depend on the variable, and a letter d begins a differential
    dependent = frozenset() if is_partial else DEPENDENT - {name}
    if "d" in free_symbols(left) | free_symbols(right) or free_symbols(left) & dependent or _is_unknown(left, name):
        return
    # d/dr(K rho^2), where no r stands: who derives it means that something in it depends on r
    if free_symbols(left) and name not in free_symbols(left):
        return
    try:
        computed = derivative(tree=left, name=name)
    except IncalculableError:
        return
    proof = of_derivative(left, right, computed, name)
    yield from judged(passage, span, computed, right, f"the derivative of {plain(left)}", proof)


def _is_unknown(tree: Tree, name: str) -> bool:
    """Whether what is derived is a function of the variable of which no rule is read here: A(y), K * rho^2 by r.

    Whoever derives by a letter that does not stand there takes the others for functions of it.
    """
    names = free_symbols(tree)
    return any("(" in letters for letters in names) or (bool(names) and name not in names)


def _integrated(passage: Passage, start: int, at: int) -> Iterator[Placed]:
    window = passage.text[at : at + WINDOW]
    integral = re.match(r"(.{1,200}?)(?:\\,|\s)*(?:\\mathrm\{d\}|d)([a-z])\s*=", window, re.DOTALL)
    if not integral:
        return
    # An antiderivative is checked by deriving it: nothing has to be integrated, and the constant C vanishes by itself.
    left = _whole(integral[1])
    right, length = _antiderivative(window[integral.end() :], integral[2])
    # u^2/2 is the antiderivative of ln(x)/x for u = ln(x)
    is_in_another = (
        left is not None and right is not None and free_symbols(left) and integral[2] not in free_symbols(right)
    )
    if left is None or right is None or not free_symbols(left) <= {integral[2]} or is_in_another:
        return
    try:
        computed = derivative(tree=right, name=integral[2])
    except IncalculableError:
        return
    subject = f"the derivative of {plain(right)}"
    proof = of_derivative(right, left, computed, integral[2])
    yield from judged(passage, (start, at + integral.end() + length), computed, left, subject, proof)


def _antiderivative(text: str, name: str) -> tuple[Tree | None, int]:
    """The first side behind an integral that is none itself, and where it ends: A - integral of B = C has C."""
    tree, length = _prefix(text)
    if tree is not None and name in free_symbols(tree):
        return tree, length
    stop = _FORMULA_ENDS.search(text)
    at = 0
    for side in text[: stop.start() if stop else len(text)].split("=")[:MOST_SIDES]:
        written, at = side.rstrip(" .,;\n"), at + len(side) + 1
        if "\\int" in side or "∫" in side:
            continue
        tree = _whole(written)
        if tree is not None and name in free_symbols(tree):
            return tree, at - 1 - len(side) + len(written)
    return None, 0


def judged(
    passage: Passage, span: tuple[int, int], computed: Tree, claimed: Tree, subject: str, proof: dict[str, str]
) -> Iterator[Placed]:
    names = free_symbols(computed) | free_symbols(claimed)
    # "e" may be Euler's number, f(x) is unknown, and a claimed number for a computed expression is its value at a
    # point
    if "e" in names or any("(" in name for name in names) or (free_symbols(computed) and not free_symbols(claimed)):
        return
    agrees = agree_at_points(left=computed, right=claimed)
    if agrees is not None:
        yield placed(passage, span, computed, claimed, subject, {} if agrees else proof, agrees=agrees)


def placed(
    passage: Passage,
    span: tuple[int, int],
    computed: Tree,
    claimed: Tree,
    subject: str,
    proof: dict[str, str],
    *,
    agrees: bool,
) -> Placed:
    verdict_text = "as said" if agrees else f"not {plain(claimed)}"
    sentence = f"{subject[0].upper()}{subject[1:]} is {plain(computed)}, {verdict_text}."
    sign = "=" if agrees else r"\ne"
    details = {
        "computed": plain(computed),
        "said": plain(claimed),
        "rule": "derivative",
        "evidence_latex": f"{latex(computed)} {sign} {latex(claimed)}",
        **proof,
    }
    return place(
        passage=passage,
        start=span[0],
        end=span[1],
        verdict=Verdict.VERIFIED if agrees else Verdict.REFUTED,
        checker=NAME,
        rule="derivative",
        sentence=sentence,
        details=details,
    )


def _tokens(text: str) -> list[Token]:
    # read as mathematics (letters are symbols); two characters were put in front, which `_two_sides` takes off again
    return tokenize(r"\(" + text)[1:]


def _two_sides(text: str) -> tuple[Tree, Tree, int] | None:
    """expression = expression at the start of the text, and where it ends; the first in brackets or a function."""
    tokens = _tokens(text)
    if not tokens:
        return None
    try:
        left, at = parse_slice(tokens=tokens, start=0, end=len(tokens))
        if at >= len(tokens) or tokens[at].text != "=":
            return None
        # without a bracket around it nobody can say where a sum that is derived ends; d/dx(A) + 2A derives A alone
        if isinstance(left, Node) and left.op in ("+", "-", "neg") and not _is_in_brackets(tokens[:at]):
            return None
        right, end = parse_slice(tokens=tokens, start=at + 1, end=len(tokens))
    except UnreadableError:
        return None
    return (left, right, tokens[end - 1].end - 2) if _ends(tokens, end) else None


def _is_in_brackets(tokens: list[Token]) -> bool:
    """Whether the first bracket closes with the last token."""
    depth = 0
    for place_, token in enumerate(tokens):
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth == 0:
            return place_ > 0 and place_ == len(tokens) - 1
    return False


def _ends(tokens: list[Token], end: int) -> bool:
    return end >= len(tokens) or tokens[end].kind in _END or tokens[end].text in (".", ",", ";", "=", "}")


def _whole(text: str) -> Tree | None:
    tokens = _tokens(text)
    try:
        tree, end = parse_slice(tokens=tokens, start=0, end=len(tokens))
    except UnreadableError:
        return None
    return tree if end == len(tokens) else None


def _prefix(text: str) -> tuple[Tree | None, int]:
    tokens = _tokens(text)
    try:
        tree, end = parse_slice(tokens=tokens, start=0, end=len(tokens))
    except UnreadableError:
        return None, 0
    return (tree, tokens[end - 1].end - 2) if _ends(tokens, end) else (None, 0)
