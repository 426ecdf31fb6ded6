"""Polynomials in the imaginary unit."""

from __future__ import annotations

from auditing.checker.mathematics.polynomial import ONE, Polynomial, add


def folded(polynomial: Polynomial) -> Polynomial:
    """A polynomial in i alone, reduced by i^2 = -1.

    >>> from fractions import Fraction
    >>> folded({(("i", 10),): Fraction(1)})
    {(): Fraction(-1, 1)}
    """
    out: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        exponent = monomial[0][1] if monomial else 0
        sign = -1 if exponent % 4 in (2, 3) else 1
        out = add(out, {(("i", 1),) if exponent % 2 else ONE: sign * coefficient})
    return out
