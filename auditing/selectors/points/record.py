"""A reviewer's last votes with the outcomes that stand. Reads Commitment, SegmentOutcome."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, QuerySet

from accounts.prepared import Mark, PreparedQuery, Written
from auditing.core.stages import RoundStage
from auditing.models import Auditor, Commitment
from auditing.selectors.gold.truths import standing_outcome

LAST = 20
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
