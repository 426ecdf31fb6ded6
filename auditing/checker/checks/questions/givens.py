"""What a problem gives in formulas: rules of functions, values of letters, equations in one unknown."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from auditing.checker.checks.algebra.cases import defines_a_branch
from auditing.checker.mathematics.chains import Side, read_page
from auditing.checker.mathematics.tree import Node, Sym, Tree, free_symbols, operations_in, walk
from auditing.checker.reading.passages import Passage

_Given = TypeVar("_Given")
# of calls within calls, of calls in all, and of signs in what comes of them: a rule may name itself, fifty times over
MAX_DEPTH, MAX_CALLS, MAX_NODES = 6, 60, 400
_NOTHING: Mapping[str, Tree] = MappingProxyType({})
_RULE = re.compile(r"([a-zA-Z])\(([a-z])\)")
_LAYOUT = re.compile(r"^[\s:]*(?:\\displaystyle(?![A-Za-z])|\\textstyle(?![A-Za-z]))?\s*")
_DOTS = re.compile(r"\\[cdlv]?dots|\.\.|…|\\ddots")
_FOR_A_LETTER = re.compile(r"(?:\s|\\[\])]|\$){0,6}for\s+\$?[a-zA-Z]\$?\s*(?:[.?:,]|$)")
_CALL = re.compile(r"([a-zA-Z])\((.{1,60})\)")


@dataclass(frozen=True, slots=True)
class Givens:
    """Rules by the letter of their function, values by their letter, equations; each with the text that says it."""

    rules: dict[str, tuple[str, Tree, str] | None] = field(default_factory=dict)
    values: dict[str, tuple[Tree, str] | None] = field(default_factory=dict)
    equations: list[tuple[Tree, Tree, str]] = field(default_factory=list)
    used: list[str] = field(default_factory=list)

    def closed(self, tree: Tree, bound: Mapping[str, Tree] = _NOTHING, depth: int = 0) -> Tree | None:
        """The tree with every rule and value put in; None where a letter is left that nobody gives."""
        if isinstance(tree, Node):
            return self._applied(tree, bound, depth) or self._of_operands(tree, bound, depth)
        return self._letter(tree, bound, depth) if isinstance(tree, Sym) and free_symbols(tree) else tree

    def _of_operands(self, tree: Node, bound: Mapping[str, Tree], depth: int) -> Tree | None:
        operands = []
        for operand in tree.args:
            inner = self.closed(operand, bound, depth)
            if inner is None:
                return None
            operands.append(inner)
        return Node(tree.op, tuple(operands))

    def _letter(self, letter: Sym, bound: Mapping[str, Tree], depth: int) -> Tree | None:
        if letter.name in bound:
            return bound[letter.name]
        call, value = _CALL.fullmatch(letter.name), self.values.get(letter.name)
        if call is not None:
            rule, inner = self.rules.get(call[1]), formula_of(call[2])
            return None if rule is None or inner is None else self._at(rule, inner, bound, depth)
        if value is not None:
            self.used.append(value[1])
            return value[0]
        return None

    def _applied(self, tree: Node, bound: Mapping[str, Tree], depth: int) -> Tree | None:
        """t(f(2)), which is read as a product, for t might be a number."""
        if tree.op != "*" or len(tree.args) != 2 or not isinstance(tree.args[0], Sym):
            return None
        rule = self.rules.get(tree.args[0].name)
        return None if rule is None else self._at(rule, tree.args[1], bound, depth)

    def _at(self, rule: tuple[str, Tree, str], argument: Tree, bound: Mapping[str, Tree], depth: int) -> Tree | None:
        self.used.append(rule[2])
        if depth > MAX_DEPTH or len(self.used) > MAX_CALLS:
            return None
        at = self.closed(argument, bound, depth + 1)
        if at is None or any(itertools.islice(walk(at), MAX_NODES, None)):
            return None
        return self.closed(rule[1], {rule[0]: at}, depth + 1)


def plainly(side: Side) -> Tree | None:
    """The tree of a side that is read in one way alone, and wholly."""
    tree = side.tree
    if tree is None or side.doubts or side.others or side.label or side.log_open:
        return None
    # nobody says where the dots lead
    return None if any(operation.startswith("dots") for operation in operations_in(tree)) else tree


def formula_of(text: str) -> Tree | None:
    """The tree of a formula that is asked for, as it is read on the left of an equation."""
    text = _LAYOUT.sub("", text)
    chains = [] if _DOTS.search(text) else read_page(f"${text} = 0$").chains
    if len(chains) != 1 or chains[0].relations != ["="]:
        return None
    # in front of what is read may stand what makes a bracket large
    is_whole = chains[0].start <= 1 or text[: chains[0].start - 1].strip() == r"\left"
    return plainly(chains[0].sides[0]) if is_whole else None


def givens_of(problem: Passage) -> Givens:
    """The equations of a problem, sorted by what they say."""
    givens = Givens()
    for chain in problem.page.chains:
        if chain.relations != ["="]:
            continue
        left, right = map(plainly, chain.sides)
        text = problem.text[chain.start : chain.end]
        if left is None or right is None or _DOTS.search(text):
            continue
        # "Solve ... for x" names what is asked, and no arguments of a rule
        if defines_a_branch(problem, chain) and not _FOR_A_LETTER.match(problem.text, chain.end):
            continue
        # t(x) is read as a product, for t might be a number
        rule = _RULE.fullmatch(problem.text[chain.sides[0].start : chain.sides[0].end].strip())
        if rule is not None and not free_symbols(right):
            continue  # f(x) = 5 may be told of one x
        if rule is not None:
            _enter(givens.rules, rule[1], (rule[2], right, text))
        elif isinstance(left, Sym) and not free_symbols(right):
            _enter(givens.values, left.name, (right, text))
        else:
            givens.equations.append((left, right, text))
    return givens


def _enter(entries: dict[str, _Given | None], name: str, new: _Given) -> None:
    # with two rules nobody knows which one is meant
    entries[name] = None if name in entries and entries[name] != new else new
