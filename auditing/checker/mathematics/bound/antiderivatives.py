"""Definite integrals as differences: F at the upper bound less F at the lower one, for what a first course integrates.

Powers, roots, exponentials, sines and cosines of linear arguments, sums of these with constant factors, polynomials.
What has a pole between its bounds has no value here.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from auditing.checker.mathematics.calculus import derivative
from auditing.checker.mathematics.enclosure import IncalculableError, as_range
from auditing.checker.mathematics.evaluate import evaluate, unrolled
from auditing.checker.mathematics.polynomial import ONE as NO_SYMBOL
from auditing.checker.mathematics.polynomial import quotient_of
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, free_symbols, substitute

_ONE, _TWO, _HALF = Num(Fraction(1)), Num(Fraction(2)), Num(Fraction(1, 2))
# no exponent above this is expanded or lowered
_MOST = 60


def between(*, body: Tree, name: str, low: Tree, high: Tree) -> Tree:
    """F(high) - F(low), where F is an antiderivative of `body` by the symbol `name`; raises IncalculableError.

    >>> from auditing.checker.mathematics.tree import plain
    >>> plain(between(body=Node("sin", (Sym("x"),)), name="x", low=Num(Fraction(0)), high=Sym("pi")))
    '-cos(pi) - (-cos(0))'
    """
    rules = _Antiderivative(name)
    whole = rules.of(body)
    for argument in rules.poles:
        ends = [as_range(evaluate(substitute(argument, {name: bound}))) for bound in (low, high)]
        # linear, so of one sign between two ends of one sign
        if not (all(end.low > 0 for end in ends) or all(end.high < 0 for end in ends)):
            raise IncalculableError("a pole between the bounds")
    upper, lower = (substitute(whole, {name: bound}) for bound in (high, low))
    return upper if _is_zero(lower) else Node("-", (upper, lower))


def _is_zero(tree: Tree) -> bool:
    try:
        return not free_symbols(tree) and evaluate(tree) == 0
    except IncalculableError:
        return False


def is_polynomial(*, tree: Tree, name: str) -> bool:
    """Whether a tree is a polynomial in this one symbol, of few terms."""
    try:
        quotient = quotient_of(tree)
    except IncalculableError:
        return False
    return set(quotient.below) == {NO_SYMBOL} and all(
        symbol == name for monomial in quotient.above for symbol, _ in monomial
    )


class _Antiderivative:
    """The rules for one symbol, and the arguments that may not vanish between the bounds."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.poles: list[Tree] = []

    def of(self, tree: Tree) -> Tree:
        if self.name not in free_symbols(tree):
            return Sym(self.name) if tree == _ONE else Node("*", (tree, Sym(self.name)))
        if isinstance(tree, Sym):
            return self.power(tree, Fraction(1))
        assert isinstance(tree, Node)
        rule = _RULES.get(tree.op)
        if rule is None:
            raise IncalculableError(f"no rule to integrate {tree.op}")
        return rule(self, tree)

    def slope(self, argument: Tree) -> Tree:
        """What a linear argument is multiplied by."""
        slope = derivative(tree=argument, name=self.name)
        if self.name in free_symbols(slope):
            raise IncalculableError("an argument that is not linear")
        return slope

    def power(self, base: Tree, exponent: Fraction) -> Tree:
        slope = self.slope(base)
        if exponent < 0:
            self.poles.append(base)
        if exponent == -1:
            return _over(Node("ln", (Node("abs", (base,)),)), slope)
        return _over(Node("^", (base, Num(exponent + 1))), slope, exponent + 1)

    def sum(self, tree: Node) -> Tree:
        return Node(tree.op, tuple(self.of(arg) for arg in tree.args))

    def product(self, tree: Node) -> Tree:
        factors = unrolled(tree, "*")
        variables = [factor for factor in factors if self.name in free_symbols(factor)]
        if len(variables) > 1:
            return self.expanded(tree)
        whole = self.of(variables[0])
        for factor in factors:
            if factor is not variables[0]:
                whole = Node("*", (factor, whole))
        return whole

    def quotient(self, tree: Node) -> Tree:
        above, below = tree.args
        if self.name not in free_symbols(below):
            return Node("/", (self.of(above), below))
        if self.name in free_symbols(above):
            return self.expanded(tree)
        base, exponent = _as_power(below)
        is_arctangent = self.is_square_and_one(below)
        whole = Node("arctan", (Sym(self.name),)) if is_arctangent else self.power(base, -exponent)
        return whole if above == _ONE else Node("*", (above, whole))

    def is_square_and_one(self, tree: Tree) -> bool:
        """1 + x^2, whose reciprocal is the slope of the arctangent."""
        return quotient_of(tree).above == {NO_SYMBOL: Fraction(1), ((self.name, 2),): Fraction(1)}

    def raised(self, tree: Node) -> Tree:
        base, exponent = tree.args
        if self.name not in free_symbols(base):
            # a^u = e^(u ln a)
            return _over(Node("/", (tree, Node("ln", (base,)))), self.slope(exponent))
        number = _number(exponent)
        if isinstance(base, Node) and base.op in ("sin", "cos") and number == 2:
            return self.squared(base)
        if isinstance(base, Node) and base.op == "sqrt":
            base, number = base.args[0], number / 2
        try:
            return self.power(base, number)
        except IncalculableError:
            return self.expanded(tree)

    def root(self, tree: Node) -> Tree:
        return self.power(tree.args[0], Fraction(1, 2))

    def squared(self, wave: Node) -> Tree:
        """sin^2 u is (1 - cos 2u) / 2, and cos^2 u is (1 + cos 2u) / 2."""
        argument = wave.args[0]
        half = Node("*", (_HALF, Sym(self.name)))
        double = Node("sin", (Node("*", (_TWO, argument)),))
        swing = _over(double, self.slope(argument), Fraction(2), Fraction(2))
        return Node("-" if wave.op == "sin" else "+", (half, swing))

    def sine(self, tree: Node) -> Tree:
        return Node("neg", (self.called("cos", tree),))

    def cosine(self, tree: Node) -> Tree:
        return self.called("sin", tree)

    def exponential(self, tree: Node) -> Tree:
        return self.called("exp", tree)

    def called(self, function: str, tree: Node) -> Tree:
        return _over(Node(function, tree.args), self.slope(tree.args[0]))

    def expanded(self, tree: Node) -> Tree:
        """A polynomial, multiplied out and integrated term by term."""
        quotient = quotient_of(tree)
        if set(quotient.below) != {NO_SYMBOL}:
            raise IncalculableError("no polynomial is integrated")
        total: Tree = Num(Fraction(0))
        for monomial, coefficient in quotient.above.items():
            powers = dict(monomial)
            if any(not symbol.isalpha() for symbol in powers):
                raise IncalculableError("what is no polynomial stands in a product")
            exponent = powers.get(self.name, 0) + 1
            powers[self.name] = exponent
            term: Tree = Num(coefficient / quotient.below[NO_SYMBOL] / exponent)
            for symbol, power in powers.items():
                term = Node("*", (term, Sym(symbol) if power == 1 else Node("^", (Sym(symbol), Num(Fraction(power))))))
            total = Node("+", (total, term))
        return total


