"""The policy lab's numbers: one card, and replays of recorded votes."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from auditing.core.policy import DEFAULT, PAPER, STRICT
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.research.policy_lab.core.guarantees import MOST_SEGMENTS
from auditing.research.policy_lab.core.lab import RecordedRound, examine_policy, replay_segment

COUNTS = {Tier.COMPUTER: 12, Tier.LLM: 12, Tier.HUMAN: 6}


def test_the_card_of_the_paper_shows_its_violated_dial() -> None:
    card = examine_policy(policy=PAPER, counts=COUNTS)
    violated = [check.name for check in card.checks if not check.satisfied]
    assert violated == ["economic dial (as printed)"]
    assert (card.seats, f"{card.break_even:.4f}") == (78, "0.3457")


def test_the_bounds_lie_above_the_exact_failure_and_accuracy_grows_with_the_damage() -> None:
    card = examine_policy(policy=DEFAULT, counts=COUNTS)
    assert all(p.exact <= p.chernoff * (1 + 1e-9) and p.chernoff <= p.hoeffding * (1 + 1e-9) for p in card.failure)
    best = [curve.accuracy.max() for curve in card.accuracy.values()]
    assert list(card.accuracy) == [1, 3, 30]
    assert best == sorted(best)
    assert card.payoffs["guesser"] == pytest.approx(-0.398)


@pytest.mark.parametrize(
    "changes",
    [
        {"segments_per_hour": 10**9, "horizon_hours": 10**9, "traces_per_hour": 10**9},
        {"reward": 1, "penalty": 10**9, "no_show_penalty": 10**9},
    ],
    ids=["longest plan", "dearest error"],
)
def test_the_largest_numbers_of_a_policy_have_a_card(changes: dict[str, int]) -> None:
    policy = replace(DEFAULT, **changes)  # type: ignore[arg-type]
    policy.validate()
    tails = examine_policy(policy=policy, counts=COUNTS).profit_tails
    assert tails.segments == min(policy.segments_per_hour * policy.horizon_hours, MOST_SEGMENTS)
    assert tails.exact <= 0


def test_a_replay_shows_what_a_stricter_policy_would_have_left_open() -> None:
    votes = [Vote(Choice.PASS if n < 3 else Choice.FAIL, f"a{n}") for n in range(5)]
    rounds = [RecordedRound(tier=Tier.HUMAN, k=5, votes=votes)]
    found = {
        policy.name: replay_segment(rounds=rounds, tiers=(Tier.HUMAN,), policy=replace(policy, human=PAPER.human))[0]
        for policy in (DEFAULT, STRICT)
    }
    assert found["default"].outcome is Outcome.PASS
    assert found["strict"].outcome is None


def test_a_replay_that_stays_open_takes_the_word_of_the_adjudicator_who_sat() -> None:
    split = [Vote(Choice.PASS if n < 2 else Choice.FAIL, f"a{n}") for n in range(5)]
    judge = RecordedRound(tier=Tier.HUMAN, k=1, votes=[Vote(Choice.FAIL, "judge")], adjudicates=True)
    rounds = [RecordedRound(tier=Tier.HUMAN, k=5, votes=split), judge]
    decision, tallies = replay_segment(rounds=rounds, tiers=(Tier.HUMAN,), policy=DEFAULT)
    assert (decision.outcome, decision.posterior, len(tallies)) == (Outcome.FAIL, Fraction(1, 50), 2)
    sure = replace(DEFAULT, human=PAPER.human, theta_fail=Decimal("0.5"), theta_pass=Decimal("0.6"))
    decision, tallies = replay_segment(rounds=rounds, tiers=(Tier.HUMAN,), policy=sure)
    assert (decision.outcome, len(tallies)) == (Outcome.PASS, 1)
