"""The policy lab: what a policy would do to traces and auditors, and to votes already cast, as plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log

from auditing.core.consensus import SegmentDecision, Tally, adjudicate_segment, decide_segment, tally_round
from auditing.core.consensus.skills import Skill
from auditing.core.errors import BadParameterError
from auditing.core.points.payoff import payoff_with_honeypots
from auditing.core.policy import Policy
from auditing.core.values import Choice, Tier, Vote
from auditing.research.policy_lab.core.curves import Curves, behaviours_of, expected_curves
from auditing.research.policy_lab.core.guarantees import (
    MOST_SEGMENTS,
    Check,
    TraceAccuracy,
    always_wrong_log_bound,
    best_window,
    break_even_accuracy,
    breakdown_share,
    chernoff,
    economic_dials,
    hoeffding,
    honest_loss_log_bounds,
    pass_probability,
    policy_groups,
    segments_needed,
    statistical_dial,
    tails,
    trace_accuracy,
    valid_safety,
    wrong_pass_probability,
)

BETAS = tuple(step / 50 for step in range(1, 50))


@dataclass(frozen=True, slots=True)
class TierCard:
    """A tier at its planning values."""

    tier: Tier
    pass_valid: float
    pass_wrong: float
    breakdown: float


@dataclass(frozen=True, slots=True)
class FailurePoint:
    """Pr[a right trace fails] at one beta: exact, and two bounds."""

    beta: float
    exact: float
    chernoff: float
    hoeffding: float


@dataclass(frozen=True, slots=True)
class ProfitTails:
    """Pr[an honest seat ends without profit], as powers of ten: exact, and two bounds that hold.

    always_wrong: Pr[an always-wrong seat does not lose]. needed: segments after which an honest seat's is below 1e-6;
    None where it does not earn.
    """

    segments: int
    exact: float
    chernoff: float
    closed: float
    always_wrong: float
    needed: int | None


@dataclass(frozen=True, slots=True)
class LabCard:
    """All that the lab shows. accuracy: by number of wrong segments; the last is the paper's all-wrong case."""

    tiers: tuple[TierCard, ...]
    failure: tuple[FailurePoint, ...]
    accuracy: Mapping[int, TraceAccuracy]
    profits: Mapping[str, Curves]
    payoffs: Mapping[str, float]
    break_even: float
    checks: tuple[Check, ...]
    windows: Mapping[int, tuple[float, float] | None]  # of beta with accuracy over .9999, by number of wrong segments
    profit_tails: ProfitTails
    seats: int
    cost: int


def examine_policy(
    *, policy: Policy, counts: Mapping[Tier, int], wrong: Sequence[int] = (1, 3), votes: int = 1440
) -> LabCard:
    """The lab card of `policy` for a trace with `counts` segments by tier; `votes`: length of the profit curves.

    Wrong segments are spread over the tiers in proportion (largest remainders).
    """
    right = policy_groups(policy=policy, counts=counts)
    total = sum(counts.values())
    cases = sorted({min(number, total) for number in wrong} | {total})
    beta = float(policy.beta)
    accuracy = {
        number: trace_accuracy(
            right=right,
            wrong=policy_groups(policy=policy, counts=counts, wrong=_spread(number, counts)),
            betas=BETAS,
        )
        for number in cases
    }
    return LabCard(
        tiers=tuple(_tier_card(policy, tier) for tier in counts),
        failure=tuple(
            FailurePoint(b, exact, chernoff(groups=right, beta=b), hoeffding(groups=right, beta=b))
            for b, exact in zip(BETAS, tails(groups=right, betas=BETAS), strict=True)
        ),
        accuracy=accuracy,
        windows={number: best_window(curve=curve) for number, curve in accuracy.items()},
        profit_tails=_profit_tails(policy),
        profits={
            behaviour.name: expected_curves(
                behaviour=behaviour, policy=policy, segments=votes, start=float(policy.initial_reputation)
            )
            for behaviour in behaviours_of(policy=policy)
        },
        payoffs={
            behaviour.name: payoff_with_honeypots(
                accuracy=behaviour.accuracy, gold_accuracy=behaviour.gold_accuracy, policy=policy
            )
            for behaviour in behaviours_of(policy=policy)
        },
        break_even=break_even_accuracy(
            reward=policy.reward,
            penalty=policy.penalty,
            slash_min=float(policy.slash_min),
            slash_max=float(policy.slash_max),
        ),
        checks=(
            *economic_dials(policy=policy),
            statistical_dial(groups=right, beta=beta, policy=policy),
            valid_safety(groups=right, beta=beta, policy=policy),
        ),
        # in points: the price of a seat, and for people the reward that each of them can earn
        seats=sum(count * policy.tier(tier).k for tier, count in counts.items()),
        cost=sum(
            count * policy.tier(tier).k * (policy.tier(tier).price + (policy.reward if tier is Tier.HUMAN else 0))
            for tier, count in counts.items()
        ),
    )


