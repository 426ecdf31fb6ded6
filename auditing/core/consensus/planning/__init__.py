"""Planning: after each wave of votes, who is asked next about what, or that the trace is decided."""

from auditing.core.consensus.planning.evidence import (
    PassageState,
    decide_right,
    evidence_ratio,
    ratio_of,
    trace_right,
)
from auditing.core.consensus.planning.wave import Plan, PlanRules, draw_sample, plan_rules, plan_wave

__all__ = [
    "PassageState",
    "Plan",
    "PlanRules",
    "decide_right",
    "draw_sample",
    "evidence_ratio",
    "plan_rules",
    "plan_wave",
    "ratio_of",
    "trace_right",
]
