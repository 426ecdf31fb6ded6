"""Outcomes of traces side by side: by the model that wrote them, by who handed them in, by policy; by field and month.

Reads TraceOutcome and the payloads of the traces, which alone name the model.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from auditing.core.consensus.proportions import Rate, wilson_interval
from auditing.core.values import Outcome
from auditing.models import TraceOutcome
from auditing.research.exports.selectors.origins import models_of
from auditing.research.exports.selectors.scope import Scope
from auditing.selectors.gold.decoys import NOT_DECOYS
from auditing.selectors.gold.truths import FINISHED
from hdag.models import Trace

MOST_TRACES = 5_000  # the newest: to name their models, that many texts are opened
PORTION = 500
MODEL, PROVIDER, POLICY = "model", "provider", "policy"
NOBODY = "not named"


@dataclass(frozen=True, slots=True)
class Decided:
    """One decided trace: what it is compared by, its field, its month (year-month), its outcome."""

    group: str
    domain: str
    month: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Compared:
    """One group, or one group within a field or a month: its counts, and the share that passed of what was decided."""

    group: str
    within: str
    passed: int
    failed: int
    undecided: int
    rate: Rate


def compare_outcomes(*, decided: Sequence[Decided], within: Callable[[Decided], str]) -> list[Compared]:
    """One line a group and place, groups with the most traces first; undecided traces are in no share.

    >>> lines = [Decided("a", "law", "2026-11", word) for word in ("pass", "pass", "fail", "undecided")]
    >>> line = compare_outcomes(decided=lines, within=lambda each: each.domain)[0]
    >>> line.within, line.passed, line.failed, line.undecided, round(line.rate.share, 3)
    ('law', 2, 1, 1, 0.667)
    """
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    sizes = Counter(each.group for each in decided)
    for each in decided:
        counts[each.group, within(each)][each.outcome] += 1
    ordered = sorted(counts, key=lambda place: (-sizes[place[0]], place))
    return [_compared(group, place, counts[group, place]) for group, place in ordered]


def decided_traces(*, scope: Scope, by: str) -> list[Decided]:
    """The newest decided traces that this researcher may read, without decoys; of a chain of appeals the last audit.

    by: MODEL, PROVIDER or POLICY.
    """
    # An appeal that is under way, or ended without an outcome, takes nothing back.
    last = scope.audits().filter(NOT_DECOYS).exclude(successor__stage__in=FINISHED)
    outcomes = TraceOutcome.objects.filter(audit__in=last)
    columns = ("audit__trace", "audit__trace__provider", "audit__policy__number", "audit__trace__domain")
    rows = outcomes.order_by("-decided_at").values_list(*columns, "decided_at", "outcome")[:MOST_TRACES]
    whole = list(rows)
    models = _models({row[0] for row in whole}) if by == MODEL else {}
    name = _namer(by, models, scope)
    return [
        Decided(name(row), row[3] or NOBODY, f"{row[4]:%Y-%m}", str(row[5]) if row[5] != Outcome.HUNG else "undecided")
        for row in whole
    ]


def _namer(by: str, models: Mapping[UUID, str], scope: Scope) -> Callable[[tuple[Any, ...]], str]:
    if by == MODEL:
        return lambda row: models.get(row[0]) or NOBODY
    if by == PROVIDER:
        return lambda row: f"p-{scope.pseudonym(('provider', row[1]))[2:]}"
    return lambda row: f"policy {row[2]}"


def _models(keys: set[UUID]) -> dict[UUID, str]:
    models: dict[UUID, str] = {}
    ordered = sorted(keys)
    for start in range(0, len(ordered), PORTION):
        traces = Trace.objects.filter(pk__in=ordered[start : start + PORTION]).select_related("payload")
        models |= models_of(traces=traces)
    return models


def _compared(group: str, within: str, counts: Counter[str]) -> Compared:
    passed, failed = counts[Outcome.PASS], counts[Outcome.FAIL]
    rate = wilson_interval(count=passed, of=passed + failed)
    return Compared(group, within, passed, failed, counts.total() - passed - failed, rate)
