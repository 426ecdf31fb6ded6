"""The economics of votes: payoffs, reputation, peer agreement, and the double-entry postings that pay them."""

from auditing.core.points.agreement import SharedVote, agreement_given_model, correlated_agreement, expected_agreement
from auditing.core.points.payoff import (
    agreement_with_consensus,
    expected_payoff,
    payoff_with_honeypots,
    slash_probability,
)
from auditing.core.points.postings import POOL, JudgedVote, Posting, reversing, settle_votes, share_out, slash_draw

__all__ = [
    "POOL",
    "JudgedVote",
    "Posting",
    "SharedVote",
    "agreement_given_model",
    "agreement_with_consensus",
    "correlated_agreement",
    "expected_agreement",
    "expected_payoff",
    "payoff_with_honeypots",
    "reversing",
    "settle_votes",
    "share_out",
    "slash_draw",
    "slash_probability",
]
