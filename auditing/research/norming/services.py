"""A norming room is opened, voted in, revealed, discussed, voted in again and closed.

Reads GoldSegment; writes NormingRoom, NormingVote, NormingRemark.
"""

from django.db import IntegrityError, transaction

from accounts.models import User
from auditing.core.values import Choice
from auditing.models import Auditor, GoldSegment
from auditing.research.norming.models import NEXT, ROUND, NormingRemark, NormingRoom, NormingVote, Stage
from auditing.research.norming.selectors import complete_voters, practice_items
from hdag.store import content

LEAST, MOST = 2, 10  # passages of a room
LONGEST = 1_000  # characters of a remark


class NormingRefusedError(Exception):
    """The room does not stand where this can be done."""


def open_room(*, title: str, domain: str, size: int, author: User) -> NormingRoom:
    """A room of the field's practice passages, those least used in rooms first. Raises NormingRefusedError."""
    used = NormingRoom.items.through.objects.values_list("goldsegment_id", flat=True)
    counts = {key: list(used).count(key) for key in set(used)}
    golds = sorted(practice_items().filter(domain=domain), key=lambda gold: (counts.get(gold.pk, 0), gold.name))
    if not title.strip() or len(golds) < LEAST:
        raise NormingRefusedError(f"A room needs a title, and a field with at least {LEAST} practice passages.")
    with transaction.atomic():
        room = NormingRoom.objects.create(title=title.strip()[:80], domain=domain, author=author)
        room.items.set(golds[: min(size, MOST)])
    return room


def vote(
    *, room: NormingRoom, auditor: Auditor, gold: GoldSegment, choice: Choice, confidence: int | None = None
) -> NormingVote:
    """One vote, final. confidence: basis points, 5000 to 10000. Raises NormingRefusedError."""
    with transaction.atomic():
        stage = _locked(room)
        turn = ROUND.get(stage)
        if turn is None or not room.items.filter(pk=gold.pk).exists():
            raise NormingRefusedError("The room takes no votes on this now.")
        has_voted_blind = NormingVote.objects.filter(room=room, auditor=auditor, round=1).exists()
        if turn == 2 and not has_voted_blind:
            raise NormingRefusedError("Only those who voted blind vote again: else nothing could be compared.")
        try:
            with transaction.atomic():  # a savepoint: a refusal must not undo the caller's work
                return NormingVote.objects.create(
                    room=room, auditor=auditor, gold=gold, round=turn, choice=choice, confidence=confidence
                )
        except IntegrityError:
            raise NormingRefusedError("You have voted on this already; votes are final.") from None


def remark(*, room: NormingRoom, auditor: Auditor, gold: GoldSegment, text: str) -> NormingRemark:
    """Something said about a passage, while the votes lie open. Raises NormingRefusedError."""
    if not text.strip():
        raise NormingRefusedError("Write something.")
    with transaction.atomic():
        if _locked(room) is not Stage.DISCUSSING or not room.items.filter(pk=gold.pk).exists():
            raise NormingRefusedError("The room discusses nothing now.")
        block = content.store_one(text.strip()[:LONGEST])
        return NormingRemark.objects.create(room=room, auditor=auditor, gold=gold, block=block)


def move_on(*, room: NormingRoom, stage: str, by: User) -> Stage:
    """The next stage, by whoever opened the room. stage: that the page showed. Raises NormingRefusedError.

    Votes are revealed once two people have voted on everything: a single vote revealed would be nobody's blind one.
    """
    if room.author_id != by.pk:
        raise NormingRefusedError("Whoever opened the room moves it on.")
    with transaction.atomic():
        now = _locked(room)
        if now != stage or now not in NEXT:
            raise NormingRefusedError("The room has moved on already.")
        turn = ROUND.get(now)
        if turn is not None and complete_voters(room=room, turn=turn) < 2:
            raise NormingRefusedError("Two people have to vote on everything first.")
        NormingRoom.objects.filter(pk=room.pk).update(stage=NEXT[now])
    return NEXT[now]


def _locked(room: NormingRoom) -> Stage:
    """The stage as it stands, until the transaction ends: no vote slips in behind a reveal."""
    return Stage(NormingRoom.objects.select_for_update(no_key=True).get(pk=room.pk).stage)
