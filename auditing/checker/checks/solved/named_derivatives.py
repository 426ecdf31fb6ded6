"""Checker: derivatives of what a text names: f'(x), f'(2), y', dy/dx and du = ... dx, behind the rule of f, y or u."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.algebra import calculus
from auditing.checker.checks.algebra.calculus import judged, placed
from auditing.checker.mathematics.calculus import derivative
from auditing.checker.mathematics.chains import Side
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.identity import agree_at_points
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, free_symbols, literals, plain, substitute
from auditing.checker.proofs.formulas import of_derivative
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

_DEFINED = re.compile(r"([a-zA-Z])\(([a-z])\)")
_PRIMED = re.compile(r"([a-zA-Z])('{1,2})(?:\(([a-z]|-?\d{1,4})\))?")
# y' is a derivative where a text speaks of them; elsewhere it may be another point, or an image
_DERIVED = Cue(r"deriv|differenti|integra|slope|tangent|concav|velocit|critical|\\int\b|∫|d/dx", re.IGNORECASE)
# where x' stands beside it, both are coordinates
_COORDINATE = re.compile(r"(?<![A-Za-z'])x'(?![('])")
# what is no function of the variable: A cos(t) + B sin(t), c_1 e^x
_CONSTANT = re.compile(r"[A-DK]|[A-Dc]_\{?\d\}?")
# the variable of a function, its rule, and the text that gives it
Rule = tuple[str, Tree, str]


def check(script: Script) -> Iterator[Placed]:
    """What calculus finds in signs, and f'(x) = B after f(x) = A."""
    yield from calculus.check(script)
    # f -> (x, its rule); None once a text gave f two rules, for then it is unknown which one a derivative belongs to
    rules: dict[str, Rule | None] = {}
    primes = bool(script.anywhere_near(_DERIVED)) and not _COORDINATE.search(script.text)
    for passage in script.everything:
        for chain in passage.page.chains:
            for relation, (side, value) in zip(chain.relations, itertools.pairwise(chain.sides), strict=True):
                if relation == "=" and side.tree is not None and value.tree is not None and not value.doubts:
                    yield from _named(passage, side, value, rules, is_given=passage is script.problem, primes=primes)


def _named(
    passage: Passage, side: Side, value: Side, rules: dict[str, Rule | None], *, is_given: bool, primes: bool
) -> Iterator[Placed]:
    """One link: a rule of a function, or what its derivative is said to be."""
    assert side.tree is not None
    assert value.tree is not None
    if isinstance(side.tree, Sym):
        _define(side.tree.name, value.tree, passage.text[side.start : value.end], rules)
    name, claimed = _as_primed(side.tree, value.tree, primes=primes)
    # what the problem says of a derivative is given, whatever else it says
    if name and is_given:
        rules[name[0]] = None
    elif name and claimed is not None:
        yield from _primed(passage, name, claimed, (side.start, value.end), rules)


def _define(name: str, rule: Tree, text: str, rules: dict[str, Rule | None]) -> None:
    """f(x) = 2x, or y = 2x with one letter on the right."""
    match = _DEFINED.fullmatch(name)
    # x(t) = A cos(t) + C_1
    names = {letter for letter in free_symbols(rule) if match is None or not _CONSTANT.fullmatch(letter)}
    if match is None and (len(name) > 1 or isinstance(rule, Sym) or len(names) != 1 or name in names):
        return
    letter, variable = (match[1], match[2]) if match else (name, min(names))
    if names != {variable} or len(variable) > 1:
        return
    rule_before = rules.get(letter, (variable, rule, text))
    agrees = rule_before is not None and rule_before[0] == variable and agree_at_points(left=rule_before[1], right=rule)
    rules[letter] = rule_before if agrees else None


def _as_primed(left: Tree, right: Tree, *, primes: bool) -> tuple[str, Tree | None]:
    """The name f'(x) for f'(x), y', dy/dx and dy = ... dx, with what it is said to be; no name for anything else."""
    if isinstance(left, Sym):
        return (left.name if "'" in left.name and ("(" in left.name or primes) else "", right)
    above, below = left.args if isinstance(left, Node) and left.op == "/" else (left, None)
    letter, variable = _differential(above), "" if below is None else _differential(below)
    if below is None:
        one: Tree = Num(Fraction(1))
        *factors, before, last = (one, one, *_factors(right))
        variable = last.name if before == Sym("d") and isinstance(last, Sym) else ""
        right = functools.reduce(_times, factors[1:] or factors)
    return (f"{letter}'({variable})", right) if letter and variable else ("", None)


def _differential(tree: Tree) -> str:
    """The letter behind a d: of dy, y."""
    is_product = isinstance(tree, Node) and tree.op == "*" and tree.args[0] == Sym("d")
    last = tree.args[1] if isinstance(tree, Node) and is_product else None
    return last.name if isinstance(last, Sym) and len(last.name) == 1 else ""


def _times(a: Tree, b: Tree) -> Tree:
    return Node("*", (a, b))


def _factors(tree: Tree) -> list[Tree]:
    if isinstance(tree, Node) and tree.op == "*":
        return [*_factors(tree.args[0]), *_factors(tree.args[1])]
    return [tree]


def _primed(
    passage: Passage, name: str, claimed: Tree, span: tuple[int, int], rules: dict[str, Rule | None]
) -> Iterator[Placed]:
    match = _PRIMED.fullmatch(name)
    rule = rules.get(match[1]) if match else None
    if not match or not rule or not free_symbols(claimed) <= free_symbols(rule[1]) | {rule[0]}:
        return
    is_at_a_point = match[3] is not None and not match[3].isalpha()
    if not is_at_a_point and match[3] not in (None, rule[0]):
        return
    tree = rule[1]
    try:
        # f'' is derived twice
        for _ in match[2]:
            tree = derivative(tree=tree, name=rule[0])
    except IncalculableError:
        return
    if is_at_a_point:
        yield from _at_a_point(passage, span, rule, tree, claimed, Fraction(match[3]), is_first=len(match[2]) == 1)
        return
    # what is derived twice is no formula that stands in the text
    proof = of_derivative(rule[1], claimed, tree, rule[0], (rule[2],)) if len(match[2]) == 1 else {}
    yield from judged(passage, span, tree, claimed, f"the derivative of {plain(rule[1])}", proof)


def _at_a_point(
    passage: Passage, span: tuple[int, int], rule: Rule, tree: Tree, claimed: Tree, at: Fraction, *, is_first: bool
) -> Iterator[Placed]:
    """f'(2) = 15: exact values alone, for a rounded one is another claim."""
    try:
        value, claim = evaluate(substitute(tree, {rule[0]: Num(at)})), evaluate(claimed)
    except IncalculableError:
        return
    if not (isinstance(value, Fraction) and isinstance(claim, Fraction)) or any(map(_is_rounded, literals(claimed))):
        return
    # what is derived twice is no formula that stands in the text
    proof = of_derivative(rule[1], claimed, tree, rule[0], (rule[2],), {rule[0]: at}) if is_first else {}
    subject = f"the derivative of {plain(rule[1])} at {rule[0]} = {at}"
    yield placed(passage, span, Num(value), claimed, subject, {} if value == claim else proof, agrees=value == claim)


def _is_rounded(number: Num) -> bool:
    return number.decimals > 0 or number.cut or number.percent
