"""Reputations of auditors: the newest step of each column, as published, and their history with charts.

Reads ReputationStep, Seat.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

from django.db.models import BooleanField, QuerySet

from accounts.prepared import Mark, PreparedQuery, Written
from auditing.core.ledger.leaves import Column
from auditing.core.points.reputation import Reputation, ReputationValue, published
from auditing.core.policy import Policy, SlashBasis
from auditing.core.policy.windows import has_short_windows
from auditing.core.stages import SeatStage
from auditing.models import Auditor, ReputationStep, Seat
from auditing.selectors.policy.versions import load_policy
from hdag.rendering.charts.chart import Chart
from hdag.rendering.charts.lines import Axes, Series, line_chart

CERTAIN = 1.96  # standard errors to each side: 95 %
# Which columns may set the chance of a slash, the first that holds a judged vote deciding.
COLUMNS = {
    SlashBasis.GOLD: (Column.GOLD,),
    SlashBasis.GOLD_ELSE_OUTCOME: (Column.GOLD, Column.CONSENSUS),
    SlashBasis.OUTCOME: (Column.CONSENSUS,),
}
AGAINST = {Column.GOLD: "gold", Column.CONSENSUS: "outcome"}  # words of the eligible list
# Arrays in place of subqueries: each is read backwards along steps_follow_each_other.
_STEPS = "auditing_reputationstep.id = ANY({keys})"
_KEYS = """ARRAY(SELECT step.id FROM auditing_reputationstep AS step
    WHERE step.auditor_id = %s AND step."column" = %s ORDER BY step.votes DESC LIMIT %s)"""
START = "start"  # never judged: the policy's initial reputation


@dataclass(frozen=True, slots=True)
class StatedReputation:
    """A reputation as it is published, rounded to .01, and what it was judged by."""

    value: Decimal
    against: str


@dataclass(frozen=True, slots=True)
class History:
    """One column of a reputation: where it stands, how sure that is, and how it came there."""

    column: Column
    steps: tuple[ReputationStep, ...]
    chart: Chart | None

    @property
    def newest(self) -> ReputationStep | None:
        """The step that counts; None before the first judged vote."""
        return self.steps[-1] if self.steps else None

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return _bounds(self.steps[-1])[0] if self.steps else 0.0

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return _bounds(self.steps[-1])[1] if self.steps else 1.0


def newest_steps(
    *, auditors: Iterable[Auditor], column: Column, before: datetime | None = None
) -> dict[UUID, ReputationStep]:
    """The newest step of each auditor in a column, by auditor id; who was never judged is missing."""
    if before is None:
        return newest_by_column(auditors=auditors, columns=[column])[column]
    rows = _newest_of(ReputationStep.objects.filter(auditor__in=auditors, column=column, created__lte=before))
    return {row.auditor_id: row for row in rows}


def newest_by_column(
    *, auditors: Iterable[Auditor], columns: Iterable[Column]
) -> dict[Column, dict[UUID, ReputationStep]]:
    """The same for several columns, in one statement."""
    steps: dict[Column, dict[UUID, ReputationStep]] = {column: {} for column in columns}
    for row in _newest.rows(auditors=[auditor.pk for auditor in auditors], columns=[str(column) for column in steps]):
        steps[Column(row.column)][row.auditor_id] = row
    return steps


def _newest_of(steps: QuerySet[ReputationStep]) -> QuerySet[ReputationStep]:
    # DISTINCT ON keeps the first row of each auditor and column in this order: the newest step.
    return steps.order_by("auditor", "column", "-votes").distinct("auditor", "column")


@PreparedQuery
def _newest() -> QuerySet[ReputationStep]:
    theirs = Written("auditing_reputationstep.auditor_id = ANY(%s)", [Mark("auditors")], output_field=BooleanField())
    asked = Written('auditing_reputationstep."column" = ANY(%s)', [Mark("columns")], output_field=BooleanField())
    return _newest_of(ReputationStep.objects.filter(theirs, asked))


def reputation_of(*, auditor: Auditor, policy: Policy) -> Reputation:
    """Both columns, exact; an auditor who was never judged stands at the policy's initial reputation."""
    start = ReputationValue(Fraction(policy.initial_reputation))
    columns = {}
    for column in Column:
        step = newest_steps(auditors=[auditor], column=column).get(auditor.pk)
        columns[column] = start if step is None else ReputationValue(Fraction(step.value), _counting(step))
    return Reputation(columns[Column.GOLD], columns[Column.CONSENSUS])


