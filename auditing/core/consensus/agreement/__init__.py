"""How much auditors agree beyond chance: counts of votes, coefficients, intervals and pairs."""

from auditing.core.consensus.agreement.bootstrap import estimate_agreement
from auditing.core.consensus.agreement.coefficients import Coefficient, Estimate, measure_agreement
from auditing.core.consensus.agreement.pairs import PairAgreement, PairMatrix, compare_pairs
from auditing.core.consensus.agreement.votes import VoteTable, VoteTableRefusedError, tabulate_votes

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
