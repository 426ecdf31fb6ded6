"""People who follow a model: what their votes add, who is taken for one, and that a stranger computes the same."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from auditing.core.consensus.followers import Heard, SharedVotes, correction, following
from auditing.core.consensus.posterior import posterior_valid
from auditing.core.consensus.skills import Beta, Skill
from auditing.core.policy import DEFAULT, Escalation
from auditing.core.values import Choice, Tier, Vote
from auditing.research.policy_lab.core.lab import RecordedRound, replay_segment
from auditing.verifier import verify_audit

PASS, FAIL = Choice.PASS, Choice.FAIL
BETA = Beta(Fraction(17), Fraction(3))
MODEL, PERSON = Skill(BETA, BETA, "gpt"), Skill(BETA, BETA)
FOLLOWER = replace(PERSON, follows="gpt", following=Fraction(9, 10))
BASE = Fraction(DEFAULT.base_rate)
VALID = {PASS: 0.9, FAIL: 0.4}  # how what the model so judged ended


def posterior(*votes: Heard, heard: tuple[Heard, ...] = ()) -> Fraction:
    cast = [Vote(choice=choice, auditor=str(at), tier=Tier.HUMAN) for at, (choice, _) in enumerate(votes)]
    skills = {str(at): skill for at, (_, skill) in enumerate(votes)}
    return posterior_valid(votes=cast, skills=skills, policy=DEFAULT, prior=BASE, heard=heard)


def odds(posterior: Fraction) -> Fraction:
    return posterior / (1 - posterior)


def test_what_a_model_said_does_not_count_again_in_the_votes_of_those_who_follow_it() -> None:
    three = [(PASS, PERSON)] * 3, [(PASS, FOLLOWER)] * 3
    apart, together = (odds(posterior(*votes, heard=((PASS, MODEL),))) / odds(BASE) for votes in three)
    assert apart == Fraction(17, 3) ** 3  # three more voices
    assert 1 < together < Fraction(17, 3) ** Fraction(1, 2)  # less than half a voice, and still not against it


def test_a_vote_against_the_model_is_a_whole_voice() -> None:
    heard = ((PASS, MODEL),)
    assert posterior((FAIL, FOLLOWER), heard=heard) == posterior((FAIL, PERSON), heard=heard)


def test_one_follower_of_a_model_that_was_not_asked_is_a_whole_voice_and_two_are_not_two() -> None:
    assert posterior((FAIL, FOLLOWER)) == posterior((FAIL, PERSON))
    one, two, independent = ([(PASS, FOLLOWER)], [(PASS, FOLLOWER)] * 2, [(PASS, PERSON)] * 2)
    assert posterior(*one) < posterior(*two) < posterior(*independent)


def test_round_by_round_comes_to_the_same_as_all_at_once() -> None:
    votes = ((PASS, FOLLOWER), (PASS, MODEL), (FAIL, FOLLOWER), (PASS, PERSON), (PASS, FOLLOWER))
    steps = [odds(posterior(vote, heard=votes[:at])) / odds(BASE) for at, vote in enumerate(votes)]
    whole = correction(votes=votes)
    plain = [odds(posterior((choice, replace(skill, follows="")))) / odds(BASE) for choice, skill in votes]
    product, expected = Fraction(1), whole[0] / whole[1]
    for step, alone in zip(steps, plain, strict=True):
        product, expected = product * step, expected * alone
    assert product == expected


def test_a_replay_counts_them_as_one_voice_where_the_replayed_policy_does() -> None:
    rounds = [
        RecordedRound(tier=Tier.LLM, k=1, votes=[Vote(PASS, "m", Tier.LLM)], skills={"m": MODEL}),
        RecordedRound(tier=Tier.HUMAN, k=1, votes=[Vote(PASS, "p", Tier.HUMAN)], skills={"p": FOLLOWER}),
    ]
    apart = [rounds[0], replace(rounds[1], skills={"p": PERSON})]
    policy, tiers = replace(DEFAULT, escalation=Escalation.CONFIRM), (Tier.LLM, Tier.HUMAN)
    last, whole = (replay_segment(rounds=each, tiers=tiers, policy=policy)[1][-1] for each in (rounds, apart))
    assert last.posterior == posterior((PASS, FOLLOWER), heard=((PASS, MODEL),)) < whole.posterior


def crowd(rng: random.Random, share: float, right: float, passages: int = 80) -> SharedVotes:
    """One person beside a model that is right in .75: with chance `share` its word, else one's own."""
    counts = {PASS: [0, 0], FAIL: [0, 0]}
    for _ in range(passages):
        is_valid = rng.random() < 0.8
        truth, other = (PASS, FAIL) if is_valid else (FAIL, PASS)
        said = truth if rng.random() < 0.75 else other
        own = said if rng.random() < share else truth if rng.random() < right else other
        counts[said][0] += 1
        counts[said][1] += own is said
    return SharedVotes(
        passed=counts[PASS][0], passed_alike=counts[PASS][1], failed=counts[FAIL][0], failed_alike=counts[FAIL][1]
    )


def taken(share: float, right: float, people: int = 300) -> float:
    rng, valid = random.Random(7), {PASS: 12 / 13, FAIL: 4 / 7}
    shares = [following(shared=crowd(rng, share, right), skill=PERSON, valid=valid, families=1) for _ in range(people)]
    return sum(value is not None for value in shares) / people


@pytest.mark.parametrize("right", [0.6, 0.85, 0.95])
def test_independent_people_are_not_taken_for_followers(right: float) -> None:
    assert taken(0.0, right) <= 0.01


def test_whoever_hands_in_a_models_answers_is_and_half_of_them_mostly() -> None:
    assert taken(1.0, 0.85) == 1
    assert taken(0.5, 0.85) > 0.2


def test_few_shared_votes_say_nothing_and_no_one_follows_for_certain() -> None:
    few = SharedVotes(passed=20, passed_alike=20, failed=9, failed_alike=9)
    many = SharedVotes(passed=50_000, passed_alike=50_000, failed=50_000, failed_alike=50_000)
    assert following(shared=few, skill=PERSON, valid=VALID, families=1) is None
    assert following(shared=many, skill=PERSON, valid=VALID, families=1) == Fraction(99, 100)


def line(skill: Skill) -> dict[str, str]:
    text = {"sensitivity": str(skill.sensitivity.mean), "specificity": str(skill.specificity.mean)}
    said = {"family": skill.family, "follows": skill.follows, "following": str(skill.following or "")}
    return text | {name: value for name, value in said.items() if value}


def test_the_verifier_corrects_as_the_application_does() -> None:
    rng = random.Random(3)
    for _ in range(50):
        votes = [(rng.choice([PASS, FAIL, Choice.ABSTAIN]), rng.choice([MODEL, PERSON, FOLLOWER])) for _ in range(5)]
        told = [(str(choice), line(skill)) for choice, skill in votes]
        assert verify_audit.following_of(told) == correction(votes=votes)
