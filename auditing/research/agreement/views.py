"""Agreement and quality: coefficients with intervals, pairs, calibration, confusion, each as table, chart and CSV."""

from collections.abc import Callable, Hashable
from typing import Any
from uuid import UUID

import numpy as np
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.parameters import read_choice, read_number
from accounts.permissions import requires_role
from auditing.research.agreement.charts import calibration_of, confusion_charts, pair_chart
from auditing.research.agreement.core import Coefficient, VoteTable, compare_pairs, estimate_agreement
from auditing.research.agreement.selectors import counts as counting
from auditing.research.agreement.selectors.quality import CONSENSUS, GOLD, Quality, quality_of
from auditing.research.agreement.selectors.vote_counts import GROUPS, counts_by, counts_by_each, without_abstentions
from auditing.research.exports.selectors.scope import FilterRefusedError, Filters, Scope
from auditing.research.exports.tables import chosen_table
from auditing.research.imported_votes.selectors import find_set, sets_of_votes, votes_in
from auditing.research.permissions import RESEARCHERS, researcher_of
from auditing.research.studies.instruments.figures import interval_figure
from auditing.research.studies.instruments.runner import Cell, Table
from hdag.rendering.charts.chart import Chart
from hdag.rendering.states import word_of

# The bootstrap must give the same interval at every visit of the page.
SEED = 9
MINIMUM_ITEMS = 10
MINIMUM_SHARED = 5
PAIRED = "Chance is taken over items with two votes or more; an item with one vote moves no figure."
TWICE = (
    "Blind repeats: a passage comes again, unmarked, to whoever judged it. Second votes count in no other table here."
)
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
        estimates = estimate_agreement(counts=counts, rng=np.random.default_rng(SEED), minimum_items=MINIMUM_ITEMS)
        # Too few items: all four coefficients are undefined for one and the same reason, which is then said once.
        if (
            all(estimate.value is None for estimate in estimates.values())
            and len({estimate.sentence for estimate in estimates.values()}) == 1
        ):
            estimate = next(iter(estimates.values()))
            rows.append([name, "all four", estimate.items, estimate.votes, None, None, None, estimate.sentence])
            continue
        for coefficient, estimate in estimates.items():
            rows.append(
                [
                    name,
                    WORDS[coefficient],
                    estimate.items,
                    estimate.votes,
                    estimate.value,
                    estimate.low,
                    estimate.high,
                    estimate.sentence,
                ]
            )
    return rows


def only_paired(groups: dict[str, Any]) -> dict[str, Any]:
    """The items with two votes or more: votes of one checker alone would move the share that chance is taken from.

    A group that has no such item stays as it is, so that its line says why nothing is defined.
    """
    paired = {name: counts[counts.sum(axis=1) >= 2] for name, counts in groups.items()}
    return {name: paired[name] if len(paired[name]) else counts for name, counts in groups.items()}


def pair_rows(table: VoteTable | None, name_of: Callable[[Hashable], str]) -> list[list[Cell]]:
    """A line a pair of auditors that share an item, those that share most first."""
    if table is None:
        return []
    matrix = compare_pairs(table=table, minimum_shared=MINIMUM_SHARED)
    rows: list[list[Cell]] = []
    for index, first in enumerate(matrix.auditors):
        for second in matrix.auditors[index + 1 :]:
            pair = matrix.pair(first=first, second=second)
            if pair.shared:
                rows.append([name_of(first), name_of(second), pair.shared, pair.agreement, pair.kappa, pair.sentence])
    # Most shared items first: these pairs have the narrowest uncertainty.
    return sorted(rows, key=lambda row: -int(str(row[2])))


@requires_role(*RESEARCHERS)
@require_GET
def agreement_page(request: HttpRequest) -> HttpResponse:
    """Our own votes: overall, by tier, domain, level and criterion."""
    scope, problem = scope_of(request)
    votes, round_path = counting.our_votes(scope=scope), "seat__round"
    # ?between counts an abstention as a category between fail and pass.
    between = "between" in request.GET
    by_tier, *others = counts_by_each(votes=votes, item=round_path, groups=list(GROUPS.values()))
    by_tier = by_tier if between else without_abstentions(tables=by_tier)
    # A tier is asked on its own terms: one checker has nobody to agree with, and pooled items of one vote say nothing.
    tables = [Table("Within each tier", COLUMNS, coefficient_rows(only_paired(by_tier)), PAIRED)]
    for name, counts in zip(list(GROUPS)[1:], others, strict=True):
        paired = only_paired(without_abstentions(tables=counts))
        tables.append(Table(f"By {name}", COLUMNS, coefficient_rows(paired)))
    # Each round is of one tier.
    together = only_paired({"pass or fail": np.concatenate(list(by_tier.values()))}) if by_tier else {}
    tables.append(Table("All tiers together", COLUMNS, coefficient_rows(together), PAIRED))
    tables.append(Table("By criterion", COLUMNS, coefficient_rows(counting.counts_by_criterion(votes=votes))))
    twice = {"one reviewer, asked again": counting.counts_of_repeats(scope=scope)}
    people = only_paired({"different reviewers": by_tier["human"]}) if "human" in by_tier else {}
    tables.append(Table("One reviewer twice, beside different ones", COLUMNS, coefficient_rows(twice | people), TWICE))
    pairs = counting.busiest(votes=votes, item=round_path, auditor="seat__auditor")
    return _show(request, "Agreement", tables, pairs, scope.pseudonym, problem=problem, filters=scope.filters)


