"""A trace simulated under a policy: seats, rounds, and the two errors of the rule that binds.

Every unit takes one of its courses (paths.py) by chance; the trace is then decided as consensus/trace.py decides it, on
arrays, so that thousands of traces take milliseconds. A test holds the two equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from auditing.core.consensus.proportions import Rate, wilson_interval
from auditing.core.errors import BadParameterError
from auditing.core.policy.parameters import Policy, TraceRule
from auditing.core.values import Outcome, Tier
from auditing.research.policy_lab.core.forecast.paths import Path, Unit, unit_paths
from auditing.research.policy_lab.core.forecast.waves import simulate_planned

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
PASS, FAIL, UNDECIDED = 1, 0, -1
CODES = {Outcome.PASS: PASS, Outcome.FAIL: FAIL, Outcome.HUNG: UNDECIDED, Outcome.UNDECIDED: UNDECIDED}
DAY = 86400
PLANNED_CELLS, FEWEST_PLANNED = 8_000, 60  # a trace in waves is told plan by plan: fewer of long ones


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean, and what 95 of 100 traces stay within."""

    mean: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What a trace will take, over right and wrong traces as the policy expects them, and how often it will err."""

    units: int  # asked of anybody
    people: Spread  # seats of people, adjudicators left out
    models: Spread
    adjudications: Spread
    rounds: Spread  # of people, one after another, of the unit that takes longest; waves, where they are planned
    deepest: Spread  # seats of people on the unit that gets most
    points: Spread  # prices of seats, and the reward for every seat of a person
    not_passed: Rate  # right traces that fail or stay undecided
    passed: Rate  # wrong traces that pass
    undecided: Rate  # right traces left undecided
    undecided_wrong: Rate


@dataclass(frozen=True, slots=True)
class _Trials:
    outcome: Codes
    people: Codes
    models: Codes
    adjudications: Codes
    rounds: Codes
    deepest: Codes


def forecast_trace(*, units: Sequence[Unit], policy: Policy, trials: int = 1000, seed: int = 17) -> Forecast:
    """Simulate `trials` right and as many wrong traces of these units; in a wrong one a random unit is wrong.

    The wrong unit is one on which the answer rests and that no checker decided. Raises BadParameterError without units.
    """
    if not units:
        raise BadParameterError("units", "must have at least one")
    rng = np.random.default_rng(seed)
    if policy.planner:
        trials = min(trials, max(FEWEST_PLANNED, PLANNED_CELLS // len(units)))
    candidates = [number for number, unit in enumerate(units) if unit.rests and unit.decided is None]
    right = _simulate(units, policy, np.full(trials, -1), rng)
    # Where checkers decided everything there is no wrong trace to simulate: both columns are the same.
    hit = rng.choice(candidates, size=trials) if candidates else np.full(trials, -1)
    wrong = _simulate(units, policy, hit, rng)
    share = float(policy.trace_base_rate)
    prices = [policy.tier(Tier.HUMAN).price + policy.reward, policy.tier(Tier.LLM).price]
    spread = {
        name: _spread(getattr(right, name), getattr(wrong, name), share)
        for name in ("people", "models", "adjudications", "rounds", "deepest")
    }
    points = [(trial.people + trial.adjudications) * prices[0] + trial.models * prices[1] for trial in (right, wrong)]
    return Forecast(
        units=sum(unit.decided is None for unit in units),
        points=_spread(points[0], points[1], share),
        not_passed=_rate(right.outcome != PASS),
        passed=_rate(wrong.outcome == PASS),
        undecided=_rate(right.outcome == UNDECIDED),
        undecided_wrong=_rate(wrong.outcome == UNDECIDED),
        **spread,
    )


def planned_share(*, policy: Policy, accuracy: Decimal) -> Policy:
    """The policy for reviewers of whom a share `accuracy` of votes is right: planned so, and believed so before gold.

    >>> from auditing.core.policy import DEFAULT
    >>> planned_share(policy=DEFAULT, accuracy=Decimal("0.9")).human.error
    Decimal('0.1')
    """
    rules = policy.human
    strength = rules.prior_right + rules.prior_wrong
    human = replace(
        rules,
        error=1 - accuracy,
        malicious=Decimal(0),
        prior_right=strength * accuracy,
        prior_wrong=strength * (1 - accuracy),
    )
    return replace(policy, human=human)


def planned_accuracy(*, policy: Policy) -> float:
    """Share of right votes that the policy plans of a reviewer, those who vote wrong on purpose counted.

    >>> from auditing.core.policy import DEFAULT
    >>> planned_accuracy(policy=DEFAULT)
    0.833
    """
    return float((1 - policy.human.error) * (1 - policy.human.malicious))


def longest_days(*, forecast: Forecast, policy: Policy) -> float:
    """Days until 95 of 100 traces are decided at the latest: windows one after another, each used to its end."""
    windows = forecast.rounds.high * (policy.human.commit_seconds + policy.human.reveal_seconds)
    waiting = policy.adjudication_seconds if forecast.adjudications.high else 0
    return (windows + waiting) / DAY


def trace_outcomes(*, posteriors: Floats, outcomes: Codes, weighed: tuple[Codes, Floats], policy: Policy) -> Codes:
    """The binding outcome of each trace, as consensus.trace.decide_trace has it without refutations.

    Shapes: traces x units on which the answer rests, for the first two; weighed: (paper outcomes, weights) over all
    units, traces x units and units.
    """
    if policy.trace_rule is TraceRule.WEIGHTED:
        passed, weights = weighed
        needed = float(policy.beta) * weights.sum() - 1e-9
        return np.where((passed == PASS) @ weights >= needed, PASS, FAIL)
    if policy.trace_rule is TraceRule.ALL_PASS:
        worst = np.where((outcomes == UNDECIDED).any(axis=1), UNDECIDED, PASS)
        return np.where((outcomes == FAIL).any(axis=1), FAIL, worst)
    if policy.trace_rule is TraceRule.FIRST_ERROR:
        return _by_thresholds(_first_error(posteriors, policy), policy)
    least = posteriors.min(axis=1)
    if policy.trace_rule is TraceRule.NOISY_AND:
        base = float(policy.base_rate)
        prior = 1 - (1 - float(policy.trace_base_rate)) / posteriors.shape[1]
        shift = (prior / (1 - prior)) / (base / (1 - base))
        least = np.minimum(least, (posteriors * shift / (posteriors * shift + 1 - posteriors)).prod(axis=1))
    return _by_thresholds(least, policy)


def _first_error(posteriors: Floats, policy: Policy) -> Floats:
    """P(no unit is wrong), as consensus.planning.trace_right has it."""
    base, free = float(policy.base_rate), float(policy.trace_base_rate)
    ratios = (1 - posteriors) / posteriors * base / (1 - base)
    return np.asarray(free / (free + (1 - free) * ratios.mean(axis=1)), dtype=np.float64)


def _by_thresholds(right: Floats, policy: Policy) -> Codes:
    decided = np.where(right <= float(policy.trace_theta_fail), FAIL, UNDECIDED)
    return np.where(right >= float(policy.trace_theta_pass), PASS, decided)


def _simulate(units: Sequence[Unit], policy: Policy, wrong: Codes, rng: np.random.Generator) -> _Trials:
    """wrong: the number of each trace's wrong unit, -1 in a right one."""
    if policy.planner:
        return _simulate_planned(units, policy, wrong, rng)
    columns = [_column(unit_paths(unit=unit, policy=policy), wrong == number, rng) for number, unit in enumerate(units)]
    table = np.stack(columns)  # units x traces x fields
    rests = np.array([unit.rests for unit in units])
    basis = table[rests] if rests.any() else table
    outcome = trace_outcomes(
        posteriors=basis[:, :, 0].T,
        outcomes=basis[:, :, 1].T.astype(np.int64),
        weighed=(table[:, :, 2].T.astype(np.int64), np.array([unit.weight for unit in units])),
        policy=policy,
    )
    if any(unit.decided is Outcome.FAIL and unit.rests for unit in units):
        outcome = np.full_like(outcome, FAIL)  # a refutation overrules whatever the votes say
    counts = table[:, :, 3:6].sum(axis=0).astype(np.int64)
    rounds = table[:, :, 6].max(axis=0).astype(np.int64)
    deepest = table[:, :, 3].max(axis=0).astype(np.int64)
    return _Trials(outcome, counts[:, 0], counts[:, 1], counts[:, 2], rounds, deepest)


