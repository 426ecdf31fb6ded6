"""Waves and a planner beside a fixed number of seats, on the same simulated votes; then on recorded medical votes.

Eight passages, one of them wrong in every second trace, skills known: 2,000 traces. Errors: a right trace that is not
passed, also when it is left undecided, and a wrong trace that is passed.

Run: python -m benchmarks.planner (a minute or two; the medical votes only where ../shared/data is).
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditing.core.consensus import SegmentOutcome, Tally, adjudicate_segment, decide_trace, tally_round
from auditing.core.consensus.planning import PassageState, PlanRules, plan_wave
from auditing.core.consensus.proportions import wilson_interval
from auditing.core.policy import DEFAULT, PRESETS, Policy, TraceRule
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.research.policy_lab.core.forecast import Unit, forecast_trace, recommend_policy
from auditing.research.policy_lab.core.planned_traces import PlannedTrace, simulate_waves
from auditing.research.studies.instruments.public_votes import read_usmle
from hdag.core.values import Graph

TRACES, PASSAGES = 2000, 8
THETA_PASS, THETA_FAIL = Fraction(29, 30), Fraction(1, 20)  # a miss costs 30 looks, a false alarm 20
VOTES = Path(__file__).parents[2] / "shared/data/usmle_gpt4_errors/raw_annotator_level.jsonl"
# What the default was before waves: five seats, believed at .7, one round, hung ones to an adjudicator.
OLD = replace(DEFAULT, human=replace(DEFAULT.human, k=5, prior_right=Decimal("1.4"), prior_wrong=Decimal("0.6")))
OLD = replace(OLD, cost_miss=Decimal(10), cost_false_alarm=Decimal(4), planner=False, trace_rule=TraceRule.NOISY_AND)
Trial = Callable[[NDArray[np.bool_], int | None, NDArray[np.float64]], PlannedTrace]


def plan_rules(*, accuracy: str, cap: int, wave_seats: int = 3) -> PlanRules:
    """The planner's rules at an accuracy."""
    return PlanRules(
        base_rate=Fraction(1, 2),
        theta_pass=THETA_PASS,
        theta_fail=THETA_FAIL,
        accuracy=Fraction(accuracy),
        wave_seats=wave_seats,
        cap=cap,
    )


def run_trials(*, trial: Trial, accuracy: float, cap: int, traces: int = TRACES) -> dict[bool, list[PlannedTrace]]:
    """The simulated traces by truth (right: True), every second one wrong; equal arguments give equal votes."""
    rng = np.random.default_rng(17)
    trials: dict[bool, list[PlannedTrace]] = {True: [], False: []}
    for number in range(traces):
        wrong = int(rng.integers(PASSAGES)) if number % 2 else None
        votes, luck = rng.random((PASSAGES, cap)) < accuracy, rng.random(PASSAGES)
        trials[wrong is None].append(trial(votes, wrong, luck))
    return trials


def fixed_trace(votes: NDArray[np.bool_], wrong: int | None, luck: NDArray[np.float64]) -> PlannedTrace:
    """The old default on the same votes: the first five of each passage; hung ones to an adjudicator (error .02)."""
    outcomes, seats = {}, 5 * len(votes)
    for number in range(len(votes)):
        right = int(votes[number][:5].sum())
        adjudicated = bool(luck[number] >= float(OLD.adjudicator_error)) == (number != wrong)
        passes = right if number != wrong else 5 - right
        outcomes[str(number)] = _fixed_passage(passes, adjudicated, str(number))
        seats += _tally(passes, 5 - passes, OLD).outcome is Outcome.HUNG  # the adjudicator's seat
    outcome = decide_trace(outcomes=outcomes, graph=Graph((), ()), policy=OLD).outcome
    return PlannedTrace(outcome, seats, 1)


@cache
def _fixed_passage(passes: int, adjudicated: bool, passage: str) -> SegmentOutcome:
    tally = _tally(passes, 5 - passes, OLD)
    if tally.outcome is Outcome.HUNG:
        decision = adjudicate_segment(tallies=[tally, _tally(int(adjudicated), int(not adjudicated), OLD)], policy=OLD)
        return SegmentOutcome(
            segment=passage,
            outcome=decision.outcome or Outcome.UNDECIDED,
            posterior=decision.posterior,
            tier=Tier.HUMAN,
        )
    return SegmentOutcome(segment=passage, outcome=tally.outcome, posterior=tally.posterior, tier=Tier.HUMAN)


@cache
def _tally(passes: int, fails: int, policy: Policy) -> Tally:
    votes = [Vote(choice=Choice.PASS)] * passes + [Vote(choice=Choice.FAIL)] * fails
    return tally_round(votes=votes, policy=policy, tier=Tier.HUMAN, k=passes + fails)


def describe(*, name: str, trials: dict[bool, list[PlannedTrace]]) -> str:
    """One line of the table."""
    cells = [f"{name:34}"]
    for is_right, label in ((True, "right"), (False, "wrong")):
        traces = trials[is_right]
        seats, waves = (np.array([getattr(trace, field) for trace in traces]) for field in ("seats", "waves"))
        errors = sum((trace.outcome is Outcome.PASS) != is_right for trace in traces)
        if not is_right:  # a wrong trace that is left undecided was not passed
            errors = sum(trace.outcome is Outcome.PASS for trace in traces)
        undecided = sum(trace.outcome is Outcome.UNDECIDED for trace in traces)
        rate = wilson_interval(count=errors, of=len(traces))
        cells.append(
            f"{label}: seats {seats.mean():5.1f} (95 % {np.percentile(seats, 95):3.0f}) waves {waves.mean():4.1f} "
            f"({np.percentile(waves, 95):2.0f}) error {errors / len(traces):.3f} [{rate.low:.3f}, {rate.high:.3f}] "
            f"undecided {undecided / len(traces):.3f}"
        )
    return " | ".join(cells)


