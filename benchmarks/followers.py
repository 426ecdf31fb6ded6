"""Who is taken for a follower of a model, and what double counting costs: `python -m benchmarks.followers`.

Simulated: no person voted. 80 % of the passages are right; a model is right in 75 % and has voted before the people; a
follower says what it said with the stated chance, else what an honest person right in 85 % would.
"""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

from auditing.core.consensus.followers import Heard, SharedVotes, following
from auditing.core.consensus.posterior import posterior_valid
from auditing.core.consensus.skills import Beta, Skill, prior_skill
from auditing.core.policy import DEFAULT
from auditing.core.values import Choice, Tier, Vote

PASS, FAIL = Choice.PASS, Choice.FAIL
BASE, MODEL_RIGHT = 0.8, 0.75
VALID = {PASS: 12 / 13, FAIL: 4 / 7}  # of what such a model passes and fails, right in the end
PEOPLE, PASSAGES = 1_000, 20_000


def other(truth: Choice) -> Choice:
    """The other word."""
    return FAIL if truth is PASS else PASS


def say(rng: random.Random, truth: Choice, right: float) -> Choice:
    """What somebody right so often says."""
    return truth if rng.random() < right else other(truth)


def shared_votes(rng: random.Random, share: float, right: float, passages: int) -> SharedVotes:
    """One person's votes beside the model's."""
    counts: Counter[tuple[Choice, bool]] = Counter()
    for _ in range(passages):
        truth = PASS if rng.random() < BASE else FAIL
        word = say(rng, truth, MODEL_RIGHT)
        own = word if rng.random() < share else say(rng, truth, right)
        counts[word, own is word] += 1
    return SharedVotes(
        passed=counts[PASS, True] + counts[PASS, False],
        passed_alike=counts[PASS, True],
        failed=counts[FAIL, True] + counts[FAIL, False],
        failed_alike=counts[FAIL, True],
    )


def taken(share: float, right: float, passages: int) -> str:
    """Of PEOPLE, how many are taken for followers, and how far in the mean."""
    rng, skill = random.Random(19), prior_skill(policy=DEFAULT, tier=Tier.HUMAN)
    shares = [
        following(shared=shared_votes(rng, share, right, passages), skill=skill, valid=VALID, families=1)
        for _ in range(PEOPLE)
    ]
    named = [float(value) for value in shares if value is not None]
    mean = sum(named) / len(named) if named else 0.0
    return f"{100 * len(named) / PEOPLE:5.1f} % (f {mean:.2f})"


def outcomes(share: float, followers: int, is_one_voice: bool) -> tuple[float, float]:
    """(Brier score, share of outcomes that are wrong among the decided) of a model, followers and one honest person."""
    rng, beta = random.Random(20), Beta(Fraction(17), Fraction(3))
    model = Skill(Beta(Fraction(3), Fraction(1)), Beta(Fraction(3), Fraction(1)), "m")
    honest = Skill(beta, beta)
    # A follower's own record is what it shows: right as often as the mixture is.
    right = Fraction(share) * Fraction(3, 4) + (1 - Fraction(share)) * Fraction(17, 20)
    plain = Skill(Beta(right, 1 - right), Beta(right, 1 - right))
    follower = replace(plain, follows="m", following=Fraction(share)) if is_one_voice else plain
    skills = {"model": model, "honest": honest} | {f"f{number}": follower for number in range(followers)}
    score, wrong, decided = 0.0, 0, 0
    memo: dict[tuple[Choice, ...], float] = {}
    for _ in range(PASSAGES):
        truth = PASS if rng.random() < BASE else FAIL
        word = say(rng, truth, MODEL_RIGHT)
        own = [word if rng.random() < share else say(rng, truth, 0.85) for _ in range(followers)]
        said = (word, say(rng, truth, 0.85), *own)
        if said not in memo:
            memo[said] = _posterior(said, skills)
        score += (memo[said] - (truth is PASS)) ** 2
        if memo[said] >= float(DEFAULT.theta_pass) or memo[said] <= float(DEFAULT.theta_fail):
            decided += 1
            wrong += (memo[said] > 0.5) != (truth is PASS)
    return score / PASSAGES, wrong / decided


def _posterior(said: tuple[Choice, ...], skills: dict[str, Skill]) -> float:
    heard: list[Heard] = [(said[0], skills["model"])]
    prior = posterior_valid(
        votes=[Vote(choice=said[0], auditor="model")], skills=skills, policy=DEFAULT, prior=Fraction(DEFAULT.base_rate)
    )
    names = [name for name in skills if name != "model"]
    votes = [Vote(choice=choice, auditor=name) for choice, name in zip(said[1:], names, strict=True)]
    return float(posterior_valid(votes=votes, skills=skills, policy=DEFAULT, prior=prior, heard=heard))


def main() -> None:
    """Print both tables."""
    print("taken for followers:            40 shared votes       80                    200")
    for share, right in ((0, 0.6), (0, 0.75), (0, 0.85), (0, 0.95), (0.5, 0.85), (0.8, 0.85), (1, 0.85)):
        cells = "  ".join(taken(share, right, passages) for passages in (40, 80, 200))
        print(f"follows {share:.1f}, right {right:.2f}:   {cells}")
    print("a model, followers, one honest person: Brier score, wrong among the decided")
    for share, followers in ((0.8, 1), (0.8, 3), (0.95, 3)):
        for is_one_voice in (False, True):
            score, wrong = outcomes(share, followers, is_one_voice)
            words = "one voice" if is_one_voice else "apart"
            print(f"{followers} who follow {share:.2f}, {words}: {score:.4f}, {100 * wrong:.1f} %")


if __name__ == "__main__":
    main()
