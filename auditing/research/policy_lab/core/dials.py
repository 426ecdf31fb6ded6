"""Dials of a policy that stand in the red: what goes wrong in plain words, and which parameter mends it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditing.core.policy.parameters import Policy
from auditing.core.values import Tier
from auditing.research.policy_lab.core.lab import TierCard

MOST_WRONG_PASSED = 0.05  # of wrong passages that one round passes


@dataclass(frozen=True, slots=True)
class Dial:
    """One dial: what it says, how it stands, and what would bring it out of the red."""

    says: str
    stands: str
    mend: str


def red_dials(*, policy: Policy, payoffs: Mapping[str, float], tiers: Sequence[TierCard]) -> tuple[Dial, ...]:
    """The dials that are in the red; payoffs: points a vote by behaviour, tiers: at their planning values."""
    honest, stamper, guesser = (payoffs[name] for name in ("honest", "rubber-stamper", "guesser"))
    dials = []
    if stamper >= honest:
        dials.append(
            Dial(
                "Stamping pays more than honesty",
                f"who passes everything earns {stamper:+.2f} points a vote, who reads {honest:+.2f}",
                "More gold, a higher gold multiplier, or a higher penalty.",
            )
        )
    if guesser > 0:
        dials.append(
            Dial(
                "A coin gains",
                f"who throws a coin earns {guesser:+.2f} points a vote",
                "A higher penalty, a greater chance of a slash, or more gold.",
            )
        )
    return (*dials, *_even_seats(policy), *_passing(policy, tiers))


def _even_seats(policy: Policy) -> list[Dial]:
    even = [tier for tier in Tier if policy.tier(tier).k > 1 and policy.tier(tier).k % 2 == 0]
    # In waves people have no fixed number of seats.
    return [
        Dial(
            f"Even seats of {_WHO[tier]}",
            f"{policy.tier(tier).k} votes can fall half and half, and then nothing is decided",
            f"{policy.tier(tier).k + 1} seats or {policy.tier(tier).k - 1}.",
        )
        for tier in even
        if not (tier is Tier.HUMAN and policy.planner)
    ]


def _passing(policy: Policy, tiers: Sequence[TierCard]) -> list[Dial]:
    return [
        Dial(
            f"A wrong passage passes too often before {_WHO[card.tier]}",
            f"{100 * card.pass_wrong:.1f} % of wrong ones pass a round; 5 % should be the most",
            "More seats, a higher pass quorum, or a smaller planned error if gold has measured it.",
        )
        for card in tiers
        if card.pass_wrong > MOST_WRONG_PASSED + 1e-9 and not (card.tier is Tier.HUMAN and policy.planner)
    ]


_WHO = {Tier.COMPUTER: "the computer", Tier.LLM: "language models", Tier.HUMAN: "people"}
