"""The forecast: the courses of a unit, the simulated errors, and the cheapest policy for given ones."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from auditing.core.consensus import SegmentOutcome, decide_trace
from auditing.core.errors import BadParameterError
from auditing.core.policy import DEFAULT, PAPER, PRESETS, TraceRule
from auditing.core.values import Outcome, Tier
from auditing.research.policy_lab.core.forecast import (
    Unit,
    cap_needed,
    forecast_trace,
    longest_days,
    planned_share,
    recommend_policy,
    unit_paths,
)
from auditing.research.policy_lab.core.forecast.simulation import CODES, trace_outcomes
from hdag.core.values import Graph
from tests.factories.policies import ROUNDS

PEOPLE = Unit(tiers=(Tier.HUMAN,), k=5)


@pytest.mark.parametrize("policy", PRESETS.values(), ids=str)
@pytest.mark.parametrize("tiers", [(Tier.HUMAN,), (Tier.HUMAN, Tier.LLM), (Tier.COMPUTER, Tier.LLM, Tier.HUMAN)])
def test_the_courses_of_a_unit_are_all_that_can_happen(policy, tiers):
    paths = unit_paths(unit=Unit(tiers=tiers, k=policy.human.k), policy=policy)
    assert sum(path.if_right for path in paths) == pytest.approx(1)
    assert sum(path.if_wrong for path in paths) == pytest.approx(1)


def test_a_hung_round_costs_an_adjudicator():
    hung = [path for path in unit_paths(unit=PEOPLE, policy=ROUNDS) if path.adjudicated]
    # two of five pass: .8333 of the votes are right
    accuracy = 0.98 * 0.85
    assert sum(path.if_right for path in hung) == pytest.approx(10 * accuracy**2 * (1 - accuracy) ** 3)
    assert {path.rounds for path in hung} == {2}


@pytest.mark.parametrize("rule", TraceRule)
def test_arrays_decide_as_the_trace_rule_does(rule):
    policy, paths = replace(ROUNDS, trace_rule=rule), unit_paths(unit=PEOPLE, policy=ROUNDS)
    courses = np.random.default_rng(5).choice(len(paths), size=(80, 6))
    posteriors = np.array([[paths[course].posterior for course in trace] for trace in courses])
    outcomes = np.array([[CODES[paths[course].outcome] for course in trace] for trace in courses])
    by_arrays = trace_outcomes(posteriors=posteriors, outcomes=outcomes, weighed=(outcomes, np.ones(6)), policy=policy)
    exact = [_decided([paths[course] for course in trace], policy) for trace in courses]
    assert by_arrays.tolist() == exact
    assert len(set(exact)) > 1


def _decided(trace, policy) -> int:
    rows = [
        SegmentOutcome(segment=str(number), outcome=path.outcome, posterior=Fraction(path.posterior), tier=path.tier)
        for number, path in enumerate(trace)
    ]
    return CODES[decide_trace(outcomes=rows, graph=Graph((), ()), policy=policy).outcome]


def test_a_forecast_counts_seats_and_both_errors():
    forecast = forecast_trace(units=[PEOPLE] * 8, policy=ROUNDS)
    assert (forecast.units, forecast.people.mean) == (8, pytest.approx(40))
    assert forecast.points.mean == pytest.approx(6 * (40 + forecast.adjudications.mean))
    assert forecast.not_passed.share < 0.07
    assert forecast.passed.share < 0.07
    assert longest_days(forecast=forecast, policy=ROUNDS) == 9  # two rounds of three days, and an adjudicator's three


def test_the_default_asks_half_as_often_as_five_seats_each_and_errs_about_as_rarely():
    waves, rounds = (forecast_trace(units=[PEOPLE] * 8, policy=policy) for policy in (DEFAULT, ROUNDS))
    assert waves.people.mean < rounds.people.mean / 2
    assert (waves.adjudications.high, waves.deepest.high <= DEFAULT.cap) == (0, True)
    assert max(waves.not_passed.share, waves.passed.share) < 0.07


def test_the_first_default_failed_long_right_traces():
    paper_people = replace(ROUNDS, human=replace(PAPER.human, k=5))
    forecast = forecast_trace(units=[PEOPLE] * 27, policy=paper_people)
    assert forecast.not_passed.share > 0.85  # the audits of the issue: 8 % of right traces passed


def test_what_checkers_decided_costs_nobody_anything():
    proved = Unit(tiers=(Tier.COMPUTER, Tier.HUMAN), k=1, decided=Outcome.PASS)
    assert forecast_trace(units=[proved, PEOPLE], policy=ROUNDS).people.mean == pytest.approx(5)
    refuted = replace(proved, decided=Outcome.FAIL)
    assert forecast_trace(units=[refuted, PEOPLE], policy=ROUNDS).not_passed.share == 1
    with pytest.raises(BadParameterError):
        forecast_trace(units=[], policy=ROUNDS)


def test_the_cheapest_policy_keeps_both_errors():
    asked = {"policy": ROUNDS, "passages": 8, "most_not_passed": 0.05, "most_passed": 0.05}
    cheap = recommend_policy(accuracy=Decimal("0.95"), **asked)
    dear = recommend_policy(accuracy=Decimal("0.8"), **asked)
    assert cheap.seats < dear.seats
    assert max(dear.forecast.not_passed.share, dear.forecast.passed.share) <= 0.05
    dear.policy.validate()


def test_the_cheapest_waves_keep_both_errors_and_half_the_seats():
    asked = {"passages": 8, "accuracy": Decimal("0.85"), "most_not_passed": 0.05, "most_passed": 0.05}
    waves, rounds = (recommend_policy(policy=policy, **asked) for policy in (DEFAULT, ROUNDS))
    assert waves.policy.planner
    assert waves.seats <= rounds.seats / 2


def test_what_no_number_of_seats_brings_is_said():
    none = recommend_policy(policy=ROUNDS, passages=8, accuracy=Decimal("0.55"), most_not_passed=0.05, most_passed=0.05)
    assert (none.policy, none.seats) == (None, 168)


def test_planning_values_follow_an_accuracy():
    human = planned_share(policy=DEFAULT, accuracy=Decimal("0.9")).human
    assert human.prior_right / (human.prior_right + human.prior_wrong) == Decimal("0.9")


WAVES = replace(DEFAULT, human=replace(DEFAULT.human, error=Decimal("0.15"), malicious=Decimal(0)))
EIGHT = [Unit(tiers=(Tier.HUMAN,), k=5)] * 8


def test_waves_are_forecast_as_the_planner_was_measured() -> None:
    """Eight passages at accuracy .85: some 19 seats in the mean, in five waves, both errors under .05."""
    waves = forecast_trace(units=EIGHT, policy=WAVES, trials=400)
    assert 16 < waves.people.mean < 24
    assert waves.rounds.mean < 7
    assert waves.deepest.high <= WAVES.cap
    assert max(waves.not_passed.share or 0, waves.passed.share or 0) < 0.08  # .05 within three standard errors


def test_what_no_wave_can_decide_takes_no_seat_and_names_the_cap_that_would_do() -> None:
    weak = planned_share(policy=WAVES, accuracy=Decimal("0.65"))
    waves = forecast_trace(units=EIGHT, policy=weak, trials=20)
    assert (waves.people.high, waves.undecided.share) == (0, 1)
    cap = cap_needed(units=EIGHT, policy=weak, most=101)
    assert cap is not None
    assert forecast_trace(units=EIGHT, policy=replace(weak, cap=cap), trials=20).people.mean > 0
    assert cap_needed(units=EIGHT, policy=planned_share(policy=WAVES, accuracy=Decimal("0.51")), most=20) is None


def test_a_refuted_unit_asks_nobody_in_waves() -> None:
    refuted = [*EIGHT, Unit(tiers=(Tier.COMPUTER,), k=1, decided=Outcome.FAIL)]
    waves = forecast_trace(units=refuted, policy=WAVES, trials=20)
    assert (waves.people.high, waves.not_passed.share, waves.passed.share) == (0, 1, 0)


def test_models_spare_people_in_waves() -> None:
    first = [Unit(tiers=(Tier.LLM, Tier.HUMAN), k=3)] * 8
    spared = forecast_trace(units=first, policy=WAVES, trials=200)
    assert spared.models.mean == pytest.approx(24)
    assert spared.people.mean < forecast_trace(units=EIGHT, policy=WAVES, trials=200).people.mean / 2


def test_the_random_sample_of_what_models_settled_is_counted() -> None:
    """A fifth of sixty units that models settle is looked at besides, each by one person."""
    units = [Unit(tiers=(Tier.LLM, Tier.HUMAN), k=3)] * 60
    none, fifth, each = (
        forecast_trace(units=units, policy=replace(WAVES, sample_share=Decimal(share)), trials=40).people.mean
        for share in ("0", "0.2", "1")
    )
    assert 6 < fifth - none < 14
    assert each > 55
