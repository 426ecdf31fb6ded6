"""Contradictions: the weights under which equations, added up, say that a number other than zero is zero.

Gaussian elimination over the monomials that remembers for each row which combination of the equations it is. A row that
is a multiple of x - c forces a value, which is put into all equations before the next round; so an equation with powers
of x is contradicted, too. For linear equations this is the certificate of Farkas (1902) without signs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import ONE, Monomial, Polynomial, add, difference, is_constant, put_in
from auditing.checker.mathematics.tree import Node, Tree, plain, walk
from auditing.checker.proofs.formulas import formula, packed

ROUNDS, MAX_EQUATIONS = 6, 12


@dataclass(frozen=True, slots=True)
class Line:
    """One equation with the text that it was read from."""

    text: str
    left: Tree
    right: Tree


def of_lines(lines: Sequence[Line]) -> dict[str, str]:
    """The proof that these equations have no common solution; empty where elimination finds none."""
    if len(lines) > MAX_EQUATIONS:
        return {}
    try:
        polynomials = [difference(line.left, line.right) for line in lines]
        steps = certificate(polynomials)
    except (IncalculableError, ZeroDivisionError):
        return {}
    if not steps:
        return {}
    equations = [[line.text[:500], formula(line.left), formula(line.right)] for line in lines]
    trees = [tree for line in lines for side in (line.left, line.right) for tree in walk(side)]
    names = {plain(tree): tree for tree in trees}
    for step in steps:
        # the file knows binom(10, k), which is no polynomial, by its formula
        if isinstance(tree := names.get(step.get("symbol", "")), Node):
            step["symbol"] = json.dumps(formula(tree))
    return packed({"kind": "contradiction", "equations": equations, "steps": steps})


def certificate(polynomials: Sequence[Polynomial]) -> list[dict[str, Any]]:
    """Forced values, each with its weights, and last the weights that give a number other than zero; or nothing.

    >>> x = (("x", 1),)
    >>> certificate([{x: Fraction(1), ONE: Fraction(-2)}, {x: Fraction(1), ONE: Fraction(-3)}])[-1]
    {'weights': ['-1', '1']}
    """
    values: dict[str, Fraction] = {}
    steps: list[dict[str, Any]] = []
    for _ in range(ROUNDS):
        rows = _eliminated([put_in(polynomial, values) for polynomial in polynomials])
        for row, weights in rows:
            # Weights of the equations that add up to 5 = 0: whoever adds them up again has seen the proof.
            if row and is_constant(row):
                return [*steps, {"weights": _written(weights)}]
        forced = [(pair, weights) for row, weights in rows if (pair := _forced(row)) and pair[0] not in values]
        if not forced:
            return []
        # One symbol at a time: a forced value makes products linear, so that the next round may eliminate them.
        (name, value), weights = forced[0]
        values[name] = value
        steps.append({"symbol": name, "value": str(value), "weights": _written(weights)})
    return []


Row = tuple[Polynomial, list[Fraction]]


def _eliminated(polynomials: Sequence[Polynomial]) -> list[Row]:
    """The rows in reduced form, each with the weights of the equations in it."""
    size = len(polynomials)
    rows: list[Row] = []
    for index, polynomial in enumerate(polynomials):
        weights = [Fraction(int(at == index)) for at in range(size)]
        for pivot_row, pivot_weights in rows:
            pivot = _pivot(pivot_row)
            if pivot is not None and pivot in polynomial:
                # In fractions: a remainder of rounding would look like the number that contradicts.
                factor = -polynomial[pivot] / pivot_row[pivot]
                polynomial = add(polynomial, pivot_row, factor)
                weights = [a + factor * b for a, b in zip(weights, pivot_weights, strict=True)]
        rows = [_cleared(row, (polynomial, weights)) for row in rows]
        rows.append((polynomial, weights))
    return rows


def _cleared(row: Row, by: Row) -> Row:
    pivot = _pivot(by[0])
    if pivot is None or pivot not in row[0]:
        return row
    factor = -row[0][pivot] / by[0][pivot]
    return add(row[0], by[0], factor), [a + factor * b for a, b in zip(row[1], by[1], strict=True)]


def _pivot(polynomial: Polynomial) -> Monomial | None:
    """The heaviest monomial: powers go first, so that what remains is linear and can force values."""
    monomials = [monomial for monomial in polynomial if monomial != ONE]
    return max(monomials, key=lambda m: (sum(power for _, power in m), repr(m)), default=None)


def _forced(row: Polynomial) -> tuple[str, Fraction] | None:
    """(x, c) when the row is a multiple of x - c."""
    monomials = [monomial for monomial in row if monomial != ONE]
    if len(monomials) != 1 or len(monomials[0]) != 1 or monomials[0][0][1] != 1:
        return None
    return monomials[0][0][0], -row.get(ONE, Fraction(0)) / row[monomials[0]]


def _written(weights: Sequence[Fraction]) -> list[str]:
    return [str(weight) for weight in weights]
