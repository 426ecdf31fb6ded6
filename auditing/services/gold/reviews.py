"""Gold that a person made or handed in, and its review by a second editor: until then it teaches and measures nobody.

The second editor says whether the segment is right before reading what its author holds for true. Both alike: the gold
is in use from then on. Otherwise it stays out for good, and its author may store a mended one under another name.

Of a large file a sample is reviewed so, drawn by keys that its author did not choose. Where the second editors agreed
with all of it, an admin who is not its author brings the rest into use; one segment that was refused keeps it out.

Reads GoldSegment; writes GoldSegment, Block, Notice, AuditEvent.
"""

import uuid
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import Role, User
from auditing.core.events import EventKind
from auditing.core.values import Choice
from auditing.models import GoldSegment, Notice
from auditing.selectors.gold.reviews import find_file
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event
from auditing.services.gold.sets import Gold, add_all, import_jsonl

EDITORS = (Role.ADMIN, Role.ADJUDICATOR)
LONGEST = 300  # characters of what the second editor writes


class ReviewRefusedError(Exception):
    """This gold is not to be reviewed by this person, or not any more."""


def add_by_hand(*, record: Gold, author: User) -> GoldSegment:
    """Store one segment that a person wrote, out of use until somebody else has confirmed it. Raises BadGoldError."""
    with transaction.atomic():
        add_all(records=[record], actor=author, author=author)
        tell_editors(author=author, key=f"gold-review:{record.name}"[:80])
        return GoldSegment.objects.get(name=record.name)


def import_file(*, lines: Iterable[bytes], author: User, provenance: str = "") -> int:
    """Store a file of gold, out of use until it is reviewed; returns how many segments. Raises BadGoldError."""
    with transaction.atomic():
        count = import_jsonl(lines=lines, actor=author, provenance=provenance)
        tell_editors(author=author, key=f"gold-file:{uuid.uuid4()}")
    return count


def tell_editors(*, author: User, key: str) -> None:
    """Say to every other editor that gold waits."""
    editors = User.objects.filter(is_active=True, grants__role__in=EDITORS).exclude(pk=author.pk)
    tell_people(
        people=editors.distinct(),
        kind=Notice.Kind.DECISION,
        key=key,
        text="Gold waits for a second editor.",
        link="/gold/reviews",
    )


def review(*, gold: GoldSegment, verdict: str, why: str, by: User) -> bool:
    """A second editor's word on gold made by hand; whether it is in use from now on. Raises ReviewRefusedError."""
    if gold.author_id is None or gold.author_id == by.pk:
        raise ReviewRefusedError("Gold of your own, or that came with the system, is not yours to review.")
    if verdict not in (Choice.PASS, Choice.FAIL):
        raise ReviewRefusedError("Say whether the segment is right or wrong.")
    if gold.original is not None and gold.original.erased_at is not None:
        raise ReviewRefusedError("Its text was erased at its provider's request.")
    agrees = verdict == gold.truth
    if not agrees and not why.strip():
        raise ReviewRefusedError("You disagree with its author: say why, for nobody could mend it otherwise.")
    state = GoldSegment.Review.CONFIRMED if agrees else GoldSegment.Review.REFUSED
    with transaction.atomic():
        # Two editors at the same moment: the first word counts, and the database refuses an author's own.
        waiting = GoldSegment.objects.filter(pk=gold.pk, review=GoldSegment.Review.WAITING).exclude(author=by)
        changed = waiting.update(
            review=state,
            reviewed_by=by,
            reviewed_at=Now(),
            review_why=why.strip()[:LONGEST],
            is_active=agrees and not gold.is_overturned,
        )
        if not changed:
            raise ReviewRefusedError("Somebody else has reviewed it already.")
        kind = EventKind.GOLD_CONFIRMED if agrees else EventKind.GOLD_REFUSED
        record_event(audit=None, actor=by, kind=kind, gold=str(gold.pk), why=why.strip()[:LONGEST])
    return agrees


def confirm_file(*, file: str, by: User) -> int:
    """Bring what is left of a file into use, once its sample was confirmed; returns how many segments.

    Raises ReviewRefusedError.
    """
    with transaction.atomic():
        rows = GoldSegment.objects.filter(file=file).exclude(file="")
        # Against a refusal of one of its segments at the same moment.
        locked = list(rows.order_by("pk").select_for_update())
        reviewed = find_file(file=file, reader=by)
        if not locked or reviewed is None:
            raise ReviewRefusedError("There is no such file.")
        if reviewed.is_mine:
            raise ReviewRefusedError("You handed it in: another admin confirms it.")
        if not reviewed.is_sample_confirmed:
            raise ReviewRefusedError("Review its sample first; a file with a segment that was refused stays out.")
        waiting = rows.filter(review=GoldSegment.Review.WAITING)
        count = waiting.update(
            review=GoldSegment.Review.CONFIRMED, reviewed_by=by, reviewed_at=Now(), is_active=Q(is_overturned=False)
        )
        record_event(audit=None, actor=by, kind=EventKind.GOLD_CONFIRMED, file=file, count=count)
    return count
