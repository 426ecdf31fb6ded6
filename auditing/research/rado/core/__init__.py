"""RADO: audits of reward-model evaluations, hard samples, corrections, and what training code reads."""

from auditing.core.model_tier.audit_functions import ToolRefusedError, call_tool, result_agrees
from auditing.research.rado.core.evaluations import Audited, Evaluation, HardReason, find_hard_reason, parse_evaluation
from auditing.research.rado.core.exports import (
    Provenance,
    Sources,
    accumulate,
    balance_classes,
    dialogue_row,
    group_rows,
    preference_pairs,
    reward_row,
    split_of,
)
from auditing.research.rado.core.policy_groups import Response, policy_rows, trl_advantages
from auditing.research.rado.core.proof import Proof, Scores, compare_with_experts, proof_score
from auditing.research.rado.core.rates import Rates, rates_of
from auditing.research.rado.core.rewards import format_reward, group_advantages, total_reward
from auditing.research.rado.core.tags import Dialogue, Part, PartKind, TagsRefusedError, parse_dialogue, write_dialogue
from auditing.research.rado.core.trl import ColumnsRefusedError, Task, check_row

__all__ = [
    "Audited",
    "ColumnsRefusedError",
    "Dialogue",
    "Evaluation",
    "HardReason",
    "Part",
    "PartKind",
    "Proof",
    "Provenance",
    "Rates",
    "Response",
    "Scores",
    "Sources",
    "TagsRefusedError",
    "Task",
    "ToolRefusedError",
    "accumulate",
    "balance_classes",
    "call_tool",
    "check_row",
    "compare_with_experts",
    "dialogue_row",
    "find_hard_reason",
    "format_reward",
    "group_advantages",
    "group_rows",
    "parse_dialogue",
    "parse_evaluation",
    "policy_rows",
    "preference_pairs",
    "proof_score",
    "rates_of",
    "result_agrees",
    "reward_row",
    "split_of",
    "total_reward",
    "trl_advantages",
    "write_dialogue",
]