def _profit_tails(policy: Policy) -> ProfitTails:
    """At the planned load and error, slashed at the worst: as if reputation were 0 throughout.

    Of a plan for more segments than are summed exactly, after the first million: the table says after how many.
    """
    segments = min(policy.segments_per_hour * policy.horizon_hours, MOST_SEGMENTS)
    worst = {
        "error": float(policy.human.error),
        "reward": policy.reward,
        "penalty": policy.penalty,
        "slash": float(policy.slash_max),
    }
    bounds = honest_loss_log_bounds(segments=segments, **worst)  # type: ignore[arg-type]
    try:
        needed = segments_needed(probability=1e-6, **worst)  # type: ignore[arg-type]
    except BadParameterError:
        needed = None
    tens = log(10)
    return ProfitTails(
        segments=segments,
        exact=bounds.exact / tens,
        chernoff=bounds.chernoff / tens,
        closed=bounds.closed / tens,
        always_wrong=always_wrong_log_bound(segments=segments, slash=float(policy.slash_min)) / tens,
        needed=needed,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRound:
    """A round as it went: `k` seats drawn, the votes revealed, and what was believed of their auditors."""

    tier: Tier
    k: int
    votes: Sequence[Vote]
    skills: Mapping[str, Skill] = field(default_factory=dict)
    adjudicates: bool = False


def replay_segment(
    *, rounds: Sequence[RecordedRound], tiers: Sequence[Tier], policy: Policy
) -> tuple[SegmentDecision, tuple[Tally, ...]]:
    """(decision, tallies) of one segment's recorded rounds under `policy`.

    The votes are those that were cast: seats that the other policy would have drawn, or not, are not imagined. Where
    it would have gone to an adjudicator and one has spoken, that word decides.
    """
    # No redraw can follow a recorded round: with all redraws used up, a low turnout is a hung round.
    judged = [recorded for recorded in rounds if not recorded.adjudicates]
    ordinary = [_retally(recorded, policy, judged[:number]) for number, recorded in enumerate(judged)]
    decision = decide_segment(tallies=ordinary, tiers=tiers, policy=policy)
    words = [
        recorded
        for recorded in rounds
        if recorded.adjudicates and any(vote.choice is not Choice.ABSTAIN for vote in recorded.votes)
    ]
    if decision.outcome is None and decision.adjudicate and words:
        ordinary.append(_retally(words[-1], policy, judged))
        decision = adjudicate_segment(tallies=ordinary, policy=policy)
    return decision, tuple(ordinary)


def _retally(recorded: RecordedRound, policy: Policy, earlier: Sequence[RecordedRound]) -> Tally:
    heard = [
        (vote.choice, row.skills[vote.auditor]) for row in earlier for vote in row.votes if vote.auditor in row.skills
    ]
    return tally_round(
        votes=recorded.votes,
        policy=policy,
        tier=recorded.tier,
        k=recorded.k,
        redraws=policy.max_redraws,
        skills=recorded.skills,
        heard=heard,
    )


def _tier_card(policy: Policy, tier: Tier) -> TierCard:
    rules = policy.tier(tier)
    tau, error, malicious = float(rules.tau), float(rules.error), float(rules.malicious)
    return TierCard(
        tier,
        pass_probability(k=rules.k, tau=tau, error=error, malicious=malicious),
        wrong_pass_probability(k=rules.k, tau=tau, error=error, malicious=malicious),
        breakdown_share(tau=tau, error=error),
    )


def _spread(number: int, counts: Mapping[Tier, int]) -> dict[Tier, int]:
    """`number` wrong segments over the tiers in proportion to their counts, by largest remainders."""
    total = sum(counts.values())
    wrong = {tier: number * count // total for tier, count in counts.items()}
    by_remainder = sorted(counts, key=lambda tier: (-(number * counts[tier] % total), tier))
    for tier in by_remainder[: number - sum(wrong.values())]:
        wrong[tier] += 1
    return wrong