def _over(tree: Tree, slope: Tree, *divisors: Fraction) -> Tree:
    """The tree divided by a slope and by numbers: times fractions of one, which are printed without a bar.

    They stay apart: strangers look for each number of a formula in the text (verify_proofs.check_reading).
    """
    if isinstance(slope, Num) and slope.value:
        divisors = (*divisors, slope.value)
    else:
        tree = Node("/", (tree, slope))
    for divisor in divisors:
        tree = tree if divisor == 1 else Node("*", (Num(1 / divisor), tree))
    return tree


def _number(tree: Tree) -> Fraction:
    value = evaluate(tree)
    if not isinstance(value, Fraction) or abs(value) > _MOST:
        raise IncalculableError("an exponent that is no small number")
    return value


def _as_power(tree: Tree) -> tuple[Tree, Fraction]:
    """x^2 as x and 2, sqrt(x) as x and a half, x as x and 1."""
    if isinstance(tree, Node) and tree.op == "^":
        return tree.args[0], _number(tree.args[1])
    if isinstance(tree, Node) and tree.op == "sqrt":
        return tree.args[0], Fraction(1, 2)
    return tree, Fraction(1)


_RULES: dict[str, Callable[[_Antiderivative, Node], Tree]] = {
    "+": _Antiderivative.sum,
    "-": _Antiderivative.sum,
    "neg": _Antiderivative.sum,
    "*": _Antiderivative.product,
    "/": _Antiderivative.quotient,
    "^": _Antiderivative.raised,
    "sqrt": _Antiderivative.root,
    "sin": _Antiderivative.sine,
    "cos": _Antiderivative.cosine,
    "exp": _Antiderivative.exponential,
}


def integral(*, body: Tree, symbol: str, low: Tree, high: Tree, is_inner: bool) -> Tree | None:
    """The integral as a tree: of polynomials between rational numbers a node, of others the difference of `between`.

    What has no rule here stays a node, whose value nobody knows; of an inner integral, which has other symbols in it,
    there is none then.
    """
    if not is_inner and _is_rational(low) and _is_rational(high) and is_polynomial(tree=body, name=symbol):
        return _without_constants(Node("integral", (Sym(symbol), low, high, body)))
    try:
        return between(body=body, name=symbol, low=low, high=high)
    except IncalculableError:
        if is_inner:
            return None
    return _without_constants(Node("integral", (Sym(symbol), low, high, body)))


def _is_rational(bound: Tree) -> bool:
    try:
        return not free_symbols(bound) and isinstance(evaluate(bound), Fraction)
    except IncalculableError:
        return False


def _without_constants(node: Node) -> Tree:
    """The integral of 2π x as 2π times the integral of x."""
    *bound, body = node.args
    constants: list[Tree] = []
    variables: list[Tree] = []
    for factor in unrolled(body, "*"):
        (variables if free_symbols(factor) else constants).append(factor)
    if not constants or not variables:
        return node
    return Node("*", (_product(constants), Node("integral", (*bound, _product(variables)))))


def _product(factors: list[Tree]) -> Tree:
    product, *others = factors
    for factor in others:
        product = Node("*", (product, factor))
    return product
