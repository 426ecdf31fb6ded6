"""Comments on finished audits: written by those who took part, taken back by their author, removed by an admin.

Reads Seat, Segment; writes Comment, Block, Notice, AuditEvent.
"""

import re

from django.db import transaction

from accounts.models import User
from auditing.core.events import EventKind
from auditing.core.stages import AUDIT_STAGES, AuditStage, SeatStage
from auditing.models import Audit, Notice, Seat
from auditing.research.comments.selectors import standing_at
from auditing.research.models import Comment
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event
from hdag.models import Segment
from hdag.store import content

LONGEST = 4_000  # characters
MOST = 50  # comments of one person on one audit


class CommentRefusedError(ValueError):
    """This comment is not taken."""


def comment(
    *, audit: Audit, segment: Segment, by: User, text: str, words: str = "", place: tuple[int, int] | None = None
) -> Comment:
    """Say something of a segment, or of a place in it. Raises CommentRefusedError.

    words: what stands at the place, looked for in the text that was judged; place: its code points, for programs.
    """
    standing = standing_at(audit=audit, user=by, segment=segment)
    if not standing.may_write:
        raise CommentRefusedError("Only those who voted on it, and the provider of its trace, comment on a passage.")
    if not text.strip():
        raise CommentRefusedError("Nothing was said: write your comment.")
    if len(text) > LONGEST:
        raise CommentRefusedError(f"A comment has at most {LONGEST:,} characters.")
    successor = getattr(audit, "successor", None)
    # Words about this audit could reach those who vote in the next one.
    if successor is not None and not AUDIT_STAGES[AuditStage(successor.stage)].is_final:
        raise CommentRefusedError("A second audit of this trace is under way; comments are open again after it.")
    judged: str = content.read_json(segment.block)["own"]
    start, end = _checked(judged, place) if place is not None or not words.strip() else _place_of(judged, words)
    with transaction.atomic():
        if Comment.objects.filter(audit=audit, by=by).count() >= MOST:
            raise CommentRefusedError(f"{MOST} comments of yours stand on this audit already.")
        row = Comment.objects.create(
            audit=audit,
            segment=segment,
            by=by,
            pseudonym=standing.pseudonym,
            start=start,
            end=end,
            block=content.store_one(text.strip()),
        )
        # No actor: the log would tell which account stands behind a pseudonym.
        record_event(audit=audit, kind=EventKind.COMMENT_WRITTEN, comment=str(row.pk), segment=str(segment.pk))
        _tell(row, by)
    return row


def take_back(*, row: Comment, by: User, is_admin: bool) -> bool:
    """Forget a comment: its author's own, or any of them as an admin. False for anybody else."""
    if row.by_id != by.pk and not is_admin:
        return False
    with transaction.atomic():
        record_event(
            audit=row.audit,
            kind=EventKind.COMMENT_REMOVED,
            actor=by if is_admin and row.by_id != by.pk else None,
            comment=str(row.pk),
        )
        block = row.block
        row.delete()
        content.erase([block])
    return True


def _place_of(text: str, words: str) -> tuple[int, int]:
    """Where the words stand first. Raises CommentRefusedError."""
    # A page breaks lines where it likes: between two words any blank is as good as another.
    pattern = r"\s+".join(map(re.escape, words.split()))
    if (match := re.search(pattern, text)) is None:
        raise CommentRefusedError("These words do not stand in the text; copy them from its source, or leave them out.")
    return match.span()


def _checked(text: str, place: tuple[int, int] | None) -> tuple[int | None, int | None]:
    if place is None:
        return None, None
    if not 0 <= place[0] < place[1] <= len(text):
        raise CommentRefusedError(f"The place lies outside the text, which has {len(text):,} characters.")
    return place


def _tell(row: Comment, by: User) -> None:
    """The provider and those who voted there, but the author: that something was said, and not a word of it."""
    voted = Seat.objects.filter(round__audit=row.audit_id, round__segment=row.segment_id, stage=SeatStage.REVEALED)
    people = User.objects.filter(pk__in=voted.values("auditor__user"), is_active=True, is_simulated=False)
    told = {person.pk: person for person in (row.audit.trace.provider, *people) if person.pk != by.pk}
    link = f"/audits/{row.audit_id}/segments/{row.segment.label}/comments"
    news = "Somebody commented on a passage of a finished audit that you took part in."
    tell_people(people=told.values(), kind=Notice.Kind.OUTCOME, key=f"comment:{row.pk}", text=news, link=link)
