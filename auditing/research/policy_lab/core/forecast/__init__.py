"""What an audit will cost and how often it will be wrong, said before it starts."""

from auditing.research.policy_lab.core.forecast.paths import Path, Unit, unit_paths
from auditing.research.policy_lab.core.forecast.recommendation import Recommendation, recommend_policy
from auditing.research.policy_lab.core.forecast.simulation import (
    Forecast,
    forecast_trace,
    longest_days,
    planned_accuracy,
    planned_share,
)
from auditing.research.policy_lab.core.forecast.sweep import SweptPoint, sweep_accuracy, sweep_length, units_by_tier
from auditing.research.policy_lab.core.forecast.waves import cap_needed

__all__ = [
    "Forecast",
    "Path",
    "Recommendation",
    "SweptPoint",
    "Unit",
    "cap_needed",
    "forecast_trace",
    "longest_days",
    "planned_accuracy",
    "planned_share",
    "recommend_policy",
    "sweep_accuracy",
    "sweep_length",
    "unit_paths",
    "units_by_tier",
]
