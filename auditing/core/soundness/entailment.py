"""Entailment models: how probable is it that these premises establish this hypothesis?

One Protocol, `entail(queries) -> probabilities`, answered in batches so that a model behind a network can work
on a whole topological level at once; models wrap models (panel, prover first, repeated asking; temperature.py).
Sources: ARES, section 3 and appendix C (Likert words); Wald 1945 (sequential test).
"""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from auditing.checker.findings import Verdict
from auditing.core.values import Choice

__all__ = [
    "LIKERT",
    "Confirmed",
    "EntailmentModel",
    "ExternalScores",
    "NoisyOracle",
    "Oracle",
    "Panel",
    "Proved",
    "Query",
    "read_likert",
    "vote_of",
]


LIKERT: Mapping[str, float] = {
    "very likely": 1.0,
    "likely": 0.8,
    "somewhat likely": 0.6,
    "neutral": 0.5,
    "somewhat unlikely": 0.4,
    "unlikely": 0.2,
    "very unlikely": 0.0,
}


@dataclass(frozen=True, slots=True)
class Query:
    """Do `premises`, read in their original order, entail `hypothesis`?

    `withheld` counts declared premises that are not granted; `wording` asks the same again in other words.
    """

    premises: tuple[str, ...]
    hypothesis: str
    premise_ids: tuple[str, ...] = ()
    hypothesis_id: str = ""
    withheld: int = 0
    wording: int = 0


class EntailmentModel(Protocol):
    """Anything that can say how probable an entailment is."""

    @property
    def name(self) -> str:
        """Name shown in certificates."""
        ...

    def entail(self, queries: Sequence[Query]) -> Sequence[float]:
        """One probability in [0, 1] for each query, in order."""
        ...


def read_likert(word: str) -> float:
    """Probability of one of the seven words; an unknown word is Neutral, .5 (ARES, appendix C.6).

    >>> read_likert("Somewhat likely"), read_likert("who knows")
    (0.6, 0.5)
    """
    return LIKERT.get(" ".join(word.lower().split()), 0.5)


def vote_of(probability: float) -> tuple[Choice, float]:
    """The vote that an entailment stands for, and the probability that it is right: pass above .5, fail below.

    Confidence is max(p, 1 - p); an entailment of .5 settles nothing and abstains.

    >>> vote_of(0.8), vote_of(0.0), vote_of(0.5)
    ((<Choice.PASS: 'pass'>, 0.8), (<Choice.FAIL: 'fail'>, 1.0), (<Choice.ABSTAIN: 'abstain'>, 0.5))
    """
    if probability == 0.5:
        return Choice.ABSTAIN, 0.5
    return (Choice.PASS if probability > 0.5 else Choice.FAIL), max(probability, 1 - probability)


@dataclass(frozen=True, slots=True)
class Oracle:
    """Hard truth: 1 where `holds(query)`, 0 elsewhere."""

    holds: Callable[[Query], bool]
    name: str = "oracle"

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """Truth values as 0.0 / 1.0."""
        return [float(self.holds(query)) for query in queries]


@dataclass(frozen=True, slots=True)
class NoisyOracle:
    """An oracle that is wrong on a fixed share of questions.

    Whether one question (premises, hypothesis, wording) is answered wrongly is decided by a hash of it and the seed:
    asked twice it repeats itself, as a cached model would. `certainty` is the probability that it states.
    """

    truth: EntailmentModel
    error_rate: float
    seed: int = 0
    certainty: float = 1.0

    @property
    def name(self) -> str:
        """Name with the error rate."""
        return f"noisy oracle ({self.error_rate:g} wrong)"

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """Stated probabilities, a share `error_rate` of them on the wrong side of a half."""
        answers = []
        for query, right in zip(queries, self.truth.entail(queries), strict=True):
            stated = right if self._uniform(query) >= self.error_rate else 1.0 - right
            # certainty 1 leaves 0 and 1, certainty .9 makes them .1 and .9
            answers.append(0.5 + (stated - 0.5) * (2.0 * self.certainty - 1.0))
        return answers

    def _uniform(self, query: Query) -> float:
        """A number in [0, 1) that the question and the seed determine."""
        key = repr((self.seed, query.premises, query.hypothesis, query.wording)).encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big") / 2.0**64


