"""What a derivation has said so far: equations as rows over monomials, kept in reduced form.

Gaussian elimination, one equation at a time. A new equation either follows, adds something, or contradicts what stands:
then the rows that it contradicts are named. Monomials count as independent unknowns (x and x^2 are two of them), so a
contradiction is a proof and its absence is not.

A run: x + y = 5 and x - y = 1 become the rows x - 3 and y - 2, which force the values x = 3 and y = 2; then x = 4
reduces to the constant 1 = 0 and contradicts both equations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.exactly import arithmetic as exact
from auditing.checker.mathematics.polynomial import ONE, Monomial, Polynomial, add, is_constant, put_in

# enough for what one trace derives; beyond it nothing is learnt, and what is known stays right
MAX_ROWS = 60
MAX_ROW_TERMS = 40


@dataclass(slots=True)
class Row:
    """A polynomial that equals zero, where it came from, and the monomial that it is solved for."""

    polynomial: Polynomial
    sources: frozenset[int]
    pivot: Monomial


@dataclass(slots=True)
class Knowledge:
    """Rows and the numbers that they force symbols to be."""

    rows: list[Row] = field(default_factory=list)
    values: dict[str, Fraction] = field(default_factory=dict)
    value_sources: dict[str, frozenset[int]] = field(default_factory=dict)
    # the sources of a row that values made false; what led there is left out of the rows
    broken: frozenset[int] = frozenset()

    def contradiction(self, polynomial: Polynomial, source: int) -> frozenset[int] | None:
        """The sources that polynomial = 0 contradicts, or None when it can stand."""
        reduced, sources = self._reduce(polynomial, frozenset((source,)))
        # 1. Reduced by all rows, the equation says that a number other than zero is zero.
        if reduced and is_constant(reduced):
            return sources
        # 2. It gives a symbol a value at which an equation with powers of that symbol is false. Elimination alone
        # cannot see this, for to it x and x^2 are unrelated.
        forced = _forced_value(reduced)
        conflict = self._conflict_of_value(*forced, sources) if forced else None
        # 3. Together with the rows it gives several symbols values, at which an equation with their product is false.
        return conflict or self._conflict_of_values(polynomial, source)

    def _conflict_of_values(self, polynomial: Polynomial, source: int) -> frozenset[int] | None:
        """Whether values that follow make a product false: x + y = 5 and x = 1 against xy = 6."""
        has_products = any(_weight(monomial)[0] > 1 for row in self.rows for monomial in row.polynomial)
        if not has_products or len(self.rows) >= MAX_ROWS:
            return None
        rows = [Row(row.polynomial, row.sources, row.pivot) for row in self.rows]
        trial = Knowledge(rows, dict(self.values), dict(self.value_sources))
        try:
            trial.learn(polynomial, source)
        except (ZeroDivisionError, IncalculableError):
            return None
        return trial.broken or None

    def excess(self, polynomial: Polynomial) -> Fraction:
        """The number that polynomial = 0 makes zero against what is known; 0 when it can stand."""
        reduced, _ = self._reduce(polynomial, frozenset())
        if is_constant(reduced):
            return reduced.get(ONE, Fraction(0))
        forced = _forced_value(reduced)
        return next((gap for _, gap in self._conflicts(*forced)), Fraction(0)) if forced else Fraction(0)

    def follows(self, polynomial: Polynomial) -> bool:
        """Whether polynomial = 0 is a combination of the rows."""
        return not self._reduce(polynomial, frozenset())[0]

    def learn(self, polynomial: Polynomial, source: int) -> None:
        """Adds polynomial = 0; what contradicts is left out."""
        reduced, sources = self._reduce(polynomial, frozenset((source,)))
        if is_constant(reduced) or len(self.rows) >= MAX_ROWS or len(reduced) > MAX_ROW_TERMS:
            return
        # The heaviest monomial is eliminated from all other rows. Powers go first, so that what remains is linear and
        # can force values.
        pivot = max((monomial for monomial in reduced if monomial != ONE), key=_weight)
        scale = reduced[pivot]
        row = Row({key: exact.divided(value, scale) for key, value in reduced.items()}, sources, pivot)
        for older in self.rows:
            # reduced form: a pivot stands in its own row alone
            if pivot in older.polynomial:
                older.polynomial = add(older.polynomial, row.polynomial, -older.polynomial[pivot])
                older.sources |= sources
        self.rows.append(row)
        self._spread_values()

    def _reduce(self, polynomial: Polynomial, sources: frozenset[int]) -> tuple[Polynomial, frozenset[int]]:
        # every row that takes part leaves its sources, so that a contradiction can name the equations it comes from
        for name in {name for monomial in polynomial for name, _ in monomial}:
            if name in self.values:
                sources |= self.value_sources[name]
        polynomial = put_in(polynomial, self.values)
        for row in self.rows:
            coefficient = polynomial.get(row.pivot)
            if coefficient:
                polynomial = add(polynomial, row.polynomial, exact.negative(coefficient))
                sources |= row.sources
        return polynomial, sources

    def _spread_values(self) -> None:
        """Rows x - c = 0 become values, and values are put into all rows."""
        # a new value may turn another row into one that forces a value, and so on; eight passes are plenty for 60 rows
        for _ in range(8):
            has_new_value = False
            for row in self.rows:
                forced = _forced_value(row.polynomial)
                if forced and forced[0] not in self.values:
                    self.values[forced[0]], self.value_sources[forced[0]] = forced[1], row.sources
                    has_new_value = True
            if not has_new_value:
                return
            self._put_values_into_rows()

    def _put_values_into_rows(self) -> None:
        remaining: list[Row] = []
        for row in self.rows:
            if _forced_value(row.polynomial):
                remaining.append(row)
                continue
            replaced = {name for monomial in row.polynomial for name, _ in monomial} & set(self.values)
            if replaced:
                row.polynomial = put_in(row.polynomial, self.values)
                for name in replaced:
                    row.sources |= self.value_sources[name]
                # the row says nothing any more, or what is false
                if is_constant(row.polynomial):
                    self.broken = row.sources if row.polynomial and not self.broken else self.broken
                    continue
                # putting in a value may have removed the pivot itself
                row.pivot = max((m for m in row.polynomial if m != ONE), key=_weight)
                scale = row.polynomial[row.pivot]
                row.polynomial = {key: exact.divided(value, scale) for key, value in row.polynomial.items()}
            remaining.append(row)
        self.rows = remaining

    def _conflict_of_value(self, name: str, value: Fraction, sources: frozenset[int]) -> frozenset[int] | None:
        """Whether name = value makes an older row false: x = 4 against x^2 - 5x + 6 = 0."""
        return next((sources | row.sources for row, _ in self._conflicts(name, value)), None)

    def _conflicts(self, name: str, value: Fraction) -> Iterator[tuple[Row, Fraction]]:
        """Rows that name = value makes false, each with the number that would have to be zero."""
        for row in self.rows:
            if any(name == symbol for monomial in row.polynomial for symbol, _ in monomial):
                try:
                    reduced = put_in(row.polynomial, {name: value})
                except (ZeroDivisionError, IncalculableError):
                    continue
                if reduced and is_constant(reduced):
                    yield row, reduced[ONE]


def weights_of(total: Polynomial, parts: Sequence[Polynomial]) -> list[Fraction] | None:
    """The numbers by which `parts` are multiplied to add up to `total`; None where there are none.

    >>> x, y = (("x", 1),), (("y", 1),)
    >>> weights_of({x: Fraction(2)}, [{x: Fraction(1), y: Fraction(1)}, {x: Fraction(1), y: Fraction(-1)}])
    [Fraction(1, 1), Fraction(1, 1)]
    """
    # most follow from one alone
    for index, part in enumerate(parts):
        if not part or part.keys() != total.keys():
            continue
        some = next(iter(part))
        factor = exact.divided(total[some], part[some])
        if all(exact.multiplied(factor, value) == total[term] for term, value in part.items()):
            return [factor if index == at else exact.ZERO for at in range(len(parts))]
    # each row of the basis: a polynomial, the weights of the parts in it, and its pivot
    basis: list[tuple[Polynomial, list[Fraction], Monomial]] = []
    for index, part in enumerate(parts):
        row, weights = _without(part, [exact.whole(int(index == at)) for at in range(len(parts))], basis)
        # from 8 = 7 everything follows
        if is_constant(row) and row:
            return None
        if row:
            basis.append((row, weights, max(row, key=_weight)))
    rest, weights = _without(total, [Fraction(0)] * len(parts), basis)
    return None if rest else [exact.negative(weight) for weight in weights]


def _without(
    polynomial: Polynomial, weights: list[Fraction], basis: list[tuple[Polynomial, list[Fraction], Monomial]]
) -> tuple[Polynomial, list[Fraction]]:
    for row, within, pivot in basis:
        coefficient = polynomial.get(pivot)
        if coefficient:
            factor = exact.divided(exact.negative(coefficient), row[pivot])
            polynomial = add(polynomial, row, factor)
            weights = [
                exact.added(weight, exact.multiplied(factor, other))
                for weight, other in zip(weights, within, strict=True)
            ]
    return polynomial, weights


def _weight(monomial: Monomial) -> tuple[int, str]:
    return sum(exponent for _, exponent in monomial), repr(monomial)


def _forced_value(polynomial: Polynomial) -> tuple[str, Fraction] | None:
    """(x, c) when the polynomial is a multiple of x - c for one plain symbol x."""
    names = [monomial for monomial in polynomial if monomial != ONE]
    if len(names) != 1 or len(names[0]) != 1 or names[0][0][1] != 1:
        return None
    return names[0][0][0], exact.divided(exact.negative(polynomial.get(ONE, exact.ZERO)), polynomial[names[0]])
