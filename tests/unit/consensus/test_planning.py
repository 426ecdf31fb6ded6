"""The planner: who is asked next, when a trace is decided, and what that costs."""

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from auditing.core.consensus import SegmentOutcome, decide_trace, passage_state
from auditing.core.consensus.planning import (
    PassageState,
    PlanRules,
    draw_sample,
    evidence_ratio,
    plan_wave,
    trace_right,
)
from auditing.core.consensus.planning import plan_rules as rules_of
from auditing.core.errors import BadParameterError
from auditing.core.policy import DEFAULT, PAPER
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.research.policy_lab.core.planned_traces import simulate_waves
from benchmarks.planner import plan_rules, replay_recorded, run_trials
from hdag.core.values import Graph

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


def test_the_random_sample_is_asked_before_any_end_but_a_refutation_and_beside_a_first_wave():
    settled = [PassageState(passage=name, ratio=Fraction(1, 1000), has_model_vote=True) for name in ("P1", "P2")]
    alone = plan_wave(passages=settled, rules=RULES, drawn={"P2"})
    assert (alone.outcome, alone.seats, alone.drawn) == (None, {"P2": 1}, {"P2"})
    beside = plan_wave(passages=[*settled, PassageState(passage="P3")], rules=RULES, drawn={"P2"})
    assert (beside.why, beside.seats, beside.drawn) == ("first wave", {"P2": 1, "P3": 1}, {"P2"})
    failed = [*settled, PassageState(passage="P3", ratio=Fraction(1000), has_model_vote=True)]
    assert plan_wave(passages=failed, rules=RULES, drawn={"P2"}).seats == {"P2": 1}
    refuted = PassageState(passage="P3", is_refuted=True)
    assert plan_wave(passages=[*settled, refuted], rules=RULES, drawn={"P2"}).outcome is Outcome.FAIL


@pytest.mark.parametrize("change", [{"seats": 1}, {"is_proved": True}, {"has_model_vote": False}])
def test_the_sample_draws_nothing_that_people_saw_that_is_proved_or_that_no_model_settled(change):
    state = PassageState(**{"passage": "P1", "ratio": Fraction(1, 1000), "has_model_vote": True, **change})
    assert plan_wave(passages=[state], rules=RULES, drawn={"P1"}).outcome is Outcome.PASS


def test_the_sample_is_drawn_by_the_seed_with_its_share():
    names = [f"P{number}" for number in range(4000)]
    sample = draw_sample(seed=bytes(32), passages=names, share=Fraction(1, 4))
    assert sample == draw_sample(seed=bytes(32), passages=reversed(names), share=Fraction(1, 4))
    assert 900 < len(sample) < 1100
    assert not draw_sample(seed=bytes(32), passages=names, share=Fraction(0))


def test_no_seat_is_given_over_the_cap():
    full = passages(0, seats=13)
    plan = plan_wave(passages=full, rules=RULES)
    assert (plan.outcome, plan.adjudicates, plan.seats) == (None, True, {"P1": 1})  # one adjudicator, no person more
    heard = [replace(full[0], is_heard=True)]
    assert plan_wave(passages=heard, rules=RULES).outcome is Outcome.UNDECIDED


def test_an_adjudicator_hears_the_passages_in_most_doubt_and_no_more_than_the_trace_needs():
    margins = passages(3, -1, 0, 3, seats=13)
    plan = plan_wave(passages=margins, rules=RULES)
    assert (plan.adjudicates, plan.seats) == (True, {"P2": 1, "P3": 1})
    heard = [
        replace(state, ratio=RULES.word, is_heard=True) if state.passage in plan.seats else state for state in margins
    ]
    assert plan_wave(passages=heard, rules=RULES).outcome is Outcome.PASS


def test_where_nobody_voted_no_further_seat_is_asked_for():
    spent = [replace(passages(0, seats=1)[0], is_spent=True)]
    assert plan_wave(passages=spent, rules=RULES).adjudicates


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
def test_recorded_medical_votes_end_as_with_all_of_them_with_fewer():
    replay = replay_recorded(path=VOTES)
    assert replay.items == 105
    assert replay.used <= 0.8 * replay.votes
    assert replay.same_side >= 0.95 * replay.items
    assert replay.same_pass >= 0.95 * replay.items
    # Which of pass, fail and neither: to be sure of that takes more votes than the bar allows, whoever plans.
    assert replay.needed > 0.8 * replay.votes


def test_what_is_planned_by_is_what_decides_the_trace():
    """At every margin, thresholds included: a plan that ends the waves says what the trace says."""
    rules, base, rng = rules_of(policy=DEFAULT), Fraction(DEFAULT.base_rate), random.Random(20)
    step, ended = Fraction(3, 17), set()  # .15 / .85: what is believed of a reviewer without gold
    for _ in range(400):
        odds = [base / (1 - base) / step ** rng.randint(-3, 3) for _ in range(rng.randint(1, 6))]
        outcomes = [
            SegmentOutcome(segment=f"S{n}", outcome=Outcome.UNDECIDED, posterior=odd / (1 + odd), tier=Tier.HUMAN)
            for n, odd in enumerate(odds)
        ]
        states = [passage_state(decided=decided, base_rate=base, seats=3) for decided in outcomes]
        most = rng.choice([Fraction(1), Fraction(4, 5)])
        plan = plan_wave(passages=states, rules=rules, most=most)
        soundness = {} if most == 1 else {"S0": most}
        trace = decide_trace(outcomes=outcomes, graph=Graph((), ()), policy=DEFAULT, soundness=soundness)
        assert trace.posterior == plan.right
        assert plan.outcome in (None, trace.outcome)
        ended.add(plan.outcome)
    assert {Outcome.PASS, Outcome.FAIL, None} <= ended


def test_a_passage_beside_the_answer_is_asked_once_and_decides_nothing():
    beside = PassageState(passage="P9", rests=False)
    assert plan_wave(passages=[*passages(0, seats=0), beside], rules=RULES).seats == {"P1": 1, "P9": 1}
    failed = replace(beside, ratio=Fraction(10**6), seats=1)
    assert plan_wave(passages=[*passages(1), failed], rules=RULES).seats == {"P1": 1}
    assert plan_wave(passages=[*passages(2), replace(failed, is_refuted=True)], rules=RULES).outcome is Outcome.PASS


def test_a_certificate_that_bars_a_pass_leaves_only_fails_to_look_for():
    plan = plan_wave(passages=passages(4, 4), rules=RULES, most=Fraction(1, 2))
    assert (plan.outcome, plan.right) == (Outcome.UNDECIDED, Fraction(1, 2))
