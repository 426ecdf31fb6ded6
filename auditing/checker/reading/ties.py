"""Ties: the equations of a trace that bind its symbols, found again by their names and by their polynomial."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.mathematics.division import have_common_root, only_name
from auditing.checker.mathematics.identity import agree_at_points
from auditing.checker.mathematics.polynomial import Monomial, Polynomial
from auditing.checker.mathematics.tree import Tree

# a symbol that so many equations are about is bound by one of them or another: who compares no more stays linear
MOST_OF_ONE_NAME = 60
# equations without a polynomial that are held against points before one is called an identity
MOST_UNREAD = 20
Terms = frozenset[tuple[Monomial, Fraction]]


@dataclass(frozen=True)
class Tie:
    """An equation that ties symbols: their names, and the polynomial that it sets to zero, where it is one."""

    names: frozenset[str]
    polynomial: Polynomial | None
    # without a polynomial: its sides, which may be the same all the same (log_x 10 = 1/log x ties nothing)
    sides: tuple[Tree, Tree] | None = None


class Ties:
    """All ties so far, each once.

    A run: after x^2 = x + 1 alone, x^3 = 2x + 1 may hold (both have a root in common) and x^2 = 4 may not.

    >>> from auditing.checker.mathematics.polynomial import difference
    >>> from auditing.checker.mathematics.tree import Num, Sym
    >>> gap = difference(Sym("x"), Num(Fraction(2)))
    >>> ties = Ties()
    >>> ties.add(Tie(frozenset("x"), gap))
    >>> ties.may_excuse(frozenset("xy"), gap), ties.may_excuse(frozenset("y"), gap), ties.sets_to_zero(gap)
    (True, False, True)
    """

    def __init__(self) -> None:
        self._seen: set[tuple[frozenset[str], Terms | None]] = set()
        self._zeros: set[Terms] = set()
        # by the first of its names; and of those names that nothing but polynomials in one symbol tie, these
        self._unread: list[Tie] = []
        self._by_first: dict[str, dict[frozenset[str], list[Polynomial] | None]] = {}

    def add(self, tie: Tie) -> None:
        """Keeps a tie that is new."""
        if tie.polynomial is None and tie.sides is not None and len(self._unread) < MOST_UNREAD:
            self._unread.append(tie)
            return
        terms = None if tie.polynomial is None else _terms(tie.polynomial)
        if (tie.names, terms) in self._seen:
            return
        self._seen.add((tie.names, terms))
        if terms is not None:
            self._zeros.add(terms)
        of_these = self._by_first.setdefault(min(tie.names), {})
        polynomials = of_these.setdefault(tie.names, [])
        is_open = not tie.polynomial or not only_name(tie.polynomial)
        if polynomials is None or is_open or len(polynomials) >= MOST_OF_ONE_NAME:
            of_these[tie.names] = None
        elif tie.polynomial:
            polynomials.append(tie.polynomial)

    def may_excuse(self, names: frozenset[str], gap: Polynomial | None) -> bool:
        """Whether some value solves an equation between these names and makes the gap zero, as far as can be told."""
        if any(tie.names <= names and not _is_the_same(tie) for tie in self._unread):
            return True
        return any(
            polynomials is None or any(_may_share_a_root(polynomial, gap) for polynomial in polynomials)
            for first in names
            for tied, polynomials in self._by_first.get(first, {}).items()
            if tied <= names
        )

    def sets_to_zero(self, polynomial: Polynomial) -> bool:
        """Whether an equation sets exactly this polynomial to zero."""
        return _terms(polynomial) in self._zeros


def _is_the_same(tie: Tie) -> bool:
    return tie.sides is not None and agree_at_points(left=tie.sides[0], right=tie.sides[1]) is True


def _terms(polynomial: Polynomial) -> Terms:
    return frozenset(polynomial.items())


def _may_share_a_root(tied: Polynomial, gap: Polynomial | None) -> bool:
    """x^2 = x + 1 excuses x^3 = 2x + 1; in several symbols nothing is told apart."""
    if not gap or only_name(gap) != only_name(tied):
        return True
    return have_common_root(tied, gap)
