"""Gold that people made or handed in, as editors read it: what waits for a second one, then what was reviewed last.

Reads GoldSegment and the blocks of its texts.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from accounts.models import User
from auditing.models import GoldSegment
from auditing.selectors.voting.unit_form import HEADINGS
from hdag.core.passages import PlanKind
from hdag.core.units import UnitKind
from hdag.store import content

LAST, MOST = 50, 200  # reviewed and waiting segments on the page
SAMPLE = 5  # segments of a file that second editors judge one by one
Review = GoldSegment.Review


@dataclass(frozen=True, slots=True)
class GoldReview:
    """One segment made by hand, or a draft about a whole. is_mine: the reader wrote it, or asked for the draft.

    question: what a draft asks; reasoning: of a draft about an answer, what it should follow from.
    """

    gold: GoldSegment
    problem: str
    premises: tuple[str, ...]
    text: str
    explanation: str
    is_mine: bool
    question: str = ""
    reasoning: str = ""

    @property
    def heading(self) -> str:
        """What it is about, of a draft about a whole."""
        return HEADINGS[UnitKind(self.gold.unit)] if self.gold.unit else self.gold.name

    @property
    def is_waiting(self) -> bool:
        """Whether no second editor has looked at it."""
        return self.gold.review == Review.WAITING


@dataclass(frozen=True, slots=True)
class GoldFile:
    """A file of gold that waits. sample: keys of the segments that are judged one by one."""

    file: str
    provenance: str
    author: User
    sample: tuple[UUID, ...]
    states: Counter[str]  # of its segments
    is_sample_confirmed: bool  # and nothing of it was refused
    is_mine: bool

    @property
    def size(self) -> int:
        """Segments of the file."""
        return self.states.total()

    @property
    def waiting(self) -> int:
        """Segments that nobody has reviewed."""
        return self.states[Review.WAITING]

    @property
    def is_refused(self) -> bool:
        """Whether a second editor disagreed with a segment of it, so that it never comes in as a whole."""
        return self.states[Review.REFUSED] > 0


def find_file(*, file: str, reader: User) -> GoldFile | None:
    """One file of gold; None if unknown."""
    rows = GoldSegment.objects.filter(file=file).exclude(file="").order_by("pk").select_related("author")
    # Keys are random and not its author's choice, so that the first of them are a sample.
    listed = list(rows.defer("block"))
    if not listed or listed[0].author is None:
        return None
    states = Counter(row.review for row in listed)
    return GoldFile(
        file=file,
        provenance=listed[0].provenance,
        author=listed[0].author,
        sample=tuple(row.pk for row in listed[:SAMPLE]),
        states=states,
        is_sample_confirmed=not states[Review.REFUSED]
        and all(row.review == Review.CONFIRMED for row in listed[:SAMPLE]),
        is_mine=listed[0].author_id == reader.pk,
    )


def gold_files(*, reader: User) -> list[GoldFile]:
    """The files of which something waits, by digest."""
    waiting = GoldSegment.objects.filter(review=Review.WAITING, author__isnull=False).exclude(file="")
    files = waiting.order_by("file").values_list("file", flat=True).distinct()
    return [line for file in files if (line := find_file(file=file, reader=reader)) is not None]


def gold_reviews(*, reader: User) -> list[GoldReview]:
    """What waits, oldest first, of a file its sample alone; then the newest that were reviewed."""
    rows = GoldSegment.objects.filter(author__isnull=False).exclude(original__erased_at__isnull=False)
    rows = rows.select_related("block", "author", "reviewed_by")
    samples = [key for line in gold_files(reader=reader) for key in line.sample]
    alone = Q(file="") | Q(pk__in=samples)
    waiting = rows.filter(alone, review=Review.WAITING).order_by("created", "pk")[:MOST]
    reviewed = rows.exclude(review=Review.WAITING).order_by("-reviewed_at", "pk")[:LAST]
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
        question=PlanKind(row.unit).question if row.unit else "",
        # How a problem is read is judged by what is shown of it, as at the desk.
        reasoning=texts["reasoning"] if row.unit == UnitKind.ANSWER else "",
    )
