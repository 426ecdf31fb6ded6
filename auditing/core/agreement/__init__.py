"""How much auditors agree beyond chance: counts of votes, coefficients, intervals and pairs."""

from auditing.core.agreement.coefficients import Coefficient, Estimate, measure_agreement
from auditing.core.agreement.intervals import estimate_agreement
from auditing.core.agreement.pairs import PairAgreement, PairMatrix, compare_pairs
from auditing.core.agreement.votes import VoteTable, VoteTableRefused, tabulate_votes

__all__ = [
    "Coefficient",
    "Estimate",
    "PairAgreement",
    "PairMatrix",
    "VoteTable",
    "VoteTableRefused",
    "compare_pairs",
    "estimate_agreement",
    "measure_agreement",
    "tabulate_votes",
]
