"""How hard a segment is to audit, from named features, and whom that suggests.

Suggestions follow the assignment criteria of TRUST, section 3.1, step 4: deterministic mathematics to the computer,
meaning, facts and approach to a language model, ethics, ambiguity, novelty and high stakes to people.
hdag only suggests; auditing/core/routing/table.py decides.

The weights of words, numbers, premises, depth, hedges and inference were fitted on the first wrong steps of five public
sets (benchmarks/complexity.py refits them on one half of the problems and confirms them on the other); the rest is set.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from hdag.core.levels import Complexity, Level, Tier

WORD = re.compile(r"[a-z]{2,}")
# a LaTeX command, an operator, or a letter that stands alone: the "x" of "2x + 1", not that of "extra"
SYMBOL = re.compile(r"\\[A-Za-z]+|[=<>≤≥≈∑∫√^_+*/×÷]|[A-Za-z](?![A-Za-z])(?<![A-Za-z].)")
NUMBER = re.compile(r"\d[\d,]*\.?\d*")
_INFERENCE = """
therefore thus hence so since because then must only all every each if cannot either or unless otherwise
"""
INFERENCE = frozenset(_INFERENCE.split())
_HEDGES = """
maybe perhaps possibly probably likely might seem seems appear appears unclear ambiguous assume assumes assuming
assumption guess unsure approximately roughly hmm wait presumably arguably
"""
HEDGES = frozenset(_HEDGES.split())
_ETHICS = """
ethic ethics ethical ethically unethical moral morals morality immoral consent autonomy fairness discriminate
discrimination privacy harm harmful harms suicide suicidal abortion euthanasia abuse bias biased
"""
ETHICS = frozenset(_ETHICS.split())
_TELLING = HEDGES | INFERENCE | ETHICS
STAKES: Mapping[str, float] = {"medicine": 1.0, "law": 1.0, "finance": 0.5, "ethics": 1.0}
WEIGHTS: Mapping[str, float] = {
    "words": 0.32,
    "numbers": 0.5,
    "premises": 0.54,
    "depth": 0.42,
    "hedges": 0.38,
    "inference": 0.41,
    "symbols": 0.05,
    "mechanical": -1.0,
    "stakes": 0.9,
    "ethics": 1.2,
}
COUNTS = frozenset(("words", "numbers", "premises", "depth", "inference", "symbols"))  # enter by their logarithm
_TERMS = tuple((name, weight, name in COUNTS) for name, weight in WEIGHTS.items())
# Scores (score_of) from which a segment is of medium and of high complexity.
MEDIUM_FROM, HIGH_FROM = 2.4, 3.7
READ = 3_000  # characters looked at
FOCUS: Mapping[Level, str] = {
    Level.GOAL: "Is the problem read as it was asked, with the right unknown?",
    Level.STRATEGY: "Would this approach, carried out well, answer the problem?",
    Level.TACTIC: "Does the method fit here, and are its conditions met?",
    Level.STEP: "Does the step follow from its premises, and is it complete?",
    Level.OPERATION: "Is the computation exact?",
}


class Assessment(NamedTuple):
    """Complexity with the features that gave it, and the suggested tiers with their reason."""

    features: Mapping[str, float]
    complexity: Complexity
    primary: Tier
    secondaries: tuple[Tier, ...]
    why: str
    focus: str


def assess(
    *, content: str, level: Level, domain: str = "", premises: int = 0, depth: int = 0, checkable: float = 0.0
) -> Assessment:
    """Complexity and suggested tiers of one segment.

    Medium from a score of 2.4, High from 3.7 (see score_of). premises = number of direct premises, depth = longest
    chain of premises below, checkable = share of the characters inside equations, 0 to 1: it leads to the checkers and
    does not enter the score. mechanical = 1 for an operation.

    >>> assess(content="40 * 2 = 80", level=Level.OPERATION, checkable=1.0).primary
    <Tier.COMPUTER: 'computer'>
    """
    content = content[:READ]
    words = WORD.findall(content.lower())
    # in most segments there are none to count
    hedges, inference, ethics = (
        (0, 0, 0)
        if _TELLING.isdisjoint(words)
        else [sum(map(kind.__contains__, words)) for kind in (HEDGES, INFERENCE, ETHICS)]
    )
    is_operation = level is Level.OPERATION
    features = {
        "symbols": float(len(SYMBOL.findall(content))),
        "numbers": float(len(set(NUMBER.findall(content)))),
        "premises": float(premises),
        "depth": float(depth),
        "hedges": float(min(hedges, 3)),
        "inference": float(inference),
        "words": float(len(words)),
        "mechanical": float(is_operation),
        "checkable": round(min(max(checkable, 0.0), 1.0), 3),
        "stakes": 0.0 if is_operation else STAKES.get(domain, 0.0),
        "ethics": float(min(ethics, 2)),
    }
    # "checkable" has no weight: it chooses the tier and leaves the score alone.
    score = score_of(features=features)
    if is_operation:
        # One computation is never of high complexity, however many numbers stand in it.
        score = min(score, HIGH_FROM - 0.01)
    grade = _grade(score)
    primary, secondaries, why = _suggest(level, grade, features)
    return Assessment(features, grade, primary, secondaries, why, FOCUS[level])


def _grade(score: float) -> Complexity:
    if score >= HIGH_FROM:
        return Complexity.HIGH
    return Complexity.MEDIUM if score >= MEDIUM_FROM else Complexity.LOW


def score_of(*, features: Mapping[str, float]) -> float:
    """sum of weight * ln(1 + count), of weight * value for what is no count: each doubling of a count adds the same.

    >>> round(score_of(features={"words": 30.0, "hedges": 1.0, "checkable": 1.0}), 3)
    1.479
    """
    total = 0.0
    for name, weight, is_count in _TERMS:
        if value := features.get(name):
            total += weight * (math.log1p(value) if is_count else value)
    return total


@dataclass(frozen=True, slots=True)
class Contribution:
    """One feature of a segment and what it adds to the score."""

    name: str
    value: float
    weight: float

    @property
    def is_count(self) -> bool:
        """Whether it enters by the logarithm of one more than itself."""
        return self.name in COUNTS

    @property
    def points(self) -> float:
        """weight * value, for counts weight * ln(1 + value)."""
        return score_of(features={self.name: self.value})


def contributions(*, features: Mapping[str, float]) -> tuple[Contribution, ...]:
    """How the features made the score, greatest share first; features without a weight and zeros are left out.

    >>> [(one.name, one.points) for one in contributions(features={"hedges": 2.0, "premises": 0.0, "mechanical": 1.0})]
    [('mechanical', -1.0), ('hedges', 0.76)]
    """
    ranked = [Contribution(name, value, WEIGHTS[name]) for name, value in features.items() if name in WEIGHTS and value]
    return tuple(sorted(ranked, key=lambda contribution: (-abs(contribution.points), contribution.name)))


def _suggest(level: Level, grade: Complexity, features: Mapping[str, float]) -> tuple[Tier, tuple[Tier, ...], str]:
    """Primary tier, secondary tiers and the reason: the first rule that applies."""
    # The first reason that holds decides, so an ethical question goes to people whatever it computes.
    if features["ethics"]:
        return Tier.HUMAN, (Tier.LLM,), "an ethical question is for people"
    if level is Level.GOAL:
        return Tier.HUMAN, (Tier.LLM,), "reading the problem right is a judgement"
    if level is Level.OPERATION:
        return Tier.COMPUTER, (Tier.LLM,), "a computation can be checked exactly"
    if features["hedges"] >= 2 or (features["stakes"] >= 1 and grade is Complexity.HIGH):
        reason = "ambiguous wording" if features["hedges"] >= 2 else "high stakes and high complexity"
        return Tier.HUMAN, (Tier.LLM,), f"{reason}: a person should judge"
    if features["checkable"] >= 0.5:
        return Tier.COMPUTER, (Tier.LLM,), "most of the text is equations that a computer can check"
    return Tier.LLM, (Tier.HUMAN,), "meaning and facts need a reader"
