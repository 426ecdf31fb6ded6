"""Reputation, the moving average r <- (1 - g) r + g 1[correct], in two columns: against gold and against consensus.

Source: TRUST section 3.3; docs/formulas.md section 1.3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from fractions import Fraction
from math import sqrt

from auditing.core.errors import BadParameterError
from auditing.core.policy import Policy

ENOUGH_GOLD = 10  # gold votes before reputation can suspend anybody


class Standing(StrEnum):
    """Whether an auditor may be drawn."""

    ACTIVE = "active"
    SUSPENDED = "suspended"  # draws gold only, until its reputation is back


@dataclass(frozen=True, slots=True)
class ReputationValue:
    """One reputation and the number of votes behind it."""

    value: Fraction
    votes: int = 0

    def after(self, *, correct: bool, gamma: Fraction) -> "ReputationValue":
        """The reputation after one more judged vote."""
        return ReputationValue(next_reputation(reputation=self.value, correct=correct, gamma=gamma), self.votes + 1)


@dataclass(frozen=True, slots=True)
class Reputation:
    """Both columns of one auditor. The paper never says which of them "correct" means."""

    against_gold: ReputationValue
    against_consensus: ReputationValue


def next_reputation(*, reputation: Fraction, correct: bool, gamma: Fraction) -> Fraction:
    """(1 - g) r + g 1[correct], exactly. Source: TRUST section 3.3. A vote not revealed is not correct.

    >>> next_reputation(reputation=Fraction(7, 10), correct=True, gamma=Fraction(1, 50))
    Fraction(353, 500)
    """
    if not (0 <= reputation <= 1 and 0 < gamma <= 1):
        raise BadParameterError("reputation", f"needs 0 <= r <= 1 and 0 < g <= 1, not {reputation} and {gamma}")
    return (1 - gamma) * reputation + gamma * correct


def replay(*, start: Fraction, steps: Iterable[tuple[bool, Fraction]]) -> Fraction:
    """Where a chain of (correct, gamma) leads, each value rounded to 12 places as it is stored.

    >>> replay(start=Fraction(1, 2), steps=[(True, Fraction(1, 10)), (False, Fraction(1, 10))])
    Fraction(99, 200)
    """
    value = start
    for correct, gamma in steps:
        value = Fraction(round(next_reputation(reputation=value, correct=correct, gamma=gamma) * 10**12), 10**12)
    return value


def published(*, reputation: Fraction) -> Fraction:
    """Rounded to .01, halves to even: what the ledger shows and each step is computed from, so linking is harder."""
    return Fraction(round(reputation * 100), 100)


def standard_error(*, reputation: Fraction, votes: int, gamma: Fraction) -> float:
    """Of the moving average as an estimate of accuracy a: sqrt(a(1 - a) g/(2 - g) (1 - (1 - g)^2n)).

    a is put at r, kept within .05 and .95, so that a first lucky streak does not look certain; 1 without votes.
    After many votes the variance is that of an exponential average, a(1 - a) g/(2 - g); the last factor is what the
    first n votes have reached of it.
    """
    if votes == 0:
        return 1.0
    a, g = min(max(float(reputation), 0.05), 0.95), float(gamma)
    return sqrt(a * (1 - a) * g / (2 - g) * (1 - (1 - g) ** (2 * votes)))


def decide_standing(
    *, reputation: Reputation, no_shows: Sequence[datetime], now: datetime, policy: Policy, suspended: bool = False
) -> Standing:
    """Active or suspended: by silence, or by a reputation against gold that is below the limit beyond doubt.

    Suspend when no_show_limit no-shows fall within no_show_days, or r + 1.96 s.e. < suspend_below on at least ten
    gold votes. A suspended auditor returns at r >= return_above once its no-shows have lapsed.
    """
    # 1. Silence: points cannot be taken for votes that never came.
    since = now - timedelta(days=policy.no_show_days)
    if sum(moment > since for moment in no_shows) >= policy.no_show_limit:
        return Standing.SUSPENDED
    gold = reputation.against_gold
    # 2. Who is suspended needs more to return than to stay, so that nobody goes to and fro at one limit.
    if suspended and gold.votes:
        return Standing.ACTIVE if gold.value >= Fraction(policy.return_above) else Standing.SUSPENDED
    # 3. The upper end of the 95 % interval must lie below the limit.
    error = standard_error(reputation=gold.value, votes=gold.votes, gamma=Fraction(policy.gamma))
    low = gold.votes >= ENOUGH_GOLD and float(gold.value) + 1.96 * error < float(policy.suspend_below)
    return Standing.SUSPENDED if low else Standing.ACTIVE
