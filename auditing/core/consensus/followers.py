"""People who say what a model says: how far one follows, and what such votes are worth beside one another.

A person who hands in a model's answers, or errs where it errs, adds less to it than an independent voice would. With
probability f ("following") the vote is the model's own answer, otherwise the person's: learned from older audits,
stated before votes are opened, and a weight alone. Source: decision 0050; docs/formulas.md section 1.2.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from auditing.core.consensus.skills import Beta, Skill
from auditing.core.values import Choice

LEAST_SHARED = 30  # votes beside a model's, before following means anything
CHANCE = 0.01  # that somebody independent is taken for a follower of any of the families
BELIEVED_APART = 20  # shared votes that the belief "follows nobody" is worth
SURE = NormalDist().inv_cdf(0.95)
WORDS = (Choice.PASS, Choice.FAIL)

Heard = tuple[Choice, Skill]  # a vote, and what was believed of who cast it
Sides = tuple[Fraction, Fraction]  # likelihood of votes if the segment is valid, and if it is wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedVotes:
    """How often a person voted beside a model's clear word, by that word, and how often both were alike."""

    passed: int  # the model passed it
    passed_alike: int
    failed: int
    failed_alike: int

    @property
    def total(self) -> int:
        """Votes beside a clear word of the model."""
        return self.passed + self.failed


def following(
    *, shared: SharedVotes, skill: Skill, valid: Mapping[Choice, float], families: int, least: int = LEAST_SHARED
) -> Fraction | None:
    """How far a person follows a model; None where two independent voices may well agree as often.

    Independent given the truth, they are alike on a word m with probability
    e(m) = P(valid | m) P(person says m | valid) + P(wrong | m) P(person says m | wrong), the person as skilled as the
    gold allows (the upper end, 95 %). With n shared votes, k alike: f = (k - sum e) / (n - sum e), worth
    n / (n + 20) of that, rounded down to .01. k must lie beyond sum e by the normal limit of 1 % over all `families`.

    valid: P(valid | m), how often what the model so judged was valid in the end. families: how many are compared.
    least: shared votes before anything is said.

    >>> beta = Beta(Fraction(17), Fraction(3))
    >>> shared = SharedVotes(passed=40, passed_alike=40, failed=20, failed_alike=20)
    >>> valid = {Choice.PASS: 0.9, Choice.FAIL: 0.5}
    >>> following(shared=shared, skill=Skill(beta, beta), valid=valid, families=1)
    Fraction(3, 4)
    """
    if shared.total < least:
        return None
    rows = ((Choice.PASS, shared.passed, shared.passed_alike), (Choice.FAIL, shared.failed, shared.failed_alike))
    chances = [(_alike_by_chance(word, skill, valid[word]), count) for word, count, _ in rows]
    expected = sum(chance * count for chance, count in chances)
    spread = math.sqrt(sum(chance * (1 - chance) * count for chance, count in chances))
    alike = sum(row[2] for row in rows)
    if alike - expected <= NormalDist().inv_cdf(1 - CHANCE / max(1, families)) * spread:
        return None
    raw = (alike - expected) / (shared.total - expected)
    held = Fraction(math.floor(100 * raw * shared.total / (shared.total + BELIEVED_APART)), 100)
    return held if held > 0 else None


def _alike_by_chance(word: Choice, skill: Skill, valid: float) -> float:
    """P(an independent person says `word` | a model said it)."""
    right_if_valid, right_if_wrong = _upper(skill.sensitivity), _upper(skill.specificity)
    if word is Choice.PASS:
        return valid * right_if_valid + (1 - valid) * (1 - float(skill.specificity.mean))
    return valid * (1 - float(skill.sensitivity.mean)) + (1 - valid) * right_if_wrong


def _upper(beta: Beta) -> float:
    """The upper end of what gold leaves possible, never certainty."""
    mean = float(beta.mean)
    return min(0.99, mean + SURE * math.sqrt(mean * (1 - mean) / (float(beta.strength) + 1)))


def correction(*, votes: Iterable[Heard]) -> Sides:
    """By what the product of independent likelihoods is to be multiplied, because some votes follow a model's.

    Of each family f that is followed, the joint probability of its followers' votes over their product:
    sum over the model's word v of P(v) * product of (f_i [c_i = v] + (1 - f_i) l_i(c_i)). P(v) is the share of the
    family's models that said v; where none voted, the followers' mean chance of saying it. One follower of an unheard
    model is worth a whole vote; votes against the model are, too. votes: of one segment, of all its rounds so far.

    >>> beta = Beta(Fraction(9), Fraction(1))
    >>> model, person = Skill(beta, beta, "gpt"), Skill(beta, beta, follows="gpt", following=Fraction(1))
    >>> correction(votes=[(Choice.PASS, model), (Choice.PASS, person)])  # the second pass adds nothing
    (Fraction(10, 9), Fraction(10, 1))
    """
    spoken = [vote for vote in votes if vote[0] is not Choice.ABSTAIN]
    followers: dict[str, list[Heard]] = defaultdict(list)
    for choice, skill in spoken:
        if skill.follows and skill.following is not None:
            followers[skill.follows].append((choice, skill))
    valid = wrong = Fraction(1)
    for family, group in followers.items():
        said = [choice for choice, skill in spoken if skill.family == family]
        valid *= _joint(group, said, 0) / _apart(group, 0)
        wrong *= _joint(group, said, 1) / _apart(group, 1)
    return valid, wrong


def _apart(group: Sequence[Heard], side: int) -> Fraction:
    return math.prod((skill.likelihoods(choice=choice)[side] for choice, skill in group), start=Fraction(1))


def _joint(group: Sequence[Heard], said: Sequence[Choice], side: int) -> Fraction:
    """Probability of the followers' votes, the model's word known or summed over; side 0: valid, 1: wrong."""
    total = Fraction(0)
    for word in WORDS:
        if said:
            chance = Fraction(said.count(word), len(said))
        else:
            chance = sum((skill.likelihoods(choice=word)[side] for _, skill in group), Fraction(0)) / len(group)
        for choice, skill in group:
            share = skill.following or Fraction(0)
            chance *= (share if choice is word else 0) + (1 - share) * skill.likelihoods(choice=choice)[side]
        total += chance
    return total
