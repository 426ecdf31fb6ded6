"""A reviewer's own record: the last votes, agreement with outcomes, reputation, points, appeals.

Reads Commitment, Seat, ReputationStep, Posting, Appeal.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Q, QuerySet

from accounts.prepared import Mark, PreparedQuery, Written
from auditing.core.consensus.proportions import wilson_interval
from auditing.core.stages import RoundStage, SeatStage
from auditing.models import Appeal, Auditor, Commitment, Seat
from auditing.selectors.gold.truths import standing_outcome
from auditing.selectors.points.reputations import History, histories_of
from auditing.selectors.points.statement import Balances, StatementLine, balances_in, statement_of

LAST = 20
COMPARED = 1000  # agreement is counted over so many of the newest votes; the page says when it is not all
POSTINGS = 100
APPEALS = 20
# An array in place of a subquery: PostgreSQL then reads these few by index, whatever it thinks of the rest.
_NEWEST = """auditing_commitment.seat_id = ANY(ARRAY(
    SELECT seat.id FROM auditing_seat AS seat JOIN auditing_commitment AS sealed ON sealed.seat_id = seat.id
    WHERE seat.auditor_id = %s AND seat.taken_at IS NOT NULL ORDER BY seat.taken_at DESC LIMIT %s))"""


@dataclass(frozen=True, slots=True)
class VoteLine:
    """One sealed vote of one's own: the choice once it is open, the outcome once it is known."""

    seat: UUID
    label: str
    level: str
    domain: str
    campaign: str
    committed_at: datetime
    digest: str
    choice: str
    outcome: str
    active_ms: int
    guidelines: int | None
    has_receipt: bool

    @property
    def agrees(self) -> bool | None:
        """Whether the vote is as the outcome; None while either is unknown or for an abstention."""
        # A hung segment contradicts nobody: only two definite words can agree or differ.
        if self.choice not in ("pass", "fail") or self.outcome not in ("pass", "fail"):
            return None
        return self.choice == self.outcome


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with a 95 % Wilson interval."""

    name: str
    right: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """right / of."""
        return self.right / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Record:
    """Everything on the page "My record"."""

    votes: tuple[VoteLine, ...]
    overall: Share | None
    by_level: tuple[Share, ...]
    by_domain: tuple[Share, ...]
    is_cut: bool
    balances: Balances
    postings: tuple[StatementLine, ...]
    histories: tuple[History, ...]
    appeals: tuple[Appeal, ...]


def last_votes(*, auditor: Auditor, most: int = LAST) -> tuple[VoteLine, ...]:
    """The newest sealed votes, newest first; a choice stands there only when its round is tallied."""
    # An index finds which seats, the joins then run over these few only.
    return lines_of(commitments=list(_newest.rows(auditor=auditor.pk, most=most)))


@PreparedQuery
def _newest() -> QuerySet[Commitment]:
    newest = Written(_NEWEST, [Mark("auditor"), Mark("most")], output_field=BooleanField())
    rows = with_outcome(rows=Commitment.objects.filter(newest)).select_related(
        "seat__round__segment",
        "seat__round__audit__campaign",
        "seat__round__audit__trace",
        "seat__vote",
        "guidelines",
    )
    return rows.order_by("-seat__taken_at")


def with_outcome(*, rows: QuerySet[Commitment]) -> QuerySet[Commitment]:
    """Sealed votes with the outcome that stands for their segment: of the last audit where an appeal opened others."""
    return rows.annotate(outcome=standing_outcome(audit="seat__round__audit", segment="seat__round__segment"))


def lines_of(*, commitments: Sequence[Any]) -> tuple[VoteLine, ...]:
    """Rows read `with_outcome`, in their order: a statement for each relation that was not read yet."""
    return tuple(_line(row, row.outcome or "") for row in commitments)


def record_of(*, auditor: Auditor) -> Record:
    """Read the record."""
    votes, statement = last_votes(auditor=auditor, most=COMPARED), statement_of(auditor=auditor)
    return Record(
        votes=votes[:LAST],
        overall=next(iter(_shares(("all", line) for line in votes)), None),
        by_level=_shares((line.level, line) for line in votes),
        by_domain=_shares((line.domain or "no domain", line) for line in votes),
        is_cut=len(votes) == COMPARED,
        balances=balances_in(lines=statement),
        postings=tuple(statement[: -POSTINGS - 1 : -1]),  # the last ones, newest first
        histories=histories_of(auditor=auditor),
        appeals=_appeals(auditor),
    )


def _appeals(auditor: Auditor) -> tuple[Appeal, ...]:
    """Appeals of one's own, and those against audits in which one's vote was opened; newest first."""
    # By own seats, not by campaign: an appeal names an audit, and audits one never sat in are nobody's business.
    voted = Seat.objects.filter(auditor=auditor, stage=SeatStage.REVEALED).values("round__audit")
    appeals = Appeal.objects.filter(Q(by=auditor.user_id) | Q(audit__in=voted))
    return tuple(appeals.select_related("successor", "segment").order_by("-created")[:APPEALS])


def _line(row: Commitment, outcome: str) -> VoteLine:
    round = row.seat.round
    # Between opening and tally the round is not over: its votes are nobody's to see, this page's person included.
    is_open = round.stage == RoundStage.TALLIED and hasattr(row.seat, "vote")
    return VoteLine(
        seat=row.seat_id,
        label=round.segment.label,
        level=round.segment.level,
        domain=round.audit.trace.domain,
        campaign=round.audit.campaign.title,
        committed_at=row.committed_at,
        digest=bytes(row.digest).hex(),
        choice=row.seat.vote.choice if is_open else "",
        outcome=outcome if is_open else "",
        active_ms=row.active_ms,
        guidelines=row.guidelines.version if row.guidelines else None,
        has_receipt=bool(row.receipt),
    )


def _shares(lines: Iterable[tuple[str, VoteLine]]) -> tuple[Share, ...]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, line in lines:
        if line.agrees is not None:
            counts[name][0] += line.agrees
            counts[name][1] += 1
    return tuple(_share(name, right, of) for name, (right, of) in sorted(counts.items()))


def _share(name: str, right: int, of: int) -> Share:
    rate = wilson_interval(count=right, of=of)
    return Share(name, right, of, rate.low or 0.0, rate.high or 0.0)
