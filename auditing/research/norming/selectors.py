"""Norming rooms as their people see them: nobody's vote before the reveal, the truth only at the end.

Reads NormingRoom, NormingVote, NormingRemark, GoldSegment and their blocks.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, QuerySet

from auditing.core.values import Choice
from auditing.models import Auditor, GoldSegment
from auditing.research.norming.core import Ballot, Change, change_of
from auditing.research.norming.models import ROUND, NormingRemark, NormingRoom, NormingVote, Stage
from auditing.research.practice.selectors.exercises import Exercise, exercise_of
from hdag.store import content
from hdag.store.content import ContentDamagedError, ContentGoneError

LAST = 100  # rooms of the list


@dataclass(frozen=True, slots=True)
class OpenVote:
    """One vote once it lies open; again: the second one, "" before the room is closed or where there is none."""

    auditor: Auditor
    choice: str
    again: str


@dataclass(frozen=True, slots=True)
class Item:
    """One passage of a room with what may be seen of it."""

    exercise: Exercise
    votes: tuple[OpenVote, ...]
    remarks: tuple[tuple[Auditor, str], ...]
    truth: str  # "" before the room is closed


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room as one reader sees it: the next passage to vote on, or what lies open."""

    room: NormingRoom
    asked: Exercise | None
    mine: int  # votes of this reader in the round that is open
    of: int
    voters: int  # who voted on everything in that round
    takes_part: bool  # whoever did not vote blind does not vote again
    items: tuple[Item, ...]
    change: Change | None


def rooms() -> Sequence[NormingRoom]:
    """The newest rooms."""
    return list(NormingRoom.objects.annotate(size=Count("items")).order_by("-created")[:LAST])


def find_room(*, key: UUID) -> NormingRoom | None:
    """A room by its key."""
    return NormingRoom.objects.filter(pk=key).first()


def fields() -> Sequence[str]:
    """Fields with practice passages, from which a room can be made."""
    return sorted(set(practice_items().values_list("domain", flat=True)))


def practice_items() -> QuerySet[GoldSegment]:
    """Practice gold alone: whatever else is shown with its truth could be asked of somebody later."""
    return GoldSegment.objects.filter(purpose=GoldSegment.Purpose.PRACTICE, is_active=True, is_overturned=False)


def look(*, room: NormingRoom, auditor: Auditor) -> RoomView:
    """What a reader may see at this stage."""
    stage = Stage(room.stage)
    golds = list(room.items.select_related("block").order_by("name"))
    votes = list(NormingVote.objects.filter(room=room).select_related("auditor__user").order_by("auditor"))
    turn = ROUND.get(stage)
    mine = {vote.gold_id for vote in votes if vote.auditor_id == auditor.pk and vote.round == turn}
    takes_part = turn != 2 or any(vote.auditor_id == auditor.pk and vote.round == 1 for vote in votes)
    left = [gold for gold in golds if gold.pk not in mine] if turn and takes_part else []
    is_open = stage is not Stage.BLIND
    return RoomView(
        room=room,
        asked=exercise_of(gold=left[0]) if left else None,
        mine=len(mine),
        of=len(golds),
        voters=complete_voters(room=room, turn=turn) if turn else 0,
        takes_part=takes_part,
        # While people vote again the open votes are out of sight: one would copy them.
        items=tuple(_items(room, golds, votes)) if is_open and not left else (),
        change=_change(golds, votes) if stage is Stage.CLOSED else None,
    )


def complete_voters(*, room: NormingRoom, turn: int) -> int:
    """How many voted on every passage in a round."""
    counts = NormingVote.objects.filter(room=room, round=turn).values("auditor").annotate(count=Count("pk"))
    size = room.items.count()
    return sum(row["count"] == size for row in counts)


def _items(room: NormingRoom, golds: Sequence[GoldSegment], votes: Sequence[NormingVote]) -> list[Item]:
    is_closed = room.stage == Stage.CLOSED
    remarks = NormingRemark.objects.filter(room=room).select_related("auditor__user", "block").order_by("at")
    texts = [(remark.gold_id, remark.auditor, _text(remark)) for remark in remarks]
    again = {(vote.gold_id, vote.auditor_id): vote.choice for vote in votes if vote.round == 2 and is_closed}
    return [
        Item(
            exercise=exercise_of(gold=gold),
            votes=tuple(
                OpenVote(vote.auditor, vote.choice, again.get((gold.pk, vote.auditor_id), ""))
                for vote in votes
                if vote.gold_id == gold.pk and vote.round == 1
            ),
            remarks=tuple((who, text) for key, who, text in texts if key == gold.pk),
            truth=gold.truth if is_closed else "",
        )
        for gold in golds
    ]


def _change(golds: Sequence[GoldSegment], votes: Sequence[NormingVote]) -> Change | None:
    ballots = [
        Ballot(auditor=vote.auditor_id, item=vote.gold_id, round=vote.round, passed=vote.choice == Choice.PASS)
        for vote in votes
    ]
    truths: dict[Hashable, bool] = {gold.pk: gold.truth == Choice.PASS for gold in golds}
    return change_of(ballots=ballots, truths=truths)


def _text(remark: NormingRemark) -> str:
    try:
        return content.read(remark.block)
    except (ContentGoneError, ContentDamagedError):
        return ""
