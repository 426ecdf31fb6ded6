"""The tallies of one segment's rounds -> its outcome, or who must look next."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, hypot, inf, log

from auditing.core.consensus.tally import Tally
from auditing.core.policy import Escalation, Policy
from auditing.core.values import Outcome, Tier

SILENT = "the adjudicator said neither pass nor fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentDecision:
    """`outcome` is None while another round is to be opened: in `next_tier`, or by an adjudicator."""

    outcome: Outcome | None
    posterior: Fraction
    next_tier: Tier | None = None
    adjudicate: bool = False
    adjudicated: bool = False  # an adjudicator's word decided
    interval: tuple[float, float] = (0.0, 1.0)  # 95 % credible, of the posterior; for display
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
        return SegmentDecision(
            outcome=outcome,
            posterior=posterior,
            why=decided[-1].why,
            interval=combined_interval(tallies=tallies, posterior=posterior),
        )
    why = "the tiers disagree" if len(found) > 1 else "confirmation required" if found else "hung"
    if waiting:
        return SegmentDecision(outcome=None, posterior=posterior, next_tier=waiting[0], why=why)
    return SegmentDecision(outcome=None, posterior=posterior, adjudicate=True, why=why)


def adjudicate_segment(*, tallies: Sequence[Tally], policy: Policy) -> SegmentDecision:
    """Decide a segment by its last round, in which one adjudicator sat and had every earlier vote to read.

    The word binds and stands for its own posterior, 1 - policy.adjudicator_error for a pass and adjudicator_error for
    a fail: it replaces the votes it was given after reading them, which would otherwise count twice. Without a word
    (an abstention, or nobody came) the segment is undecided at what its votes say.
    """
    word, error = tallies[-1], Fraction(policy.adjudicator_error)
    if word.passes == word.fails:
        posterior = _combined(tallies, Fraction(policy.base_rate))
        interval = combined_interval(tallies=tallies, posterior=posterior)
        return SegmentDecision(
            outcome=Outcome.UNDECIDED, posterior=posterior, adjudicated=True, interval=interval, why=SILENT
        )
    passed = word.passes > word.fails
    posterior = 1 - error if passed else error
    return SegmentDecision(
        outcome=Outcome.PASS if passed else Outcome.FAIL,
        posterior=posterior,
        adjudicated=True,
        interval=(float(posterior), float(posterior)),
        why="adjudicated",
    )


def combined_interval(*, tallies: Sequence[Tally], posterior: Fraction) -> tuple[float, float]:
    """Interval of the combined posterior: the rounds' half-widths add as independent errors of the log-odds."""
    if not 0 < posterior < 1:
        return float(posterior), float(posterior)
    halves = [(_log_odds(tally.interval[1]) - _log_odds(tally.interval[0])) / 2 for tally in tallies]
    centre, half = log(posterior / (1 - posterior)), hypot(*(width for width in halves if width < inf))
    low, high = (1 / (1 + exp(-value)) if value > -700 else 0.0 for value in (centre - half, centre + half))
    return min(low, float(posterior)), max(high, float(posterior))


def _log_odds(p: float) -> float:
    return log(p / (1 - p)) if 0 < p < 1 else (inf if p >= 1 else -inf)


def _combined(tallies: Sequence[Tally], base: Fraction) -> Fraction:
    """odds = base odds * product over rounds of (round's odds / base odds)."""
    prior = base / (1 - base)
    odds = prior
    for tally in tallies:
        if tally.posterior == 1:
            return Fraction(1)
        odds *= tally.posterior / (1 - tally.posterior) / prior
    return odds / (1 + odds)
