"""How much auditors agree beyond chance: counts of votes, coefficients, intervals and pairs."""

from auditing.research.agreement.core.bootstrap import estimate_agreement
from auditing.research.agreement.core.coefficients import Coefficient, Estimate, measure_agreement
from auditing.research.agreement.core.pairs import PairAgreement, PairMatrix, compare_pairs
from auditing.research.agreement.core.votes import VoteTable, VoteTableRefusedError, tabulate_votes

__all__ = [
    "Coefficient",
    "Estimate",
    "PairAgreement",
    "PairMatrix",
    "VoteTable",
    "VoteTableRefusedError",
    "compare_pairs",
    "estimate_agreement",
    "measure_agreement",
    "tabulate_votes",
]
