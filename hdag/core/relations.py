"""Typed edges of the HDAG and the one derived relation that all methods use: premise.

`A depends_on B` and `B enables A` both make B a premise of A. decomposes_to is structure, never a premise.
Source: TRUST, section 3.1 and its printed examples (docs/formulas.md section 1.7).
"""

from enum import StrEnum


class Relation(StrEnum):
    """Type of an edge `source -> target`."""

    DECOMPOSES_TO = "decomposes_to"
    DEPENDS_ON = "depends_on"
    ENABLES = "enables"
    VALIDATES = "validates"
    EXEMPLIFIES = "exemplifies"
    REFINES = "refines"
    CONTRADICTS = "contradicts"


class Strength(StrEnum):
    """How much a target leans on an edge."""

    STRONG = "strong"
    MEDIUM = "medium"
    WEAK = "weak"
