"""Strict mode: reviewers keep their own openings and open their votes themselves.

Reads Seat, Commitment, Round; writes OwnKey, Notice, Vote, Seat, Block.

The key never reaches the server. What it keeps is a check value, by which a browser knows the right key, and each
opening encrypted under that key, so that the recovery code alone is enough in another browser.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, F, OuterRef, QuerySet, Subquery
from django.db.models.lookups import IsNull

from accounts.models import User
from accounts.prepared import Mark, PreparedRows, Written
from auditing import dispatch
from auditing.core.stages import RoundStage, SeatStage
from auditing.models import Auditor, Commitment, Notice, OwnKey, Round, Seat, Vote
from auditing.services.campaigns.notices import tell_people
from auditing.services.voting.reveal import NotYetOpenError, Opened, RevealRefusedError, accept_opening

CHECK_BYTES = 32


class KeyInUseError(Exception):
    """Sealed votes still wait for your present key: open them before you make another one."""


class BadCheckError(ValueError):
    """A key is told by the 32 bytes of its check value."""


def keep_own(*, auditor: Auditor, check_value: bytes) -> OwnKey:
    """Strict mode from now on, under the key of this check value. Raises KeyInUseError, BadCheckError."""
    # All zeros would be a browser that made no key.
    if len(check_value) != CHECK_BYTES or not any(check_value):
        raise BadCheckError(BadCheckError.__doc__)
    made, _ = OwnKey.objects.get_or_create(auditor=auditor, defaults={"check_value": check_value})
    if bytes(made.check_value) == check_value:
        OwnKey.objects.filter(pk=made.pk).update(is_on=True)
    elif unopened(auditor=auditor):  # under another key, which only its owner has
        raise KeyInUseError(KeyInUseError.__doc__)
    else:
        OwnKey.objects.filter(pk=made.pk).update(is_on=True, check_value=check_value)
    made.refresh_from_db()
    return made


def turn_off(*, auditor: Auditor) -> bool:
    """The revealer keeps openings again; votes sealed meanwhile still wait for their own key."""
    return bool(OwnKey.objects.filter(auditor=auditor, is_on=True).update(is_on=False))


def unopened(*, auditor: Auditor) -> bool:
    """Whether any vote of this reviewer waits for the own key."""
    waiting = Commitment.objects.filter(seat__auditor=auditor, seat__stage=SeatStage.COMMITTED, sealed__isnull=True)
    return waiting.exists()


def ask_for(*, rounds: Sequence[Round]) -> int:
    """News, once windows have closed, for those who must open their votes themselves."""
    keepers: dict[UUID, list[int]] = defaultdict(list)
    for round, person in _own_keepers.rows(rounds=[round.pk for round in rounds]):
        keepers[round].append(person)
    return sum(_ask(round, people) for round, people in keepers.items())


def _ask(round: UUID, people: list[int]) -> int:
    text = "Votes that you keep yourself can be opened now."
    return tell_people(
        people=list(User.objects.filter(pk__in=people)),
        kind=Notice.Kind.REVEALING,
        key=f"revealing:{round}",
        text=text,
        link="/desk/openings",
    )


@PreparedRows
def _own_keepers() -> QuerySet[Any, Any]:
    theirs = Written("auditing_seat.round_id = ANY(%s)", [Mark("rounds")], output_field=BooleanField())
    # Asked seat by seat: a join read every vote where the planner took the table for a small one.
    is_kept = Subquery(
        Commitment.objects.filter(seat=OuterRef("pk")).values_list(IsNull(F("sealed"), True))[:1],
        output_field=BooleanField(),
    )
    user = Subquery(Auditor.objects.filter(pk=OuterRef("auditor")).values("user")[:1])
    return Seat.objects.filter(theirs, is_kept).order_by().values_list("round", user)


def open_own(*, seat_id: UUID, auditor: Auditor, opened: Opened, now: datetime) -> Vote:
    """Open a vote of one's own. Raises RevealRefusedError, OpeningError, BadRationaleError."""
    seats = Seat.objects.select_related("round__audit", "round__segment__block", "round__closing_leaf")
    seat = seats.filter(pk=seat_id, auditor=auditor, commitment__isnull=False).first()
    if seat is None:
        raise RevealRefusedError("There is no sealed vote of yours on this seat.")
    round = seat.round
    if seat.stage != SeatStage.REVEALED:
        # Not before the ledger says that the window is closed: an open vote could sway one that is not sealed yet.
        if round.stage != RoundStage.REVEALING or round.closing_leaf is None or round.closing_leaf.index is None:
            raise NotYetOpenError(NotYetOpenError.__doc__)
        if round.due_at is not None and round.due_at <= now:
            raise RevealRefusedError("The time to open votes of this round is over.")
    vote = accept_opening(seat=seat, opened=opened)
    dispatch.enqueue("auditing.advance_round", round.pk)
    return vote
