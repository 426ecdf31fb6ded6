"""Which expressions can be compared for all values: closed ones, defined everywhere; and what a chain speaks of."""

from __future__ import annotations

from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.division import names_left
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.polynomial import quotient_of
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, free_symbols, literals, operations_in, walk

_ARCS, _ANGLES = frozenset(("arcsin", "arccos", "arctan")), frozenset(("sin", "cos", "tan"))


def names_of_reduced(tree: Tree) -> frozenset[str]:
    """The symbols of a quotient that are left when it is reduced."""
    if not isinstance(tree, Node) or tree.op not in ("/", "*"):
        return free_symbols(tree)
    try:
        return names_left(*quotient_of(tree))
    except IncalculableError:
        return free_symbols(tree)


def is_closed(tree: Tree) -> bool:
    """No decimals that may be rounded, no ellipses, no unknown functions."""
    if any(number.cut or number.decimals > 1 or number.unit for number in literals(tree)):
        return False
    for subtree in walk(tree):
        if isinstance(subtree, Node) and subtree.op.startswith("dots"):
            return False
        # arccos(sin t) = pi/2 - t where t lies between -pi/2 and pi/2
        if isinstance(subtree, Node) and subtree.op in _ARCS and operations_in(subtree) & _ANGLES:
            return False
        # f(x) is unknown; e may be Euler's number and d a differential
        if isinstance(subtree, Sym) and ("(" in subtree.name or subtree.name in ("e", "d")):
            return False
    return True


def is_whole(tree: Tree) -> bool:
    """Defined for every value of its symbols: no division by them, so that no value is lost on either side."""
    return all(_divides_by_no_symbol(subtree) for subtree in walk(tree) if isinstance(subtree, Node))


def _divides_by_no_symbol(node: Node) -> bool:
    if node.op == "/":
        return not free_symbols(node.args[1])
    if node.op == "^" and free_symbols(node):
        exponent = node.args[1]
        return isinstance(exponent, Num) and exponent.value >= 0 and exponent.value.denominator == 1
    return True


def is_weaker_bound(*, relation: str, bound: Tree, weaker: Tree) -> bool:
    """Whether whatever keeps the first bound keeps the second as well: k^2 < 80.92, therefore k^2 < 81.

    >>> from fractions import Fraction
    >>> eighty, more = Num(Fraction(80)), Num(Fraction(81))
    >>> [is_weaker_bound(relation=sign, bound=eighty, weaker=more) for sign in "<>"]
    [True, False]
    """
    before, after = value_of(bound), value_of(weaker)
    if before is None or after is None:
        return False
    return after >= before if relation in ("<", "<=") else after <= before


def symbols_of(chain: Chain) -> frozenset[str]:
    """Every symbol on any side of a chain."""
    return frozenset[str]().union(*(free_symbols(side.tree) for side in chain.sides if side.tree is not None))


def is_value(sides: list[Side]) -> bool:
    """x = 3: a value, not an equation rewritten."""
    pairs = (sides, sides[::-1])
    return any(isinstance(a.tree, Sym) and b.tree is not None and not free_symbols(b.tree) for a, b in pairs)


def holds_a_differential(tree: Tree) -> bool:
    """Whether d/dt stands in it, or dw/dt, which is no quotient of products with a letter d."""
    quotients = (subtree.args for subtree in walk(tree) if isinstance(subtree, Node) and subtree.op == "/")
    return any(all("d" in free_symbols(argument) for argument in arguments) for arguments in quotients)