@dataclass(frozen=True, slots=True)
class Replay:
    """Items with three votes or more, their votes, those that were used; items that end as with all votes, by what."""

    items: int
    votes: int
    used: int
    same_side: int  # the likelier side
    same_pass: int  # passed, or not passed
    same_outcome: int  # passed, failed, or left between the thresholds
    needed: int  # votes after which no completion could change the last of these


def replay_recorded(*, path: Path, accuracy: str = "0.85") -> Replay:
    """The planner on recorded votes.

    One by one in the order of the file; the replay stops where the planner would, or at the last vote.
    """
    by_item: dict[str, list[int]] = defaultdict(list)
    for vote in read_usmle(path=path):
        if vote.choice is not Choice.ABSTAIN:
            by_item[vote.item].append(1 if vote.choice is Choice.PASS else -1)
    counted = [votes for votes in by_item.values() if len(votes) >= 3]
    used = [_votes_until_decided(votes, accuracy) for votes in counted]
    margins = [(sum(votes[:seats]), sum(votes)) for votes, seats in zip(counted, used, strict=True)]
    outcomes = [tuple(_by_thresholds(margin, accuracy) for margin in pair) for pair in margins]
    return Replay(
        items=len(counted),
        votes=sum(map(len, counted)),
        used=sum(used),
        same_side=sum(bool(np.sign(early) == np.sign(late)) for early, late in margins),
        same_pass=sum((early is Outcome.PASS) == (late is Outcome.PASS) for early, late in outcomes),
        same_outcome=sum(early is late for early, late in outcomes),
        needed=sum(_votes_until_sure(votes, accuracy) for votes in counted),
    )


def _votes_until_sure(votes: Sequence[int], accuracy: str) -> int:
    """Votes after which the outcome by the thresholds is the same whatever the others are."""
    for seats in range(1, len(votes)):
        left, margin = len(votes) - seats, sum(votes[:seats])
        if len({_by_thresholds(margin + more, accuracy) for more in range(-left, left + 1, 2)}) == 1:
            return seats
    return len(votes)


def _votes_until_decided(votes: Sequence[int], accuracy: str) -> int:
    rules = plan_rules(accuracy=accuracy, cap=len(votes), wave_seats=1)
    for seats in range(1, len(votes)):
        ratio = rules.step ** sum(votes[:seats])
        plan = plan_wave(passages=[PassageState(passage="P1", ratio=ratio, seats=seats)], rules=rules)
        if plan.outcome in (Outcome.PASS, Outcome.FAIL):
            return seats
    return len(votes)


def _by_thresholds(margin: int, accuracy: str) -> Outcome | None:
    rules = plan_rules(accuracy=accuracy, cap=100)
    state = PassageState(passage="P1", ratio=rules.step**margin, seats=1)
    return plan_wave(passages=[state], rules=rules).outcome


def print_forecasts() -> None:
    """What the presets are forecast to take and to get wrong, and the cheapest fixed seats for both errors of .05."""
    for length, policy in ((length, policy) for length in (1, 8, 27) for policy in PRESETS.values()):
        expected = forecast_trace(units=[Unit(tiers=(Tier.HUMAN,), k=policy.human.k)] * length, policy=policy)
        print(
            f"{length:3} units, {policy.name:14} seats {expected.people.mean:5.0f}, adjudications "
            f"{expected.adjudications.mean:4.2f}, right not passed {expected.not_passed.share:.3f}, wrong passed "
            f"{expected.passed.share:.3f}"
        )
    for accuracy in ("0.95", "0.85", "0.80", "0.70", "0.65"):
        cheapest = recommend_policy(
            policy=DEFAULT, passages=8, accuracy=Decimal(accuracy), most_not_passed=0.05, most_passed=0.05
        )
        cap = cheapest.policy.cap if cheapest.policy else "none"
        print(f"accuracy {accuracy}: cap {cap}, {cheapest.seats} seats a trace")


def main() -> None:
    """Print the tables."""
    print_forecasts()
    for accuracy, cap in (("0.85", 13), ("0.80", 21), ("0.65", 13)):
        print(f"accuracy {accuracy}, cap {cap}, thresholds {THETA_PASS} and {THETA_FAIL}, {TRACES} traces")
        for wave_seats in (1, 3, 5, 8):
            rules = plan_rules(accuracy=accuracy, cap=cap, wave_seats=wave_seats)
            trials = run_trials(
                trial=lambda votes, wrong, luck, rules=rules: simulate_waves(votes=votes, wrong=wrong, rules=rules),  # type: ignore[misc]
                accuracy=float(accuracy),
                cap=cap,
            )
            print(describe(name=f"{wave_seats} seats a wave", trials=trials))
        trials = run_trials(trial=fixed_trace, accuracy=float(accuracy), cap=cap)
        print(describe(name="before: 5 seats, then adjudicator", trials=trials))
    if VOTES.exists():
        replay = replay_recorded(path=VOTES)
        print(f"medical votes: {replay.items} items, {replay.used} of {replay.votes} votes; as with all votes:")
        print(f"likelier side {replay.same_side}, passed or not {replay.same_pass}, by both thresholds")
        print(f"{replay.same_outcome}, where {replay.needed} votes are needed to be sure")


if __name__ == "__main__":
    main()
