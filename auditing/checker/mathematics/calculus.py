"""Symbolic derivatives of expression trees."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, free_symbols

ZERO, ONE = Num(Fraction(0)), Num(Fraction(1))


def derivative(*, tree: Tree, name: str) -> Tree:
    """d tree / d name, by the rules of sum, product, quotient, power and chain. Raises IncalculableError for other
    nodes.

    >>> from auditing.checker.mathematics.tree import plain
    >>> plain(derivative(tree=Node("^", (Sym("x"), Num(Fraction(3)))), name="x"))
    '3 * x^2'
    """
    # a constant, however complicated
    if name not in free_symbols(tree):
        return ZERO
    if isinstance(tree, Sym):
        return ONE
    assert isinstance(tree, Node)
    rule = _RULES.get(tree.op)
    if rule is None:
        raise IncalculableError(f"no derivative rule for {tree.op}")
    return rule(tree, name)


def _times(a: Tree, b: Tree) -> Tree:
    # products with 0 and 1 vanish at once, or the result of a few rules would be unreadable
    if ZERO in (a, b):
        return ZERO
    if a == ONE:
        return b
    return a if b == ONE else Node("*", (a, b))


def _sum(tree: Node, name: str) -> Tree:
    derivatives = [derivative(tree=arg, name=name) for arg in tree.args]
    if len(derivatives) == 2 and derivatives[1] == ZERO:
        return derivatives[0]
    if len(derivatives) == 2 and derivatives[0] == ZERO:
        return derivatives[1] if tree.op == "+" else Node("neg", (derivatives[1],))
    return Node(tree.op, tuple(derivatives))


def _product(tree: Node, name: str) -> Tree:
    # (u v)' = u' v + u v'
    u, v = tree.args
    du, dv = derivative(tree=u, name=name), derivative(tree=v, name=name)
    left, right = _times(du, v), _times(u, dv)
    if left == ZERO:
        return right
    return left if right == ZERO else Node("+", (left, right))


def _quotient(tree: Node, name: str) -> Tree:
    # (u / v)' = (u' v - u v') / v^2
    u, v = tree.args
    du, dv = derivative(tree=u, name=name), derivative(tree=v, name=name)
    if dv == ZERO:
        return Node("/", (du, v))
    above = Node("-", (_times(du, v), _times(u, dv)))
    return Node("/", (above, Node("^", (v, Num(Fraction(2))))))


def _power(tree: Node, name: str) -> Tree:
    base, exponent = tree.args
    if name in free_symbols(exponent):
        # u^v = exp(v ln u), so (u^v)' = u^v (v ln u)'
        inside = Node("*", (exponent, Node("ln", (base,))))
        return _times(tree, derivative(tree=inside, name=name))
    # (u^n)' = n u^(n-1) u'
    less: Tree = Node("-", (exponent, ONE))
    if isinstance(exponent, Num):
        less = Num(exponent.value - 1)
    return _times(_times(exponent, base if less == ONE else Node("^", (base, less))), derivative(tree=base, name=name))


def _chain(outer: Callable[[Tree], Tree]) -> Callable[[Node, str], Tree]:
    def rule(tree: Node, name: str) -> Tree:
        inner = tree.args[0]
        return _times(outer(inner), derivative(tree=inner, name=name))

    return rule


def _call(op: str, *args: Tree) -> Node:
    return Node(op, args)


def _square(tree: Tree) -> Tree:
    return Node("^", (tree, Num(Fraction(2))))


_RULES: dict[str, Callable[[Node, str], Tree]] = {
    "+": _sum,
    "-": _sum,
    "neg": _sum,
    "*": _product,
    "/": _quotient,
    "^": _power,
    "exp": _chain(lambda u: _call("exp", u)),
    "ln": _chain(lambda u: _call("/", ONE, u)),
    "sin": _chain(lambda u: _call("cos", u)),
    "cos": _chain(lambda u: _call("neg", _call("sin", u))),
    "tan": _chain(lambda u: _call("/", ONE, _square(_call("cos", u)))),
    "sqrt": _chain(lambda u: _call("/", ONE, _call("*", Num(Fraction(2)), _call("sqrt", u)))),
    "arctan": _chain(lambda u: _call("/", ONE, _call("+", ONE, _square(u)))),
    "arcsin": _chain(lambda u: _call("/", ONE, _call("sqrt", _call("-", ONE, _square(u))))),
}
