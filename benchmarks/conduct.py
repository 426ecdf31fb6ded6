"""False alarms of every sign of conduct on honest reviewers, by their skill, and how often each finds what it is for.

python -m benchmarks.conduct [people] [votes]   (400 and 400 unless said otherwise)

Simulated: no person voted. Reviewers see passages of which four in five are right, 15 % of them gold (half right);
outside gold, what is known of a passage is what two colleagues who are right in .8 leave to believe.
"""

import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

from auditing.core.consensus.ballots import UNKNOWN, Ballots
from auditing.core.consensus.two_coin import Priors, gold_initialised_em
from auditing.core.policy import DEFAULT
from auditing.core.values import Tier
from auditing.research.conduct.core import (
    ALPHA,
    DECIDING,
    JudgedPassage,
    clustered,
    fitted_skills,
    order_effect,
    pairs_beyond_chance,
    suspicion,
    two_sided,
)

SKILLS = (0.6, 0.7, 0.8, 0.9)
GOLD, RIGHT, COLLEAGUE = 0.15, 0.8, 0.8
CROWDS, CROWD, PASSAGES = 20, 30, 4_000  # for pairs: crowds of one skill, three votes a passage
_PEOPLE = DEFAULT.tier(Tier.HUMAN)
PRIORS = Priors(float(_PEOPLE.prior_right), float(_PEOPLE.prior_wrong), float(DEFAULT.base_rate))
BOUND = -float(np.log(ALPHA))
Answer = Callable[[np.random.Generator, float, bool, bool], bool]  # (rng, skill, valid, vote before) -> passed


def honest(rng: np.random.Generator, skill: float, valid: bool, before: bool) -> bool:
    """Right as often as the skill says, whatever came before."""
    return valid == bool(rng.random() < skill)


def runs(rng: np.random.Generator, skill: float, valid: bool, before: bool) -> bool:
    """One vote in four repeats the vote before, unread."""
    return before if rng.random() < 0.25 else honest(rng, skill, valid, before)


def cast(*, rng: np.random.Generator, skill: float, count: int, answer: Answer) -> list[JudgedPassage]:
    """The votes of one reviewer, with what is known of each passage without them."""
    votes, before = [], True
    for _ in range(count):
        is_gold = bool(rng.random() < GOLD)
        valid = bool(rng.random() < (0.5 if is_gold else RIGHT))
        before = answer(rng, skill, valid, before)
        odds = RIGHT / (1 - RIGHT)
        for agrees in rng.random(2) < COLLEAGUE:
            odds *= COLLEAGUE / (1 - COLLEAGUE) if agrees == valid else (1 - COLLEAGUE) / COLLEAGUE
        known = float(valid) if is_gold else odds / (1 + odds)
        votes.append(JudgedPassage(passed=before, valid=known, is_gold=is_gold))
    return votes


def alarms(*, everybody: Sequence[Sequence[JudgedPassage]]) -> dict[str, float]:
    """The share of these reviewers whom each sign names."""
    judged = [suspicion(votes=votes) for votes in everybody]
    z = [order_effect(votes=votes) for votes in everybody]
    shares = {"flag (mean of bets, ever)": np.mean([one.flagged_at is not None for one in judged])}
    for sign in DECIDING:
        shares[f"bet: {sign} (at the end)"] = np.mean([one.wealth[sign] >= BOUND for one in judged])
    shares["order of votes"] = np.mean([value is not None and two_sided(z=value) < ALPHA for value in z])
    return {name: float(share) for name, share in shares.items()}


def named_in_pairs(*, rng: np.random.Generator, skill: float, ring: int) -> tuple[float, float]:
    """(share of reviewers outside, and of those inside a ring, who are named), as the page of conduct names them."""
    outside, inside = [], []
    for _ in range(CROWDS):
        valid = rng.random(PASSAGES) < RIGHT
        auditor = rng.random((PASSAGES, CROWD)).argsort(1)[:, :3].ravel()
        segment = np.repeat(np.arange(PASSAGES), 3)
        right = rng.random(3 * PASSAGES) < skill
        attacked = (rng.random(PASSAGES) < 0.5)[segment] & (auditor < ring)
        passed = (valid[segment] == (right & ~attacked)).astype(np.int64)
        gold = np.where(rng.random(PASSAGES) < GOLD, valid, UNKNOWN)
        ballots = Ballots(segment, auditor, passed, gold, CROWD)
        known = gold_initialised_em(ballots=ballots, priors=PRIORS).posterior
        skills = fitted_skills(ballots=ballots, valid=known)
        pairs = pairs_beyond_chance(ballots=ballots, valid=known, skills=skills)
        named = set().union(*clustered(pairs=pairs)) if pairs else set()
        outside.append(len([one for one in named if one >= ring]) / (CROWD - ring))
        inside.append(len([one for one in named if one < ring]) / ring if ring else 0.0)
    return float(np.mean(outside)), float(np.mean(inside))


def main(*, people: int, count: int) -> None:
    """Print one line a sign and skill."""
    started = time.process_time()
    print(f"Simulated. {people} reviewers a skill, {count} votes each; promised: at most {ALPHA:.0%} each")
    for skill in SKILLS:
        rng = np.random.default_rng(round(100 * skill))
        everybody = [cast(rng=rng, skill=skill, count=count, answer=honest) for _ in range(people)]
        for name, share in alarms(everybody=everybody).items():
            print(f"  honest {skill:.1f}: {name}: {share:.2%}")
        alone, _ = named_in_pairs(rng=rng, skill=skill, ring=0)
        print(f"  honest {skill:.1f}: agrees beyond chance with somebody: {alone:.2%} of {CROWDS * CROWD}")
        others, ring = named_in_pairs(rng=rng, skill=skill, ring=5)
        print(f"  {skill:.1f}: beside a ring of 5: {others:.2%} of the others; of the ring {ring:.2%}")
        repeats = [cast(rng=rng, skill=skill, count=count, answer=runs) for _ in range(people // 4)]
        told = alarms(everybody=repeats)["order of votes"]
        print(f"  repeats one vote in four, else {skill:.1f}: order of votes: {told:.2%}")
    print(f"{time.process_time() - started:.1f} s of CPU")


if __name__ == "__main__":
    main(people=int((sys.argv[1:] or ["400"])[0]), count=int((sys.argv[2:] or ["400"])[0]))
