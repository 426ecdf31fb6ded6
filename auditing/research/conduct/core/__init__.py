"""Signs of careless or hostile voting: bets about one reviewer, and patterns across votes and reviewers."""

from auditing.research.conduct.core.bets import (
    ALPHA,
    DECIDING,
    FASTEST_CHARACTERS,
    LEAST_RIGHT,
    Decision,
    JudgedPassage,
    Sign,
    Suspicion,
    stake,
    suspicion,
)
from auditing.research.conduct.core.patterns import (
    LEAST_IN_ORDER,
    LEAST_SHARED,
    Pair,
    clustered,
    fitted_skills,
    order_effect,
    pairs_beyond_chance,
    two_sided,
)

__all__ = [
    "ALPHA",
    "DECIDING",
    "FASTEST_CHARACTERS",
    "LEAST_IN_ORDER",
    "LEAST_RIGHT",
    "LEAST_SHARED",
    "Decision",
    "JudgedPassage",
    "Pair",
    "Sign",
    "Suspicion",
    "clustered",
    "fitted_skills",
    "order_effect",
    "pairs_beyond_chance",
    "stake",
    "suspicion",
    "two_sided",
]
