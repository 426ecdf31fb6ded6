"""Gold, as mathematics: what may be known of a passage beforehand, how errors are planted, how much gold is due."""

from auditing.core.gold.injection import decoys_due, next_truth
from auditing.core.gold.perturbing import Change, Grade, Origin, Perturbed, perturb
from auditing.core.gold.proved import Proofs, is_all_computed, proved_equations

__all__ = [
    "Change",
    "Grade",
    "Origin",
    "Perturbed",
    "Proofs",
    "decoys_due",
    "is_all_computed",
    "next_truth",
    "perturb",
    "proved_equations",
]
