"""What a derivation has said so far: equations as rows over monomials, kept in reduced form.

A new equation either follows, adds something, or contradicts what stands: then the rows that it contradicts are
named. Monomials count as independent unknowns, so a contradiction is a proof and its absence is not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import ONE, Monomial, Polynomial, add, is_constant, put_in

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

    def contradiction(self, polynomial: Polynomial, source: int) -> frozenset[int] | None:
        """The sources that polynomial = 0 contradicts, or None when it can stand."""
        reduced, sources = self._reduce(polynomial, frozenset((source,)))
        if reduced and is_constant(reduced):
            return sources
        found = _forced_value(reduced)
        return self._conflict_of_value(*found, sources) if found else None

    def follows(self, polynomial: Polynomial) -> bool:
        """Whether polynomial = 0 is a combination of the rows."""
        return not self._reduce(polynomial, frozenset())[0]

    def learn(self, polynomial: Polynomial, source: int) -> None:
        """Adds polynomial = 0; what contradicts is left out."""
        reduced, sources = self._reduce(polynomial, frozenset((source,)))
        if is_constant(reduced) or len(self.rows) >= MAX_ROWS or len(reduced) > MAX_ROW_TERMS:
            return
        pivot = max((monomial for monomial in reduced if monomial != ONE), key=_weight)
        scale = reduced[pivot]
        row = Row({key: value / scale for key, value in reduced.items()}, sources, pivot)
        for other in self.rows:
            if pivot in other.polynomial:
                other.polynomial = add(other.polynomial, row.polynomial, -other.polynomial[pivot])
                other.sources |= sources
        self.rows.append(row)
        self._spread_values()

    def _reduce(self, polynomial: Polynomial, sources: frozenset[int]) -> tuple[Polynomial, frozenset[int]]:
        for name in {name for monomial in polynomial for name, _ in monomial}:
            if name in self.values:
                sources |= self.value_sources[name]
        polynomial = put_in(polynomial, self.values)
        for row in self.rows:
            coefficient = polynomial.get(row.pivot)
            if coefficient:
                polynomial = add(polynomial, row.polynomial, -coefficient)
                sources |= row.sources
        return polynomial, sources

    def _spread_values(self) -> None:
        """Rows x - c = 0 become values, and values are put into all rows."""
        for _ in range(8):
            fresh = False
            for row in self.rows:
                found = _forced_value(row.polynomial)
                if found and found[0] not in self.values:
                    self.values[found[0]], self.value_sources[found[0]] = found[1], row.sources
                    fresh = True
            if not fresh:
                return
            self._put_values_into_rows()

    def _put_values_into_rows(self) -> None:
        kept: list[Row] = []
        for row in self.rows:
            if _forced_value(row.polynomial):
                kept.append(row)
                continue
            used = {name for monomial in row.polynomial for name, _ in monomial} & set(self.values)
            if used:
                row.polynomial = put_in(row.polynomial, self.values)
                for name in used:
                    row.sources |= self.value_sources[name]
                if is_constant(row.polynomial):
                    continue
                row.pivot = max((m for m in row.polynomial if m != ONE), key=_weight)
                scale = row.polynomial[row.pivot]
                row.polynomial = {key: value / scale for key, value in row.polynomial.items()}
            kept.append(row)
        self.rows = kept

    def _conflict_of_value(self, name: str, value: Fraction, sources: frozenset[int]) -> frozenset[int] | None:
        """Whether name = value makes an older row false: x = 4 against x^2 - 5x + 6 = 0."""
        for row in self.rows:
            if any(name == part for monomial in row.polynomial for part, _ in monomial):
                try:
                    left = put_in(row.polynomial, {name: value})
                except (ZeroDivisionError, IncalculableError):
                    continue
                if left and is_constant(left):
                    return sources | row.sources
        return None


def _weight(monomial: Monomial) -> tuple[int, str]:
    return sum(exponent for _, exponent in monomial), repr(monomial)


def _forced_value(polynomial: Polynomial) -> tuple[str, Fraction] | None:
    """(x, c) when the polynomial is a multiple of x - c for one plain symbol x."""
    names = [monomial for monomial in polynomial if monomial != ONE]
    if len(names) != 1 or len(names[0]) != 1 or names[0][0][1] != 1:
        return None
    return names[0][0][0], -polynomial.get(ONE, Fraction(0)) / polynomial[names[0]]
