"""Models, providers or policies side by side: what share of their traces passed, with intervals, by field and month."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.parameters import read_choice, read_number
from accounts.permissions import requires_role
from auditing.research.agreement.selectors.comparison import (
    MODEL,
    MOST_TRACES,
    POLICY,
    PROVIDER,
    Compared,
    compare_outcomes,
    decided_traces,
)
from auditing.research.agreement.views import scope_of
from auditing.research.exports.tables import chosen_table
from auditing.research.permissions import RESEARCHERS
from auditing.research.studies.instruments.figures import interval_figure
from auditing.research.studies.instruments.runner import Cell, Table
from hdag.rendering.charts.chart import Chart

COLUMNS = ("traces", "passed", "failed", "undecided", "share passed", "low", "high")
NOTE = "95 % Wilson intervals of the share that passed, of what passed or failed."


@requires_role(*RESEARCHERS)
@require_GET
def comparison_page(request: HttpRequest) -> HttpResponse:
    """`?by=model|provider|policy`: overall, by field and by month."""
    scope, problem = scope_of(request)
    by = read_choice(request.GET, "by", (PROVIDER, POLICY), MODEL)
    decided = decided_traces(scope=scope, by=by)
    whole = compare_outcomes(decided=decided, within=lambda each: "")
    fields = compare_outcomes(decided=decided, within=lambda each: each.domain)
    months = compare_outcomes(decided=decided, within=lambda each: each.month)
    tables = [
        Table("Overall", (by, *COLUMNS), [[line.group, *_cells(line)] for line in whole], NOTE),
        Table("By field", (by, "field", *COLUMNS), [[line.group, line.within, *_cells(line)] for line in fields]),
        Table("By month", (by, "month", *COLUMNS), [[line.group, line.within, *_cells(line)] for line in months]),
    ]
    context = {
        "tables": tables,
        "charts": list(filter(None, (_chart("Share passed", whole), _chart("Share passed, by field", fields)))),
        "by": by,
        "choices": (MODEL, PROVIDER, POLICY),
        "traces": len(decided),
        "most": MOST_TRACES if len(decided) == MOST_TRACES else 0,
        "problem": problem,
        "filters": scope.filters,
    }
    answer = chosen_table(tables=tables, asked=read_number(request.GET, "csv"), name=f"compare-{by}")
    return answer or render(request, "research/agreement/comparison.html", context)


def _cells(line: Compared) -> list[Cell]:
    total = line.passed + line.failed + line.undecided
    return [total, line.passed, line.failed, line.undecided, line.rate.share, line.rate.low, line.rate.high]


def _chart(title: str, lines: Sequence[Compared]) -> Chart | None:
    # The field leads: a long label is cut at its end, and one group alone need not be named on every line.
    is_alone = len({line.group for line in lines}) == 1
    names = [
        line.group if not line.within else line.within if is_alone else f"{line.within}, {line.group}" for line in lines
    ]
    rows = [(name, line.rate.share, line.rate.low, line.rate.high) for name, line in zip(names, lines, strict=True)]
    return interval_figure(name=title.replace(" ", "-").lower(), title=title, rows=rows)
