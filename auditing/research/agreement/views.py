"""Agreement and quality: coefficients with intervals, pairs, calibration and confusion, each as table, plot and CSV."""

from typing import Any
from uuid import UUID

import numpy as np
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.permissions import requires_role
from auditing.core.consensus.agreement import Coefficient, compare_pairs, estimate_agreement
from auditing.research.agreement.selectors import counts as counting
from auditing.research.agreement.selectors.quality import CONSENSUS, GOLD, quality_of
from auditing.research.exports.selectors.scope import FilterRefusedError, Filters, Scope
from auditing.research.exports.tables import calibration_plot, chosen_table
from auditing.research.exports.views import RESEARCHERS
from auditing.research.models import ImportedVote, ImportedVoteSet
from auditing.research.studies.parts.figures import interval_plot
from auditing.research.studies.parts.runner import Cell, Table
from auditing.selectors.consensus import vote_counts

SEED = 9
MINIMUM_ITEMS = 10
MINIMUM_SHARED = 5
WORDS = {
    Coefficient.FLEISS_KAPPA: "Fleiss kappa",
    Coefficient.GWET_AC1: "Gwet AC1",
    Coefficient.ALPHA_NOMINAL: "Krippendorff alpha, nominal",
    Coefficient.ALPHA_ORDINAL: "Krippendorff alpha, ordinal",
}
COLUMNS = ("votes on", "coefficient", "items", "votes", "value", "low", "high", "why not")


def coefficient_rows(groups: dict[str, Any]) -> list[list[Cell]]:
    """A line a group and coefficient, with 95 % bootstrap intervals over items."""
    rows: list[list[Cell]] = []
    for name, counts in groups.items():
        found = estimate_agreement(counts=counts, rng=np.random.default_rng(SEED), minimum_items=MINIMUM_ITEMS)
        if all(one.value is None for one in found.values()) and len({one.sentence for one in found.values()}) == 1:
            one = next(iter(found.values()))
            rows.append([name, "all four", one.items, one.votes, None, None, None, one.sentence])
            continue
        for key, one in found.items():
            rows.append([name, WORDS[key], one.items, one.votes, one.value, one.low, one.high, one.sentence])
    return rows


def pair_rows(table: Any, name_of: Any) -> list[list[Cell]]:
    """A line a pair of auditors that share an item, those that share most first."""
    if table is None:
        return []
    matrix = compare_pairs(table=table, minimum_shared=MINIMUM_SHARED)
    rows: list[list[Cell]] = []
    for place, first in enumerate(matrix.auditors):
        for second in matrix.auditors[place + 1 :]:
            pair = matrix.pair(first=first, second=second)
            if pair.shared:
                rows.append([name_of(first), name_of(second), pair.shared, pair.agreement, pair.kappa, pair.sentence])
    return sorted(rows, key=lambda row: -int(str(row[2])))


@requires_role(*RESEARCHERS)
@require_GET
def agreement_page(request: HttpRequest) -> HttpResponse:
    """Our own votes: overall, by tier, domain, level and criterion."""
    scope, problem = scope_of(request)
    votes, item = counting.our_votes(scope=scope), "seat__round"
    whole = vote_counts.counts_by(votes=votes, item=item, between="between" in request.GET)
    tables = [Table("All votes", COLUMNS, coefficient_rows({"pass or fail": whole[""]} if whole else {}))]
    for name, path in vote_counts.GROUPS.items():
        tables.append(
            Table(f"By {name}", COLUMNS, coefficient_rows(vote_counts.counts_by(votes=votes, item=item, group=path)))
        )
    tables.append(Table("By criterion", COLUMNS, coefficient_rows(counting.counts_by_criterion(votes=votes))))
    pairs = counting.busiest(votes=votes, item=item, auditor="seat__auditor")
    return _show(
        request, "Agreement", tables, pair_rows(pairs, scope.pseudonym), problem=problem, filters=scope.filters
    )


