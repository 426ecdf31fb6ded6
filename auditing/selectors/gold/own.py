"""The gold that a reviewer has judged, once it is opened: right or wrong, what it said, and why it is as it is.

Reads Vote, GoldTruth, Decoy and the blocks of their texts.
"""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import QuerySet

from auditing.core.consensus.proportions import wilson_interval
from auditing.core.stages import AuditStage
from auditing.core.values import Choice
from auditing.models import Auditor, Decoy, Vote
from hdag.models import Block
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

    @property
    def is_right(self) -> bool | None:
        """None for an abstention, which is neither."""
        return None if self.choice == Choice.ABSTAIN else self.choice == self.truth


@dataclass(frozen=True, slots=True)
class OwnGold:
    """The newest votes on gold, and how many of all were right; the share stated is the mean confidence of all."""

    lines: tuple[GoldLine, ...]
    right: int
    of: int
    low: float
    high: float
    stated: float | None


def own_gold(*, auditor: Auditor) -> OwnGold:
    """What a reviewer has to learn from: the newest first, each with its explanation."""
    votes = _votes(auditor)
    judged = votes.exclude(choice=Choice.ABSTAIN)
    pairs = list(judged.values_list("choice", "seat__round__segment__gold_truth__truth", "confidence"))
    right, confidences = sum(choice == truth for choice, truth, _ in pairs), [sure for *_, sure in pairs if sure]
    rate = wilson_interval(count=right, of=len(pairs))
    segment = "seat__round__segment__"
    newest = votes.select_related(f"{segment}block", f"{segment}gold_truth", "seat__round__audit__trace")
    rows = list(newest.order_by("-revealed_at", "-pk")[:LAST])
    decoys = Decoy.objects.select_related("explanation").in_bulk([row.seat.round.audit.trace_id for row in rows])
    return OwnGold(
        lines=tuple(_line(row, decoys.get(row.seat.round.audit.trace_id)) for row in rows),
        right=right,
        of=len(pairs),
        low=rate.low or 0.0,
        high=1.0 if rate.high is None else rate.high,
        stated=sum(confidences) / len(confidences) / 10_000 if confidences else None,
    )


def _votes(auditor: Auditor) -> QuerySet[Vote]:
    return Vote.objects.filter(
        seat__auditor=auditor,
        seat__round__segment__gold_truth__isnull=False,
        seat__round__audit__stage__in=OPENED,
    )


def _line(vote: Vote, decoy: Decoy | None) -> GoldLine:
    segment, trace = vote.seat.round.segment, vote.seat.round.audit.trace
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
    )


def _read(block: Block, *, is_json: bool = True) -> object:
    """A text, or nothing where it was erased."""
    try:
        return content.read_json(block) if is_json else content.read(block)
    except (ContentGoneError, ContentDamagedError):
        return None
