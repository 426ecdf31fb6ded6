"""Sizes: one quantity that lines of a trace give in two units, as 800 nm and 8 * 10^(-7) of what is left unsaid."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.algebra.equations import Equation, assigned_symbol
from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.tree import Node, Tree, bare_number, free_symbols, walk

# nanometres, ångströms, millimetres; minutes of an hour, hours of a day, seconds of both
_TENS = frozenset(Fraction(10) ** power for power in (*range(-12, -1), *range(2, 13)))
_TIMES = frozenset(map(Fraction, (60, 3600, 24, 1440, 86400, 365)))
_UNIT_BEHIND = re.compile(
    r"(?:\s|\\[,;:! )\]]|[~$]){0,4}(?:\\(?:text|mathrm|rm)\{?\s?)?\(?"
    r"(?:[pnmckMG]?(?:m|g|s|J|W|V|A|Hz|Pa|eV|L|mol|cal)|Å|[μµ][msg]|nm|°|Ω|h|min|hours?|minutes?|seconds?|days?|years?|"
    r"weeks?|(?:kilo|centi|milli|nano)?met(?:er|re)s?|(?:kilo)?grams?|ang?stroms?|microns?)(?![A-Za-z])"
)


def is_converted(lines: list[Equation]) -> bool:
    """Whether one line gives a name a number with a unit, and another computes with this number in another unit."""
    for line in lines:
        size = _size(line)
        if size and any(_is_multiple(size, value) for value in _values_beside(line, lines)):
            return True
    return False


def _size(line: Equation) -> Fraction | None:
    """The number of a line that gives it, with a unit behind it, to a name alone."""
    tree = line.right.tree
    if assigned_symbol(line.left, line.right) is None or tree is None:
        return None
    number = bare_number(tree)
    is_measured = bool(number and number.unit) or bool(_UNIT_BEHIND.match(line.passage.text, line.right.end))
    return value_of(tree) if is_measured else None


def _values_beside(line: Equation, lines: list[Equation]) -> Iterator[Fraction]:
    """The values that all other lines compute with."""
    beside = [equation for equation in lines if equation is not line]
    sides = [side.tree for equation in beside for side in (equation.left, equation.right) if side.tree is not None]
    for tree in itertools.chain.from_iterable(map(walk, sides)):
        value = _value(tree)
        if value:
            yield value


def _value(tree: Tree) -> Fraction | None:
    is_computed = bare_number(tree) is not None or (isinstance(tree, Node) and not free_symbols(tree))
    return value_of(tree) if is_computed else None


def _is_multiple(size: Fraction, value: Fraction) -> bool:
    ratio = abs(value / size)
    return ratio in _TENS or ratio in _TIMES or 1 / ratio in _TIMES
