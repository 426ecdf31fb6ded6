"""The form of a seat on a unit: numbered steps, what the computer is certain of, the question.

Not how many of a trace are the holder's own: of a decoy there is one.

Reads Seat, Vote of the checkers, Remark, Segment.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedQuery
from auditing.checker.findings import Finding, Verdict
from auditing.core.stages import RoundStage
from auditing.core.values import Tier
from auditing.core.voting.rationale import read
from auditing.models import Remark, Seat, Vote
from hdag.core.passages import PlanKind
from hdag.core.units import UnitKind
from hdag.models import Segment
from hdag.store import content

JUDGE_PASSAGE = "Does every step hold, given what it rests on?"
JUDGE_ONE_UNIT = "Is the problem read right, does every step hold, and does the answer follow and answer the question?"
HEADINGS = {
    UnitKind.PASSAGE: "Current reasoning",
    UnitKind.GOAL: "How the problem is read",
    UnitKind.STRATEGY: "The plan",
    UnitKind.ANSWER: "The answer",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text that is judged: a numbered step, or what stands between steps (number 0)."""

    number: int
    start: int
    text: str
    marks: tuple[tuple[int, int], ...] = ()  # numbers of the problem in it
    certain: tuple[Finding, ...] = ()  # what the computer verified or refuted in it
    doubts: tuple[Finding, ...] = ()  # remarks that decide nothing: shown once the reviewer has judged


@dataclass(frozen=True, slots=True)
class UnitForm:
    """What the desk shows of a unit beyond its text."""

    kind: UnitKind
    heading: str
    question: str
    pieces: tuple[Piece, ...]
    is_badly_cut: bool  # the holder said so

    @property
    def steps(self) -> tuple[Piece, ...]:
        """The numbered steps."""
        return tuple(piece for piece in self.pieces if piece.number)


def find_unit_form(*, seat: Seat, text: str, marks: Sequence[tuple[int, int]] = ()) -> UnitForm | None:
    """The form of a seat; None where a fine graph is judged. text: the current reasoning as served, `marks` in it."""
    row = seat.round.segment
    if not row.unit:
        return None
    kind = UnitKind(row.unit)
    pieces = pieces_of(row=row, text=text, findings=_findings(seat))
    return UnitForm(
        kind=kind,
        heading=HEADINGS[kind],
        question=_question(kind, row),
        pieces=tuple(replace(piece, marks=_inside(piece, marks)) for piece in pieces),
        is_badly_cut=Remark.objects.filter(seat=seat, kind=Remark.Kind.BADLY_CUT).exists(),
    )


def pieces_of(*, row: Segment, text: str, findings: Sequence[Finding]) -> tuple[Piece, ...]:
    """The text cut at its numbered steps, nothing left out; each finding stands at the piece that it begins in."""
    pieces: list[Piece] = []
    cursor = 0
    for number, step in enumerate(row.numbered, 1):
        # Words between numbered steps have no number, and are shown all the same: nothing of the unit is hidden.
        if text[cursor : step.start].strip():
            pieces.append(Piece(0, cursor, text[cursor : step.start]))
        pieces.append(Piece(number, step.start, text[step.start : step.end]))
        cursor = step.end
    if text[cursor:].strip():
        pieces.append(Piece(0, cursor, text[cursor:]))
    begins = [piece.start for piece in pieces]
    by_piece: dict[int, list[Finding]] = {}
    for finding in findings:
        # What was verified in words without a number says nothing of the step before them.
        by_piece.setdefault(max(0, bisect_right(begins, finding.evidence.start) - 1), []).append(finding)
    return tuple(_told(piece, by_piece.get(number, ())) for number, piece in enumerate(pieces))


def _told(piece: Piece, findings: Sequence[Finding]) -> Piece:
    certain = tuple(finding for finding in findings if finding.verdict is Verdict.VERIFIED or finding.accuses)
    return replace(piece, certain=certain, doubts=tuple(finding for finding in findings if finding not in certain))


def _inside(piece: Piece, marks: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The marks of the whole text that lie in a piece, as places of the piece."""
    end = piece.start + len(piece.text)
    return tuple((low - piece.start, high - piece.start) for low, high in marks if piece.start <= low and high <= end)


def _question(kind: UnitKind, row: Segment) -> str:
    if kind.is_plan:
        return PlanKind(kind).question
    is_one_unit = not Segment.objects.filter(decomposition=row.decomposition_id, unit=UnitKind.GOAL).exists()
    return JUDGE_ONE_UNIT if is_one_unit else JUDGE_PASSAGE


def _findings(seat: Seat) -> tuple[Finding, ...]:
    """What the checkers said of the unit: their vote is opened before anybody else is drawn."""
    vote = _computers.first(audit=seat.round.audit_id, segment=seat.round.segment_id)
    return () if vote is None else read(text=content.read(vote.rationale)).evidence


@PreparedQuery
def _computers(audit: UUID, segment: UUID) -> QuerySet[Vote]:
    rounds = {"seat__round__tier": Tier.COMPUTER, "seat__round__stage": RoundStage.TALLIED}
    votes = Vote.objects.filter(seat__round__audit=audit, seat__round__segment=segment, **rounds)
    return votes.select_related("rationale").order_by("pk")[:1]
