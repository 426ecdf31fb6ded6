"""Premises in a list of plain statements: facts first, then conclusions that combine what stands before them.

A conclusion's telling words are covered by its premises, and what nothing has used yet is likelier to be used.
p(premise) = 1 / (1 + exp(-(BIAS + sum of weight * feature))). Example: from "Iron conducts heat." and "A pan is made of
iron." follows "A pan conducts heat."; each premise covers words that the other leaves open.
The weights were fitted on the public half of entailment_bank (benchmarks/premises.py refits and cross-validates them).
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from hdag.decomposers.rules.derivation import PremiseLink

MOST = 80  # more statements than this are read as a derivation: weighing all pairs would not be linear
LONGEST = 400  # characters of one statement
COVERED = 0.5  # a statement whose words two earlier ones cover to this share looks like a conclusion
BIAS = -4.5
WEIGHTS = {
    "only it covers these words": 4.7,
    "covers what the best leaves": 2.9,
    "its own words recur": 3.5,
    "best match": 1.3,
    "second match": 1.1,
    "third match": 0.9,
    "unspent": 1.7,
    "unspent at the end": 4.2,
    "itself a conclusion": -0.6,
    "previous": 0.5,
    "distance": -0.2,
}
NAMES = tuple(WEIGHTS)
THRESHOLD = 0.5
WORD = re.compile(r"[A-Za-z0-9]+")
# Numbering, words of derivation ("so", "let"), or an equation: the text is then worked step by step, no statement.
DERIVES = re.compile(
    r"\s*(?:step|part|case|so|thus|therefore|hence|then|next|now|first|second|finally|let|wait|since|because|we|i|to|"
    r"[-*#•]|[(\[]?\d{1,3}[\].:)])(?![A-Za-z])|[^=:;\\]{0,400}(?:=\s?[-$]?\d|[:;\\])|[^=]{0,400}\d\s?=",
    re.IGNORECASE,
)
_COMMON = """
a an the is are be of to in on for and or by with that can if it its as at from has have will was were this these
those which one than into kind means mean cause causes some something used will may do does
"""
COMMON = frozenset(_COMMON.split())
# longest first: "ations" before "s"; a weak ending goes only when no other fits
SUFFIXES = ("ations", "ation", "ating", "ated", "ates", "ate", "ings", "ing", "ions", "ion", "ers", "er", "ies", "ied")
WEAK_SUFFIXES = ("es", "ed", "s", "e", "y")


def are_statements(*, texts: Sequence[str]) -> bool:
    """Whether the steps are short and without equations, labels or words of derivation (one in five may have them)."""
    if not 3 <= len(texts) <= MOST or any(len(text) > LONGEST for text in texts):
        return False
    return 5 * sum(bool(DERIVES.match(text)) for text in texts) <= len(texts)


class Statements:
    """Finds where the facts end, then weighs everything before each conclusion."""

    def __init__(self, *, texts: Sequence[str]) -> None:
        """`texts` are the statements in order."""
        self.words = [_telling_words(text) for text in texts]
        counts = Counter(word for words in self.words for word in words)
        # idf again; the 0.1 keeps a word that stands in every statement from weighing nothing
        self.weight = {word: math.log((len(texts) + 1) / count) + 0.1 for word, count in counts.items()}
        self.first = self._first_conclusion()

    def links(self) -> Iterator[PremiseLink]:
        """The premises of every conclusion: at least the two likeliest."""
        spent: set[int] = set()
        for step in range(self.first, len(self.words)):
            weighed = sorted(self._weigh(step, spent), key=lambda link: (-link.confidence, -link.premise))
            # Two premises at least: a conclusion from one statement would only repeat it.
            chosen = [link for rank, link in enumerate(weighed) if rank < 2 or link.confidence > THRESHOLD]
            yield from sorted(chosen, key=lambda link: link.premise)
            spent.update(link.premise for link in chosen)

    def candidates(self, step: int, spent: set[int]) -> dict[int, list[float]]:
        """Features (in the order of NAMES) of every statement before conclusion `step`."""
        goal = self.words[step]
        # `or 1.0`: a statement of common words alone has no mass to divide by
        total = self._mass(goal) or 1.0
        overlap = [self._mass(goal & words) for words in self.words[:step]]
        # Unused statements first, then by shared mass, then the later one.
        ranked = sorted(
            range(step), key=lambda premise: (premise not in spent, overlap[premise], premise), reverse=True
        )
        rank = {premise: position for position, premise in enumerate(ranked)}
        # how many unused statements cover each word of the conclusion
        cover = Counter(word for premise in range(step) if premise not in spent for word in goal & self.words[premise])
        rows = {}
        for premise, words in enumerate(self.words[:step]):
            fresh = premise not in spent
            # The strongest other candidate: what it leaves open, this one may cover.
            best = next((key for key in ranked if key != premise), None)
            left = goal - self.words[best] if best is not None else goal
            # cover[word] <= fresh: no other unused statement has the word (this one counts once while it is unused)
            rows[premise] = [
                self._mass(word for word in goal & words if cover[word] <= fresh) / total,
                self._mass(left & words) / total,
                fresh * overlap[premise] / (self._mass(words) or 1.0),
                *(float(rank[premise] == position) for position in range(3)),
                float(fresh),
                float(fresh and step == len(self.words) - 1),
                float(premise >= self.first),
                float(premise == step - 1),
                math.log(step - premise),
            ]
        return rows

    def _weigh(self, step: int, spent: set[int]) -> Iterator[PremiseLink]:
        for premise, row in self.candidates(step, spent).items():
            terms = [weight * value for weight, value in zip(WEIGHTS.values(), row, strict=True)]
            # the floor of -30 keeps exp from overflowing
            confidence = 1 / (1 + math.exp(-max(-30.0, BIAS + sum(terms))))
            yield PremiseLink(premise, step, confidence, max(zip(terms, NAMES, strict=True))[1])

    def _mass(self, words: Iterable[str]) -> float:
        """Summed rarity of `words`, in a fixed order so that equal sets weigh exactly the same."""
        return sum((self.weight[word] for word in sorted(words)), 0.0)

    def _first_conclusion(self) -> int:
        """Where conclusions begin: the cut that gathers most coverage by two earlier statements after it.

        Each conclusion joins at least two statements and each statement serves once, so more than half are facts.
        """
        count = len(self.words)
        surplus = [self._covered_by_two(step) - COVERED for step in range(count)]
        # The first conclusion stands behind two facts at least, and behind more than half of all statements.
        cuts = range(max(2, (count + 2) // 2), count)
        return max(cuts, key=lambda cut: (sum(surplus[cut:]), -cut), default=count - 1)

    def _covered_by_two(self, step: int) -> float:
        left, total = set(self.words[step]), self._mass(self.words[step]) or 1.0
        for _ in range(min(2, step)):
            # Greedy: the statement that covers most of what is still open, twice.
            left -= max(self.words[:step], key=lambda words: self._mass(left & words))
        return 1 - self._mass(left) / total


def _telling_words(text: str) -> frozenset[str]:
    return frozenset(_stem(word.lower()) for word in WORD.findall(text)) - COMMON


def _stem(word: str) -> str:
    for suffix in (*SUFFIXES, *WEAK_SUFFIXES):
        if len(word) > 3 and word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word
