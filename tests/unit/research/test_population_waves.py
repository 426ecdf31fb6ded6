"""Simulated crowds asked in waves: the planner of a running system decides how many seats a trace takes."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from django.core.management import CommandError, call_command

from auditing.core.consensus.skills import Beta, Skill
from auditing.core.policy import DEFAULT
from auditing.core.values import Outcome
from auditing.research.population.conducts import Conduct, Passage
from auditing.research.population.figures import by_conduct, report
from auditing.research.population.rehearsal import rehearse
from auditing.research.population.runs import Rehearsal, Setting
from auditing.research.population.waves import AskedTrace, ask_in_waves

MIX = {Conduct.HONEST: 16, Conduct.STAMPER: 4}
CROWD = [Skill(Beta(Fraction(17), Fraction(3)), Beta(Fraction(17), Fraction(3)))] * 40
RIGHT, WRONG = Passage(valid=True, level="step"), Passage(valid=False, level="step")


def ask(*passages: Passage, lies: int = 0) -> AskedTrace:
    """Before auditors who are always right, but for the first ones asked about a passage."""

    def vote(passage: Passage, seats: int, heard: Mapping[int, bool]) -> dict[int, bool]:
        begins = len(heard)
        return {number: passage.valid != (number < lies) for number in range(begins, begins + seats)}

    return ask_in_waves(
        passages=passages, policy=DEFAULT, skills=CROWD, ask=vote, adjudicate=lambda passage: passage.valid
    )


@pytest.fixture(scope="module")
def rehearsed() -> Rehearsal:
    setting = Setting(mix=MIX, policy=DEFAULT, passages=1000, waves=4, gold=Decimal("0.15"))
    return rehearse(setting=setting, seed=2)


def test_seats_go_where_the_doubt_is() -> None:
    asked = ask(RIGHT, WRONG, RIGHT)
    assert asked.outcome is Outcome.FAIL
    assert [len(heard.choices) for heard in asked.passages] == [1, max(2, asked.seats - 2), 1]
    assert asked.passages[1].outcome(policy=DEFAULT) is Outcome.FAIL


def test_a_lie_costs_further_waves() -> None:
    assert ask(RIGHT, RIGHT, lies=1).waves > ask(RIGHT, RIGHT).waves
    assert ask(RIGHT, RIGHT, lies=1).outcome is Outcome.PASS


def test_what_people_leave_open_goes_to_an_adjudicator() -> None:
    asked = ask_in_waves(
        passages=[WRONG],
        policy=DEFAULT,
        skills=CROWD,
        ask=lambda passage, seats, heard: {n: n % 2 == 0 for n in range(len(heard), len(heard) + seats)},
        adjudicate=lambda passage: passage.valid,
    )
    assert (asked.passages[0].word, asked.outcome) == (False, Outcome.FAIL)


def test_nobody_votes_twice_on_a_passage_and_every_wave_is_counted(rehearsed: Rehearsal) -> None:
    cast = Counter(zip(rehearsed.ballots.segment, rehearsed.ballots.auditor, strict=True))
    assert max(cast.values()) == 1
    assert len(cast) == sum(account.votes for account in rehearsed.accounts)
    asked = sum(trace.seats for trace in rehearsed.traces)
    assert asked == sum(rehearsed.ballots.gold[segment] < 0 for segment, _ in cast)
    assert {trace.waves for trace in rehearsed.traces} > {2, 3}


def test_gold_takes_its_share_of_the_seats_and_half_of_it_is_right(rehearsed: Rehearsal) -> None:
    on_gold = rehearsed.ballots.gold[rehearsed.ballots.segment] >= 0
    assert 0.12 < on_gold.mean() < 0.17
    assert abs((rehearsed.ballots.gold == 1).sum() - (rehearsed.ballots.gold == 0).sum()) <= 1


def test_waves_pass_right_traces_and_stop_wrong_ones(rehearsed: Rehearsal) -> None:
    passed = {True: [], False: []}
    for trace in rehearsed.traces:
        passed[trace.valid].append(trace.outcome is Outcome.PASS)
    assert sum(passed[True]) > 0.8 * len(passed[True])
    assert sum(passed[False]) < 0.3 * len(passed[False])


def test_a_passage_that_stays_undecided_pays_nobody() -> None:
    policy = replace(DEFAULT, theta_pass=Decimal("0.9999999"), theta_fail=Decimal("0.0000001"))
    run = rehearse(setting=Setting(mix=MIX, policy=policy, passages=8, waves=4, gold=Decimal(0)), seed=2)
    unjudged = [account for account in run.accounts if account.votes and account.unjudged == account.votes]
    assert len(unjudged) >= 3
    assert [account.points for account in unjudged] == [0] * len(unjudged)


def test_the_lab_counts_only_what_was_judged() -> None:
    policy = replace(DEFAULT, theta_pass=Decimal("0.99"), theta_fail=Decimal("0.02"))
    run = rehearse(setting=Setting(mix=MIX, policy=policy, passages=1000, waves=4, gold=Decimal("0.15")), seed=2)
    assert sum(account.unjudged for account in run.accounts) > 500
    for line in by_conduct(runs=[run]):
        assert abs(line.points - line.lab) <= 3 * line.error, line


def test_the_report_tells_seats_and_waves_a_trace(rehearsed: Rehearsal) -> None:
    lines = list(report(runs=[rehearsed]))
    assert "4 a trace in waves" in lines[1]
    assert sum("waves" in line and "adjudicated" in line for line in lines) == 2


def test_waves_without_a_policy_that_plans_are_refused() -> None:
    with pytest.raises(CommandError, match="a policy that plans"):
        call_command("simulate", "cores", "--waves", "8", "--policy", "fast")
