"""Points of auditors: balances as sums of postings, free stake, and statements. Reads Posting, Account, Transfer."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, Least

from accounts.prepared import PreparedQuery
from auditing.core.policy import Policy
from auditing.models import Account, Auditor, Posting, Transfer

MOST_LINES = 500


@dataclass(frozen=True, slots=True)
class Balances:
    """What an auditor has: released points, points held, stake."""

    points: int = 0
    held: int = 0
    stake: int = 0

    @property
    def free_stake(self) -> int:
        """What a loss could still be taken from: stake and released points, less what is held against them."""
        return self.stake + self.points + min(0, self.held)


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One transfer as its auditor sees it; `balance` is the sum of all lines up to it, held ones included."""

    transfer: Transfer
    account: str
    amount: int
    balance: int

    @property
    def state(self) -> str:
        """held, released, reversed or posted."""
        # Nothing posted is ever changed: what became of a line is told by the later one that points back to it.
        if hasattr(self.transfer, "reversed_by"):
            return "reversed"
        if hasattr(self.transfer, "released_by"):
            return "released"
        return "held" if self.transfer.is_held else "posted"


def balances_of(*, auditors: Iterable[Auditor]) -> dict[UUID, Balances]:
    """Balances by auditor, each a sum over postings, never a stored truth."""
    keys = [auditor.pk for auditor in auditors]
    rows = Posting.objects.filter(account__auditor__in=keys).values_list("account__auditor", "account__name")
    sums: dict[UUID, dict[str, int]] = {key: {} for key in keys}
    for key, name, total in rows.annotate(total=Sum("amount")):
        sums[key][name] = int(total)
    # Whoever has no posting yet stands at zero on every account.
    return {key: Balances(**by_name) for key, by_name in sums.items()}


def balances_in(*, lines: Iterable[StatementLine]) -> Balances:
    """The same of one auditor, from a whole statement that was read already."""
    sums: Counter[str] = Counter()
    for line in lines:
        sums[line.account] += line.amount
    return Balances(**sums)


def worst_loss(*, policy: Policy) -> int:
    """The most that one vote can cost: certain loss on gold, or silence."""
    return max(policy.honeypot_multiplier * policy.penalty, policy.no_show_penalty)


def with_free_stake(*, auditors: QuerySet[Auditor], policy: Policy) -> QuerySet[Auditor]:
    """Those of `auditors` whose free stake covers the most that one vote can cost; newcomers without a stake too."""
    # A policy without stakes asks for none; the bound below would shut out everybody with a held loss.
    if policy.stake == 0:
        return auditors
    against = Least(_sum_of(Account.Name.HELD), 0)  # held rewards cannot be counted on, held losses must be
    free = _sum_of(Account.Name.STAKE) + _sum_of(Account.Name.POINTS) + against
    return auditors.annotate(staked=_sum_of(Account.Name.STAKE), free_stake=free).exclude(
        staked__gt=0, free_stake__lt=worst_loss(policy=policy)
    )


def _sum_of(name: str) -> Coalesce:
    """The balance of one account of each auditor, as a subquery; a join would count every posting once per account."""
    lines = Posting.objects.filter(account__auditor=OuterRef("pk"), account__name=name)
    total = lines.order_by().values("account__auditor").annotate(total=Sum("amount")).values("total")
    return Coalesce(Subquery(total, output_field=BigIntegerField()), 0)


def statement_of(
    *, auditor: Auditor, since: datetime | None = None, seat: UUID | None = None
) -> Sequence[StatementLine]:
    """An auditor's lines, of one seat or all, oldest first, with the running sum."""
    rows = _lines.rows(auditor=auditor.pk) if seat is None else _of_a_seat.rows(auditor=auditor.pk, seat=seat)
    # The sum runs over all postings, also those before `since`: otherwise a statement of May would begin at 0.
    lines: list[StatementLine] = []
    balance = 0
    for row in rows:
        balance += row.amount
        if since is None or row.transfer.created >= since:
            lines.append(StatementLine(row.transfer, row.account.name, row.amount, balance))
    return lines


def _postings(auditor: UUID) -> QuerySet[Posting]:
    return (
        Posting.objects.filter(account__auditor=auditor)
        .select_related("account", "transfer__seat__round__segment", "transfer__policy")
        .select_related("transfer__released_by", "transfer__reversed_by", "transfer__seat__commitment")
        # A policy with every line, a draw, a tally: what is read and never shown takes longer than all else.
        .defer("transfer__policy__body", "transfer__seat__shown", "transfer__seat__round__drawn")
        .defer("transfer__seat__round__tally", "transfer__seat__round__segment__features")
        .order_by("transfer__created", "id")
    )


@PreparedQuery
def _lines(auditor: UUID) -> QuerySet[Posting]:
    return _postings(auditor)


@PreparedQuery
def _of_a_seat(auditor: UUID, seat: UUID) -> QuerySet[Posting]:
    return _postings(auditor).filter(transfer__seat=seat)


def statement_rows(*, lines: Sequence[StatementLine]) -> list[list[Any]]:
    """The statement as rows of a table, heading first: what the CSV holds."""
    head = ["at", "kind", "account", "points", "sum", "state", "audit", "segment", "round", "policy", "transfer"]
    return [head, *(_row(line) for line in lines)]


def _row(line: StatementLine) -> list[Any]:
    seat, transfer = line.transfer.seat, line.transfer
    return [
        transfer.created.isoformat(timespec="seconds"),
        transfer.kind,
        line.account,
        line.amount,
        line.balance,
        line.state,
        transfer.audit_id or "",
        seat.round.segment.label if seat else "",
        seat.round.number if seat else "",
        transfer.policy.number if transfer.policy else "",
        transfer.pk,
    ]
