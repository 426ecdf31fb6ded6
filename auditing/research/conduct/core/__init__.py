"""Signs of careless or hostile voting: bets about one reviewer, and patterns across votes and reviewers."""

from auditing.research.conduct.core.bets import (
    ALPHA,
    DECIDING,
    FASTEST_CHARACTERS,
    LEAST_RIGHT,
    JudgedPassage,
    Sign,
    Suspicion,
    stake,
    suspicion,
)
from auditing.research.conduct.core.consequences import LABELS, Evidence, open_decisions
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
from auditing.research.conduct.core.reasons import LEAST_REASONS, Copied, copied_reasons
from auditing.research.conduct.core.rings import RingNull, ring_null
from auditing.research.conduct.core.timing import LEAST_TIMED, Together, at_one_moment, length_effect

__all__ = [
    "ALPHA",
    "DECIDING",
    "FASTEST_CHARACTERS",
    "LABELS",
    "LEAST_IN_ORDER",
    "LEAST_REASONS",
    "LEAST_RIGHT",
    "LEAST_SHARED",
    "LEAST_TIMED",
    "Copied",
    "Evidence",
    "JudgedPassage",
    "Pair",
    "RingNull",
    "Sign",
    "Suspicion",
    "Together",
    "at_one_moment",
    "clustered",
    "copied_reasons",
    "fitted_skills",
    "length_effect",
    "open_decisions",
    "order_effect",
    "pairs_beyond_chance",
    "ring_null",
    "stake",
    "suspicion",
    "two_sided",
]
