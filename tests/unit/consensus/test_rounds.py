"""One revealed round becomes one decision: text that speaks to its auditors is looked at by people, and only once."""

import pytest

from auditing.core.consensus.rounds import NEEDS_A_PERSON, PEOPLE_DISAGREE, RevealedRound, RoundDecision, decide_round
from auditing.core.consensus.tally import Tally, tally_round
from auditing.core.policy import FAST
from auditing.core.values import Choice, Outcome, Tier, Vote

ROUTE = (Tier.LLM, Tier.HUMAN)


def votes(text: str, tier: Tier) -> list[Vote]:
    words = {"p": Choice.PASS, "f": Choice.FAIL, "-": Choice.ABSTAIN}
    return [Vote(words[letter], f"{tier}{number}", tier) for number, letter in enumerate(text)]


def tally(text: str, tier: Tier) -> Tally:
    return tally_round(votes=votes(text, tier), policy=FAST, tier=tier, k=len(text))


def suspect(text: str, tier: Tier, *earlier: Tally) -> RoundDecision:
    revealed = RevealedRound(
        tier=tier, k=len(text), votes=votes(text, tier), tiers=ROUTE, redraws=9, earlier=earlier, is_suspect=True
    )
    return decide_round(revealed=revealed, policy=FAST)


def test_models_alone_do_not_decide_a_suspect_segment() -> None:
    decision = suspect("ppppp", Tier.LLM).segment
    assert decision is not None
    assert (decision.outcome, decision.next_tier, decision.why) == (None, Tier.HUMAN, NEEDS_A_PERSON)


@pytest.mark.parametrize(("text", "outcome"), [("ppppp", Outcome.PASS), ("fffff", Outcome.FAIL)])
def test_the_first_round_of_people_decides_it_without_a_second(text: str, outcome: Outcome) -> None:
    decision = suspect(text, Tier.HUMAN, tally(text[:3], Tier.LLM)).segment
    assert decision is not None
    assert (decision.outcome, decision.next_tier) == (outcome, None)


def test_models_do_not_overrule_people_who_disagreed() -> None:
    decision = suspect("ppppppppp", Tier.LLM, tally("ppfff", Tier.HUMAN)).segment
    assert decision is not None
    assert (decision.outcome, decision.adjudicate, decision.why) == (None, True, PEOPLE_DISAGREE)
