"""All votes of one's own, each with what was shown and what was said: narrowed, searched, sorted.

Reads Commitment.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet

from accounts.listing import Column, Filter, Query, RowPage, page_of
from auditing.core.stages import RoundStage
from auditing.core.values import Choice
from auditing.core.voting.rationale import read
from auditing.models import Auditor, Commitment
from auditing.selectors.points.record import VoteLine, lines_of, with_outcome
from hdag.store import content

COLUMNS = (
    Column("outcome", "Outcome"),
    Column("choice", "My vote"),
    Column("label", "Segment", "seat__round__segment__label"),
    Column("field", "Field", "seat__round__audit__trace__domain"),
    Column("campaign", "Campaign", "seat__round__audit__campaign__title"),
    Column("sealed", "Sealed", "committed_at"),
    Column("active", "At work", "active_ms", is_number=True),
)
NEWEST = "-sealed"
_SHOWN = (
    "seat__round__segment__block",
    "seat__round__audit__campaign",
    "seat__round__audit__trace",
    "seat__vote__rationale",
    "guidelines",
)
SEARCHED = 1_000  # of the newest votes: each of their texts is opened
EXPORTED = 10_000  # rows of the file
FILTERS = (
    Filter("q", "Words in text or reason"),
    Filter("choice", "My vote", choices=tuple((str(choice), str(choice)) for choice in Choice)),
    Filter("agreement", "It was", choices=(("same", "as the outcome"), ("other", "other than the outcome"))),
)


@dataclass(frozen=True, slots=True)
class OwnVoteLine:
    """One vote with the text that was shown and the reason that was given; both "" once erased, a reason once open."""

    vote: VoteLine
    text: str
    reason: str


def own_votes(
    *, auditor: Auditor, query: Query, after: str = "", size: int = 50
) -> tuple[RowPage[Commitment], list[OwnVoteLine]]:
    """One page of the votes that `auditor` sealed."""
    votes = _narrow(with_outcome(rows=Commitment.objects.filter(seat__auditor=auditor)).select_related(*_SHOWN), query)
    if query["q"]:
        words = query["q"].casefold()
        newest = list(votes.order_by("-committed_at")[:SEARCHED])
        texts = zip(newest, _texts(newest), strict=True)
        votes = votes.filter(pk__in=[row.pk for row, both in texts if words in "\n".join(both).casefold()])
    page = page_of(rows=votes, columns=COLUMNS, sort=query.sort, after=after, size=size)
    lines = zip(lines_of(commitments=page.rows), _texts(page.rows), strict=True)
    return page, [OwnVoteLine(line, *both) for line, both in lines]


def vote_rows(*, auditor: Auditor, query: Query) -> list[tuple[object, ...]]:
    """The newest votes as rows of a table, with their texts; times in UTC."""
    _, lines = own_votes(auditor=auditor, query=query, size=EXPORTED)
    head = ("sealed", "campaign", "field", "segment", "level", "vote", "outcome", "seconds", "digest", "text", "reason")
    return [head, *(_row(line) for line in lines)]


def _row(line: OwnVoteLine) -> tuple[object, ...]:
    vote = line.vote
    position = vote.campaign, vote.domain, vote.label, vote.level
    vote_values = vote.choice, vote.outcome, vote.active_ms / 1000, vote.digest
    # A space before a sign: no spreadsheet takes the text of a trace for a formula.
    texts = (f" {text}" if text[:1] in "=+-@\t\r" and text else text for text in (line.text, line.reason))
    return (vote.committed_at.isoformat(), *position, *vote_values, *texts)


def _narrow(votes: QuerySet[Any], query: Query) -> QuerySet[Any]:
    # A vote is told from the others only once its round is over, by a filter as on the page.
    if query["choice"] or query["agreement"]:
        votes = votes.filter(seat__round__stage=RoundStage.TALLIED)
    if query["choice"]:
        votes = votes.filter(seat__vote__choice=query["choice"])
    if query["agreement"]:
        same = Q(outcome=F("seat__vote__choice"))
        votes = votes.filter(outcome__in=["pass", "fail"], seat__vote__choice__in=["pass", "fail"])
        votes = votes.filter(same if query["agreement"] == "same" else ~same)
    return votes


def _texts(rows: Sequence[Commitment]) -> Iterator[tuple[str, str]]:
    """What was shown, and the reason that was given; the second only once the round is over."""
    rationales = [row.seat.vote.rationale if _is_open(row) else None for row in rows]
    # All blocks of a page in one trip to the store.
    content.fetch([row.seat.round.segment.block for row in rows] + [block for block in rationales if block])
    for row, block in zip(rows, rationales, strict=True):
        try:
            text = content.read_json(row.seat.round.segment.block)["own"]
            yield text, read(text=content.read(block)).reason if block else ""
        except content.ContentGoneError:
            yield "", ""


def _is_open(row: Commitment) -> bool:
    return row.seat.round.stage == RoundStage.TALLIED and hasattr(row.seat, "vote")
