"""The guarantees of a policy, computed exactly; each function names its source and says whether the claim holds."""

from auditing.research.policy_lab.core.guarantees.bounds import (
    Check,
    chernoff,
    economic_dials,
    hoeffding,
    statistical_dial,
    valid_safety,
)
from auditing.research.policy_lab.core.guarantees.lemma import (
    breakdown_share,
    pass_probability,
    seat_accuracy,
    wrong_pass_probability,
)
from auditing.research.policy_lab.core.guarantees.profit import (
    MOST_SEGMENTS,
    always_wrong_log_bound,
    break_even_accuracy,
    honest_loss_log_bounds,
    log_loss_probability,
    printed_honest_exponent,
    printed_malicious_exponent,
    segments_needed,
)
from auditing.research.policy_lab.core.guarantees.tail import (
    Group,
    is_countable,
    log_tail,
    poisson_binomial,
    tail,
    tail_of_many,
    tails,
)
from auditing.research.policy_lab.core.guarantees.trace import TraceAccuracy, best_window, policy_groups, trace_accuracy

__all__ = [
    "MOST_SEGMENTS",
    "Check",
    "Group",
    "TraceAccuracy",
    "always_wrong_log_bound",
    "best_window",
    "break_even_accuracy",
    "breakdown_share",
    "chernoff",
    "economic_dials",
    "hoeffding",
    "honest_loss_log_bounds",
    "is_countable",
    "log_loss_probability",
    "log_tail",
    "pass_probability",
    "poisson_binomial",
    "policy_groups",
    "printed_honest_exponent",
    "printed_malicious_exponent",
    "seat_accuracy",
    "segments_needed",
    "statistical_dial",
    "tail",
    "tail_of_many",
    "tails",
    "trace_accuracy",
    "valid_safety",
    "wrong_pass_probability",
]
