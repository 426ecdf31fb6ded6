"""The gold that a reviewer has judged, once it is opened: right or wrong, what it said, and why it is as it is.

Reads Vote, GoldTruth, Decoy and the blocks of their texts.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedQuery, PreparedRows
from auditing.core.consensus.proportions import Rate, wilson_interval
from auditing.core.stages import AuditStage
from auditing.core.values import Choice
from auditing.models import Auditor, Decoy, GoldDispute, Vote
from auditing.research.qualification.core.reliability import Bin, reliability
from auditing.selectors.gold.disputes import own_disputes
from auditing.selectors.gold.repeats import own_repeats, same_again
from auditing.selectors.gold.truths import OF_A_VOTE, on_gold
from hdag.models import Block, Segment
from hdag.store import content
from hdag.store.content import ContentDamagedError, ContentGoneError

OPENED = (AuditStage.SETTLED, AuditStage.RECORDED)  # gold.reveal is written when points are
LAST = 12


@dataclass(frozen=True, slots=True)
class GoldLine:
    """One vote of one's own on gold."""

    seat: UUID
    day: date
    domain: str
    text: str
    choice: str
    truth: str
    confidence: float | None
    explanation: str
    dispute: str  # "" where nobody reads this disputed it, else where their dispute stands
    is_overturned: bool

    @property
    def is_right(self) -> bool | None:
        """None for an abstention, which is neither, and for gold that was none."""
        return None if self.choice == Choice.ABSTAIN or self.is_overturned else self.choice == self.truth


@dataclass(frozen=True, slots=True)
class DomainGold:
    """The calibration curve of one domain: votes on its gold by the confidence that was stated, and the share right."""

    domain: str
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class DayGold:
    """The card of one day, the newest with opened gold; stated: mean confidence of those votes, None where unstated."""

    day: date
    right: int
    of: int
    stated: float | None
    missed: tuple[GoldLine, ...]  # as far as they are among the newest lines


@dataclass(frozen=True, slots=True)
class OwnGold:
    """The newest votes on gold, and how many of all were right; the share stated is the mean confidence of all."""

    lines: tuple[GoldLine, ...]
    domains: tuple[DomainGold, ...]
    right: int
    of: int
    low: float
    high: float
    stated: float | None
    day: DayGold | None
    repeats: Rate  # passages that came again unmarked: how many second votes were as the first
    repeats_of_day: Rate  # those of the newest day with one


def gold_votes_since(*, auditor: Auditor, domain: str, since: datetime) -> list[bool]:
    """Whether each vote on gold of a field that was opened since then was right, oldest first."""
    votes = _votes(auditor.pk).filter(on_gold(), revealed_at__gt=since, seat__round__audit__trace__domain=domain)
    rows = votes.exclude(choice=Choice.ABSTAIN).order_by("revealed_at", "pk")
    return [choice == truth for choice, truth in rows.values_list("choice", f"{OF_A_VOTE}gold_truth__truth")]


def own_gold(*, auditor: Auditor) -> OwnGold:
    """What a reviewer has to learn from: the newest first, each with its explanation."""
    rows = list(_newest.rows(auditor=auditor.pk))
    days = _judged.rows(auditor=auditor.pk) if rows else []
    pairs = [row[:4] for row in days]
    right, confidences = sum(choice == truth for choice, truth, *_ in pairs), [sure for *_, sure, _ in pairs if sure]
    rate = wilson_interval(count=right, of=len(pairs))
    # Confidence is optional at the desk: who states none has no curve, and is not counted as unsure.
    stated: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for choice, truth, confidence, domain in pairs:
        if confidence:
            stated[domain].append((confidence / 10_000, choice == truth))
    own = own_disputes(auditor=auditor, truths=[_segment(row).pk for row in rows])
    lines = tuple(_line(row, own.get(_segment(row).pk)) for row in rows)
    twice = own_repeats(auditor=auditor)
    return OwnGold(
        lines=lines,
        day=_day(days, lines),
        domains=tuple(DomainGold(domain, reliability(votes=votes)) for domain, votes in sorted(stated.items())),
        right=right,
        of=len(pairs),
        low=rate.low or 0.0,
        high=1.0 if rate.high is None else rate.high,
        stated=sum(confidences) / len(confidences) / 10_000 if confidences else None,
        repeats=same_again(pairs=twice),
        repeats_of_day=same_again(pairs=[pair for pair in twice if pair.at.date() == twice[-1].at.date()]),
    )


def _day(rows: Sequence[tuple[Any, ...]], lines: tuple[GoldLine, ...]) -> DayGold | None:
    if not rows:
        return None
    day = max(row[4] for row in rows)
    of_day = [row for row in rows if row[4] == day]
    stated = [sure for _, _, sure, *_ in of_day if sure]
    return DayGold(
        day=day,
        right=sum(choice == truth for choice, truth, *_ in of_day),
        of=len(of_day),
        stated=sum(stated) / len(stated) / 10_000 if stated else None,
        missed=tuple(line for line in lines if line.day == day and line.is_right is False),
    )


def _votes(auditor: UUID) -> QuerySet[Vote]:
    return Vote.objects.filter(
        seat__auditor=auditor,
        seat__round__segment__gold_truth__isnull=False,
        seat__round__audit__stage__in=OPENED,
    )


@PreparedQuery
def _newest(auditor: UUID) -> QuerySet[Vote]:
    segment, round = "seat__round__segment", "seat__round"
    texts = (f"{segment}__block", "seat__round__audit__trace__decoy__explanation")
    votes = _votes(auditor).select_related(f"{segment}__gold_truth__overturn", *texts)
    # What a draw, a tally and a seat hold is read by nobody here.
    votes = votes.defer("seat__shown", f"{round}__drawn", f"{round}__tally", f"{segment}__features")
    return votes.order_by("-revealed_at", "-pk")[:LAST]


@PreparedRows
def _judged(auditor: UUID) -> QuerySet[Vote, Any]:
    # An abstention is neither right nor wrong; it shows among the lines, and not in the rate.
    votes = _votes(auditor).filter(on_gold()).exclude(choice=Choice.ABSTAIN)
    domain = "seat__round__audit__trace__domain"
    return votes.values_list("choice", f"{OF_A_VOTE}gold_truth__truth", "confidence", domain, "revealed_at__date")


def _segment(vote: Vote) -> Segment:
    return vote.seat.round.segment


def _line(vote: Vote, dispute: GoldDispute | None) -> GoldLine:
    segment, trace = _segment(vote), vote.seat.round.audit.trace
    decoy: Decoy | None = getattr(trace, "decoy", None)
    texts = _read(segment.block)
    return GoldLine(
        seat=vote.seat_id,
        day=vote.revealed_at.date(),
        domain=trace.domain,
        text=texts["own"] if isinstance(texts, dict) else "",
        choice=vote.choice,
        truth=segment.gold_truth.truth,
        confidence=None if vote.confidence is None else vote.confidence / 10_000,
        explanation=str(_read(decoy.explanation, is_json=False) or "") if decoy is not None else "",
        dispute="" if dispute is None else dispute.get_decision_display() or "nobody has decided yet",
        is_overturned=hasattr(segment.gold_truth, "overturn"),
    )


def _read(block: Block, *, is_json: bool = True) -> object:
    """A text, or nothing where it was erased."""
    try:
        return content.read_json(block) if is_json else content.read(block)
    except (ContentGoneError, ContentDamagedError):
        return None