@requires_role(*RESEARCHERS)
@require_GET
def set_page(request: HttpRequest, set_id: UUID) -> HttpResponse:
    """One set of imported votes: overall and by kind of error."""
    found = ImportedVoteSet.objects.filter(pk=set_id).first()
    if found is None:
        raise Http404
    votes = ImportedVote.objects.filter(set=found)
    whole = vote_counts.counts_by(votes=votes, item="item", between="between" in request.GET)
    tables = [
        Table("All votes", COLUMNS, coefficient_rows({"pass or fail": whole[""]} if whole else {})),
        Table("By kind of error", COLUMNS, coefficient_rows(counting.counts_by_class(votes=votes))),
    ]
    levels = vote_counts.counts_by(votes=votes.exclude(level=""), item="item", group="level")
    tables += [Table("By level", COLUMNS, coefficient_rows(levels))] if levels else []
    pairs = counting.busiest(votes=votes, item="item", auditor="auditor")
    return _show(request, found.title, tables, pair_rows(pairs, str), imported=found, size=votes.count())


@requires_role(*RESEARCHERS)
@require_GET
def quality_page(request: HttpRequest) -> HttpResponse:
    """Calibration, Brier and confusion, against gold or against consensus."""
    scope, problem = scope_of(request)
    truth = CONSENSUS if request.GET.get("truth") == CONSENSUS else GOLD
    found = quality_of(scope=scope, truth=truth)
    bins: list[list[Cell]] = [[b.low, b.high, b.count, b.mean_posterior, b.share_valid] for b in found.bins]
    rows: list[list[Cell]] = [
        [
            name or "(none)",
            c.errors_found,
            c.errors_missed,
            c.false_alarms,
            c.valid_passed,
            c.undecided,
            c.f1,
            c.accuracy,
        ]
        for name, c in found.confusion.items()
    ]
    tables = [
        Table("Calibration", ("from", "to", "votes", "mean stated P(right)", "share right"), bins),
        Table(
            "Confusion by domain",
            ("domain", "errors found", "errors missed", "false alarms", "right passed", "abstained", "F1", "accuracy"),
            rows,
        ),
    ]
    answer = chosen_table(tables=tables, asked=request.GET.get("csv", ""), name="quality")
    context = {
        "tables": tables,
        "quality": found,
        "truth": truth,
        "problem": problem,
        "filters": scope.filters,
        "plot": calibration_plot(title="Stated probability against share right", bins=found.bins),
    }
    return answer or render(request, "research/agreement/quality.html", context)


def scope_of(request: HttpRequest) -> tuple[Scope, str]:
    """The filters of the address; a bad one is named and narrows nothing."""
    salt = f"page {request.user.pk}"
    try:
        return Scope(request.user, Filters.read(request.GET), salt), ""
    except FilterRefusedError as error:
        return Scope(request.user, Filters(), salt), str(error)


def _show(request: HttpRequest, title: str, tables: list[Table], pairs: list[list[Cell]], **more: Any) -> HttpResponse:
    note = f"Pairs among the {counting.MOST_AUDITORS} auditors with the most votes."
    columns = ("one", "the other", "shared items", "raw agreement", "Cohen kappa", "why not")
    everything = [*tables, Table("Pairs of auditors", columns, pairs, note)]
    answer = chosen_table(tables=everything, asked=request.GET.get("csv", ""), name="agreement")
    shown = [(row[1], *row[4:7]) for row in tables[0].rows]
    shown += [(f"AC1 of {row[0]}", *row[4:7]) for table in tables[1:] for row in table.rows if row[1] == "Gwet AC1"]
    context = {
        "title": title,
        "tables": everything,
        "sets": counting.sets_of_votes()[:30],
        **more,
        "plot": interval_plot(title="Agreement with 95 % intervals", rows=shown[:40]),  # type: ignore[arg-type]
    }
    return answer or render(request, "research/agreement/page.html", context)