@requires_role(*RESEARCHERS)
@require_GET
def set_page(request: HttpRequest, set_id: UUID) -> HttpResponse:
    """One set of imported votes: overall and by kind of error."""
    vote_set = find_set(set_id=set_id)
    if vote_set is None:
        raise Http404
    votes = votes_in(vote_set=vote_set)
    whole = counts_by(votes=votes, item="item", between="between" in request.GET)
    tables = [
        Table("All votes", COLUMNS, coefficient_rows({"pass or fail": whole[""]} if whole else {})),
        Table("By kind of error", COLUMNS, coefficient_rows(counting.counts_by_class(votes=votes))),
    ]
    # Only some files name the level of a segment; votes without one would form a level of their own.
    levels = counts_by(votes=votes.exclude(level=""), item="item", group="level")
    tables += [Table("By level", COLUMNS, coefficient_rows(levels))] if levels else []
    pairs = counting.busiest(votes=votes, item="item", auditor="auditor")
    return _show(request, vote_set.title, tables, pairs, str, imported=vote_set, size=votes.count())


@requires_role(*RESEARCHERS)
@require_GET
def quality_page(request: HttpRequest) -> HttpResponse:
    """Calibration, Brier and confusion, against gold or against consensus."""
    scope, problem = scope_of(request)
    truth = read_choice(request.GET, "truth", (CONSENSUS,), GOLD)
    quality = quality_of(scope=scope, truth=truth)
    bins: list[list[Cell]] = [[b.low, b.high, b.count, b.mean_posterior, b.share_valid] for b in quality.bins]
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
        for name, c in quality.confusion.items()
    ]
    tables = [
        Table("Calibration", ("from", "to", "votes", "mean stated P(right)", "share right"), bins),
        Table(
            "Confusion by domain",
            ("domain", "errors found", "errors missed", "false alarms", "right passed", "abstained", "F1", "accuracy"),
            rows,
        ),
    ]
    answer = chosen_table(tables=tables, asked=read_number(request.GET, "csv"), name="quality")
    context = {
        "tables": tables,
        "quality": quality,
        "truth": truth,
        "problem": problem,
        "filters": scope.filters,
        "charts": _charts_of(quality),
    }
    return answer or render(request, "research/agreement/quality.html", context)


def _charts_of(quality: Quality) -> list[Chart]:
    title = "Stated probability against share right"
    calibration = calibration_of(title=title, stated="stated P(right)", bins=quality.bins)
    return [*([calibration] if calibration else []), *confusion_charts(counts=quality.confusion, between="abstain")]


def scope_of(request: HttpRequest) -> tuple[Scope, str]:
    """The filters of the address; a bad one is named and narrows nothing."""
    person = researcher_of(request)
    salt = f"page {person.pk}"
    try:
        return Scope(person, Filters.read(request.GET), salt), ""
    except FilterRefusedError as error:
        return Scope(person, Filters(), salt), str(error)


def _show(
    request: HttpRequest,
    title: str,
    tables: list[Table],
    pairs: VoteTable | None,
    name_of: Callable[[Hashable], str],
    **more: Any,
) -> HttpResponse:
    note = f"Pairs among the {counting.MOST_AUDITORS} auditors with the most votes."
    columns = ("one", "the other", "shared items", "raw agreement", "Cohen kappa", "why not")
    all_tables = [*tables, Table("Pairs of auditors", columns, pair_rows(pairs, name_of), note)]
    answer = chosen_table(tables=all_tables, asked=read_number(request.GET, "csv"), name="agreement")
    # The plot shows all four coefficients of the headline, and of the groups AC1 alone: forty rows stay readable.
    headline = tables[0]
    names = {row[0] for row in headline.rows if row[4] is not None}
    intervals = [(f"{row[1]}, {word_of(row[0])}" if len(names) > 1 else row[1], *row[4:7]) for row in headline.rows]
    intervals += [
        (f"AC1 of {word_of(row[0])}", *row[4:7]) for table in tables[1:] for row in table.rows if row[1] == "Gwet AC1"
    ]
    context = {
        "title": title,
        "tables": all_tables,
        "sets": sets_of_votes()[:30],
        **more,
        "charts": [chart for chart in (_intervals(intervals), _heat_map(pairs, name_of)) if chart is not None],
    }
    return answer or render(request, "research/agreement/page.html", context)


def _intervals(rows: list[tuple[Any, ...]]) -> Chart | None:
    return interval_figure(name="agreement", title="Agreement with 95 % intervals", rows=rows)


def _heat_map(pairs: VoteTable | None, name_of: Callable[[Hashable], str]) -> Chart | None:
    return pair_chart(table=pairs, name_of=name_of, minimum_shared=MINIMUM_SHARED)
