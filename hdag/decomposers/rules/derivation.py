"""Premises in a derivation: value flow, symbols, references, telling words and discourse, weighed by a logistic rule.

The weights were fitted on the public half of parc (benchmarks/premises.py refits and cross-validates them).
Candidates of a step are the few earlier steps that share something with it, so the whole is linear.
"""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import TypeVar

from hdag.decomposers.rules.evidence import COMMON_VALUES, Evidence

Key = TypeVar("Key", str, int)

BIAS = -2.0
WEIGHTS = {
    "previous": 2.3,
    "previous, stating givens": -0.5,
    "previous, parallel": -1.9,
    "previous, fresh givens": -1.5,
    "distance": -0.8,
    "result used": 0.5,
    "value introduced": 0.95,
    "value nearest": 0.8,
    "given stated": 0.7,
    "referred to": 3.0,  # set, not fitted: an explicit reference is too rare in the data to weigh
    "symbol nearest": 0.6,
    "rare words": 0.4,
    "unspent at the end": 0.9,
    "unspent, gathered": 1.0,
}
NAMES = tuple(WEIGHTS)
THRESHOLD = 0.32
FLOWS_FROM, NO_FLOW = 5, (0.0,) * 6  # where the six flows stand among the features
WORD_POSTINGS, UNSPENT = 4, 8  # candidates per rare word and among steps nothing uses yet


@dataclass(frozen=True, slots=True)
class Link:
    """Step `step` rests on earlier step `premise`: probability and the feature that weighs most."""

    premise: int
    step: int
    confidence: float
    reason: str


@dataclass(slots=True)
class Memory:
    """What the steps so far have introduced."""

    introduced: dict[str, int] = field(default_factory=dict)
    nearest: dict[str, int] = field(default_factory=dict)
    results: dict[str, int] = field(default_factory=dict)
    symbols: dict[str, int] = field(default_factory=dict)
    words: dict[str, deque[int]] = field(default_factory=dict)
    labels: dict[int, int] = field(default_factory=dict)
    spent: set[int] = field(default_factory=set)
    unspent: deque[int] = field(default_factory=lambda: deque(maxlen=UNSPENT))

    def learn(self, index: int, evidence: Evidence, premises: Sequence[int]) -> None:
        """Record step `index` and that `premises` have been used."""
        for value in evidence.values:
            self.introduced.setdefault(value, index)
            self.nearest[value] = index
        self.results.update(dict.fromkeys(evidence.results, index))
        for symbol in evidence.symbols:
            self.symbols[symbol] = index
        for word in evidence.words:
            self.words.setdefault(word, deque(maxlen=WORD_POSTINGS)).append(index)
        for tag in sorted(evidence.tags):
            self.labels.setdefault(tag, index)
        self.labels[evidence.label if evidence.label is not None else index + 1] = index
        self.spent.update(premises)
        self.unspent.append(index)


class Derivation:
    """Walks the steps in order and weighs each against the few earlier ones that share something with it."""

    def __init__(self, *, steps: Sequence[Evidence], givens: frozenset[str]) -> None:
        """`givens` are the values that the problem states."""
        self.steps, self.givens = steps, givens
        self.memory = Memory()
        counts = Counter(word for step in steps for word in step.words)
        self.rarity = {word: math.log((len(steps) + 1) / count) for word, count in counts.items()}

    def links(self) -> Iterator[Link]:
        """The premises of every step, in order."""
        for index, step in enumerate(self.steps):
            links = list(self._weigh(index))
            yield from links
            self.memory.learn(index, step, [link.premise for link in links])

    def candidates(self, index: int) -> dict[int, list[float]]:
        """Features (in the order of NAMES) of every earlier step worth weighing for step `index`."""
        step, memory = self.steps[index], self.memory
        derived = [v for v in step.values if v not in self.givens and v not in COMMON_VALUES]
        flows: tuple[dict[int, float], ...] = (
            _tally(memory.results, derived),
            _tally(memory.introduced, derived),
            _tally(memory.nearest, derived),
            _tally(memory.introduced, [v for v in step.values if v in self.givens]),
            _tally(memory.labels, step.references),
            _tally(memory.symbols, step.symbols),
        )
        words = self._shared_words(step)
        has_flow = bool(flows[0] or flows[1])
        last = index == len(self.steps) - 1
        fresh = any(v in self.givens and v not in memory.introduced for v in step.values)
        pool = {index - 1, *memory.unspent, *words}.union(*flows)
        rows: dict[int, list[float]] = {}
        for premise in sorted(key for key in pool if 0 <= key < index):
            near, unspent = premise == index - 1, premise not in memory.spent
            rows[premise] = [
                float(near),
                float(near and step.gives),
                _parallel(self.steps[premise], step) if near else 0.0,
                float(near and fresh and not has_flow),
                math.log(index - premise),
                *NO_FLOW,
                min(words.get(premise, 0.0), 6) / 3,
                float(last and unspent),
                float(step.gathers and unspent),
            ]
        for column, flow in enumerate(flows, FLOWS_FROM):
            for premise, times in flow.items():
                if premise in rows:
                    rows[premise][column] = times
        return rows

    def _weigh(self, index: int) -> Iterator[Link]:
        weights, limit = tuple(WEIGHTS.values()), math.log(THRESHOLD / (1 - THRESHOLD))
        for premise, row in self.candidates(index).items():
            total = BIAS + sum(map(mul, weights, row))
            if total > limit:
                terms = list(map(mul, weights, row))
                yield Link(premise, index, 1 / (1 + math.exp(-total)), NAMES[terms.index(max(terms))])

    def _shared_words(self, step: Evidence) -> defaultdict[int, float]:
        """Summed rarity of the words shared with recent steps."""
        shared: defaultdict[int, float] = defaultdict(float)
        for word in sorted(step.words):
            for premise in self.memory.words.get(word, ()):
                shared[premise] += self.rarity[word]
        return shared


def _tally(last_step: Mapping[Key, int], used: Iterable[Key]) -> dict[int, float]:
    """How often each step stands behind one of `used`, counted to two: more says no more."""
    times: dict[int, float] = {}
    for key in used:
        if (step := last_step.get(key)) is not None:
            times[step] = 2.0 if step in times else 1.0
    return times


def _parallel(earlier: Evidence, later: Evidence) -> float:
    """Share of the first eight words that two steps have in common, place by place ("Case 1 ...", "Case 2 ...")."""
    return sum(a == b for a, b in zip(earlier.opening, later.opening, strict=False)) / 8
