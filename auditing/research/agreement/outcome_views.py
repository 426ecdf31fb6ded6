"""How good outcomes are where gold exists: the research page, each table as CSV."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.parameters import read_number
from accounts.permissions import requires_role
from auditing.research.agreement.charts import calibration_of, confusion_charts
from auditing.research.agreement.selectors.outcome_quality import (
    Group,
    OutcomeQuality,
    TraceQuality,
    quality_of_outcomes,
    quality_of_traces,
)
from auditing.research.agreement.views import scope_of
from auditing.research.exports.tables import chosen_table
from auditing.research.permissions import RESEARCHERS
from auditing.research.studies.instruments.runner import Cell, Table
from hdag.rendering.charts.chart import Chart

COLUMNS = (
    "segments",
    "errors found",
    "errors missed",
    "false alarms",
    "right passed",
    "undecided",
    "F1 of errors",
    "accuracy",
    "Brier",
)
LONGEST = 10**8


@requires_role(*RESEARCHERS)
@require_GET
def outcomes_page(request: HttpRequest) -> HttpResponse:
    """Brier, F1, confusion by tier and by domain, calibration of posteriors, cost of the thresholds by trace length."""
    scope, problem = scope_of(request)
    quality, traces = quality_of_outcomes(scope=scope), quality_of_traces(scope=scope)
    bins: list[list[Cell]] = [[b.low, b.high, b.count, b.mean_posterior, b.share_valid] for b in quality.bins]
    whole = [quality.whole] if quality.whole else []
    tables = [
        Table("All gold segments", ("", *COLUMNS), _rows(whole)),
        Table("By the tier that decided", ("decided by", *COLUMNS), _rows(quality.by_tier)),
        Table("By domain", ("domain", *COLUMNS), _rows(quality.by_domain)),
        Table("Calibration", ("from", "to", "segments", "mean posterior", "share right"), bins),
        _length_table(traces),
    ]
    answer = chosen_table(tables=tables, asked=read_number(request.GET, "csv"), name="outcomes")
    context = {
        "tables": tables,
        "found": quality,
        "traces": traces,
        "problem": problem,
        "filters": scope.filters,
        "charts": _charts(quality),
    }
    return answer or render(request, "research/agreement/outcomes.html", context)


def _charts(quality: OutcomeQuality) -> list[Chart]:
    calibration = calibration_of(title="Posterior against share right", stated="posterior", bins=quality.bins)
    by_tier = {f"decided by {group.name}": group.confusion for group in quality.by_tier}
    return [*([calibration] if calibration else []), *confusion_charts(counts=by_tier, between="undecided")]


def _rows(groups: Sequence[Group]) -> list[list[Cell]]:
    return [
        [
            group.name,
            group.segments,
            counts.errors_found,
            counts.errors_missed,
            counts.false_alarms,
            counts.valid_passed,
            counts.undecided,
            counts.f1,
            counts.accuracy,
            group.brier,
        ]
        for group in groups
        for counts in [group.confusion]
    ]


def _length_table(traces: TraceQuality) -> Table:
    policy = traces.policy
    rows: list[list[Cell]] = [
        [
            f"up to {report.longest}" if report.longest < LONGEST else "longer",
            report.count,
            report.cost,
            report.passed_wrong,
            report.failed_right,
            report.undecided,
        ]
        for report in traces.reports
    ]
    # None: on these traces it never pays to pass (or to fail) one without a review.
    upper, lower = (None if value is None else f"{value:.3f}" for value in traces.cheapest)
    note = (
        f"Pass at {policy.trace_theta_pass:.3f}, fail at {policy.trace_theta_fail:.3f}: from the costs of a miss "
        f"({policy.cost_miss}), a false alarm ({policy.cost_false_alarm}) and a review ({policy.cost_review}). "
        f"On these traces the cheapest pair is pass at {upper or 'none'}, fail at {lower or 'none'}."
    )
    columns = ("segments", "traces", "mean cost", "wrong passed", "right failed", "undecided")
    return Table("What the trace thresholds cost, by length", columns, rows, note)
