"""The adjudicator's workbench: a contested segment in its whole trace, with every opened vote and where each points.

Reads Round, Seat, Vote, Segment, SegmentOutcome and the blocks of texts and rationales.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from auditing.models import Seat
from auditing.selectors.consensus.adjudication import OpenedVote, opened_votes
from auditing.selectors.consensus.cases import ADJUDICATION_REASONS, find_adjudication
from auditing.selectors.voting.neighbourhood import standing_columns, standings_of
from auditing.selectors.voting.panes import Neighbour, neighbour_of
from hdag.core.disclosure import Disclosed, whole
from hdag.core.masking.masking import mask
from hdag.core.values import Segment
from hdag.models import Segment as Row
from hdag.selectors import hidden_names, load_trace, segment_value
from hdag.store import content

MOST_SEGMENTS = 400  # around the contested one: a page of a longer trace would be too heavy


@dataclass(frozen=True, slots=True)
class CaseVote:
    """An opened vote with the words that it points at, nothing where it marks no position."""

    vote: OpenedVote
    quote: str


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that an adjudicator decides on; marks: where votes point in the contested text."""

    why: str
    votes: tuple[CaseVote, ...]
    marks: tuple[tuple[int, int], ...]
    segments: tuple[Neighbour, ...]
    left_out: int
    reasons: Sequence[tuple[str, str]]
    stated: str  # the reason on record in words, "" before


def case_of(*, seat: Seat, text: str) -> Case:
    """The case of an adjudicator's seat; text: the contested reasoning as the desk shows it."""
    round = seat.round
    votes = opened_votes(round=round)
    spans = [_span(vote, len(text)) for vote in votes]
    quotes = [text[span[0] : span[1]] if span else "" for span in spans]
    adjudication = find_adjudication(round=round)
    rows, left_out = _rows_around(seat)
    return Case(
        why=round.why,
        votes=tuple(CaseVote(vote, quote) for vote, quote in zip(votes, quotes, strict=True)),
        marks=tuple(span for span in spans if span is not None),
        segments=_segments(seat, rows),
        left_out=left_out,
        reasons=ADJUDICATION_REASONS,
        stated=str(adjudication.get_reason_display()) if adjudication else "",
    )


def case_disclosure(*, seat: Seat) -> Disclosed:
    """What the workbench shows of the trace: each listed segment whole."""
    seen = Disclosed()
    for _, value in _values(_rows_around(seat)[0]):
        seen |= whole(segment=value)
    return seen


def _rows_around(seat: Seat) -> tuple[list[Row], int]:
    """The segments around the contested one, of the same graph and grain, and how many are left out."""
    here = seat.round.segment
    rows = Row.objects.filter(decomposition=here.decomposition_id).select_related("block").order_by("position")
    rows = rows.annotate(**standing_columns(audit=seat.round.audit_id))
    # A passage graph also holds the fine segments within its passages: their words would stand there twice.
    everyone = list(rows.exclude(unit="") if here.unit else rows)
    position = next((number for number, row in enumerate(everyone) if row.pk == here.pk), 0)
    begin = max(0, min(position - MOST_SEGMENTS // 2, len(everyone) - MOST_SEGMENTS))
    around = everyone[begin : begin + MOST_SEGMENTS]
    return around, len(everyone) - len(around)


def _values(rows: Sequence[Row]) -> list[tuple[Row, Segment]]:
    content.fetch(row.block for row in rows)
    return [(row, segment_value(row, content.read_json(row.block))) for row in rows]


def _segments(seat: Seat, rows: Sequence[Row]) -> tuple[Neighbour, ...]:
    trace = seat.round.audit.trace
    names = hidden_names(provider=trace.provider, trace=load_trace(trace))
    standings = standings_of(rows=rows)
    values = [value for _, value in _values(rows)]
    texts = {value.id: mask(text=value.content, names=names) for value in values}
    return tuple(neighbour_of(value, standings, texts, {}, {}) for value in values)


def _span(vote: OpenedVote, length: int) -> tuple[int, int] | None:
    start, end = vote.rationale.start, vote.rationale.end
    # A vote came from a browser: a position outside the text points at nothing.
    return (start, end) if start is not None and end is not None and start < end <= length else None
