"""Open contradictions: why two equations that contradict each other may both be right, or the earlier one wrong.

What is named here lowers the refutation of derivation.py to a likely one: another case, another curve, another unit, a
number that was rounded, a number that nothing gives, a thread that the text has left.
"""

from __future__ import annotations

import re
from fractions import Fraction

from auditing.checker.checks.algebra.cases import are_two_curves, are_two_fillings, are_two_labelled
from auditing.checker.checks.algebra.equations import Equation, assigned_symbol, is_applied, is_in_other_units
from auditing.checker.checks.algebra.solving import is_said_to_solve
from auditing.checker.checks.solved.sizes import is_converted
from auditing.checker.checks.solved.turns import turns_between
from auditing.checker.mathematics.tree import Node, Num, factors_of, free_symbols, literals
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Script
from hdag.core.values import Source

# the line y = 2x + 1, shifted up by 2, is y = 2x + 3
_MOVED = any_of("shift* translat* reflect* rotat* dilat* stretch* mirrored symmetr*")
_NAME = re.compile(r"[A-Za-z](?:\s?[A-Za-z]){1,4}")


def may_both_hold(equation: Equation, contradicted: list[Equation], numbers: frozenset[Fraction]) -> bool:
    """Whether two lines may be of two cases, or the earlier one wrong; numbers: those of the problem."""
    return (
        bool(_MOVED.search(equation.passage.text[max(0, equation.left.start - 80) : equation.left.start]))
        or _may_be_blamed(equation, contradicted, numbers)
        or _is_of_another_case(equation, contradicted)
        or any(_is_another_value(equation, earlier) or is_in_other_units(equation, earlier) for earlier in contradicted)
        or is_converted([equation, *contradicted])
    )


def is_rounded_on_the_way(equation: Equation, contradicted: list[Equation], rounded: frozenset[Fraction]) -> bool:
    """Whether one of the lines computes with a decimal that the trace has rounded: E = -13.6/36, or -0.38."""
    numbers = set().union(*map(_numbers_of, (equation, *contradicted)))
    return any(number.denominator > 1 for number in numbers & rounded)


def product_split_by(equation: Equation, contradicted: list[Equation], learnt: list[Equation]) -> frozenset[str]:
    """The symbols of a factor that is zero in its own case: (x + 2)(x - 1) = 0, x + 2 = 0, and then x - 1 = 0."""
    if not contradicted or equation.right.tree != Num(Fraction(0)):
        return frozenset()
    products = (line.left.tree for line in learnt if line.right.tree == Num(Fraction(0)))
    is_factor = any(isinstance(tree, Node) and equation.left.tree in factors_of(tree)[1:] for tree in products)
    return equation.symbols if is_factor else frozenset()


def is_of_another_thread(equation: Equation, contradicted: list[Equation], script: Script) -> bool:
    """Whether the text turns to something else between a line that is contradicted and this one.

    An expression that is rewritten in two ways is the same in every thread: x^3 = x(x + 1) + 1 and x^3 = x(x + 1) - 1.
    So is what the problem gives, of which a value can be tried alone.
    """
    if len(contradicted) == 1 and _are_rewritten(equation, contradicted[0]):
        return False
    at = equation.passage, equation.left.start
    lines = [line for line in contradicted if line.passage.source is not Source.PROBLEM]
    if not lines:
        name = assigned_symbol(equation.left, equation.right)
        return name is not None and not is_applied(name) and turns_between(script, None, 0, *at)
    return any(turns_between(script, line.passage, line.right.end, *at) for line in lines)


def _are_rewritten(equation: Equation, earlier: Equation) -> bool:
    name = equation.left.tree
    if not isinstance(name, Node) or name != earlier.left.tree:
        return False
    return all(len(names) > 0 and names <= free_symbols(name) for names in map(_symbols_behind, (equation, earlier)))


def _symbols_behind(equation: Equation) -> frozenset[str]:
    return frozenset(free_symbols(equation.right.tree)) if equation.right.tree is not None else frozenset()


def tried_for_several(equation: Equation, contradicted: list[Equation], script: Script) -> frozenset[str]:
    """The symbols of an expression that is tried for one value after the other, as |a| in the first and third case."""
    is_tried = len(contradicted) == 1 and _is_told_of_another(equation, contradicted[0], script)
    return equation.symbols if is_tried else frozenset()


def _is_told_of_another(equation: Equation, earlier: Equation, script: Script) -> bool:
    """3n + 3 = 101, so 3n = 98; and then 3n + 3 = 111: an expression, tried for one value after the other."""
    here, there = equation.passage, earlier.passage
    if here is there or here.source is not there.source:
        return False
    thinking = script.trace.source_text(here.source, here.source_index)
    # told twice in a row without anything that was done with the first, it is told wrongly
    if "=" not in thinking[there.start + earlier.right.end : here.start + equation.left.start]:
        return False
    sides, sides_before = equation.sides, earlier.sides
    return any(
        isinstance(sides[side], Node)
        and sides[side] == sides_before[side]
        and bool(free_symbols(sides[side]))
        and not free_symbols(sides[1 - side]) | free_symbols(sides_before[1 - side])
        for side in (0, 1)
    )


def _may_be_blamed(equation: Equation, contradicted: list[Equation], problem_numbers: frozenset[Fraction]) -> bool:
    """Whether an earlier step may be the wrong one of the two.

    "m + h = 80,000" where the problem says 88,000: an equation set up with a number that stands nowhere before it is as
    good a slip as the one that contradicts it, when that has no such number itself.
    """
    is_solved = len(contradicted) == 1 and is_said_to_solve(equation.passage.text[: equation.left.start])
    if is_solved or _numbers_of(equation) - problem_numbers:
        return False
    return any(
        earlier.passage.source is not Source.PROBLEM and _numbers_of(earlier) - problem_numbers
        for earlier in contradicted
    )


def _is_of_another_case(equation: Equation, contradicted: list[Equation]) -> bool:
    """Whether a formula is filled with the numbers of another case, or another curve has its equation here."""
    here, others = equation.sides, [line.sides for line in contradicted]
    if len(others) != 1 or are_two_fillings(here, others[0]):
        are_curves = sum(are_two_curves(here, other) for other in others) > 1
        return are_curves or any(are_two_fillings(here, other) for other in others)
    line = contradicted[0]
    # within a step y = 2x + 1 and y = 2x + 4 are one line; y = (x - 4)/5 against y = 4 - 5x and x = 4 - 5y is no third
    if line.passage is not equation.passage:
        return are_two_curves(here, others[0])
    return are_two_labelled(line.passage.text, (line.left, line.right), (equation.left, equation.right))


def _is_another_value(equation: Equation, earlier: Equation) -> bool:
    """FV = 5000 here and FV = 4000 before: one name whose letters were read apart, in two cases."""
    written = equation.passage.text[equation.left.start : equation.left.end].strip()
    if equation.left.tree != earlier.left.tree or not _NAME.fullmatch(written):
        return False
    return not any(free_symbols(side.tree) for side in (equation.right, earlier.right) if side.tree is not None)


def _numbers_of(equation: Equation) -> set[Fraction]:
    sides = (equation.left.tree, equation.right.tree)
    return {number.value for tree in sides if tree is not None for number in literals(tree) if number.value}
