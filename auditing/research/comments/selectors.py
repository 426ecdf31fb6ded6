"""Who comments on a finished audit, and what was said: by pseudonym, never before the votes of a passage are open.

Reads Seat, Segment, Comment and its encrypted text.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F, QuerySet

from accounts.models import Role, User
from accounts.permissions import has_role
from auditing.core.stages import AuditStage, SeatStage
from auditing.models import Audit, Seat
from auditing.permissions import may_read_audit, may_read_reasons
from auditing.research.models import Comment
from hdag.models import Segment, Trace
from hdag.store import content

PROVIDER = "the provider"


@dataclass(frozen=True, slots=True)
class Standing:
    """What a person may do at one segment: read, and write under a name."""

    may_read: bool
    speaks_as: str  # "" for those who only read
    pseudonym: bytes = b""
    seat: UUID | None = None  # the own one, whose page leads here

    @property
    def may_write(self) -> bool:
        """Whether the person took part: voted there, or handed the trace in."""
        return bool(self.speaks_as)


@dataclass(frozen=True, slots=True)
class CommentLine:
    """One comment as pages and API show it. The author's account is not in it."""

    id: UUID
    segment: str
    speaker: str
    text: str
    place: tuple[int, int] | None
    quote: str
    created: datetime
    is_own: bool
    may_remove: bool

    def as_json(self) -> dict[str, Any]:
        """The comment as data."""
        start, end = self.place or (None, None)
        return {
            "id": str(self.id),
            "segment": self.segment,
            "by": self.speaker,
            "text": self.text,
            "start": start,
            "end": end,
            "quote": self.quote,
            "created": self.created.isoformat(),
            "own": self.is_own,
        }


@dataclass(frozen=True, slots=True)
class Discussion:
    """What was said of one segment, and the text that it is about."""

    segment: Segment
    text: str
    lines: list[CommentLine] = field(default_factory=list)

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The spans that comments are pinned to, as the template tag trace_text takes them."""
        return tuple(sorted({line.place for line in self.lines if line.place is not None}))


def name_of(pseudonym: bytes | memoryview) -> str:
    """The name that the votes of the same auditor bear in this audit."""
    return f"auditor {bytes(pseudonym).hex()[:8]}" if pseudonym else PROVIDER


def find_segment(*, audit: Audit, label: str) -> Segment | None:
    """A segment of the audit's graph by its name, with its text."""
    if audit.decomposition_id is None:
        return None
    return Segment.objects.filter(decomposition=audit.decomposition_id, label=label).select_related("block").first()


def is_open(*, audit: Audit) -> bool:
    """Whether anything may be said, or read, of an audit: recorded, and its text still there."""
    return audit.stage == AuditStage.RECORDED and audit.trace.erased_at is None


def standing_at(*, audit: Audit, user: User, segment: Segment) -> Standing:
    """What `user` may do at a segment; nothing before the audit is recorded or once its text is erased."""
    if not is_open(audit=audit):
        return Standing(may_read=False, speaks_as="")
    if has_role(user, Role.PROVIDER) and audit.trace.provider_id == user.pk:
        return Standing(may_read=True, speaks_as=PROVIDER)
    opened = Seat.objects.filter(round__audit=audit, round__segment=segment, stage=SeatStage.REVEALED)
    seat = opened.filter(auditor__user=user).only("pseudonym").first()
    if seat is not None:
        # The same name as beside the vote: whoever reads the comment can tell what its author voted.
        return Standing(may_read=True, speaks_as=name_of(seat.pseudonym), pseudonym=bytes(seat.pseudonym), seat=seat.pk)
    reads = may_read_audit(user=user, audit=audit) and may_read_reasons(user=user, audit=audit)
    return Standing(may_read=reads, speaks_as="")


def discussion_of(*, audit: Audit, segment: Segment, user: User) -> Discussion:
    """Everything said of one segment, oldest first. The caller has asked `standing_at`."""
    text: str = content.read_json(segment.block)["own"]
    rows = _rows(audit).filter(segment=segment)
    return Discussion(segment, text, _lines(rows, {segment.pk: text}, user))


def beside(*, audit: Audit, segment: Segment, user: User) -> tuple[list[CommentLine], dict[str, int]]:
    """What was said of one segment, and how many comments stand at each that has any: one statement."""
    rows: list[Any] = list(_rows(audit))
    text: str = content.read_json(segment.block)["own"] if rows else ""
    here = [row for row in rows if row.segment_id == segment.pk]
    return _lines(here, {segment.pk: text}, user), dict(Counter(row.label for row in rows))


def comments_of(*, audit: Audit, user: User) -> list[CommentLine]:
    """Everything said of an audit, for those who may read all of it; the caller has asked."""
    rows = _rows(audit).select_related("segment__block")
    content.fetch(row.segment.block for row in rows)
    texts = {row.segment_id: content.read_json(row.segment.block)["own"] for row in rows}
    return _lines(rows, texts, user)


def counts_of(*, audit: Audit) -> dict[str, int]:
    """How many comments stand at each segment that has any, by its name."""
    counted = Comment.objects.filter(audit=audit).values("segment__label").annotate(count=Count("pk"))
    return {row["segment__label"]: row["count"] for row in counted.order_by("segment__position")}


def find_comment(*, audit: Audit, key: UUID) -> Comment | None:
    """A comment of this audit by its id."""
    return Comment.objects.filter(audit=audit, pk=key).first()


def texts_of(trace: Trace) -> QuerySet[Any, Any]:
    """Blocks of comments on a trace: erased with it, because they repeat its words."""
    return Comment.objects.filter(audit__trace=trace).values("block")


def _rows(audit: Audit) -> QuerySet[Comment]:
    return (
        Comment.objects.filter(audit=audit)
        .select_related("block")
        .annotate(label=F("segment__label"))
        .order_by("created", "pk")
    )


def _lines(rows: Iterable[Any], texts: dict[Any, str], user: User) -> list[CommentLine]:
    listed = list(rows)
    content.fetch(row.block for row in listed)
    moderates = has_role(user, Role.ADMIN)
    return [
        CommentLine(
            id=row.pk,
            segment=row.label,
            speaker=name_of(row.pseudonym),
            text=content.read(row.block),
            place=None if row.start is None else (row.start, row.end),
            quote="" if row.start is None else texts[row.segment_id][row.start : row.end],
            created=row.created,
            is_own=row.by_id == user.pk,
            may_remove=row.by_id == user.pk or moderates,
        )
        for row in listed
    ]
