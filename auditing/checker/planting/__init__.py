"""Planting: what is proved of a passage, an error put into a proved equation, and who would be asked about it."""

from auditing.checker.planting.perturbing import Change, Grade, Origin, Perturbed, changes_in, perturb
from auditing.checker.planting.proved import Proofs, is_all_computed, proved_equations
from auditing.checker.planting.rehearsal import GoldSpan, find_asked, proved_outside

__all__ = [
    "Change",
    "GoldSpan",
    "Grade",
    "Origin",
    "Perturbed",
    "Proofs",
    "changes_in",
    "find_asked",
    "is_all_computed",
    "perturb",
    "proved_equations",
    "proved_outside",
]
