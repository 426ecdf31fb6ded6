r"""Functions at expressions: with f(x) = 2x + 1 said before, "f(f(x)) = 4x + 2" and "f(x, 0) = x" are computed.

A function with one rule alone is put in for its name, as often as it is named; an equation that is to be solved for its
letter ("f(x + 1) = 10") accuses nobody.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from auditing.checker.checks.said.judging import Told, about_equations, are_tied, is_exact, is_open, may_be_solved, told
from auditing.checker.checks.said.marked import FORMULA, marked, side_of
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.compare import FAILS, HOLDS, compare
from auditing.checker.mathematics.identity import is_identity
from auditing.checker.mathematics.tree import Tree, free_symbols, plain, substitute
from auditing.checker.proofs.formulas import of_identity, of_values
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

RULE = "a function at an expression"
# names that are hardly ever factors before a bracket
_CALL = re.compile(r"([fghFGHPQ])\((.{1,80})\)", re.DOTALL)
_NEAR = Cue(r"[fghFGHPQ](?:\\left)?\(")
# at something else than letters alone or one number, which other checks compute
_AT_AN_EXPRESSION = re.compile(
    r"[fghFGHPQ](?:\\left)?\((?!\s?(?:[a-z](?:\s?,\s?[a-z]){0,2}|-?\d{1,6})\s?(?:\\right)?\))"
)
_AT_A_NUMBER = re.compile(r"[a-zA-Z]\(\s?-?\d{1,6}\s?\)=[^a-zA-Z]*")
_NAMES = re.compile(r"[a-z](?:\s?,\s?[a-z]){0,2}")
# several equations under one mark
_PARTS = re.compile(r"\\q?quad|\\\\|[;\n]|\\text\{[^{}]{0,20}\}|,\s?(?=[fghFGHPQ]\()|\\implies|\\Rightarrow|&")
_LARGE = re.compile(r"\\(?:left|right|big|Big|displaystyle|,|!)(?![A-Za-z])")
_EQUALS = re.compile(r"(?<![<>!=])=(?!=)")
# another rule for some arguments, another function of the same name, a function that is looked for
_OTHER_RULES = re.compile(
    r"\\begin\{(?:cases|array)|\\left\\\{|\bpiecewise\b|\binverse\b|\^\{?-1|\bfunctional equation|\bfor all\b|"
    r"\b(?:even|odd)\sfunction|\brecursi|\bshift|\breflect|\btranslat|\btransform|\bdefined\sby\s.{0,40}\bif\b|\bmatrix\b|"
    r"\bdifferentiable\b|['’]\(|\\prime",
    re.IGNORECASE,
)
# links of one text that are looked at: of each all equations before it are asked
MAX_DEPTH, MOST_CALLS, MOST_LINKS = 4, 40, 100
_Rule = tuple[tuple[str, ...], Tree, str]


@dataclass(frozen=True, slots=True)
class Rules:
    """Rule of each function: its letters, its expression and the line that says it; None where there are two."""

    rules: dict[str, _Rule | None] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)

    def learn(self, sides: list[str], text: str) -> bool:
        """Takes up f(x, y) = x + y; whether it is a rule."""
        call = _CALL.fullmatch(sides[0])
        if call is None or not _NAMES.fullmatch(call[2].strip()):
            return False
        names = tuple(name.strip() for name in call[2].split(","))
        tree = _tree(sides[1])
        # f(x) = g(x) and f(x) = 0 ask where that is so
        if _CALL.search(sides[1]) or (tree is not None and not free_symbols(tree)):
            return True
        if tree is None or not free_symbols(tree) <= set(names):
            self.rules[call[1]] = None
            return True
        known = self.rules.get(call[1], (names, tree, text))
        self.rules[call[1]] = known if known is not None and known[:2] == (names, tree) else None
        return True

    def closed(self, text: str, depth: int = 0) -> Tree | None:
        """The expression that a side is with the rules put in."""
        call = _CALL.fullmatch(text.strip())
        if call is None or not _is_one_bracket(call[2]):
            return _tree(text)
        rule = self.rules.get(call[1])
        arguments = _arguments(call[2])
        if rule is None or len(arguments) != len(rule[0]) or depth >= MAX_DEPTH or len(self.used) > MOST_CALLS:
            return None
        self.used.append(rule[2])
        values = [self.closed(argument, depth + 1) for argument in arguments]
        if None in values:
            return None
        return substitute(rule[1], {name: value for name, value in zip(rule[0], values, strict=True) if value})


def check(script: Script) -> Iterator[Placed]:
    """Every link between a function at an expression and what it is said to be."""
    near = script.near(_NEAR)
    if not any(_AT_AN_EXPRESSION.search(passage.text) for passage in near) or any(
        _OTHER_RULES.search(passage.text) for passage in script.everything
    ):
        return
    yield from itertools.chain.from_iterable(itertools.islice(_by_link(script), MOST_LINKS))


def _by_link(script: Script) -> Iterator[Iterator[Placed]]:
    """What is said of each link, in their order."""
    rules = Rules()
    for passage in script.everything:
        page = marked(passage.text) if _NEAR.may_match(passage.text) else None
        for mark in re.finditer(FORMULA, page.text) if page is not None else ():
            assert page is not None
            for equation in _PARTS.split(_LARGE.sub("", page.inner[mark.start()])):
                sides = [side.strip(" .,$") for side in _EQUALS.split(equation)]
                if len(sides) < 2 or not all(sides) or rules.learn(sides, equation.strip(" .,")):
                    continue
                if passage is not script.problem:
                    yield from _links(script, passage, mark, sides, rules)


def _links(
    script: Script, passage: Passage, mark: re.Match[str], sides: list[str], rules: Rules
) -> Iterator[Iterator[Placed]]:
    for left, right in itertools.pairwise(sides):
        # f(3) = 11 is told by the check of equations
        if not (_CALL.fullmatch(left) or _CALL.fullmatch(right)) or _AT_A_NUMBER.fullmatch(f"{left}={right}"):
            continue
        rules.used.clear()
        trees = rules.closed(left), rules.closed(right)
        if rules.used and trees[0] is not None and trees[1] is not None:
            yield _judged(script, passage, mark, (trees[0], trees[1]), tuple(dict.fromkeys(rules.used)))


def _judged(
    script: Script, passage: Passage, mark: re.Match[str], trees: tuple[Tree, Tree], texts: tuple[str, ...]
) -> Iterator[Placed]:
    left, right = trees
    names = free_symbols(left)
    if names:
        same = is_identity(left=left, right=right)
        # f(x + 1) = x + 5 may be an equation for x
        if may_be_solved(left, right, (), is_deed=False) or are_tied(script, passage, mark.start(), left, right):
            same = same or None
        proof = of_identity(left, right, is_same=bool(same), texts=texts)
    else:
        state = compare(left=left, right=right, relation="=").state
        same = {HOLDS: True, FAILS: False}.get(state) if not free_symbols(right) else None
        proof = of_values(left, right, texts)
    head = passage.text[max(0, mark.start() - 160) : mark.start()]
    is_doubtful = about_equations(head) or is_open(script, passage, *mark.span(), is_deed=True)
    if same is None or (not same and is_doubtful):
        return
    yield told(
        passage=passage,
        claim=Told(RULE, mark.start(), mark.end(), (left,), right),
        left=left,
        verdict=Verdict.VERIFIED if same else Verdict.REFUTED,
        proof=proof,
        result=plain(left),
    )


def _tree(text: str) -> Tree | None:
    side = side_of(text)
    return side.tree if side is not None and side.tree is not None and is_exact(side.tree) else None


def _is_one_bracket(inside: str) -> bool:
    """Whether the bracket that opens behind the name closes at the end: not in f(2) + g(3)."""
    depth = 0
    for sign in inside:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0


def _arguments(inside: str) -> list[str]:
    """The arguments of a call, parted at commas outside of brackets."""
    arguments, depth = [""], 0
    for sign in inside:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth:
            arguments.append("")
        else:
            arguments[-1] += sign
    return [argument.strip() for argument in arguments]