def _simulate_planned(units: Sequence[Unit], policy: Policy, wrong: Codes, rng: np.random.Generator) -> _Trials:
    """The same in waves."""
    trials = simulate_planned(units=units, policy=policy, wrong=wrong, rng=rng)
    names = ("people", "models", "adjudications", "waves", "deepest")
    counts = np.array([[getattr(trial, name) for name in names] for trial in trials], dtype=np.int64)
    return _Trials(np.array([CODES[trial.outcome] for trial in trials]), *counts.T)


def _column(paths: Sequence[Path], is_wrong: NDArray[np.bool_], rng: np.random.Generator) -> Floats:
    """(posterior, outcome, paper outcome, people, models, adjudicated, rounds) of one unit in every trace."""
    fields = np.array(
        [
            (
                path.posterior,
                CODES[path.outcome],
                CODES[path.paper_outcome],
                path.people,
                path.models,
                path.adjudicated,
                path.rounds,
            )
            for path in paths
        ],
        dtype=np.float64,
    )
    if_right, if_wrong = (np.array([getattr(path, name) for path in paths]) for name in ("if_right", "if_wrong"))
    size = len(is_wrong)
    courses = np.where(
        is_wrong,
        rng.choice(len(paths), size=size, p=if_wrong / if_wrong.sum()),
        rng.choice(len(paths), size=size, p=if_right / if_right.sum()),
    )
    return np.asarray(fields[courses], dtype=np.float64)


def _spread(right: Codes, wrong: Codes, share: float) -> Spread:
    """Mean and 95 % over right traces, a share of all, and wrong ones."""
    values = np.concatenate([right, wrong])
    weights = np.concatenate([np.full(len(right), share / len(right)), np.full(len(wrong), (1 - share) / len(wrong))])
    order = np.argsort(values, kind="stable")
    reached = int(np.searchsorted(np.cumsum(weights[order]), 0.95 - 1e-12))
    return Spread(float(values @ weights), float(values[order][min(reached, len(values) - 1)]))


def _rate(hits: NDArray[np.bool_]) -> Rate:
    return wilson_interval(count=int(hits.sum()), of=len(hits))
