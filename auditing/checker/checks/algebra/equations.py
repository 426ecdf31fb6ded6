"""Equations as the checks of algebra read them, and the system of those that stand so far."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from auditing.checker.checks.algebra.comparable import holds_a_differential
from auditing.checker.checks.algebra.solving import are_converted, may_be_rounded, solves_in_other_units, units_of
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import FAILS, compare
from auditing.checker.mathematics.division import have_common_root, only_name
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.knowledge import Knowledge
from auditing.checker.mathematics.polynomial import Polynomial, constant, difference, is_constant, names_in
from auditing.checker.mathematics.tree import (
    Node,
    Num,
    Sym,
    Tree,
    bare_number,
    factors_of,
    free_symbols,
    literals,
    operations_in,
    plain,
    substitute,
    walk,
)
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage, Script
from auditing.checker.reading.suppressions import SENTENCE_END
from hdag.core.values import Source

# f(3): a function at a number; the parser makes a symbol of that name of it
_APPLIED = re.compile(r"([a-zA-Z])\((-?\d{1,6})\)")
_DEFINED = re.compile(r"([a-zA-Z])\(([a-z])\)")
_IN_A_LABEL = re.compile(r"\b(?:in|after|for|at|within|during|on|first|last|next|every|each)\s$", re.I)
_WHERE = any_of("where")
_TRIED = any_of("if suppose assum* try trying guess* whether would")
_REPEATS_BEHIND = re.compile(r"\s?\.\s?\\overline\s?\{\d")  # 10x = 7. \overline{7}
_UNIT_LETTERS = frozenset("mgshLVWJNKTACF")
_FUNCTIONS = frozenset(Sym(name) for name in "fgh")


@dataclass(slots=True)
class Equation:
    """One asserted equation with its place."""

    index: int
    passage: Passage
    left: Side
    right: Side
    polynomial: Polynomial
    text: str
    symbols: frozenset[str]
    # both sides with known functions put in, and the lines that say their rules
    applied: tuple[Tree, Tree]
    rules: tuple[str, ...] = ()

    @property
    def sides(self) -> tuple[Tree, Tree]:
        """Both sides as they are written."""
        assert self.left.tree is not None
        assert self.right.tree is not None
        return self.left.tree, self.right.tree


@dataclass(slots=True)
class EquationSystem:
    """All equations so far, by index, and what follows from them; script: where they stand."""

    script: Script
    equations: list[Equation] = field(default_factory=list)
    knowledge: Knowledge = field(default_factory=Knowledge)
    given: frozenset[Fraction] = frozenset()  # the numbers of the problem
    is_broken: bool = False  # an equation has contradicted it already
    letters: frozenset[str] = frozenset()  # functions and units, for which nothing is solved
    loose: set[str] = field(default_factory=set)  # symbols that stand for several values
    supposed: set[str] = field(default_factory=set)  # ... for they are supposed in one case
    # f -> its variable, its rule, and the line that says it
    functions: dict[str, tuple[str, Tree, str] | None] = field(default_factory=dict)
    given_equations: list[Equation] = field(default_factory=list)
    read: list[Passage] = field(default_factory=list)  # what was read until now
    told: set[str] = field(default_factory=set)  # equations of the problem, as they are written

    def excluding(self, equation: Equation) -> Equation | None:
        """The equation of the problem, in the same one symbol, that has no solution in common with this one."""
        name = only_name(equation.polynomial)
        if not name or name in self.letters or equation.symbols != {name}:
            return None
        if assigned_symbol(equation.left, equation.right):
            return None
        if any(
            number.decimals for side in (equation.left, equation.right) for number in literals(side.tree or Sym(""))
        ):
            return None
        alike = [given for given in self.given_equations if names_in(given.polynomial) == {name}]
        # two equations in one symbol may be two curves, or two cases
        only = alike[0] if len(alike) == 1 else None
        return only if only is not None and not have_common_root(only.polynomial, equation.polynomial) else None

    def loosen(self, names: set[str] | frozenset[str]) -> None:
        """These symbols stand for several values: what was learnt through them no longer counts."""
        if names <= self.loose:
            return
        self.loose |= names
        # Rows are combinations of equations, so what one equation contributed cannot be taken out of them: everything
        # that is left is learnt anew.
        self.knowledge = Knowledge()
        for equation in self.equations:
            if not equation.symbols & self.loose and not is_constant(equation.polynomial):
                self.knowledge.learn(equation.polynomial, equation.index)

    def applied(self, tree: Tree) -> Tree:
        """The tree with f(3) replaced by the rule of f at 3."""
        values: dict[str, Tree] = {}
        for symbol in walk(tree) if self.functions else ():  # few texts define one
            match = _APPLIED.fullmatch(symbol.name) if isinstance(symbol, Sym) else None
            rule = self.functions.get(match[1]) if match else None
            if match and rule:
                values[match[0]] = substitute(rule[1], {rule[0]: Num(Fraction(match[2]))})
        return substitute(tree, values) if values else tree

    def rules_of(self, *trees: Tree) -> tuple[str, ...]:
        """The lines that say the rules of the functions in these trees."""
        names = {symbol.name for tree in trees for symbol in walk(tree) if isinstance(symbol, Sym)}
        rules = (self.functions.get(match[1]) for match in map(_APPLIED.fullmatch, sorted(names)) if match)
        return tuple(dict.fromkeys(rule[2] for rule in rules if rule))

    def define(self, left: Tree, right: Tree, text: str = "") -> None:
        """f(x) = a rule in x alone defines f; a second rule takes the definition away."""
        match = _DEFINED.fullmatch(left.name) if isinstance(left, Sym) else None
        # f(i) = i^2 is the value at the imaginary unit; "find n such that f(n) = n" asks for fixed points
        is_rule = right != Sym(match[2]) and match[2] not in ("i", "e") if match else False
        if match and is_rule and free_symbols(right) == {match[2]}:
            rule = (match[2], right, text)
            defined = self.functions.get(match[1], rule)
            self.functions[match[1]] = rule if defined and defined[:2] == rule[:2] else None

    def forget(self, tree: Tree | None) -> None:
        """f(x) = x + 1 holds for odd x alone: a rule for some arguments is no rule for 4."""
        match = _DEFINED.fullmatch(tree.name) if isinstance(tree, Sym) else None
        if match:
            self.functions[match[1]] = None


def read_equation(passage: Passage, left: Side, right: Side, system: EquationSystem) -> Equation | None:
    """The equation as a polynomial, known functions applied; None for one that says nothing or grows too large."""
    assert left.tree is not None
    assert right.tree is not None
    left_tree, right_tree = below_roots(system.applied(left.tree), system.applied(right.tree))
    try:
        polynomial = difference(left_tree, right_tree)
    except IncalculableError:
        return None
    if (
        not free_symbols(left_tree) | free_symbols(right_tree)
        and compare(left=left_tree, right=right_tree, relation="=").state == FAILS
    ):
        # f(8) = 20 where the rule of f makes 17 of 8: as an equation between two numbers, 1 = 0
        polynomial = constant(Fraction(1))
    text = f"{plain(left.tree)} = {plain(right.tree)}"
    symbols = free_symbols(left.tree) | free_symbols(right.tree)
    if not polynomial:
        return None
    rules = system.rules_of(left.tree, right.tree) if system.functions else ()
    applied = left_tree, right_tree
    return Equation(len(system.equations), passage, left, right, polynomial, text, symbols, applied, rules)


def below_roots(left: Tree, right: Tree) -> tuple[Tree, Tree]:
    """sqrt(x^2 + 4) = sqrt(x^2 + 9): two square roots are equal only where what stands below them is."""
    if isinstance(left, Node) and isinstance(right, Node) and left.op == right.op == "sqrt":
        return left.args[0], right.args[0]
    return left, right


def assigned_symbol(left: Side, right: Side) -> str | None:
    """x when the equation is x = a value without symbols."""
    for subject, value in ((left, right), (right, left)):
        if isinstance(subject.tree, Sym) and value.tree is not None and not free_symbols(value.tree):
            return subject.tree.name
    return None


def is_applied(name: str) -> bool:
    """Whether a symbol is a function at a number: f(3)."""
    return bool(_APPLIED.fullmatch(name))


def _is_part_of_a_label(text: str, side: Side) -> bool:
    """The distance in 27 seconds = 27x: the number belongs to the name of what the equation is about."""
    number = bare_number(side.tree) if side.tree is not None else None
    is_counted = number is not None and bool(number.unit)
    return is_counted and bool(_IN_A_LABEL.search(text[max(0, side.start - 12) : side.start]))


def is_equation(left: Side, right: Side, *, text: str = "") -> bool:
    """Both sides read without doubt, at least one symbol, no rounded decimals; none that is a number of a label."""
    if left.tree is None or right.tree is None or not (free_symbols(left.tree) or free_symbols(right.tree)):
        return False
    if left.doubts or right.doubts or left.others or right.others or left.log_open or right.log_open:
        return False
    if _is_part_of_a_label(text, left) or _REPEATS_BEHIND.match(text, right.end):
        return False
    are_units = _are_two_units(left.tree, right.tree) or _are_two_units(right.tree, left.tree)
    if are_units or _is_run_together(left.tree, right.tree):
        return False
    # 2x + 2 + C = 2x + C: the constant of integration is another one
    trees = left.tree, right.tree
    has_constants = all(isinstance(tree, Node) and tree.op in ("+", "-") and Sym("C") in tree.args for tree in trees)
    return not has_constants and all(map(_is_plain, trees))


def is_one_equation(chain: Chain) -> bool:
    """Whether a chain is one equation between two sides (is_equation); to be asked once."""
    return chain.relations == ["="] and is_equation(*chain.sides)


def _are_two_units(one: Tree, other: Tree) -> bool:
    """5 * 10^-7 m = 500 nm: the m behind a number is the unit, where the other side has one, too."""
    number = bare_number(other)
    if number is None or not number.unit:
        return False
    factors = factors_of(one)
    letters = [factor.name for factor in factors if isinstance(factor, Sym)]  # 2 pc = 6.5 ly: two behind a number
    if len(letters) == 2:
        return len(factors) == 3 and isinstance(factors[0], Num)
    return len(letters) == 1 and letters[0] in _UNIT_LETTERS and len(factors) > 1


def _is_run_together(left: Tree, right: Tree) -> bool:
    """f(10) f(10) = ..., f(3) = 6/2 f(3) = 3: lines without their breaks; the second mention begins a new equation."""
    if isinstance(left, Node) and left.op == "*" and left.args[0] == left.args[1] and isinstance(left.args[0], Sym):
        return is_applied(left.args[0].name)
    is_name = isinstance(left, Sym) or (isinstance(left, Node) and left.op == "^" and isinstance(left.args[0], Sym))
    last = right
    while is_name and isinstance(last, Node) and len(last.args) == 2 and last.op != "^" and last != left:
        last = last.args[1]
    if is_name and last is not right and last == left:
        return True
    tail = left.args[1] if isinstance(left, Node) and left.op == "*" else None  # the piece between: 6/2 f(3) = 3
    return isinstance(tail, Sym) and is_applied(tail.name) and not free_symbols(right)


def _is_plain(tree: Tree) -> bool:
    # a rounded decimal would contradict the exact value that it came from
    if any(number.cut or number.percent or may_be_rounded(number) for number in literals(tree)):
        return False
    operations = operations_in(tree)
    if "d" in free_symbols(tree) and holds_a_differential(tree):
        return False
    if "repeat" in operations or any(operation.startswith("dots") for operation in operations):
        return False
    return "^" not in operations or not any(
        isinstance(subtree, Node) and _is_inverse(subtree) for subtree in walk(tree)
    )


def _is_inverse(node: Node) -> bool:
    """f^{-1}(6): the inverse function at 6, no power of f."""
    return node.op == "^" and node.args[0] in _FUNCTIONS and plain(node.args[1]) in ("-1", "(-1)")


def is_in_other_units(equation: Equation, earlier: Equation) -> bool:
    """3x = 1 hour before and 3x = 60 minutes here; x/9 = 50 minutes before, and 5/6 from here on."""
    here, before = (units_of(line.passage.text, (line.left, line.right)) for line in (equation, earlier))
    if here and before:
        return not here & before
    is_one = equation.left.tree == earlier.left.tree and bool(here | before)
    if is_one and are_converted(equation.right.tree, earlier.right.tree):
        return True
    return solves_in_other_units((equation.left, equation.right), (earlier.left, earlier.right), units=here)


def assigns_anew(equation: Equation) -> bool:
    """x = x + 1 in a program, n = n + 1 in a count: the next value of the same name."""
    name = equation.left.tree
    return isinstance(name, Sym) and name.name in free_symbols(equation.right.tree or Sym(""))


def goes_on_from(earlier: Equation, equation: Equation) -> bool:
    """n = n/2 = 4: the second link goes on from what the first one assigns."""
    return earlier.passage is equation.passage and earlier.right.start == equation.left.start


def suppose(*, passage: Passage, chain: Chain, left: Side, right: Side, system: EquationSystem) -> None:
    """Takes up what holds in one case: "let f(x) = 2x + 1" still defines f; "if x = 3" gives x several values."""
    # in a solution "if f(n) = n - 1, then ..." tries a rule; in a problem it gives one
    before = passage.text[max(0, chain.start - 240) : chain.start]
    is_tried = passage.source is not Source.PROBLEM and _TRIED.search(SENTENCE_END.split(before)[-1])
    if left.tree is not None and right.tree is not None and not is_tried:
        system.define(left.tree, right.tree, passage.text[left.start : right.end])
    name = assigned_symbol(left, right)
    if name and not _WHERE.search(before):
        system.supposed.add(name)
        system.loosen({name})
