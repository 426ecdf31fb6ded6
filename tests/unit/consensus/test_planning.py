"""The planner: who is asked next, when a trace is decided, and what that costs."""

from fractions import Fraction
from pathlib import Path

import pytest

from auditing.core.consensus.planning import (
    PassageState,
    PlanRules,
    draw_sample,
    evidence_ratio,
    plan_wave,
    trace_right,
)
from auditing.core.consensus.planning.simulation import simulate_waves
from auditing.core.errors import BadParameterError
from auditing.core.policy import PAPER
from auditing.core.values import Choice, Outcome, Vote
from benchmarks.planner import plan_rules, replay_recorded, run_trials

RULES = plan_rules(accuracy="0.85", cap=13)
VOTES = Path(__file__).parents[4] / "shared/data/usmle_gpt4_errors/raw_annotator_level.jsonl"


def passages(*margins: int, seats: int = 5) -> list[PassageState]:
    """Passages P1, P2, ... by passes less fails of reviewers of accuracy .85."""
    return [
        PassageState(passage=f"P{number}", ratio=RULES.step**margin, seats=seats)
        for number, margin in enumerate(margins, 1)
    ]


def test_the_first_wave_asks_about_every_passage():
    plan = plan_wave(passages=passages(0, 0, 0, seats=0), rules=RULES)
    assert (plan.outcome, plan.seats) == (None, {"P1": 1, "P2": 1, "P3": 1})


def test_a_later_wave_goes_where_the_doubt_is():
    plan = plan_wave(passages=passages(1, -1, 1, 1), rules=RULES)
    assert plan.seats == {"P1": 1, "P2": 2}  # two would bring P2 level with the others, of which P1 comes first


def test_a_wave_is_no_larger_than_a_pass_needs():
    assert sum(plan_wave(passages=passages(1), rules=RULES).seats.values()) == 1


def test_thresholds_decide_a_trace():
    assert plan_wave(passages=passages(2, 2, 2), rules=RULES).outcome is Outcome.PASS
    assert plan_wave(passages=passages(2, 2, -3), rules=RULES).outcome is Outcome.FAIL


def test_the_prior_is_the_trace_s_however_long_it_is():
    half = Fraction(1, 2)
    for count in (1, 8, 300):
        assert trace_right(passages=passages(*[0] * count), base_rate=half) == half


def test_a_long_trace_does_not_fail_by_number_alone():
    # Fifteen in a hundred passages of a right trace get a fail from reviewers of accuracy .85.
    margins = [-1 if number % 20 in (3, 9, 15) else 1 for number in range(300)]
    assert trace_right(passages=passages(*margins), base_rate=Fraction(1, 2)) == Fraction(1, 2)


def test_a_refutation_fails_the_trace_and_a_proof_is_asked_of_nobody():
    refuted = PassageState(passage="P2", is_refuted=True)
    proved = PassageState(passage="P2", is_proved=True)
    assert plan_wave(passages=[*passages(0), refuted], rules=RULES).outcome is Outcome.FAIL
    assert plan_wave(passages=[*passages(0, seats=0), proved], rules=RULES).seats == {"P1": 1}


def test_people_look_at_the_sample_before_machines_decide():
    settled = [PassageState(passage=name, ratio=Fraction(1, 1000)) for name in ("P1", "P2")]
    assert plan_wave(passages=settled, rules=RULES).outcome is Outcome.PASS
    assert plan_wave(passages=settled, rules=RULES, sampled={"P2"}).seats == {"P2": 1}


def test_the_sample_is_drawn_by_the_seed_with_its_share():
    names = [f"P{number}" for number in range(4000)]
    sample = draw_sample(seed=b"seed", passages=names, share=Fraction(1, 4))
    assert sample == draw_sample(seed=b"seed", passages=reversed(names), share=Fraction(1, 4))
    assert 900 < len(sample) < 1100
    assert not draw_sample(seed=b"seed", passages=names, share=Fraction(0))


def test_no_seat_is_given_over_the_cap():
    plan = plan_wave(passages=passages(0, seats=13), rules=RULES)
    assert (plan.outcome, plan.seats) == (Outcome.UNDECIDED, {})


def test_what_cannot_be_had_under_the_cap_is_said_before_any_seat():
    plan = plan_wave(passages=passages(*[0] * 8, seats=0), rules=plan_rules(accuracy="0.65", cap=13))
    assert plan.outcome is Outcome.UNDECIDED
    assert plan_wave(passages=passages(*[0] * 8, seats=0), rules=plan_rules(accuracy="0.65", cap=61)).seats


def test_ratios_come_from_the_posterior_of_the_project():
    votes = [Vote(choice=Choice.PASS, auditor="a"), Vote(choice=Choice.FAIL, auditor="b")]
    assert evidence_ratio(votes=votes[:1], skills={}, policy=PAPER) == Fraction(3, 7)
    assert evidence_ratio(votes=votes, skills={}, policy=PAPER) == 1


@pytest.mark.parametrize(
    "wrong", [{"accuracy": Fraction(1, 2)}, {"theta_fail": Fraction(99, 100)}, {"cap": 0}, {"base_rate": Fraction(1)}]
)
def test_rules_that_cannot_plan_are_refused(wrong):
    usable = {name: getattr(RULES, name) for name in PlanRules.__dataclass_fields__}
    with pytest.raises(BadParameterError):
        PlanRules(**usable | wrong)


def test_eight_passages_cost_what_the_guide_says():
    trials = run_trials(
        trial=lambda votes, wrong, luck: simulate_waves(votes=votes, wrong=wrong, rules=RULES),
        accuracy=0.85,
        cap=13,
        traces=300,
    )
    means = {is_right: sum(trace.seats for trace in traces) / len(traces) for is_right, traces in trials.items()}
    errors = {is_right: _errors(traces, is_right) / len(traces) for is_right, traces in trials.items()}
    assert means[True] < 25
    assert means[False] < 19
    assert max(errors.values()) < 0.07  # 150 traces each: .05 within two standard errors


def _errors(traces, is_right):
    return (
        sum(trace.outcome is Outcome.PASS for trace in traces)
        if not is_right
        else sum(trace.outcome is not Outcome.PASS for trace in traces)
    )


@pytest.mark.skipif(not VOTES.exists(), reason="../shared/data is not here")
def test_recorded_medical_votes_end_on_the_same_side_with_fewer_of_them():
    items, cast, used, same_side, _ = replay_recorded(path=VOTES)
    assert items == 105
    assert same_side >= 0.95 * items
    assert used <= 0.8 * cast
