"""A seat as a vote for it finds it: all that decides whether the vote can be accepted, in one statement.

Reads Seat, Round, Audit, Commitment, Adjudication, Guidelines, Leaf, a token, and what decides who may sit.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    BooleanField,
    DateTimeField,
    Exists,
    Field,
    IntegerField,
    OuterRef,
    QuerySet,
    Subquery,
    UUIDField,
)

from accounts.prepared import Mark, PreparedQuery, Slot, Written
from accounts.selectors.live_tokens import LIVES, LIVES_BY
from auditing.core.values import Tier
from auditing.models import Adjudication, Commitment, Guidelines, Seat
from auditing.selectors.ledger.signing import longest_wait
from auditing.selectors.seating.rounds import newest_key
from auditing.selectors.seating.sitting import ROLES, objection_of, sitting_columns


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatToSeal:
    """One seat, and what decides about a vote for it."""

    seat: Seat
    now: datetime
    others: list[str]  # stages of the other seats of its round
    earlier: Commitment | None  # the vote that was sealed already
    objection: str  # why its holder may not vote on it any more; "" where all is well
    has_reason: bool  # its adjudicator said why the segment is contested
    newest_guidelines: int | None  # keys of versions of the campaign's guidelines
    named_guidelines: int | None
    receipt_key: bytes | None  # in force for promises
    is_late: bool  # whether entries wait for the log for longer than was promised


def find_seat_to_seal(
    *,
    seat_id: UUID,
    person: int | None = None,
    auditor: UUID | None = None,
    now: datetime | None = None,
    version: int | None = None,
    token: str | None = None,
) -> SeatToSeal | None:
    """A seat of a person, or else of an auditor, each named by key; None for a seat of anybody else.

    now: None for the database's clock. version: of the campaign's guidelines, to be looked up. token: a digest; None
    unless that token of the person lives.
    """
    query, holder = (_BY_AUDITOR, auditor) if person is None else (_BY_PERSON, person)
    values = {"holder": holder, "now": now, "version": version, "longest_wait": longest_wait()}
    seat: Any = query.first(seat=seat_id, person=person, token=token, roles=ROLES, **values)
    if seat is None:
        return None
    return SeatToSeal(
        seat=seat,
        now=seat.moment,
        others=seat.others,
        earlier=getattr(seat, "commitment", None),
        objection=objection_of(seat=seat, is_voting=True) if seat.round.tier == Tier.HUMAN else "",
        has_reason=seat.has_reason,
        newest_guidelines=seat.newest_guidelines,
        named_guidelines=seat.named_guidelines,
        receipt_key=None if seat.receipt_key is None else bytes(seat.receipt_key),
        is_late=bool(seat.is_late),
    )


# What decides about a vote, stands in its leaf or ends its window; nothing that grows with the campaign (Round.drawn).
_READ = (
    *("stage", "place", "pseudonym", "shown", "auditor", "lease_until", "taken_at"),
    *("round__number", "round__tier", "round__adjudicates", "round__stage", "round__due_at", "round__k"),
    "round__redraws",
    "round__audit__stage",
    "round__audit__campaign",
    "round__audit__policy__number",
    "round__audit__trace__domain",
    "round__audit__trace__digest",
    *("round__segment__label", "round__segment__level", "round__segment__salt", "round__segment__unit"),
    *("commitment__digest", "commitment__receipt", "commitment__committed_at"),
)


def _seat_of(owner: str, key: "Field[Any, Any]") -> QuerySet[Seat]:
    guidelines = Guidelines.objects.filter(campaign=OuterRef("round__audit__campaign"))
    others = Seat.objects.filter(round=OuterRef("round")).exclude(pk=OuterRef("pk"))
    named = guidelines.filter(version=Slot("version", IntegerField()))
    # The owner is part of the query: somebody else's seat is no seat.
    lives = Written(LIVES, LIVES_BY, output_field=BooleanField())
    seats = Seat.objects.filter(lives, pk=Slot("seat", UUIDField()), **{owner: Slot("holder", key)})
    return (
        seats.select_related("round__segment", "round__audit__policy", "round__audit__trace", "commitment")
        .only(*_READ)
        .annotate(
            moment=Written("COALESCE(%s::timestamptz, now())", [Mark("now")], output_field=DateTimeField()),
            others=ArraySubquery(others.order_by().values("stage")),
            has_reason=Exists(Adjudication.objects.filter(round=OuterRef("round"))),
            newest_guidelines=Subquery(guidelines.order_by("-version").values("pk")[:1]),
            named_guidelines=Subquery(named.values("pk")[:1]),
            receipt_key=newest_key(purpose="receipt"),
            is_late=Written(_LATE, [Mark("longest_wait")], output_field=BooleanField()),
            **sitting_columns(),
        )
    )


# Of the oldest: a backlog is not read through at every vote.
_LATE = """(SELECT leaf.created FROM auditing_leaf AS leaf WHERE leaf.index IS NULL ORDER BY leaf.id LIMIT 1)
    < now() - %s::interval"""
_BY_PERSON = PreparedQuery(partial(_seat_of, "auditor__user", IntegerField()))
_BY_AUDITOR = PreparedQuery(partial(_seat_of, "auditor", UUIDField()))
