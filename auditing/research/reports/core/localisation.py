"""Localisation: which numbered step of a failed passage its failing votes name first, and with what share."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Localisation:
    """The step that fails: its number, from 1, and the weight behind it among all failing votes."""

    step: int
    share: Fraction
    votes: int  # failing votes, those that name no step included


def localise(*, named: Iterable[tuple[int | None, Fraction]]) -> Localisation | None:
    """The weighted plurality of the steps that failing votes name; None where none of them names a step.

    named: of each failing vote the number of its step (None: it names none) and its weight. share = weight of the
    plurality / weight of all failing votes. Of equal weights the earlier step is named: an error is where it begins.

    >>> localise(named=[(3, Fraction(9, 10)), (2, Fraction(6, 10)), (3, Fraction(7, 10)), (None, Fraction(8, 10))])
    Localisation(step=3, share=Fraction(8, 15), votes=4)
    """
    weights: dict[int, Fraction] = defaultdict(Fraction)
    total, votes = Fraction(0), 0
    for step, weight in named:
        total, votes = total + weight, votes + 1
        if step is not None:
            weights[step] += weight
    if not weights:
        return None
    step = min(weights, key=lambda number: (-weights[number], number))
    return Localisation(step, weights[step] / total, votes)
