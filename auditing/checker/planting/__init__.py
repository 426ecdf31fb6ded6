"""Planting: what is proved of a passage, an error put into it or into a whole, and who would be asked about it."""

from auditing.checker.planting.perturbing import Change, Grade, Origin, Perturbed, changes_in, choose, perturb
from auditing.checker.planting.proved import Proofs, is_all_computed, proved_equations
from auditing.checker.planting.rehearsal import GoldSpan, Whole, find_asked, find_wholes, proved_outside
from auditing.checker.planting.wholes import misread_givens, wrong_answers

__all__ = [
    "Change",
    "GoldSpan",
    "Grade",
    "Origin",
    "Perturbed",
    "Proofs",
    "Whole",
    "changes_in",
    "choose",
    "find_asked",
    "find_wholes",
    "is_all_computed",
    "misread_givens",
    "perturb",
    "proved_equations",
    "proved_outside",
    "wrong_answers",
]