@dataclass(frozen=True, slots=True)
class Panel:
    """The average of several models."""

    members: tuple[EntailmentModel, ...]

    def __post_init__(self) -> None:
        if not self.members:
            raise ValueError("a panel needs at least one member")

    @property
    def name(self) -> str:
        """The members' names."""
        return "panel of " + ", ".join(member.name for member in self.members)

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """Mean probability over the members."""
        answers = np.array([member.entail(queries) for member in self.members], dtype=np.float64)
        return [float(mean) for mean in answers.mean(axis=0)]


@dataclass(frozen=True, slots=True)
class Proved:
    """The computer tier first: proved is 1, refuted is 0, anything else goes to `otherwise` (or stays at .5)."""

    prove: Callable[[Query], Verdict]
    otherwise: EntailmentModel | None = None

    @property
    def name(self) -> str:
        """Names both stages."""
        return "computer tier" + (f", then {self.otherwise.name}" if self.otherwise else "")

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """1, 0, or the answer of the next model."""
        settled = {Verdict.VERIFIED: 1.0, Verdict.REFUTED: 0.0}
        proved = [settled.get(self.prove(query)) for query in queries]
        open_queries = [query for query, answer in zip(queries, proved, strict=True) if answer is None]
        answered: Sequence[float] = [0.5] * len(open_queries)
        if self.otherwise and open_queries:
            answered = self.otherwise.entail(open_queries)
        remaining = iter(answered)  # in the order of the open queries, which is that of the gaps
        return [next(remaining) if answer is None else answer for answer in proved]


@dataclass(frozen=True, slots=True)
class ExternalScores:
    """Scores computed elsewhere (a process reward model), by hypothesis id; premises are ignored."""

    scores: Mapping[str, float]
    name: str = "external scores"

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """The given scores. Raises KeyError naming a claim without a score."""
        return [float(self.scores[query.hypothesis_id]) for query in queries]


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Asks again in other words until the odds are decisive: Wald's sequential test on a model of known error rate.

    Each answer moves the odds by log((1 - e) / e) to its side, scaled by how sure it is. They start in favour when
    every declared premise is granted and against when one is withheld. Decisive odds (beyond `certainty`) count as 0
    or 1, odds still open after `most` wordings as the posterior that they are. The bound holds as far as wordings err
    independently; the error rate comes from labelled data (the study `claimtrees` prints it).
    """

    model: EntailmentModel
    error_rate: float = 0.1
    certainty: float = 0.99
    most: int = 7
    granted_prior: float = 0.8
    withheld_prior: float = 0.05

    @property
    def name(self) -> str:
        """Name with the number of wordings."""
        return f"{self.model.name}, asked up to {self.most} times"

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """0, 1 or an open posterior; the undecided are asked again together, one wording after another."""
        # With error rate .1 an answer of 1 adds log 9 = 2.2 and one of .5 nothing; certainty .99 stops at 4.6.
        step, stop = _log_odds(1 - self.error_rate), _log_odds(self.certainty)
        odds = [_log_odds(self.withheld_prior if query.withheld else self.granted_prior) for query in queries]
        still_open = list(range(len(queries)))
        for wording in range(self.most):
            answers = self.model.entail([replace(queries[i], wording=wording) for i in still_open])
            for i, answer in zip(still_open, answers, strict=True):
                odds[i] += step * (2 * answer - 1)
            still_open = [i for i in still_open if abs(odds[i]) < stop]
            if not still_open:
                break
        return [float(final > 0) if abs(final) >= stop else 1 / (1 + math.exp(-final)) for final in odds]


def _log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))
