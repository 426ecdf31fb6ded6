"""One claim: a single statement takes the seat that a reviewer works on next, and reads what decides about it.

The database's function trust_claim_seat takes it: the seat in hand, else the first of the own queue; two tabs of one
reviewer take turns there, and a seat that is just being taken away is passed by.

Reads Round, Audit, Auditor, Guidelines, PublicKey, Notice and what decides who may sit; writes Seat, Notice.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import BooleanField, DateTimeField, Exists, OuterRef, QuerySet, Subquery

from accounts.prepared import UNHURRIED_ALONE, Mark, PreparedQuery, Written
from accounts.selectors.live_tokens import LIVES, LIVES_BY
from auditing.core.stages import SeatStage
from auditing.models import Guidelines, Notice, Seat
from auditing.selectors.seating.rounds import newest_key
from auditing.selectors.seating.sitting import ROLES, objection_of, sitting_columns
from auditing.selectors.voting.own_openings import OwnOpenings
from auditing.services.campaigns.notices import answer_call

LEASE = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat in hand, and what was read in the same statement."""

    seat: Seat
    objection: str  # why its holder may not sit on it any more; "" where all is well
    guidelines: int | None  # version in force
    reveal_point: bytes | None  # the key that votes are sealed to; None before the revealer has announced one

    @property
    def own(self) -> OwnOpenings:
        """Strict mode of the holder, without the votes that only their browser opens."""
        return OwnOpenings(getattr(self.seat.auditor, "own_key", None), (), None, 0)


def take_seat(*, person: int, now: datetime | None, after_ended: bool, token: str | None = None) -> Claim | None:
    """Take the next seat of a person, named by key, or renew the lease of the one in hand; None when there is none.

    now: None for the database's clock. after_ended: nothing is taken while others' leases have ended where this person
    comes next in the draw, because those seats are to be passed on first. token: a digest; nothing is taken unless that
    token of the person lives.
    """
    # Alone in its transaction it goes to disk with what is written next: what the seat shows, before it is read.
    is_alone = not connection.in_atomic_block
    seat: Any = _taken.first(
        person=person, token=token, roles=ROLES, now=now, lease=LEASE, after_ended=after_ended, is_alone=is_alone
    )
    if seat is None:
        return None
    # The row was read as it stood before the function changed it.
    if seat.stage == SeatStage.OFFERED:
        seat.stage, seat.taken_at = SeatStage.HELD, seat.moment
        if seat.is_called:
            answer_call(user=seat.auditor.person, now=seat.moment)
    seat.lease_until = seat.moment + LEASE
    point = seat.reveal_point
    return Claim(
        seat=seat,
        objection=objection_of(seat=seat),
        guidelines=seat.guidelines_version,
        reveal_point=None if point is None else bytes(point),
    )


def claim_at_once(*, person: int, token: str) -> Claim | None:
    """What `assignment.claim` gives, in one statement, to the holder of a token that was found live a moment ago.

    token: its digest. None where it lives no more, where nothing is free at once, or where the seat is not to be kept:
    then `assignment.claim` is for whoever turns out to ask.
    """
    taken = take_seat(person=person, now=None, after_ended=True, token=token)
    return None if taken is None or taken.objection else taken


# What a seat that is shown is made of: half of the columns, and none that grows with the campaign (Round.drawn).
_SEAT = ("stage", "place", "pseudonym", "lease_until", "taken_at", "shown")
_ROUND = ("number", "tier", "adjudicates", "stage", "due_at", "k")
_AUDIT = ("stage", "decomposition", "batch_providers")
_SEGMENT = (
    *("label", "position", "level", "source", "source_index", "start", "end", "step", "kind", "decomposition", "salt"),
    *("unit", "members", "numbering", "carries", "unasked", "entirely_childrens"),
)
_TRACE = ("domain", "digest", "whole_to_models", "copy", "erased_at", "characters")
_PERSON = ("email", "pseudonym", "public_id")
_BLOCK = ("ciphertext", "wrapped_key", "is_manifest")
_READ = (
    *_SEAT,
    *(f"round__{name}" for name in _ROUND),
    *(f"round__audit__{name}" for name in _AUDIT),
    "round__audit__policy__number",
    "round__audit__campaign__title",
    "round__audit__campaign__state",
    *(f"round__audit__trace__{name}" for name in _TRACE),
    *(f"round__audit__trace__payload__{name}" for name in _BLOCK),
    *(f"round__audit__trace__provider__{name}" for name in _PERSON),
    "round__audit__trace__provider__profile__organisation",
    *(f"round__segment__{name}" for name in _SEGMENT),
    *(f"round__segment__block__{name}" for name in _BLOCK),
    "auditor__looks",
    *(f"auditor__user__{name}" for name in _PERSON),
    "auditor__own_key__is_on",
)


@PreparedQuery
def _taken() -> QuerySet[Seat]:
    holder = "(SELECT id FROM auditing_auditor WHERE user_id = %s AND {lives})".replace("{lives}", LIVES)
    now, moment = Mark("now"), "COALESCE(%s::timestamptz, now())"
    values = [Mark("person"), *LIVES_BY, now, now, Mark("lease"), Mark("after_ended")]
    claimed = f"auditing_seat.id = (SELECT trust_claim_seat({holder}, {moment}, {moment} + %s, %s))"
    newest = Guidelines.objects.filter(campaign=OuterRef("round__audit__campaign")).order_by("-version")
    called = Notice.objects.filter(user=OuterRef("auditor__user"), kind=Notice.Kind.ASSIGNED, read_at__isnull=True)
    return (
        Seat.objects.filter(Written(claimed, values, output_field=BooleanField()), UNHURRIED_ALONE)
        .select_related(
            "round__audit__policy",
            "round__audit__campaign",
            "round__audit__trace__payload",
            "round__audit__trace__provider__profile",  # whose names are masked
            "round__segment__block",
            "auditor__user",
            "auditor__own_key",
        )
        .only(*_READ)
        .annotate(
            moment=Written(moment, [now], output_field=DateTimeField()),
            guidelines_version=Subquery(newest.values("version")[:1]),
            reveal_point=newest_key(purpose="reveal"),
            is_called=Exists(called),
            **sitting_columns(),
        )
    )
