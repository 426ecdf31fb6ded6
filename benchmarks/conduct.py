"""False alarms of every sign of conduct on honest reviewers, by their skill, and how often each finds what it is for.

python -m benchmarks.conduct [people] [votes]   (400 and 400 unless said otherwise)

Simulated: no person voted. Reviewers see passages of which four in five are right, 15 % of them gold (half right);
outside gold, what is known of a passage is what two colleagues who are right in .8 leave to believe.

A second part is about what does not look at content: time against length (times lognormal about length to a power),
votes at one moment (sittings in the same two hours of ten evenings), reasons in nearly the same words (drawn from a
shared vocabulary and one stock phrase: no text of a person).
"""

import sys
import time
from collections.abc import Callable, Hashable, Sequence

import numpy as np

from auditing.core.consensus.ballots import UNKNOWN, Ballots
from auditing.core.consensus.two_coin import Priors, gold_initialised_em
from auditing.core.policy import DEFAULT
from auditing.core.values import Tier
from auditing.research.conduct.core import (
    ALPHA,
    DECIDING,
    JudgedPassage,
    Sign,
    at_one_moment,
    clustered,
    copied_reasons,
    fitted_skills,
    length_effect,
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


SLOPES = (0.2, 0.4, 0.8)  # an honest reader's time grows with the length to this power
PACES = (20, 40, 60)  # characters a second, of the mean vote; 60 is the fastest that the bet on unread votes allows
STOCK = "this step does not follow from the premises that are given to it".split()
VOCABULARY = [f"word{number}" for number in range(60)]
DAY, EVENINGS, EVENING = 86_400.0, 10, 20  # seconds; evenings of a crowd; votes of one evening


def timed(*, rng: np.random.Generator, slope: float, pace: float, count: int) -> list[JudgedPassage]:
    """Votes with their times: 500 characters at `pace`, other lengths by the slope, spread by a factor of 1.8."""
    lengths = rng.integers(150, 1_500, count)
    times = 1000 * 500 / pace * (lengths / 500) ** slope * np.exp(rng.normal(0, 0.6, count))
    return [
        JudgedPassage(passed=True, valid=0.8, characters=int(length), milliseconds=max(1, int(time)))
        for length, time in zip(lengths, times, strict=True)
    ]


def sittings(*, rng: np.random.Generator) -> list[float]:
    """Evenings of one person, begun within the same two hours; a vote every one to four minutes."""
    starts = [day * DAY + rng.uniform(0, 7_200) for day in range(EVENINGS)]
    return [float(start + gap) for start in starts for gap in np.cumsum(rng.uniform(60, 240, EVENING))]


def written(*, rng: np.random.Generator, who: str, stock: float) -> list[tuple[Hashable, str, str]]:
    """Reasons on 40 passages: the stock phrase in a share `stock`, else words of which half are the passage's own."""
    reasons: list[tuple[Hashable, str, str]] = []
    for passage in range(40):
        own = VOCABULARY[passage : passage + 10]
        words = [*rng.permutation(own)[:5], *rng.choice(VOCABULARY, 7)]
        reasons.append((passage, who, " ".join(STOCK if rng.random() < stock else rng.permutation(words))))
    return reasons


def content_blind(*, people: int, count: int) -> None:
    """False alarms of what does not look at content, and how often each finds what it is for."""
    rng = np.random.default_rng(19)
    for pace in PACES:
        for slope in SLOPES:
            everybody = [timed(rng=rng, slope=slope, pace=pace, count=count) for _ in range(people)]
            chances = [length_effect(votes=votes) for votes in everybody]
            named = np.mean([chance is not None and chance < ALPHA for chance in chances])
            unread = np.mean([suspicion(votes=votes).wealth[Sign.UNREAD] >= BOUND for votes in everybody])
            print(f"  honest, {pace} characters/s, time ~ length^{slope}: time against length {named:.2%};", end=" ")
            print(f"faster than one can read {unread:.2%}")
    for slope in (0.0, -0.3):
        chances = [length_effect(votes=timed(rng=rng, slope=slope, pace=20, count=count)) for _ in range(people)]
        share = np.mean([chance is not None and chance < ALPHA for chance in chances])
        print(f"  time ~ length^{slope}: time against length {share:.2%}")
    alone, twins = [], []
    for _ in range(CROWDS):
        moments = {str(number): sittings(rng=rng) for number in range(10)}
        alone.append(bool(at_one_moment(moments=moments, rng=rng)))
        moments["twin"] = [
            moment + float(rng.uniform(5, 25)) if rng.random() < 0.5 else moment + 200 for moment in moments["0"]
        ]
        pairs = at_one_moment(moments=moments, rng=rng)
        twins.append(any({pair.first, pair.second} == {"0", "twin"} for pair in pairs))
    print(f"  at one moment: {np.mean(alone):.2%} of {CROWDS} honest crowds of 10 show a pair;", end=" ")
    print(f"a second account that follows in half its votes {np.mean(twins):.2%}")
    for stock in (0.0, 0.3, 0.7):
        named, told = [], []
        for _ in range(5 * CROWDS):
            reasons = [row for number in range(8) for row in written(rng=rng, who=str(number), stock=stock)]
            named.append(bool(copied_reasons(reasons=reasons)))
            copies = [(passage, "copier", text) for passage, who, text in reasons if who == "0" and rng.random() < 0.5]
            told.append(
                any({"0", "copier"} == {one.first, one.second} for one in copied_reasons(reasons=reasons + copies))
            )
        print(
            f"  copied reasons, stock phrase in {stock:.0%}: {np.mean(named):.2%} of {5 * CROWDS} honest crowds;",
            end=" ",
        )
        print(f"who copies half of them {np.mean(told):.2%}")


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
    content_blind(people=people, count=count)
    print(f"{time.process_time() - started:.1f} s of CPU")


if __name__ == "__main__":
    main(people=int((sys.argv[1:] or ["400"])[0]), count=int((sys.argv[2:] or ["400"])[0]))
