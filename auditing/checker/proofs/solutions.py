"""Two equations of which one was announced as the other rewritten: what shows that they are not.

A rational point that solves one and not the other; for equations in one symbol without rational roots, that their
greatest common divisor is a number (Euclid), so that no value solves both; else that
they contradict each other, or, in several symbols, that neither is a multiple of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from auditing.checker.mathematics.division import coefficients, have_common_root, only_name, quotient, rational_roots
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.identity import sample_points
from auditing.checker.mathematics.polynomial import Polynomial, difference, names_in, put_in
from auditing.checker.mathematics.tree import Num, Tree, substitute
from auditing.checker.proofs.contradictions import Line, of_lines
from auditing.checker.proofs.formulas import formula, packed

# symbols of which one is solved for while the others have sample values
MAX_NAMES = 6


def of_rewriting(before: Line, after: Line) -> dict[str, str]:
    """The proof that the second line is not the first one rewritten; empty where none is found."""
    try:
        polynomials = [difference(line.left, line.right) for line in (before, after)]
    except IncalculableError:
        return {}
    proof: dict[str, Any] = {
        "equations": [[line.text[:500], formula(line.left), formula(line.right)] for line in (before, after)]
    }
    point = next((point for point in _points(polynomials) if _parts(before, after, point)), None)
    if point is not None:
        return packed({"kind": "solution", **proof, "point": {name: str(value) for name, value in point.items()}})
    names = {only_name(polynomial) for polynomial in polynomials}
    if len(names) == 1 and "" not in names and not have_common_root(*polynomials):
        return packed({"kind": "apart", **proof})
    # two circles around one centre: no value solves both
    proof_of_both = of_lines((before, after))
    is_multiple = any(quotient(*pair) is not None for pair in permutations(polynomials))
    if proof_of_both or "" not in names or is_multiple:
        return proof_of_both
    return packed({"kind": "unrelated", **proof})


def of_lost_root(line: Line, point: dict[str, Fraction]) -> dict[str, str]:
    """The proof that a value solves an equation; that a list leaves it out, stands in the text."""
    values = {name: str(value) for name, value in point.items()}
    sides = {"left": formula(line.left), "right": formula(line.right), "point": values, "texts": [line.text]}
    return packed({"kind": "lost root", **sides})


def of_allowed(
    sides: Sequence[Tree | None], relations: Sequence[str], point: dict[str, int], text: str
) -> dict[str, str]:
    """The proof that a value satisfies an inequality of one link; empty for a chain of several."""
    if len(relations) != 1 or None in sides:
        return {}
    left, right = (formula(side) for side in sides if side is not None)
    values = {name: str(value) for name, value in point.items()}
    return packed(
        {"kind": "lost root", "left": left, "right": right, "relation": relations[0], "point": values, "texts": [text]}
    )


def _points(polynomials: list[Polynomial]) -> Iterator[dict[str, Fraction]]:
    """Points that solve one of the equations."""
    names = sorted(names_in(polynomials[0]) | names_in(polynomials[1]))
    if not 0 < len(names) <= MAX_NAMES:
        return
    for polynomial in polynomials:
        for name in names:
            for sample in sample_points([free for free in names if free != name]):
                remainder = put_in(polynomial, sample)
                # One name is left open and solved for, the others are set to samples: a point on the curve.
                roots = _roots(remainder) if names_in(remainder) == {name} else ()
                yield from ({**sample, name: root} for root in roots)


def _roots(polynomial: Polynomial) -> tuple[Fraction, ...]:
    row = coefficients(polynomial)
    return (-row[0] / row[1],) if len(row) == 2 else rational_roots(polynomial) or ()


def _parts(before: Line, after: Line, point: dict[str, Fraction]) -> bool:
    """Whether exactly one of the two holds at this point, computed without a rounding."""
    trees: dict[str, Tree] = {name: Num(value) for name, value in point.items()}
    holds = []
    for line in (before, after):
        try:
            values = [evaluate(substitute(side, trees)) for side in (line.left, line.right)]
        except IncalculableError:
            return False
        if not all(isinstance(value, Fraction) for value in values):
            return False
        holds.append(values[0] == values[1])
    return holds[0] != holds[1]
