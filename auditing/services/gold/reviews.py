"""Gold that a person made by hand, and its review by a second editor: until then it teaches and measures nobody.

The second editor says whether the segment is right before reading what its author holds for true. Both alike: the gold
is in use from then on. Otherwise it stays out for good, and its author may store a mended one under another name.

Reads GoldSegment; writes GoldSegment, Block, Notice, AuditEvent.
"""

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import Role, User
from auditing.core.events import EventKind
from auditing.core.values import Choice
from auditing.models import GoldSegment, Notice
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event
from auditing.services.gold.sets import Gold, add_all

EDITORS = (Role.ADMIN, Role.ADJUDICATOR)
LONGEST = 300  # characters of what the second editor writes


class ReviewRefusedError(Exception):
    """This gold is not to be reviewed by this person, or not any more."""


def add_by_hand(*, record: Gold, author: User) -> GoldSegment:
    """Store one segment that a person wrote, out of use until somebody else has confirmed it. Raises BadGoldError."""
    with transaction.atomic():
        add_all(records=[record], actor=author, author=author)
        gold = GoldSegment.objects.get(name=record.name)
        editors = User.objects.filter(is_active=True, grants__role__in=EDITORS).exclude(pk=author.pk)
        tell_people(
            people=editors.distinct(),
            kind=Notice.Kind.DECISION,
            key=f"gold-review:{gold.pk}",
            text="A gold segment waits for a second editor.",
            link="/gold/reviews",
        )
    return gold


def review(*, gold: GoldSegment, verdict: str, why: str, by: User) -> bool:
    """A second editor's word on gold made by hand; whether it is in use from now on. Raises ReviewRefusedError."""
    if gold.author_id is None or gold.author_id == by.pk:
        raise ReviewRefusedError("Gold that you made, or that nobody made by hand, is not yours to review.")
    if verdict not in (Choice.PASS, Choice.FAIL):
        raise ReviewRefusedError("Say whether the segment is right or wrong.")
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
