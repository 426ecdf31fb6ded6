"""Tickets in the draw by stake and skill: neither alone gives any."""

from decimal import Decimal
from fractions import Fraction

from auditing.core.errors import BadParameterError
from auditing.core.seating.sortition import LARGEST_WEIGHT


def tickets_by_stake(*, stake: int, reputation: Decimal, per_ticket: int) -> int:
    """min(8, 1 + floor(stake / per_ticket max(0, 2 r - 1))): tickets of an auditor in the draws of an audit.

    2 r - 1 is how much better than a coin somebody judges, so that points alone buy no seat, and skill counts only as
    far as its holder answers for it. Source: docs/decisions/0049. stake: points, less those under notice; reputation:
    as published, in [0, 1]; per_ticket: points, 0 for one ticket each. Raises BadParameterError for a reputation or a
    price below that.

    >>> [tickets_by_stake(stake=points, reputation=Decimal("0.9"), per_ticket=50) for points in (0, 100, 300, 9_000)]
    [1, 2, 5, 8]
    >>> tickets_by_stake(stake=9_000, reputation=Decimal("0.5"), per_ticket=50)
    1
    """
    if per_ticket < 0 or not 0 <= reputation <= 1:
        raise BadParameterError(
            "per_ticket", f"needs points and a reputation in [0, 1], not {per_ticket}, {reputation}"
        )
    if not per_ticket or stake <= 0:
        return 1
    edge = max(Fraction(0), 2 * Fraction(reputation) - 1)
    return min(LARGEST_WEIGHT, 1 + int(Fraction(stake, per_ticket) * edge))


def joined(*, by_stake: int, for_gold: int) -> int:
    """Tickets in the draw of a decoy: the product, at most eight, so that its draw differs from others by gold alone.

    >>> joined(by_stake=3, for_gold=4), joined(by_stake=1, for_gold=4), joined(by_stake=3, for_gold=1)
    (8, 4, 3)
    """
    return min(LARGEST_WEIGHT, by_stake * for_gold)
