"""Gold that people made by hand, as editors read it: what waits for a second one, then what was reviewed last.

Reads GoldSegment and the blocks of its texts.
"""

from dataclasses import dataclass
from typing import Any

from accounts.models import User
from auditing.models import GoldSegment
from hdag.store import content

LAST = 50


@dataclass(frozen=True, slots=True)
class GoldReview:
    """One segment made by hand. is_mine: the reader wrote it, so that somebody else reviews it."""

    gold: GoldSegment
    problem: str
    premises: tuple[str, ...]
    text: str
    explanation: str
    is_mine: bool

    @property
    def is_waiting(self) -> bool:
        """Whether no second editor has looked at it."""
        return self.gold.review == GoldSegment.Review.WAITING


def gold_reviews(*, reader: User) -> list[GoldReview]:
    """What waits, oldest first; then the newest that were reviewed."""
    rows = GoldSegment.objects.filter(author__isnull=False).select_related("block", "author", "reviewed_by")
    waiting = rows.filter(review=GoldSegment.Review.WAITING).order_by("created", "pk")
    reviewed = rows.exclude(review=GoldSegment.Review.WAITING).order_by("-reviewed_at", "pk")[:LAST]
    return [_line(row, reader) for row in (*waiting, *reviewed)]


def _line(row: GoldSegment, reader: User) -> GoldReview:
    texts: dict[str, Any] = content.read_json(row.block)
    return GoldReview(
        gold=row,
        problem=texts["problem"],
        premises=tuple(texts["premises"]),
        text=texts["text"],
        explanation=texts["explanation"],
        is_mine=row.author_id == reader.pk,
    )
