"""Mean payoffs of a vote in closed form: the paper's, with gold, and what pay by consensus would do.

Source: TRUST section 3.3; docs/formulas.md sections 1.3 and 1.5.
"""

from fractions import Fraction
from math import comb

from auditing.core.errors import BadParameterError
from auditing.core.policy import Policy, SlashBasis


def slash_probability(*, reputation: Fraction, policy: Policy) -> Fraction:
    """p_min + (p_max - p_min)(1 - r), exactly. Source: TRUST section 3.3.

    >>> from auditing.core.policy import PAPER
    >>> slash_probability(reputation=Fraction(7, 10), policy=PAPER)
    Fraction(29, 100)
    """
    if not 0 <= reputation <= 1:
        raise BadParameterError("reputation", f"must lie in [0, 1], not {reputation}")
    low, high = Fraction(policy.slash_min), Fraction(policy.slash_max)
    return low + (high - low) * (1 - reputation)


def expected_payoff(*, accuracy: float, policy: Policy, reputation: float | None = None) -> float:
    """a R - (1 - a) P p_slash(r); r settles at the seat's own accuracy when it is not given.

    Source: TRUST section 3.3. The paper's "guessers lose" does not hold at its own parameters: 1.6 a segment.
    """
    r = accuracy if reputation is None else reputation
    slash = float(policy.slash_min) + float(policy.slash_max - policy.slash_min) * (1 - r)
    return accuracy * policy.reward - (1 - accuracy) * policy.penalty * slash


def slashing_reputation(*, accuracy: float, gold_accuracy: float, policy: Policy) -> float:
    """Where the reputation that sets the chance of a slash settles: judged by gold, or by outcomes (`slashing`)."""
    if policy.slashing is SlashBasis.OUTCOME:
        return accuracy
    if policy.honeypot_share:
        return gold_accuracy
    return accuracy if policy.slashing is SlashBasis.GOLD_ELSE_OUTCOME else float(policy.initial_reputation)


def payoff_with_honeypots(
    *, accuracy: float, gold_accuracy: float, policy: Policy, reputation: float | None = None
) -> float:
    """(1 - h) payoff(a) + h (g R - (1 - g) M P): on gold a wrong vote costs M P for certain.

    accuracy: share of votes on ordinary segments that are judged right. gold_accuracy differs from it for a
    rubber-stamper: half of the honeypots are wrong segments. reputation: by which wrong votes are slashed; where it
    settles when it is not given.
    """
    if reputation is None:
        reputation = slashing_reputation(accuracy=accuracy, gold_accuracy=gold_accuracy, policy=policy)
    share = float(policy.honeypot_share)
    certain = policy.honeypot_multiplier * policy.penalty
    on_gold = gold_accuracy * policy.reward - (1 - gold_accuracy) * certain
    return (1 - share) * expected_payoff(accuracy=accuracy, policy=policy, reputation=reputation) + share * on_gold


def agreement_with_consensus(
    *, sensitivity: float, specificity: float, peer_accuracy: float, k: int, base_rate: float = 0.8
) -> float:
    """P(vote = majority of k seats, itself included), k odd, peers right independently with `peer_accuracy`.

    Judged against consensus a malicious seat earns when enough others are malicious: why pay follows gold.
    """
    if k < 1 or k % 2 == 0:
        raise BadParameterError("k", f"must be odd, not {k}")
    others, needed = k - 1, (k - 1) // 2  # with its own vote the majority is (k + 1) / 2
    right = _at_least(others, needed, peer_accuracy)
    wrong = _at_least(others, needed, 1 - peer_accuracy)
    accuracy = base_rate * sensitivity + (1 - base_rate) * specificity
    return accuracy * right + (1 - accuracy) * wrong


def _at_least(n: int, least: int, p: float) -> float:
    return sum(comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(least, n + 1))
