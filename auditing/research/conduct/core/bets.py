"""Signs of careless or hostile voting, as bets against an honest reviewer: false alarms are bounded at any time.

Wealth starts at 1 and is staked on each vote. Against every reviewer who is right on at least LEAST_RIGHT of the right
and of the wrong passages, it does not grow in the mean; so it ever reaches 1 / alpha with probability at most alpha,
however often one looks (Ville's inequality). Source: Ville 1939; Shafer 2021, "Testing by betting".

The bound holds as far as `valid` is a true probability: on gold it is 1 or 0, elsewhere it is what the other votes say,
and measured (docs/measurements.md). A flag is a reason for a person to look, and never decides anything by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, log

LEAST_RIGHT = 0.6  # of an honest reviewer, on right and on wrong passages alike: the null hypothesis
ALPHA = 0.02  # share of honest reviewers who are ever flagged, at most
STAMPS, ALWAYS, MOSTLY = 0.98, 0.95, 0.7  # what the bets take the reviewer to do
UNREAD_NULL, UNREAD = 0.2, 0.9  # share of votes given faster than one can read: honest at most, and the bet
FASTEST_CHARACTERS = 60  # that anybody reads in a second


class Sign(StrEnum):
    """What a bet is about."""

    APPROVES = "approves whatever it is"
    WRONG = "is wrong more often than right"
    MOSTLY_WRONG = "is often wrong"
    FOLLOWS = "is wrong where models are wrong"
    UNREAD = "votes faster than one can read"


DECIDING = (
    Sign.APPROVES,
    Sign.WRONG,
    Sign.MOSTLY_WRONG,
    Sign.FOLLOWS,
)  # the others are shown beside them and flag nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPassage:
    """One vote and what is known of its passage without it. milliseconds: of active reading; None where unmeasured."""

    passed: bool
    valid: float  # 1 or 0 on gold, elsewhere the probability given everybody else's votes
    is_gold: bool = False
    misleads_models: bool = False  # gold that most models judge wrongly
    characters: int = 0
    milliseconds: int | None = None


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Log-wealth of each bet after a number of votes, and the vote at which the flag first stood; None: never."""

    votes: int
    gold: int
    wealth: dict[Sign, float]
    flagged_at: int | None

    @property
    def strongest(self) -> Sign:
        """The deciding sign that speaks loudest."""
        return max(DECIDING, key=lambda sign: self.wealth[sign])

    @property
    def false_alarm(self) -> float:
        """The share of honest reviewers against whom the mean of the deciding bets ever stands so high, at most."""
        return min(1.0, exp(-_mean_wealth(self.wealth)))


def suspicion(*, votes: Sequence[JudgedPassage], alpha: float = ALPHA) -> Suspicion:
    """All bets over the votes in their order; flagged once the mean wealth of the deciding ones reaches 1 / alpha.

    >>> stamper = [JudgedPassage(passed=True, valid=0.0, is_gold=True)] * 8
    >>> suspicion(votes=stamper).flagged_at
    6
    >>> suspicion(votes=[JudgedPassage(passed=True, valid=1.0, is_gold=True)] * 500).flagged_at is None
    True
    """
    wealth, flagged_at = dict.fromkeys(Sign, 0.0), None
    for number, vote in enumerate(votes, 1):
        for sign in Sign:
            wealth[sign] += stake(sign=sign, vote=vote)
        if flagged_at is None and _mean_wealth(wealth) >= -log(alpha):
            flagged_at = number
    return Suspicion(len(votes), sum(vote.is_gold for vote in votes), wealth, flagged_at)


def _mean_wealth(wealth: dict[Sign, float]) -> float:
    """Logarithm of the mean of the deciding wealths: a mean of fair bets is a fair bet."""
    values = [wealth[sign] for sign in DECIDING]
    top = max(values)
    return top + log(sum(exp(value - top) for value in values) / len(values))


def stake(*, sign: Sign, vote: JudgedPassage) -> float:
    """What one vote does to the logarithm of a bet's wealth."""
    if sign is Sign.UNREAD:
        if vote.milliseconds is None or not vote.characters:
            return 0.0
        is_unread = vote.milliseconds * FASTEST_CHARACTERS < 1000 * vote.characters
        return log(UNREAD / UNREAD_NULL) if is_unread else log((1 - UNREAD) / (1 - UNREAD_NULL))
    if sign is Sign.APPROVES:
        return _bet(vote.passed, STAMPS, _most(vote.valid))
    if sign is Sign.FOLLOWS and not vote.misleads_models:
        return 0.0
    error = MOSTLY if sign is Sign.MOSTLY_WRONG else ALWAYS
    fails = vote.valid * error + (1 - vote.valid) * (1 - error)
    # The bet lies on the side on which an honest reviewer would be found less often; where neither is, it is left.
    return _bet(not vote.passed, fails, _most(1 - vote.valid)) or _bet(vote.passed, 1 - fails, _most(vote.valid))


def _most(probability: float) -> float:
    """The largest chance that an honest vote says what is so with this probability."""
    return probability + (1 - probability) * (1 - LEAST_RIGHT)


def _bet(event: bool, suspected: float, most: float) -> float:
    """Log-likelihood ratio of a chance `suspected` against `most`; nothing is staked unless it is the larger one.

    Its mean under any chance up to `most` is at most 1: p s/m + (1 - p)(1 - s)/(1 - m) grows with p and is 1 at m.
    """
    if suspected <= most or most >= 1:
        return 0.0
    return log(suspected / most) if event else log((1 - suspected) / (1 - most))
