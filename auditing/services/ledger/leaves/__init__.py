"""Leaves for everything that decides an outcome, written in the transaction of the thing that they record.

submissions: what comes in; seats: rounds and draws; votes: sealed and opened; outcomes: what was decided. The leaf that
opens an audit is written by services/seating/rosters.py. Functions named after a verb write; those that end in _leaf or
_leaves and take no audit only make the leaves, for a caller that writes several kinds in one insert. Writes Leaf.
"""

from auditing.services.ledger.leaves.outcomes import (
    Weights,
    decide_trace,
    escalation_leaf,
    overturn_gold,
    plan_leaves,
    reveal_gold,
    roll_back,
    segment_leaf,
    skills_leaves,
    tally_leaf,
    waves_planned,
    weights_by_round,
    weights_of,
)
from auditing.services.ledger.leaves.seats import (
    draw_heads,
    opening_leaf,
    reveal_key_digest,
    round_opened_leaves,
    seats_leaf,
    substitute,
    substitution_leaf,
)
from auditing.services.ledger.leaves.submissions import publish_policy, submission_leaf, submit
from auditing.services.ledger.leaves.votes import (
    PASSED_OVER,
    WITHDRAWN,
    closing_leaves,
    commit_leaf,
    opened_leaves,
    show_unopened,
)
from auditing.services.ledger.leaves.writing import write, write_named, write_of_audits

__all__ = [
    "PASSED_OVER",
    "WITHDRAWN",
    "Weights",
    "closing_leaves",
    "commit_leaf",
    "decide_trace",
    "draw_heads",
    "escalation_leaf",
    "opened_leaves",
    "opening_leaf",
    "overturn_gold",
    "plan_leaves",
    "publish_policy",
    "reveal_gold",
    "reveal_key_digest",
    "roll_back",
    "round_opened_leaves",
    "seats_leaf",
    "segment_leaf",
    "show_unopened",
    "skills_leaves",
    "submission_leaf",
    "submit",
    "substitute",
    "substitution_leaf",
    "tally_leaf",
    "waves_planned",
    "weights_by_round",
    "weights_of",
    "write",
    "write_named",
    "write_of_audits",
]
