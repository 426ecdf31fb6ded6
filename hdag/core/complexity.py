"""How hard a segment is to audit, from named features, and whom that suggests.

Suggestions follow the assignment criteria of TRUST, section 3.1, step 4: deterministic mathematics to the computer,
meaning, facts and approach to a language model, ethics, ambiguity, novelty and high stakes to people.
hdag only suggests; auditing/core/routing.py decides.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hdag.core.levels import Complexity, Level, Tier

WORD = re.compile(r"[a-z]{2,}")
SYMBOL = re.compile(r"\\[A-Za-z]+|[=<>≤≥≈∑∫√^_+*/×÷]|(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
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
STAKES: Mapping[str, float] = {"medicine": 1.0, "law": 1.0, "finance": 0.5, "ethics": 1.0}
WEIGHTS: Mapping[str, float] = {
    "symbols": 0.04,
    "premises": 0.15,
    "depth": 0.04,
    "hedges": 0.35,
    "words": 0.01,
    "checkable": -0.8,
    "stakes": 0.6,
    "ethics": 0.8,
}
MEDIUM_FROM, HIGH_FROM = 0.55, 1.4
READ = 1_500  # characters looked at; the counts are capped long before
FOCUS: Mapping[Level, str] = {
    Level.GOAL: "Is the problem read as it was asked, with the right unknown?",
    Level.STRATEGY: "Would this approach, carried out well, answer the problem?",
    Level.TACTIC: "Does the method fit here, and are its conditions met?",
    Level.STEP: "Does the step follow from its premises, and is it complete?",
    Level.OPERATION: "Is the computation exact?",
}


@dataclass(frozen=True, slots=True)
class Assessment:
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

    score = sum of weight * feature; Medium from 0.55, High from 1.4. premises = number of direct premises,
    depth = longest chain of premises below, checkable = share of the characters inside equations, 0 to 1.

    >>> assess(content="40 * 2 = 80", level=Level.OPERATION, checkable=1.0).primary
    <Tier.COMPUTER: 'computer'>
    """
    content = content[:READ]
    words = WORD.findall(content.lower())
    features = {
        "symbols": float(min(len(SYMBOL.findall(content)), 40)),
        "premises": float(min(premises, 8)),
        "depth": float(min(depth, 12)),
        "hedges": float(min(sum(word in HEDGES for word in words), 4)),
        "words": float(min(len(words), 120)),
        "checkable": round(min(max(checkable, 0.0), 1.0), 3),
        "stakes": STAKES.get(domain, 0.0) if level is not Level.OPERATION else 0.0,
        "ethics": float(min(sum(word in ETHICS for word in words), 2)),
    }
    score = sum(WEIGHTS[name] * value for name, value in features.items())
    if level is Level.OPERATION:
        score = min(score, HIGH_FROM - 0.01)
    grade = Complexity.HIGH if score >= HIGH_FROM else Complexity.MEDIUM if score >= MEDIUM_FROM else Complexity.LOW
    primary, secondaries, why = _suggest(level, grade, features)
    return Assessment(features, grade, primary, secondaries, why, FOCUS[level])


@dataclass(frozen=True, slots=True)
class Contribution:
    """One feature of a segment and what it adds to the score."""

    name: str
    value: float
    weight: float

    @property
    def points(self) -> float:
        """weight * value."""
        return self.weight * self.value


def contributions(*, features: Mapping[str, float]) -> tuple[Contribution, ...]:
    """How the features made the score, greatest share first; features without a weight and zeros are left out.

    >>> [(one.name, one.points) for one in contributions(features={"hedges": 2.0, "premises": 0.0, "checkable": 1.0})]
    [('checkable', -0.8), ('hedges', 0.7)]
    """
    found = [Contribution(name, value, WEIGHTS[name]) for name, value in features.items() if name in WEIGHTS and value]
    return tuple(sorted(found, key=lambda one: (-abs(one.points), one.name)))


def _suggest(level: Level, grade: Complexity, features: Mapping[str, float]) -> tuple[Tier, tuple[Tier, ...], str]:
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
