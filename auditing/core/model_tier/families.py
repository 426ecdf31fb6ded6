"""Families of models: who may judge whose traces, how far a family favours its own, how much same-family votes add.

Source: Shrout and Fleiss 1979 (intraclass correlation); Kish 1965 (effective number of votes).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile

import numpy as np

__all__ = [
    "FamilyBias",
    "Judgement",
    "correlation_in_use",
    "correlation_within",
    "effective_votes",
    "family_bias",
    "family_of",
    "is_own_family",
    "paired_segments",
    "seat_families",
]

BELIEVED_SEGMENTS = 20  # how many segments the policy's own figure is worth


@dataclass(frozen=True, slots=True)
class Judgement:
    """One machine vote: the judge's family, the family that wrote the trace ("" when unknown), whether it passed."""

    judge: str
    author: str
    passed: bool
    segment: str = ""
    correct: bool | None = None


@dataclass(frozen=True, slots=True)
class FamilyBias:
    """own = approval of own family's traces, others = of all other known families'; bias = own - others."""

    family: str
    own: float | None
    others: float | None
    own_count: int
    others_count: int
    error: float | None

    @property
    def bias(self) -> float | None:
        """Own approval minus others' approval; None when one side has no votes."""
        return None if self.own is None or self.others is None else self.own - self.others


def family_bias(*, judgements: Iterable[Judgement]) -> tuple[FamilyBias, ...]:
    """Bias of every judging family, by name; `error` is the standard error of the difference of two shares.

    >>> votes = [Judgement("a", "a", True), Judgement("a", "b", False), Judgement("a", "b", True)]
    >>> family_bias(judgements=votes)[0].bias
    0.5
    """
    own: defaultdict[str, list[bool]] = defaultdict(list)
    others: defaultdict[str, list[bool]] = defaultdict(list)
    for judgement in judgements:
        if judgement.author:
            votes = own if judgement.author == judgement.judge else others
            votes[judgement.judge].append(judgement.passed)
    return tuple(_bias(family, own[family], others[family]) for family in sorted({*own, *others}))


def _bias(family: str, own: list[bool], others: list[bool]) -> FamilyBias:
    """error = sqrt(p (1 - p) / n + q (1 - q) / m) of the two shares p of n, q of m; None without votes on a side."""
    own_share = float(np.mean(own)) if own else None
    others_share = float(np.mean(others)) if others else None
    error = None
    if own_share is not None and others_share is not None:
        variances = own_share * (1 - own_share) / len(own) + others_share * (1 - others_share) / len(others)
        error = float(np.sqrt(variances))
    return FamilyBias(family, own_share, others_share, len(own), len(others), error)


def seat_families(*, families: Sequence[str], author: str, seats: int) -> tuple[int, ...]:
    """Indices into `families` (one entry an endpoint) for `seats` seats: never the author's, each family once at first.

    Fewer families than seats repeat in turn; an empty result means that nobody may judge this trace.

    >>> seat_families(families=["a", "b", "b", "c"], author="a", seats=4)
    (1, 3, 2, 1)
    """
    # Sorted by how often the family came before: first one of each, then the second ones, in the given order.
    allowed = [i for i, family in enumerate(families) if not author or family != author]
    seen: defaultdict[str, int] = defaultdict(int)
    turns = []
    for i in allowed:
        turns.append((seen[families[i]], i))
        seen[families[i]] += 1
    order = [i for _, i in sorted(turns)]
    return tuple(order[n % len(order)] for n in range(seats)) if order else ()


def correlation_within(*, judgements: Iterable[Judgement]) -> float | None:
    """Intraclass correlation of errors of same-family votes on one segment (ANOVA estimator), 0 to 1; None if unknown.

    With between- and within-segment mean squares MSB and MSW and k votes a segment: (MSB - MSW) / (MSB + (k - 1) MSW).
    Only segments with at least two votes whose truth is known count. Source: Shrout and Fleiss 1979, ICC(1).
    """
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for judgement in judgements:
        if judgement.correct is not None:
            groups[judgement.segment].append(float(not judgement.correct))
    rows = [np.array(group) for group in groups.values() if len(group) >= 2]
    if len(rows) < 2:
        return None
    sizes, means = np.array([len(row) for row in rows]), np.array([row.mean() for row in rows])
    total, grand = int(sizes.sum()), float(np.concatenate(rows).mean())
    between = float((sizes * (means - grand) ** 2).sum()) / (len(rows) - 1)
    within = float(sum(((row - row.mean()) ** 2).sum() for row in rows)) / (total - len(rows))
    # the mean number of votes a segment, corrected for unequal numbers
    k = (total - float((sizes**2).sum()) / total) / (len(rows) - 1)
    spread = between + (k - 1) * within
    return min(1.0, max(0.0, (between - within) / spread)) if spread > 0 else None


def paired_segments(*, judgements: Iterable[Judgement]) -> int:
    """On how many segments a correlation rests: those with at least two votes whose truth is known."""
    votes_by_segment = Counter(judgement.segment for judgement in judgements if judgement.correct is not None)
    return sum(count >= 2 for count in votes_by_segment.values())


def correlation_in_use(*, measured: float, segments: int, believed: Fraction) -> Fraction:
    """The correlation that counts: the measured one, held back by the policy's as if that rested on 20 segments.

    (segments * measured + 20 * believed) / (segments + 20), rounded to .01 and never below it: votes of one family
    are never independent. Raises ValueError outside 0 <= measured <= 1 and segments >= 0.

    >>> correlation_in_use(measured=0.9, segments=0, believed=Fraction(42, 100))
    Fraction(21, 50)
    >>> correlation_in_use(measured=0.0, segments=10_000, believed=Fraction(42, 100))
    Fraction(1, 100)
    """
    if segments < 0 or not 0 <= measured <= 1:
        raise ValueError(f"{measured} on {segments} segments is no correlation")
    held = (segments * Fraction(measured) + BELIEVED_SEGMENTS * believed) / (segments + BELIEVED_SEGMENTS)
    return max(Fraction(1, 100), Fraction(round(held * 100), 100))


def effective_votes(*, votes: int, correlation: float) -> float:
    """How many independent votes `votes` correlated ones are worth: k / (1 + (k - 1) rho).

    Raises ValueError unless votes >= 1 and 0 <= correlation <= 1.

    >>> effective_votes(votes=3, correlation=0.0), effective_votes(votes=3, correlation=1.0)
    (3.0, 1.0)
    """
    if votes < 1 or not 0 <= correlation <= 1:
        raise ValueError(f"{votes} votes with correlation {correlation} cannot be weighed")
    return votes / (1 + (votes - 1) * correlation)


def family_of(*, model: str) -> str:
    """The family that a model's name stands for: the letters it starts with, without the path of its publisher.

    >>> [family_of(model=name) for name in ("Qwen/Qwen2.5-72B", "gpt-4o-mini", "o3-mini", "chatgpt-4o", "")]
    ['qwen', 'gpt', 'gpt', 'gpt', '']
    """
    name = model.strip().rsplit("/", 1)[-1].casefold()
    letters = "".join(takewhile(str.isalpha, name))
    return {"o": "gpt", "chatgpt": "gpt"}.get(letters, letters)  # o1, o3-mini are of the GPT family


def is_own_family(*, family: str, model: str, author: str) -> bool:
    """Whether a judge (its stated family, its model) is of the family that wrote a trace; unknown authors are nobody's.

    >>> is_own_family(family="Qwen", model="judge-1", author="Qwen2.5-Math-7B")
    True
    """
    wrote = family_of(model=author)
    return bool(wrote) and wrote in {family_of(model=family), family_of(model=model)}
