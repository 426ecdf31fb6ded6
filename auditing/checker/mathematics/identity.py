"""Are two expressions the same function? Values at rational points first, exact polynomials when the points agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from auditing.checker.mathematics.enclosure import IncalculableError, Range, Value, as_range
from auditing.checker.mathematics.evaluate import Setting, evaluate
from auditing.checker.mathematics.polynomial import difference
from auditing.checker.mathematics.tree import Node, Num, Tree, free_symbols, literals, operations_in, substitute

# fixed "random" points: primes over primes, positive and negative, none of them near a special value
_PAIRS = (
    """17/7 29/11 5/13 41/17 -19/23 37/19 -31/29 61/31 3/37 53/41 -11/43 67/47 7/53 71/59 -43/61 83/67 13/71 89/73"""
)
_POINTS = tuple(Fraction(pair) for pair in _PAIRS.split())
# points tried: two mismatches refute, one leaves it open, and no number of matches would prove equality, so a few do
_ROUNDS = 6
_EXPANDED = frozenset(("+", "-", "*", "/", "neg", "^"))


def is_identity(*, left: Tree, right: Tree, degrees: bool = False) -> bool | None:
    """True when proved equal everywhere, False when they differ at two points, None when undecided.

    Points are exact rationals and values are exact or enclosed, so a difference is a proof; equality at points is
    not, and is proved by comparing polynomials instead.

    >>> from auditing.checker.mathematics.tree import Node, Sym
    >>> x = Sym("x")
    >>> is_identity(left=Node("+", (x, x)), right=Node("*", (Num(Fraction(2)), x)))
    True
    """
    agree = agree_at_points(left=left, right=right, degrees=degrees)
    return _proved(left, right) if agree else agree


def agree_at_points(*, left: Tree, right: Tree, degrees: bool = False) -> bool | None:
    """True when both have the same value wherever both could be computed, False when they differ at two points."""
    names = sorted(free_symbols(left) | free_symbols(right))
    if len(names) > 8:
        return None
    mismatches = matches = 0
    for point in sample_points(names):
        values: dict[str, Tree] = {name: Num(value) for name, value in point.items()}
        same = _same_at(left, right, values, Setting(degrees=degrees))
        matches, mismatches = matches + (same is True), mismatches + (same is False)
        if mismatches >= 2:
            return False
        # a difference that is nothing when it is multiplied out is nothing at the other points as well
        if same and matches == 1 and not mismatches and _may_be_expanded(left, right) and _proved(left, right):
            return True
    # a single mismatch among matches is left undecided
    return None if mismatches or not matches else True


def holds_somewhere(*, left: Tree, right: Tree) -> bool:
    """Whether both have the same value at one of the points at least: sqrt(x^2) = x holds where x is positive.

    >>> from auditing.checker.mathematics.tree import Node, Sym
    >>> x, two = Sym("x"), Num(Fraction(2))
    >>> holds_somewhere(left=Node("sqrt", (Node("^", (x, two)),)), right=x)
    True
    """
    names = sorted(free_symbols(left) | free_symbols(right))
    return any(
        _same_at(left, right, {name: Num(value) for name, value in point.items()}, Setting())
        for point in sample_points(names)
    )


def is_another_constant(*, left: Tree, right: Tree) -> bool:
    """Whether two antiderivatives differ by a number where C is zero: the same function with another constant."""
    nothing: dict[str, Tree] = {"C": Num(Fraction(0))}
    a, b = substitute(left, nothing), substitute(right, nothing)
    gaps = set()
    for point in sample_points(sorted(free_symbols(a) | free_symbols(b))):
        filling: dict[str, Tree] = {name: Num(value) for name, value in point.items()}
        try:
            gap = as_range(evaluate(Node("-", (substitute(a, filling), substitute(b, filling)))))
        except IncalculableError:
            continue
        gaps.add(round(gap.low, 9))
    return len(gaps) == 1


def sample_points(names: Sequence[str]) -> Iterator[dict[str, Fraction]]:
    """The rational points at which expressions in these symbols are compared."""
    for attempt in range(_ROUNDS):
        # the first two rounds are positive: roots and logarithms of symbols have a value there
        pairs = zip(names, _POINTS[attempt * 3 :] + _POINTS[: attempt * 3], strict=False)
        yield {name: abs(value) if attempt < 2 else value for name, value in pairs}


def _same_at(left: Tree, right: Tree, values: dict[str, Tree], setting: Setting) -> bool | None:
    try:
        a, b = evaluate(substitute(left, values), setting), evaluate(substitute(right, values), setting)
    except IncalculableError:
        return None
    return _meet(a, b)


def _meet(a: Value, b: Value) -> bool:
    if not isinstance(a, Range) and not isinstance(b, Range):
        return a == b
    x, y = as_range(a), as_range(b)
    # intervals that meet count as equal here; only disjoint ones prove a difference
    return x.low <= y.high and y.low <= x.high


def _may_be_expanded(left: Tree, right: Tree) -> bool:
    """Whether both are made of numbers and symbols by the four operations and powers, and hold no cut decimals."""
    is_plain = operations_in(left) <= _EXPANDED and operations_in(right) <= _EXPANDED
    return is_plain and not any(number.cut for tree in (left, right) for number in literals(tree))


def _proved(left: Tree, right: Tree) -> bool | None:
    try:
        return True if not difference(left, right) else None
    except IncalculableError:
        return None