def chain_of(*, auditor: Auditor, column: Column) -> tuple[Fraction, list[tuple[int, bool, Fraction]]]:
    """Where a chain begins, and (row, correct, gamma) of each step of it that was not taken back, oldest first."""
    rows = ReputationStep.objects.filter(auditor=auditor, column=column, takes_back__isnull=True).order_by("votes")
    policies: dict[tuple[UUID, str], Policy] = {}
    start, links = Fraction(0), []
    for number, row in enumerate(rows.select_related("seat__round__audit__policy", "seat__round__audit__trace")):
        audit = row.seat.round.audit
        key = (audit.policy_id, audit.trace.domain)
        if key not in policies:
            policies[key] = load_policy(version=audit.policy, domain=audit.trace.domain)
        start = start if number else Fraction(policies[key].initial_reputation)
        links.append((row.pk, row.correct, Fraction(policies[key].gamma)))
    gone = set(
        ReputationStep.objects.filter(auditor=auditor, column=column, takes_back__isnull=False).values_list(
            "takes_back", flat=True
        )
    )
    return start, [link for link in links if link[0] not in gone]


def published_reputations(*, auditors: Iterable[Auditor], policy: Policy) -> dict[UUID, StatedReputation]:
    """What the eligible list states of each auditor, and slashing reads: by gold or by outcomes, as the policy says."""
    people = list(auditors)
    steps = newest_by_column(auditors=people, columns=COLUMNS[policy.slashing])
    return {auditor.pk: _stated(auditor, steps, policy) for auditor in people}


def _counting(newest: ReputationStep) -> int:
    """Steps that count up to the newest: a step that was taken back counts no more, nor does the row that did it."""
    gone = ReputationStep.objects.filter(auditor=newest.auditor_id, column=newest.column, takes_back__isnull=False)
    return newest.votes - 2 * gone.count()


def _stated(
    auditor: Auditor, steps: Mapping[Column, Mapping[UUID, ReputationStep]], policy: Policy
) -> StatedReputation:
    """By the first column that holds a judged vote; the initial reputation before the first one."""
    for column, newest in steps.items():
        if auditor.pk in newest:
            return StatedReputation(Decimal(_cents(Fraction(newest[auditor.pk].value))) / 100, AGAINST[column])
    return StatedReputation(Decimal(_cents(Fraction(policy.initial_reputation))) / 100, START)


def no_shows_of(*, auditor: Auditor) -> list[datetime]:
    """When the auditor left sealed or offered seats unanswered, where there was time to answer."""
    silent = Seat.objects.filter(auditor=auditor, stage=SeatStage.SILENT).order_by("-round__stage_since")[:100]
    read = ("round__stage_since", "round__audit__policy__number", "round__audit__trace__domain")
    rounds = [seat.round for seat in silent.select_related("round__audit__policy", "round__audit__trace").only(*read)]
    policies = [load_policy(version=round.audit.policy, domain=round.audit.trace.domain) for round in rounds]
    return [round.stage_since for round, of in zip(rounds, policies, strict=True) if not has_short_windows(policy=of)]


def _newest_steps(auditor: Auditor, columns: Iterable[Column], limit: int) -> dict[Column, list[ReputationStep]]:
    """The newest steps of each column, newest first: one query."""
    steps: dict[Column, list[ReputationStep]] = {column: [] for column in columns}
    marks = [value for column in steps for value in (auditor.pk, str(column), limit)]
    newest = Written(_STEPS.format(keys=" || ".join([_KEYS] * len(steps))), marks, output_field=BooleanField())
    rows = ReputationStep.objects.filter(newest)
    for step in rows.select_related("seat__round").order_by("-votes"):
        steps[Column(step.column)].append(step)
    return steps


def histories_of(*, auditor: Auditor) -> tuple[History, ...]:
    """Both columns with their charts: reputation after each judged vote between the ends of its 95 % interval."""
    newest = _newest_steps(auditor, tuple(Column), 1000)
    histories = ((column, tuple(newest[column][::-1])) for column in Column)
    return tuple(History(column, steps, _chart(column, steps)) for column, steps in histories)


def _chart(column: Column, steps: Sequence[ReputationStep]) -> Chart | None:
    if len(steps) < 2:
        return None
    lines = {
        "reputation": [(float(step.votes), float(step.value)) for step in steps],
        "lower end": [(float(step.votes), _bounds(step)[0]) for step in steps],
        "upper end": [(float(step.votes), _bounds(step)[1]) for step in steps],
    }
    return line_chart(
        name=f"reputation-{column}",
        title=f"Reputation against {column}",
        axes=Axes(x="judged votes", y="reputation", y_range=(0.0, 1.0)),
        series=[Series(name, points) for name, points in lines.items()],
        note="The ends are those of the 95 % interval, 1.96 standard errors to each side.",
    )


def _bounds(step: ReputationStep) -> tuple[float, float]:
    value, width = float(step.value), CERTAIN * step.standard_error
    return max(0.0, value - width), min(1.0, value + width)


def _cents(value: Fraction) -> int:
    return round(published(reputation=value) * 100)
