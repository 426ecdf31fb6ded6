"""The state machines as tables: stage, next stages, who opens the door, what the person reads.

The README's diagram, the progress strip, the API's enums and the tests' parameters are read from here.
"""

from dataclasses import dataclass
from enum import StrEnum


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

    DRAWING = "seated"  # its seats are still being drawn; the word on the wire is older than its name
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
class Stage:
    """One row of a state machine: its doors lead to `next`; `opened_by` names the room that opens them."""

    name: StrEnum
    next: tuple[StrEnum, ...]
    opened_by: str
    says: str

    @property
    def is_final(self) -> bool:
        """True when no door leads out."""
        return not self.next


_A, _R, _S = AuditStage, RoundStage, SeatStage
_SIDE = (_A.FAILED, _A.WITHDRAWN)

AUDIT_STAGES: dict[AuditStage, Stage] = {
    row.name: row  # type: ignore[misc]
    for row in (
        Stage(_A.SUBMITTED, (_A.DECOMPOSED, *_SIDE), "decomposition", "The trace is stored; its graph is being made."),
        Stage(_A.DECOMPOSED, (_A.ROUTED, *_SIDE), "routing", "The graph is made; each segment is being routed."),
        Stage(_A.ROUTED, (_A.AUDITING, *_SIDE), "assignment", "Every segment knows its tier; the checkers start."),
        Stage(_A.AUDITING, (_A.DECIDED, *_SIDE), "consensus", "Auditors are at work on its segments."),
        Stage(_A.DECIDED, (_A.SETTLED,), "economics", "The outcome is known; rewards are being posted."),
        Stage(_A.SETTLED, (_A.RECORDED,), "ledger", "Rewards are posted; the outcome is being recorded."),
        Stage(_A.RECORDED, (), "", "The outcome stands in the public ledger."),
        Stage(_A.FAILED, (), "", "The audit stopped; its page says why."),
        Stage(_A.WITHDRAWN, (), "", "The provider took the trace back."),
    )
}

ROUND_STAGES: dict[RoundStage, Stage] = {
    row.name: row  # type: ignore[misc]
    for row in (
        Stage(_R.DRAWING, (_R.COMMITTING,), "assignment", "Seats are being drawn."),
        Stage(_R.COMMITTING, (_R.REVEALING,), "commitment", "Auditors seal their votes."),
        Stage(_R.REVEALING, (_R.TALLIED, _R.DRAWING), "reveal", "The window is closed; sealed votes are being opened."),
        Stage(_R.TALLIED, (), "", "The votes are counted."),
    )
}

SEAT_STAGES: dict[SeatStage, Stage] = {
    row.name: row  # type: ignore[misc]
    for row in (
        Stage(_S.OFFERED, (_S.HELD, _S.DECLINED, _S.SILENT, _S.LAPSED), "assignment", "Drawn; not yet taken."),
        Stage(_S.HELD, (_S.COMMITTED, _S.DECLINED, _S.LAPSED, _S.SILENT, _S.OFFERED), "commitment", "Taken."),
        Stage(_S.COMMITTED, (_S.REVEALED, _S.SILENT), "reveal", "The vote is sealed."),
        Stage(_S.REVEALED, (), "", "The vote is open."),
        Stage(_S.SILENT, (), "", "No vote was opened in time."),
        Stage(_S.DECLINED, (), "", "The auditor passed the seat on."),
        Stage(_S.LAPSED, (), "", "The lease ran out; the seat went to the next in the draw."),
    )
}

# Seats that occupy one of a round's k places.
ACTIVE_SEATS = (_S.OFFERED, _S.HELD, _S.COMMITTED, _S.REVEALED)
CORRIDOR = (_A.SUBMITTED, _A.DECOMPOSED, _A.ROUTED, _A.AUDITING, _A.DECIDED, _A.SETTLED, _A.RECORDED)


def check_step(*, table: dict[AuditStage, Stage] | dict[RoundStage, Stage], old: StrEnum, new: StrEnum) -> None:
    """Raise ValueError when no door leads from `old` to `new`.

    >>> check_step(table=ROUND_STAGES, old=RoundStage.DRAWING, new=RoundStage.COMMITTING)
    """
    if new not in table[old].next:  # type: ignore[index]
        raise ValueError(f"no door leads from {old} to {new}")
