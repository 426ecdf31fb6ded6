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
from auditing.checker.mathematics.tree import Node, Sym, Tree, free_symbols, latex, plain
from auditing.checker.proofs.formulas import of_derivative
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "calculus"
WINDOW = 400
# signs of one text that are read, each with its window: more of them make no derivation
MOST_READ = 200
# letters that stand for functions of the variable, more often than for constants
DEPENDENT = frozenset(("y", "z", "u", "v", "w", "f", "g", "h", "s", "r", "mu", "theta", "phi", "x"))
_DERIVATIVE = Cue(r"\\d?frac\{d\}\{d([a-z])\}|(?<![\w/])d/d([a-z])\b")
_INTEGRAL = Cue(r"\\int(?![\w_^\\])|∫(?![\w_^\[])")
_JOINED = re.compile(r"(?:[\d)}\]+*/·×−–-]|\\(?:cdot|times|left|,|;|!)|(?<![A-Za-z])[A-Za-z])[\s\\,;!]*$")
_DEFINED = re.compile(r"([a-zA-Z])\(([a-z])\)")
_PRIMED = re.compile(r"([a-zA-Z])('{1,2})\(([a-z])\)")
# the variable of a function, its rule, and the text that gives it
Rule = tuple[str, Tree, str]
_END = frozenset(("nl", "math", "stop", "word", "text", "dollar"))


def check(script: Script) -> Iterator[Placed]:
    """d/dx A = B, integral of A dx = B + C, and f'(x) = B after f(x) = A."""
    # f -> (x, its rule); None once a text gave f two rules, for then it is unknown which one a derivative belongs to
    rules: dict[str, Rule | None] = {}
    has_written = bool(script.near(_DERIVATIVE) or script.near(_INTEGRAL))
    for passage in (script.problem, *script.passages):
        if has_written and passage is not script.problem:
            yield from _written(passage)
        for chain in passage.page.chains:
            for side, value in itertools.pairwise(chain.sides):
                if isinstance(side.tree, Sym) and value.tree is not None and not value.doubts:
                    _define(side.tree.name, value.tree, passage.text[side.start : value.end], rules)
                    yield from _primed(passage, side.tree.name, value.tree, (side.start, value.end), rules)


def _define(name: str, rule: Tree, text: str, rules: dict[str, Rule | None]) -> None:
    match = _DEFINED.fullmatch(name)
    if match and free_symbols(rule) == {match[2]}:
        rule_before = rules.get(match[1], (match[2], rule, text))
        agrees = (
            rule_before is not None and rule_before[0] == match[2] and agree_at_points(left=rule_before[1], right=rule)
        )
        rules[match[1]] = rule_before if agrees else None


def _primed(
    passage: Passage, name: str, claimed: Tree, span: tuple[int, int], rules: dict[str, Rule | None]
) -> Iterator[Placed]:
    match = _PRIMED.fullmatch(name)
    rule = rules.get(match[1]) if match else None
    if not match or not rule or rule[0] != match[3] or not free_symbols(claimed) <= {match[3]}:
        return
    tree = rule[1]
    try:
        # f'' is derived twice
        for _ in match[2]:
            tree = derivative(tree=tree, name=match[3])
    except IncalculableError:
        return
    # what is derived twice is no formula that stands in the text
    proof = of_derivative(rule[1], claimed, tree, match[3], (rule[2],)) if len(match[2]) == 1 else {}
    yield from _judged(passage, span, tree, claimed, f"the derivative of {plain(rule[1])}", proof)


def _written(passage: Passage) -> Iterator[Placed]:
    text = passage.text
    for match in itertools.islice(_DERIVATIVE.finditer(text), MOST_READ):
        sides = _two_sides(text[match.end() : match.end() + WINDOW])
        name = match[1] or match[2]
        if sides is not None:
            yield from _differentiated(passage, match.start(), match.end() + sides[2], name, sides[0], sides[1])
    for match in itertools.islice(_INTEGRAL.finditer(text), MOST_READ):
        # 1/3 of an integral, and a term less one, are derived with what stands before them
        if _JOINED.search(text[max(0, match.start() - 24) : match.start()]):
            continue
        yield from _integrated(passage, match.start(), match.end())


def _differentiated(passage: Passage, start: int, end: int, name: str, left: Tree, right: Tree) -> Iterator[Placed]:
    # d/dx(xy) = x dy/dx + y: another letter may depend on the variable, and a letter d begins a differential
    if "d" in free_symbols(left) | free_symbols(right) or free_symbols(left) & DEPENDENT - {name}:
        return
    try:
        computed = derivative(tree=left, name=name)
    except IncalculableError:
        return
    proof = of_derivative(left, right, computed, name)
    yield from _judged(passage, (start, end), computed, right, f"the derivative of {plain(left)}", proof)


def _integrated(passage: Passage, start: int, at: int) -> Iterator[Placed]:
    window = passage.text[at : at + WINDOW]
    integral = re.match(r"(.{1,200}?)(?:\\,|\s)*(?:\\mathrm\{d\}|d)([a-z])\s*=", window, re.DOTALL)
    if not integral:
        return
    # An antiderivative is checked by deriving it: nothing has to be integrated, and the constant C vanishes by itself.
    left = _whole(integral[1])
    right, length = _prefix(window[integral.end() :])
    if left is None or right is None or not free_symbols(left) <= {integral[2]}:
        return
    try:
        computed = derivative(tree=right, name=integral[2])
    except IncalculableError:
        return
    subject = f"the derivative of {plain(right)}"
    proof = of_derivative(right, left, computed, integral[2])
    yield from _judged(passage, (start, at + integral.end() + length), computed, left, subject, proof)


def _judged(
    passage: Passage, span: tuple[int, int], computed: Tree, claimed: Tree, subject: str, proof: dict[str, str]
) -> Iterator[Placed]:
    names = free_symbols(computed) | free_symbols(claimed)
    # "e" may be Euler's number, f(x) is unknown, and a claimed number for a computed expression is its value at a
    # point
    if "e" in names or any("(" in name for name in names) or (free_symbols(computed) and not free_symbols(claimed)):
        return
    agrees = agree_at_points(left=computed, right=claimed)
    if agrees is None:
        return
    verdict_text = "as said" if agrees else f"not {plain(claimed)}"
    sentence = f"{subject[0].upper()}{subject[1:]} is {plain(computed)}, {verdict_text}."
    sign = "=" if agrees else r"\ne"
    details = {
        "computed": plain(computed),
        "said": plain(claimed),
        "rule": "derivative",
        "evidence_latex": f"{latex(computed)} {sign} {latex(claimed)}",
        **({} if agrees else proof),
    }
    yield place(
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
        # without a bracket nobody can say where a sum that is derived ends
        is_bounded = tokens[0].text in ("(", "[", "{") or tokens[0].kind == "func"
        if not is_bounded and isinstance(left, Node) and left.op in ("+", "-", "neg"):
            return None
        right, end = parse_slice(tokens=tokens, start=at + 1, end=len(tokens))
    except UnreadableError:
        return None
    return (left, right, tokens[end - 1].end - 2) if _ends(tokens, end) else None


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
