"""Planting: what is proved of a passage, an error put into it or into a whole, and who would be asked about it."""

from auditing.checker.planting.perturbing import Change, Grade, Origin, Perturbed, changes_in, choose, perturb
from auditing.checker.planting.proved import Proofs, is_all_computed, proved_equations
from auditing.checker.planting.rehearsal import GoldSpan, Whole, find_asked, find_wholes, proved_outside
from auditing.checker.planting.rewriting import in_words, rewritten
from auditing.checker.planting.shapes import Shape, lean, nearest_first, shape_of
from auditing.checker.planting.wholes import error_in_whole, shows_error, with_error

__all__ = [
    "Change",
    "GoldSpan",
    "Grade",
    "Origin",
    "Perturbed",
    "Proofs",
    "Shape",
    "Whole",
    "changes_in",
    "choose",
    "error_in_whole",
    "find_asked",
    "find_wholes",
    "in_words",
    "is_all_computed",
    "lean",
    "nearest_first",
    "perturb",
    "proved_equations",
    "proved_outside",
    "rewritten",
    "shape_of",
    "shows_error",
    "with_error",
]
