"""The tallies of one segment's rounds -> its outcome, or who must look next."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditing.core.consensus.tally import Tally
from auditing.core.policy import Escalation, Policy
from auditing.core.values import Outcome, Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentDecision:
    """`outcome` is None while another round is to be opened: in `next_tier`, or by an adjudicator."""

    outcome: Outcome | None
    posterior: Fraction
    next_tier: Tier | None = None
    adjudicate: bool = False
    why: str = ""


def decide_segment(*, tallies: Sequence[Tally], tiers: Sequence[Tier], policy: Policy) -> SegmentDecision:
    """Decide a segment from its finished rounds, in order; `tiers` = primary, then secondaries.

    The computer tier's look at every segment may stand first in `tallies`; an abstention there passes on and is
    no disagreement. Escalation.CONFIRM asks one secondary after a decided primary; if they disagree, the rest of
    the tiers and then the adjudicator. The posterior rests on all votes of all rounds: each round's odds over the
    base rate multiply.
    """
    posterior = _combined(tallies, Fraction(policy.base_rate))
    if tallies and tallies[-1].redraw:
        return SegmentDecision(outcome=None, posterior=posterior, next_tier=tallies[-1].tier, why=tallies[-1].why)
    decided = [tally for tally in tallies if tally.outcome in (Outcome.PASS, Outcome.FAIL)]
    asked = {tally.tier for tally in tallies}
    waiting = [tier for tier in tiers if tier not in asked]
    found = {tally.outcome for tally in decided}
    enough = 2 if policy.escalation is Escalation.CONFIRM and (waiting or len(decided) > 1) else 1
    if len(found) == 1 and len(decided) >= enough:
        outcome = decided[-1].outcome
        return SegmentDecision(outcome=outcome, posterior=posterior, why=decided[-1].why)
    why = "the tiers disagree" if len(found) > 1 else "confirmation required" if found else "hung"
    if waiting:
        return SegmentDecision(outcome=None, posterior=posterior, next_tier=waiting[0], why=why)
    return SegmentDecision(outcome=None, posterior=posterior, adjudicate=True, why=why)


def _combined(tallies: Sequence[Tally], base: Fraction) -> Fraction:
    """odds = base odds * product over rounds of (round's odds / base odds)."""
    prior = base / (1 - base)
    odds = prior
    for tally in tallies:
        if tally.posterior == 1:
            return Fraction(1)
        odds *= tally.posterior / (1 - tally.posterior) / prior
    return odds / (1 + odds)
