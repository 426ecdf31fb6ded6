"""What an audit will cost and how often it will be wrong, said before it starts."""

from auditing.core.policy.forecast.paths import Path, Unit, unit_paths
from auditing.core.policy.forecast.recommendation import Recommendation, recommend_policy
from auditing.core.policy.forecast.simulation import Forecast, forecast_trace, longest_days, planned_share

__all__ = [
    "Forecast",
    "Path",
    "Recommendation",
    "Unit",
    "forecast_trace",
    "longest_days",
    "planned_share",
    "recommend_policy",
    "unit_paths",
]
