"""The proof that an equation follows from others: each multiplied by a number and added up, an identity to expand."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from fractions import Fraction

from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.identity import agree_at_points, sample_points
from auditing.checker.mathematics.tree import Node, Num, Tree, free_symbols, substitute
from auditing.checker.proofs.contradictions import Line
from auditing.checker.proofs.formulas import of_identity

# numbers that a proof may hold without their standing in the text
_SILENT = frozenset(("1", "2", "3", "10"))
_DIGITS = re.compile(r"\d+")


def of_combination(*, claim: Line, lines: Sequence[Line], weights: Sequence[Fraction]) -> dict[str, str]:
    """The proof that the claim is the sum of the lines, each times its weight; empty where it is none.

    What was multiplied by a symbol to lose a denominator follows in another way, and a weight that stands in none of
    the texts would be a number that nobody wrote: both are left unsaid.
    """
    gap = Node("-", (claim.left, claim.right))
    gaps = [Node("-", (line.left, line.right)) for line in lines]
    factors = list(weights) if len(lines) > 1 else [_ratio(gap, gaps[0])]
    known = _SILENT.union(*(_DIGITS.findall(line.text) for line in (claim, *lines)))
    if not all(factor and {str(abs(factor.numerator)), str(factor.denominator)} <= known for factor in factors):
        return {}
    terms = [Node("*", (Num(factor or Fraction(1)), part)) for factor, part in zip(factors, gaps, strict=True)]
    total = functools.reduce(lambda whole, term: Node("+", (whole, term)), terms)
    if agree_at_points(left=total, right=gap) is not True:
        return {}
    return of_identity(total, gap, is_same=True, texts=[line.text for line in lines])


def _ratio(gap: Tree, part: Tree) -> Fraction | None:
    """By which number one is the other at a point; a clearing of denominators may have changed it."""
    names = sorted(free_symbols(gap) | free_symbols(part))
    point: dict[str, Tree] = {name: Num(value) for name, value in next(sample_points(names)).items()}
    try:
        a, b = evaluate(substitute(gap, point)), evaluate(substitute(part, point))
    except IncalculableError:
        return None
    return a / b if isinstance(a, Fraction) and isinstance(b, Fraction) and b else None
