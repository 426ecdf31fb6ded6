"""Premises in a derivation: which earlier steps a step rests on, by a logistic rule over what the two share.

For step j and earlier step i: p(i is a premise of j) = 1 / (1 + exp(-(BIAS + sum of weight * feature))), an edge from
THRESHOLD up. Features: values that flow from i to j, symbols, references by number, rare words, distance, discourse.
The weights were fitted on the public half of parc (benchmarks/premises.py refits and cross-validates them).
Candidates of a step are the few earlier steps that share something with it, so the whole is linear.

Worked example: "Bread earns 40 * 2 = 80." then "The week brings 7 * 80 = 560.": 80 is no given of the problem and was
first stated by the step before, so "previous", "result used", "value introduced" and "value nearest" all speak for it.
"""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import NamedTuple, TypeVar

from hdag.decomposers.rules.evidence import COMMON_VALUES, StepEvidence

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
# log-odds of the threshold: to compare with them saves an exponential for every candidate that fails
_AMOUNTS, _LEAST = tuple(WEIGHTS.values()), math.log(THRESHOLD / (1 - THRESHOLD))
# at most twice its weight comes of rare words, and nothing for a step that is not near
WORDS_ALONE_FAIL = BIAS + 2 * WEIGHTS["rare words"] <= _LEAST and WEIGHTS["distance"] <= 0
# The features "result used" to "symbol nearest" are the six flows: columns 5 to 10 of a row.
FLOWS_FROM, NO_FLOW = 5, (0.0,) * 6
WORD_POSTINGS, RECENT = 4, 8  # candidates per rare word, and among the latest steps (any of them may be unspent)


class PremiseLink(NamedTuple):
    """Step `step` rests on earlier step `premise`: probability and the feature that weighs most."""

    premise: int
    step: int
    confidence: float
    reason: str


@dataclass(slots=True)
class Memory:
    """What the steps so far have introduced: for each value, symbol, word and label the step where it stands."""

    introduced: dict[str, int] = field(default_factory=dict)  # value -> the first step that states it
    nearest: dict[str, int] = field(default_factory=dict)  # value -> the last step that states it
    results: dict[str, int] = field(default_factory=dict)  # value -> the last step with it behind "=" or "is"
    symbols: dict[str, int] = field(default_factory=dict)  # letter -> the last step that uses it
    words: dict[str, deque[int]] = field(default_factory=dict)  # stem -> the last few steps that use it
    labels: dict[int, int] = field(default_factory=dict)  # "step 3", "(3)" -> the step so numbered
    spent: set[int] = field(default_factory=set)  # steps that some later step rests on
    recent: deque[int] = field(default_factory=lambda: deque(maxlen=RECENT))  # the latest steps, spent or not

    def learn(self, index: int, evidence: StepEvidence, premises: Sequence[int]) -> None:
        """Record step `index` and that `premises` have been used."""
        for value in evidence.values:
            # the first step keeps `introduced`, the last one takes `nearest`
            self.introduced.setdefault(value, index)
            self.nearest[value] = index
        self.results.update(dict.fromkeys(evidence.results, index))
        for symbol in evidence.symbols:
            self.symbols[symbol] = index
        for word in evidence.words:
            postings = self.words.get(word)
            if postings is None:
                postings = self.words[word] = deque(maxlen=WORD_POSTINGS)
            postings.append(index)
        for tag in sorted(evidence.tags):
            self.labels.setdefault(tag, index)
        # A step without a number of its own is found by its place: the fourth step is "step 4".
        self.labels[evidence.label if evidence.label is not None else index + 1] = index
        self.spent.update(premises)
        self.recent.append(index)


class Derivation:
    """Reads the steps in order and weighs each against the few earlier ones that share something with it."""

    def __init__(self, *, steps: Sequence[StepEvidence], givens: frozenset[str]) -> None:
        """`givens` are the values that the problem states."""
        self.steps, self.givens = steps, givens
        self.memory = Memory()
        counts = Counter(word for step in steps for word in step.words)
        # idf: ln((n + 1) / df); a word that stands in every step weighs almost nothing
        self.rarity = {word: math.log((len(steps) + 1) / count) for word, count in counts.items()}

    def links(self) -> Iterator[PremiseLink]:
        """The premises of every step, in order."""
        for index, step in enumerate(self.steps):
            links = list(self._weigh(index))
            yield from links
            self.memory.learn(index, step, [link.premise for link in links])

    def candidates(self, index: int, *, may_pass: bool = False) -> dict[int, list[float]]:
        """Features (in the order of NAMES) of every earlier step worth weighing for step `index`.

        may_pass: without those that no weight of theirs can carry over the threshold.
        """
        step, memory = self.steps[index], self.memory
        # 1. What flows from where: results, first and last statement of a value, givens, references, symbols.
        flows = self._flows(step)
        # 2. What else speaks for a premise, or for there being none.
        words = self._shared_words(step)
        has_flow = bool(flows[0] or flows[1])
        last = index == len(self.steps) - 1
        # a given that no step has used yet: the step may start anew from the problem
        fresh = any(value in self.givens and value not in memory.introduced for value in step.values)
        # 3. The candidates: the step before, recent steps, and whatever shares a value, label, symbol or rare word.
        pool = {index - 1}.union(*flows)
        # What shares rare words alone, or nothing, passes only where a step gathers what is unspent.
        if last or step.gathers or not (may_pass and WORDS_ALONE_FAIL):
            pool.update(memory.recent, words)
        # 4. One row of features each, in the order of WEIGHTS; the flows are filled in below.
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

    def _flows(self, step: StepEvidence) -> tuple[dict[int, float], ...]:
        """How often each earlier step stands behind what `step` uses: the six flows, in the order of WEIGHTS."""
        memory = self.memory
        # A given of the problem counts only as "given stated"; 1 and 2 stand everywhere and are never derived.
        givens = [value for value in step.values if value in self.givens]
        derived = [value for value in step.values if value not in self.givens and value not in COMMON_VALUES]
        return (
            _tally(memory.results, derived),
            _tally(memory.introduced, derived),
            _tally(memory.nearest, derived),
            _tally(memory.introduced, givens),
            _tally(memory.labels, step.references),
            _tally(memory.symbols, step.symbols),
        )

    def _weigh(self, index: int) -> Iterator[PremiseLink]:
        for premise, row in self.candidates(index, may_pass=True).items():
            terms = list(map(mul, _AMOUNTS, row))
            total = BIAS + sum(terms)
            if total > _LEAST:
                # The reason shown is the term that adds most.
                yield PremiseLink(premise, index, 1 / (1 + math.exp(-total)), NAMES[terms.index(max(terms))])

    def _shared_words(self, step: StepEvidence) -> defaultdict[int, float]:
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


def _parallel(earlier: StepEvidence, later: StepEvidence) -> float:
    """Share of the first eight words that two steps have in common, place by place ("Case 1 ...", "Case 2 ...")."""
    return sum(a == b for a, b in zip(earlier.opening, later.opening, strict=False)) / 8
