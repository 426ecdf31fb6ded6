"""Rounds: quorum, turnout, redraws, escalation, and the posterior in exact fractions."""

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.core.consensus import Tally, adjudicate_segment, decide_segment, quorum, tally_round
from auditing.core.consensus.skills import Beta, Skill
from auditing.core.errors import BadVotesError
from auditing.core.policy import DEFAULT, PAPER, Escalation
from auditing.core.values import Choice, Outcome, Tier, Vote

PASS, FAIL, ABSTAIN = Choice.PASS, Choice.FAIL, Choice.ABSTAIN


def votes(text: str, tier: Tier = Tier.HUMAN) -> list[Vote]:
    """ "ppf-" -> pass, pass, fail, abstain."""
    words = {"p": PASS, "f": FAIL, "-": ABSTAIN}
    return [Vote(words[letter], f"a{number}", tier) for number, letter in enumerate(text)]


def tally(text: str, tier: Tier = Tier.HUMAN, **options: object) -> Tally:
    return tally_round(**{"votes": votes(text, tier), "policy": DEFAULT, "tier": tier} | options)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("ppppp", "pass"), ("pppff", "pass"), ("ppfff", "hung"), ("pffff", "fail"), ("fffff", "fail"), ("pf---", "hung")],
)
def test_five_people_decide_by_posterior(text: str, outcome: str) -> None:
    assert tally(text).outcome == outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("pppff", "pass"), ("ppfff", "fail"), ("ppff-", "hung"), ("ppp", "pass"), ("-----", "hung"), ("pp-", "hung")],
)
def test_the_paper_counts_against_the_seats_drawn(text: str, outcome: str) -> None:
    assert tally(text, policy=PAPER).outcome == outcome


def test_both_quorums_met_is_hung() -> None:
    assert tally("ppff", policy=PAPER, k=4).outcome is Outcome.HUNG


def test_silence_is_redrawn_three_times_and_then_hung() -> None:
    found = [tally("pp", redraws=count) for count in range(4)]
    assert [item.redraw for item in found] == [True, True, True, False]
    assert [item.escalate for item in found] == [False, False, False, True]


def test_abstentions_count_as_turnout_and_as_nothing_else() -> None:
    assert not tally("---").redraw
    assert tally("---").outcome is Outcome.HUNG
    assert tally("---").escalate
    assert (
        tally("ppppp").posterior
        == tally_round(votes=[*votes("ppppp"), Vote(ABSTAIN, "z")], policy=DEFAULT, tier=Tier.HUMAN, k=6).posterior
    )


def test_four_to_one_is_four_times_the_cube_of_the_odds_of_a_vote() -> None:
    odds = 4 * Fraction(85, 15) ** 3
    assert tally("ppppf").posterior == odds / (1 + odds)


def test_a_rubber_stamper_says_nothing() -> None:
    stamp = Skill(Beta(Fraction(98), Fraction(2)), Beta(Fraction(2), Fraction(98)))
    found = tally("p--", skills={"a0": stamp})
    assert found.posterior == Fraction(8, 10)
    low, high = found.interval
    assert low < 0.8 < high


def test_one_family_is_not_three_voices() -> None:
    beta = Beta(Fraction(19), Fraction(1))
    same = {f"a{number}": Skill(beta, beta, "one") for number in range(3)}
    apart = {f"a{number}": Skill(beta, beta, f"f{number}") for number in range(3)}
    one = tally("p", Tier.LLM, skills=apart).posterior
    family, three = (tally("ppp", Tier.LLM, skills=skills).posterior for skills in (same, apart))
    assert one < family < three


def test_a_family_counts_with_its_measured_correlation_in_place_of_the_policys() -> None:
    beta = Beta(Fraction(19), Fraction(1))

    def of(correlation: Fraction | None) -> Fraction:
        skills = {f"a{number}": Skill(beta, beta, "one", correlation) for number in range(3)}
        return tally("ppp", Tier.LLM, skills=skills).posterior

    believed = Fraction(DEFAULT.family_correlation)
    assert of(Fraction(0)) > of(Fraction(1, 10)) > of(None) == of(believed) > of(Fraction(9, 10)) > of(Fraction(1))
    single = {"a0": Skill(beta, beta, "one", Fraction(1))}
    assert of(Fraction(1)) == tally("p", Tier.LLM, skills=single).posterior


