"""Gold, as mathematics: how much is due, seats on gold as a share of all seats, never above the policy's rate."""

import random
from decimal import Decimal
from fractions import Fraction

from auditing.core.errors import BadParameterError
from auditing.core.values import Choice


def decoys_due(*, ordinary: int, gold: int, share: Decimal, seats: int) -> int:
    """The greatest number n of decoys, of `seats` seats each, with gold + n seats <= share (ordinary + gold + n seats).

    At most the share, because gold costs what ordinary seats cost. ordinary, gold: seats that were given out so far.
    Raises BadParameterError for a share outside [0, 1) or no seats.

    >>> decoys_due(ordinary=24, gold=0, share=Decimal("0.2"), seats=3)
    2
    """
    if not 0 <= share < 1 or seats < 1:
        raise BadParameterError("share", f"needs a share in [0, 1) and at least one seat, not {share} and {seats}")
    wanted = Fraction(share)
    missing = wanted * (ordinary + gold) - gold
    return max(0, missing // (seats * (1 - wanted)))


def next_truth(*, right: int, wrong: int, rng: random.Random) -> Choice:
    """Half of the gold is right: the rarer truth comes next, by a coin where both are as many."""
    if right == wrong:
        return rng.choice((Choice.PASS, Choice.FAIL))
    return Choice.PASS if right < wrong else Choice.FAIL
