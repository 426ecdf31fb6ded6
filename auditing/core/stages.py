"""The state machines of an audit, a round and a seat as tables: each stage, its next stages, the room that leads there.

The services check every move against these tables; the README's diagram, the progress strip of the pages, the enums of
the API and the parameters of the tests are read from them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

S = TypeVar("S", bound=StrEnum)


class AuditStage(StrEnum):
    """Where an audit stands in the corridor."""

    SUBMITTED = "submitted"
    DECOMPOSED = "decomposed"
    ROUTED = "routed"
    AUDITING = "auditing"
    DECIDED = "decided"
    SETTLED = "settled"
    RECORDED = "recorded"
    FAILED = "failed"
    WITHDRAWN = "withdrawn"


class RoundStage(StrEnum):
    """Where one segment's round before one tier stands."""

    # Its seats are still being drawn. The value is older than the name and stands in API answers and stored rows.
    DRAWING = "seated"
    COMMITTING = "committing"
    REVEALING = "revealing"
    TALLIED = "tallied"


class SeatStage(StrEnum):
    """Where one auditor's place in a round stands."""

    OFFERED = "offered"
    HELD = "held"
    COMMITTED = "committed"
    REVEALED = "revealed"
    SILENT = "silent"
    DECLINED = "declined"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Stage(Generic[S]):
    """One row of a state machine. opened_by: the room whose service leads out of it; says: what a page tells of it."""

    name: S
    next: tuple[S, ...]
    opened_by: str
    says: str

    @property
    def is_final(self) -> bool:
        """Whether no transition leads out."""
        return not self.next


def _table(rows: Iterable[Stage[S]]) -> dict[S, Stage[S]]:
    return {row.name: row for row in rows}


# An audit can stop until its outcome is decided; after that it can only go on.
_STOPPED = (AuditStage.FAILED, AuditStage.WITHDRAWN)

AUDIT_STAGES: dict[AuditStage, Stage[AuditStage]] = _table(
    (
        Stage(
            AuditStage.SUBMITTED,
            (AuditStage.DECOMPOSED, *_STOPPED),
            "intake",
            "The trace is stored; its graph is being made.",
        ),
        Stage(
            AuditStage.DECOMPOSED,
            (AuditStage.ROUTED, *_STOPPED),
            "routing",
            "The graph is made; each segment is being routed.",
        ),
        Stage(
            AuditStage.ROUTED,
            (AuditStage.AUDITING, *_STOPPED),
            "routing",
            "Every segment knows its tier; the checkers start.",
        ),
        Stage(
            AuditStage.AUDITING,
            (AuditStage.DECIDED, *_STOPPED),
            "consensus",
            "Auditors are at work on its segments.",
        ),
        Stage(
            AuditStage.DECIDED,
            (AuditStage.SETTLED,),
            "points",
            "The outcome is known; rewards are being posted.",
        ),
        Stage(
            AuditStage.SETTLED,
            (AuditStage.RECORDED,),
            "ledger",
            "Rewards are posted; the outcome is being recorded.",
        ),
        Stage(AuditStage.RECORDED, (), "", "The outcome stands in the public ledger."),
        Stage(AuditStage.FAILED, (), "", "The audit stopped; its page says why."),
        Stage(AuditStage.WITHDRAWN, (), "", "The provider took the trace back."),
    )
)

ROUND_STAGES: dict[RoundStage, Stage[RoundStage]] = _table(
    (
        Stage(RoundStage.DRAWING, (RoundStage.COMMITTING,), "seating", "Seats are being drawn."),
        Stage(RoundStage.COMMITTING, (RoundStage.REVEALING,), "voting", "Auditors seal their votes."),
        # Back to drawing: too few votes were opened, and the silent seats are drawn again.
        Stage(
            RoundStage.REVEALING,
            (RoundStage.TALLIED, RoundStage.DRAWING),
            "voting",
            "The window is closed; sealed votes are being opened.",
        ),
        Stage(RoundStage.TALLIED, (), "", "The votes are counted."),
    )
)

SEAT_STAGES: dict[SeatStage, Stage[SeatStage]] = _table(
    (
        # Straight to committed: whoever knows the seat seals a vote without taking it first.
        Stage(
            SeatStage.OFFERED,
            (SeatStage.HELD, SeatStage.COMMITTED, SeatStage.DECLINED, SeatStage.SILENT, SeatStage.LAPSED),
            "seating",
            "Drawn; not yet taken.",
        ),
        # Back to offered: the lease ran out and nobody is left in the draw, or a model is asked again later.
        Stage(
            SeatStage.HELD,
            (SeatStage.COMMITTED, SeatStage.DECLINED, SeatStage.LAPSED, SeatStage.SILENT, SeatStage.OFFERED),
            "voting",
            "Taken.",
        ),
        Stage(SeatStage.COMMITTED, (SeatStage.REVEALED, SeatStage.SILENT), "voting", "The vote is sealed."),
        Stage(SeatStage.REVEALED, (), "", "The vote is open."),
        Stage(SeatStage.SILENT, (), "", "No vote was opened in time."),
        Stage(SeatStage.DECLINED, (), "", "The auditor passed the seat on."),
        Stage(SeatStage.LAPSED, (), "", "The lease ran out; the seat went to the next in the draw."),
    )
)

# Seats that occupy one of a round's k places.
ACTIVE_SEATS = (SeatStage.OFFERED, SeatStage.HELD, SeatStage.COMMITTED, SeatStage.REVEALED)
# The stages of an audit that meets no obstacle, in order.
CORRIDOR = (
    AuditStage.SUBMITTED,
    AuditStage.DECOMPOSED,
    AuditStage.ROUTED,
    AuditStage.AUDITING,
    AuditStage.DECIDED,
    AuditStage.SETTLED,
    AuditStage.RECORDED,
)


def check_transition(*, table: Mapping[S, Stage[S]], old: S, new: S) -> None:
    """Raise ValueError when no transition leads from `old` to `new`.

    >>> check_transition(table=ROUND_STAGES, old=RoundStage.DRAWING, new=RoundStage.COMMITTING)
    """
    if new not in table[old].next:
        raise ValueError(f"no transition leads from {old} to {new}")
