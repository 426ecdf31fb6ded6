"""From the tallies of one segment's rounds to its outcome, or to who must look next: a tier, or an adjudicator."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, hypot, inf, log

from auditing.core.consensus.planning.evidence import decide_right
from auditing.core.consensus.tally import Tally
from auditing.core.policy import Escalation, Policy
from auditing.core.values import Outcome, Tier

APPEALED = "an appeal questions the refutation"
REFUTED = "no adjudicator overruled the refutation"
SILENT = "the adjudicator said neither pass nor fail"
NOBODY_ASKED = "the trace was decided before anybody was asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentDecision:
    """`outcome` is None while another round is to be opened: in `next_tier`, or by an adjudicator."""

    outcome: Outcome | None
    posterior: Fraction
    next_tier: Tier | None = None
    adjudicate: bool = False
    adjudicated: bool = False  # an adjudicator was asked last
    interval: tuple[float, float] = (0.0, 1.0)  # 95 % credible, of the posterior; for display
    why: str = ""

    @property
    def waits(self) -> bool:
        """Whether it waits for the planner: neither decided, nor with anybody to be asked next."""
        return self.outcome is None and self.next_tier is None and not self.adjudicate


def decide_segment(*, tallies: Sequence[Tally], tiers: Sequence[Tier], policy: Policy) -> SegmentDecision:
    """Decide a segment from its finished rounds, in order; `tiers` = primary, then secondaries.

    The computer tier's look at every segment may stand first in `tallies`; an abstention there passes on and is
    no disagreement. Escalation.CONFIRM asks one secondary after a decided primary; if they disagree, the rest of
    the tiers and then the adjudicator. The posterior rests on all votes of all rounds: each round's odds over the
    base rate multiply.
    """
    posterior = _combined(tallies, Fraction(policy.base_rate))
    # 1. Too few seats answered: the same tier is drawn again before anything else is considered.
    if tallies and tallies[-1].redraw:
        return SegmentDecision(outcome=None, posterior=posterior, next_tier=tallies[-1].tier, why=tallies[-1].why)
    decided = [tally for tally in tallies if tally.outcome in (Outcome.PASS, Outcome.FAIL)]
    asked = {tally.tier for tally in tallies}
    waiting = [tier for tier in tiers if tier not in asked]
    outcomes = {tally.outcome for tally in decided}
    # 2. One decided tier is enough, two where the policy wants confirmation and a second tier can give it.
    enough = 2 if policy.escalation is Escalation.CONFIRM and (waiting or len(decided) > 1) else 1
    if len(outcomes) == 1 and len(decided) >= enough:
        outcome = decided[-1].outcome
        return SegmentDecision(
            outcome=outcome,
            posterior=posterior,
            why=decided[-1].why,
            interval=combined_interval(tallies=tallies, posterior=posterior),
        )
    # 3. Otherwise the next tier that was not asked yet, and after the last one the adjudicator.
    why = "the tiers disagree" if len(outcomes) > 1 else "confirmation required" if outcomes else "hung"
    if waiting:
        return SegmentDecision(outcome=None, posterior=posterior, next_tier=waiting[0], why=why)
    return SegmentDecision(outcome=None, posterior=posterior, adjudicate=True, why=why)


def follow_planned(*, tallies: Sequence[Tally], tiers: Sequence[Tier], policy: Policy) -> SegmentDecision:
    """What follows a round where the policy plans waves: a certain machine decides, models vote once, then it waits.

    Neither an outcome nor a next tier: the passage waits for the planner, which reads all passages together.
    """
    posterior, last = _combined(tallies, Fraction(policy.base_rate)), tallies[-1]
    if last.redraw:
        return SegmentDecision(outcome=None, posterior=posterior, next_tier=last.tier, why=last.why)
    if last.tier is Tier.COMPUTER and last.outcome in (Outcome.PASS, Outcome.FAIL):
        interval = combined_interval(tallies=tallies, posterior=posterior)
        return SegmentDecision(outcome=last.outcome, posterior=posterior, interval=interval, why=last.why)
    waiting = [tier for tier in tiers if tier not in {tally.tier for tally in tallies}]
    # Models vote before people where the route has them first.
    if waiting and waiting[0] is Tier.LLM and last.tier is Tier.COMPUTER:
        return SegmentDecision(outcome=None, posterior=posterior, next_tier=Tier.LLM, why="hung")
    return SegmentDecision(outcome=None, posterior=posterior, why="it waits for the next wave")


def question_refuted(*, decision: SegmentDecision, tallies: Sequence[Tally]) -> SegmentDecision:
    """In an audit that an appeal asked for, a refutation goes to an adjudicator: the same checker would repeat it."""
    if not _is_refuted(tallies):
        return decision
    return SegmentDecision(outcome=None, posterior=decision.posterior, adjudicate=True, why=APPEALED)


def close_planned(*, tallies: Sequence[Tally], policy: Policy) -> SegmentDecision:
    """What the votes on a passage say when its trace is decided: a label beside the outcome, which rests on all.

    Nobody is asked further: what lies between the policy's thresholds, or was asked of nobody, is undecided.
    """
    posterior = _combined(tallies, Fraction(policy.base_rate))
    outcome, why = Outcome.UNDECIDED, NOBODY_ASKED
    if any(tally.passes + tally.fails for tally in tallies):
        thetas = Fraction(policy.theta_pass), Fraction(policy.theta_fail)
        outcome, why = decide_right(right=posterior, theta_pass=thetas[0], theta_fail=thetas[1]), tallies[-1].why
    return SegmentDecision(
        outcome=outcome,
        posterior=posterior,
        why=why,
        interval=combined_interval(tallies=tallies, posterior=posterior),
    )


def adjudicate_segment(*, tallies: Sequence[Tally], policy: Policy) -> SegmentDecision:
    """Decide a segment by its last round, in which one adjudicator sat and had every earlier vote to read.

    The adjudicator's vote binds and sets the posterior: 1 - policy.adjudicator_error for a pass, adjudicator_error
    for a fail. It replaces the earlier votes, which the adjudicator read before voting and which would otherwise
    count twice. Without such a vote (an abstention, or nobody came) the segment is undecided at what its votes say, or
    fails where a checker's refutation was to be overruled.
    """
    adjudication, error = tallies[-1], Fraction(policy.adjudicator_error)
    if adjudication.passes == adjudication.fails:
        posterior = _combined(tallies, Fraction(policy.base_rate))
        interval = combined_interval(tallies=tallies, posterior=posterior)
        outcome, why = (Outcome.FAIL, REFUTED) if _is_refuted(tallies) else (Outcome.UNDECIDED, SILENT)
        return SegmentDecision(outcome=outcome, posterior=posterior, adjudicated=True, interval=interval, why=why)
    is_passed = adjudication.passes > adjudication.fails
    posterior = 1 - error if is_passed else error
    return SegmentDecision(
        outcome=Outcome.PASS if is_passed else Outcome.FAIL,
        posterior=posterior,
        adjudicated=True,
        interval=(float(posterior), float(posterior)),
        why="adjudicated",
    )


def _is_refuted(tallies: Sequence[Tally]) -> bool:
    return any(tally.tier is Tier.COMPUTER and tally.fails for tally in tallies)


def combined_interval(*, tallies: Sequence[Tally], posterior: Fraction) -> tuple[float, float]:
    """Interval of the combined posterior: the rounds' half-widths add as independent errors of the log-odds."""
    if not 0 < posterior < 1:
        return float(posterior), float(posterior)
    halves = [(_log_odds(tally.interval[1]) - _log_odds(tally.interval[0])) / 2 for tally in tallies]
    # Independent errors add in squares; a round whose interval reaches 0 or 1 has no finite width to add.
    centre, half = log(posterior / (1 - posterior)), hypot(*(width for width in halves if width < inf))
    low, high = (1 / (1 + exp(-value)) if value > -700 else 0.0 for value in (centre - half, centre + half))
    # Rounding must not leave the figure outside of its own interval.
    return min(low, float(posterior)), max(high, float(posterior))


def _log_odds(p: float) -> float:
    return log(p / (1 - p)) if 0 < p < 1 else (inf if p >= 1 else -inf)


def _combined(tallies: Sequence[Tally], base: Fraction) -> Fraction:
    """odds = base odds * product over rounds of (round's odds / base odds).

    Every round's posterior starts from the base rate, which would count once a round; dividing it out again leaves
    the rounds' likelihood ratios.
    """
    prior = base / (1 - base)
    odds = prior
    for tally in tallies:
        if tally.posterior == 1:  # certain: its odds are infinite
            return Fraction(1)
        odds *= tally.posterior / (1 - tally.posterior) / prior
    return odds / (1 + odds)
