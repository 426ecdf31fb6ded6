"""Reasons in nearly the same words: pairs of reviewers beyond what other pairs write on the same passages.

Content-blind as to truth: shown beside the base rate of false alarms, and decides nothing by itself.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb

from auditing.core.consensus.proportions import wilson_interval
from auditing.research.conduct.core.bets import ALPHA

LEAST_WORDS = 8  # a shorter reason is a stock phrase of everybody
SHINGLE = 3  # words
ALIKE = 0.6  # of the shingles of both
LEAST_REASONS = 5  # passages on which both wrote so much
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Copied:
    """Two reviewers whose reasons are alike: on how many passages of those both gave one."""

    first: str
    second: str
    shared: int
    alike: int
    usual: float  # share among all other pairs
    chance: float  # of so many at the upper limit of that share, before correction for the number of pairs


def shingles(*, text: str) -> frozenset[tuple[str, ...]]:
    """Runs of SHINGLE words, without case and punctuation; empty for a text below LEAST_WORDS.

    >>> len(shingles(text="The sum is wrong because seven and five make twelve."))
    8
    """
    words = _WORD.findall(text.casefold())
    if len(words) < LEAST_WORDS:
        return frozenset()
    return frozenset(tuple(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1))


def copied_reasons(*, reasons: Iterable[tuple[Hashable, str, str]], alpha: float = ALPHA) -> list[Copied]:
    """Pairs who write alike beyond what other pairs do, at level `alpha` over all pairs together, strongest first.

    Honest reviewers who see the same error use some of the same words: so the null is a rate, that of all *other* pairs
    on passages of the same campaign, at the upper end of its 95 % interval; a pair is a binomial with it. Two texts
    are alike when they share ALIKE of all their shingles (Jaccard; Broder 1997). reasons: (passage, reviewer, text).
    """
    by_passage: dict[Hashable, list[tuple[str, frozenset[tuple[str, ...]]]]] = defaultdict(list)
    for passage, reviewer, text in reasons:
        if runs := shingles(text=text):
            by_passage[passage].append((reviewer, runs))
    shared: Counter[tuple[str, str]] = Counter()
    alike: Counter[tuple[str, str]] = Counter()
    for written in by_passage.values():
        for (first, own), (second, other) in combinations(sorted(written, key=lambda row: row[0]), 2):
            shared[first, second] += 1
            alike[first, second] += len(own & other) >= ALIKE * len(own | other)
    pairs = [pair for pair, count in shared.items() if count >= LEAST_REASONS and pair[0] != pair[1]]
    lines = [_compare(pair, shared, alike) for pair in pairs]
    limit = alpha / max(1, len(pairs))
    return sorted((line for line in lines if line.chance < limit), key=lambda line: line.chance)


def _compare(pair: tuple[str, str], shared: Counter[tuple[str, str]], alike: Counter[tuple[str, str]]) -> Copied:
    others, others_alike = shared.total() - shared[pair], alike.total() - alike[pair]
    # With no other pair nothing is usual: the interval then reaches 1, and nobody stands out.
    usual = wilson_interval(count=others_alike, of=others)
    rate = 1.0 if usual.high is None else usual.high
    chance = binomial_tail(count=alike[pair], of=shared[pair], share=rate)
    return Copied(*pair, shared[pair], alike[pair], others_alike / others if others else 1.0, chance)


def binomial_tail(*, count: int, of: int, share: float) -> float:
    """P(X >= count) of a binomial variable.

    >>> binomial_tail(count=2, of=2, share=0.5)
    0.25
    """
    return sum(comb(of, number) * share**number * (1 - share) ** (of - number) for number in range(count, of + 1))
