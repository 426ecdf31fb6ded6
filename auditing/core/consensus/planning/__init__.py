"""Planning: after each wave of votes, who is asked next about what, or that the trace is decided."""

from auditing.core.consensus.planning.evidence import PassageState, evidence_ratio, trace_right
from auditing.core.consensus.planning.wave import Plan, PlanRules, draw_sample, plan_wave

__all__ = ["PassageState", "Plan", "PlanRules", "draw_sample", "evidence_ratio", "plan_wave", "trace_right"]
