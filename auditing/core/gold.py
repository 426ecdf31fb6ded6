"""Gold, as mathematics: how much is due, seats on gold as a share of all seats, never above the policy's rate."""

import random
from decimal import Decimal
from fractions import Fraction

from auditing.core.errors import BadParameterError
from auditing.core.seating.sortition import LARGEST_WEIGHT
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


def tickets_for_gold(*, seats: int, gold: int, share: Decimal, emphasis: int, is_new: bool) -> int:
    """Tickets of a reviewer in the draw of a decoy, 1 to 8: one, one more for every seat on gold that is owed, times
    `emphasis` for a newcomer.

    Owed is share * seats - gold, rounded down. It moves gold between people and adds none, so that its price stays
    below the policy's share; whoever had enough keeps one ticket, or the next seat would be known to be no gold.
    seats, gold: of the reviewer so far. emphasis 0: by lot alone.

    >>> tickets_for_gold(seats=20, gold=1, share=Decimal("0.15"), emphasis=4, is_new=False)
    3
    >>> tickets_for_gold(seats=0, gold=0, share=Decimal("0.15"), emphasis=4, is_new=True)
    4
    """
    if not emphasis:
        return 1
    owed = int(Fraction(share) * seats - gold)
    return min(LARGEST_WEIGHT, (1 + max(0, owed)) * (emphasis if is_new else 1))


def next_truth(*, right: int, wrong: int, rng: random.Random) -> Choice:
    """Half of the gold is right: the rarer truth comes next, by a coin where both are as many."""
    if right == wrong:
        return rng.choice((Choice.PASS, Choice.FAIL))
    return Choice.PASS if right < wrong else Choice.FAIL