@given(st.text("pf-", min_size=5, max_size=5))
def test_the_order_of_votes_never_matters(text: str) -> None:
    assert tally(text).posterior == tally("".join(sorted(text))).posterior


@given(st.text("pf-", min_size=4, max_size=4))
def test_one_more_pass_never_lowers_the_posterior(text: str) -> None:
    assert tally(text + "f").posterior <= tally(text + "-").posterior <= tally(text + "p").posterior


def test_strangers_doubles_and_crowds_are_refused() -> None:
    with pytest.raises(BadVotesError, match="6 votes for 5 seats"):
        tally("pppppp")
    with pytest.raises(BadVotesError, match="votes twice"):
        tally_round(votes=[Vote(PASS, "a"), Vote(FAIL, "a")], policy=DEFAULT, tier=Tier.HUMAN)
    with pytest.raises(BadVotesError, match="tier llm"):
        tally_round(votes=votes("p", Tier.LLM), policy=DEFAULT, tier=Tier.HUMAN)


def test_an_abstaining_checker_passes_the_segment_on() -> None:
    found = decide_segment(
        tallies=[tally("-", Tier.COMPUTER)], tiers=(Tier.COMPUTER, Tier.LLM, Tier.HUMAN), policy=DEFAULT
    )
    assert (found.outcome, found.next_tier) == (None, Tier.LLM)


def test_a_hung_last_tier_goes_to_the_adjudicator() -> None:
    found = decide_segment(tallies=[tally("ppfff")], tiers=(Tier.HUMAN,), policy=DEFAULT)
    assert found.adjudicate
    assert found.outcome is None


def test_a_policy_may_ask_for_confirmation() -> None:
    strict = replace(DEFAULT, escalation=Escalation.CONFIRM)
    tiers = (Tier.LLM, Tier.HUMAN)
    first, second, third = tally("ppp", Tier.LLM), tally("ppppp"), tally("fffff")
    assert decide_segment(tallies=[first], tiers=tiers, policy=strict).next_tier is Tier.HUMAN
    assert decide_segment(tallies=[first, second], tiers=tiers, policy=strict).outcome is Outcome.PASS
    assert decide_segment(tallies=[first, third], tiers=tiers, policy=strict).adjudicate


@given(st.text("pf-", min_size=1, max_size=5), st.sampled_from("pf"))
def test_an_adjudicated_word_stands_for_its_own_posterior_whatever_was_said_before(before: str, word: str) -> None:
    found = adjudicate_segment(tallies=[tally(before), tally(word, k=1)], policy=DEFAULT)
    wanted = (Outcome.PASS, Fraction(49, 50)) if word == "p" else (Outcome.FAIL, Fraction(1, 50))
    assert (found.outcome, found.posterior, found.adjudicated) == (*wanted, True)


def test_an_adjudicator_who_abstains_leaves_the_segment_undecided_at_what_the_votes_say() -> None:
    votes_only = tally("pppff")
    found = adjudicate_segment(tallies=[votes_only, tally("-", k=1)], policy=DEFAULT)
    assert (found.outcome, found.posterior) == (Outcome.UNDECIDED, votes_only.posterior)
    assert found.interval[0] < found.posterior < found.interval[1]


def test_the_interval_of_two_rounds_is_wider_in_log_odds_than_that_of_each() -> None:
    first, second = tally("ppppp"), tally("pppff")
    found = decide_segment(tallies=[first, second], tiers=(Tier.HUMAN,), policy=DEFAULT)
    widths = [
        math.log(high / (1 - high)) - math.log(low / (1 - low))
        for low, high in (first.interval, second.interval, found.interval)
    ]
    assert widths[2] == pytest.approx(math.hypot(*widths[:2]))


def test_two_thirds_written_as_a_decimal_is_two_of_three() -> None:
    assert quorum(share=Decimal("0.666666666667"), k=3) == 2


def test_a_unanimous_family_speaks_once_with_the_stated_probability() -> None:
    beta, rho = Beta(Fraction(19), Fraction(1)), Fraction(42, 100)
    same = {f"a{number}": Skill(beta, beta, "one") for number in range(3)}
    right, wrong = (rho * p + (1 - rho) * p**3 for p in (Fraction(19, 20), Fraction(1, 20)))
    assert tally("ppp", Tier.LLM, skills=same).posterior == 4 * right / (4 * right + wrong)
