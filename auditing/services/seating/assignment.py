"""Seats in work: they are claimed, leased, given back, and passed on to the next auditor of the draw.

A seat stays with its holder only while the holder may sit on it. A conflict that either side declares after the draw, a
role or a campaign that was taken away, a calibration that lapsed: each passes the seat on, at the next claim, at the
vote, or at the sweep of unfit seats. windows.py draws a round; sortition.py is the draw itself.

Reads Seat, Round, Auditor; writes Seat, Draft, Recusal, Round, Leaf, Notice, AuditEvent.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from auditing import dispatch
from auditing.core.events import EventKind
from auditing.core.stages import AuditStage, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, Campaign, Draft, Recusal, Round, Seat
from auditing.selectors.clock import database_now
from auditing.selectors.seating.disclosure import TraceDisclosure
from auditing.selectors.seating.eligible import eligible_auditors, trusted_pool
from auditing.selectors.seating.sitting import (
    CONFLICT,
    find_unfit,
    open_seats,
    open_seats_between,
    seats_to_look_at,
)
from auditing.services.events import record_event, record_events
from auditing.services.ledger import leaves
from auditing.services.seating.claims import Claim, take_seat
from auditing.services.seating.draws import passed_over
from auditing.services.seating.sortition import TRUSTED, Lots, Turn
from auditing.services.seating.windows import announce, current, lock_draw
from auditing.services.transitions import lock_round
from auditing.services.voting import closing

LAPSED_A_CLAIM = 20  # ended leases that one claim passes on
REASSIGNED = "reassigned"  # by an admin, before its holder opened it
LATELY = timedelta(minutes=10)  # ten times as long as the sweep of unfit seats waits


def claim_next(*, auditor: Auditor, now: datetime) -> Seat | None:
    """The seat this reviewer works on next: the one already held, else the first of the own queue."""
    assert auditor.user_id is not None  # only people have a desk
    taken = claim(person=auditor.user_id, now=now, auditor=auditor)
    return None if taken is None else taken.seat


def claim(*, person: int, now: datetime | None = None, auditor: Auditor | None = None) -> Claim | None:
    """The seat that a person, named by key, works on next, with what was read beside it; by the database's clock.

    auditor: the same person, where that was read already.

    Leases that ended are passed on here, so that no sweep is needed for the next in the draw to be served. Two tabs of
    one reviewer are given the same seat. A seat that its holder may not sit on any more goes to the next of the draw.
    """
    taken = take_seat(person=person, now=now, after_ended=True)
    if taken is None:
        auditor = auditor or Auditor.objects.filter(user=person).first()
        if auditor is None:
            return None
        moment = now or database_now()
        # Only when nothing else is free: reading leases costs more than the seat that most people already have.
        for ended in _ended_leases(auditor, moment):
            lapse(seat=ended, now=moment)
        taken = take_seat(person=person, now=now, after_ended=False)
    # A role or a conflict may have changed since the draw; each decline seats the next of it.
    while taken is not None and taken.objection:
        decline(seat=taken.seat, because=taken.objection)
        taken = take_seat(person=person, now=now, after_ended=False)
    return taken


def has_work(*, auditor: Auditor, now: datetime) -> bool:
    """Whether claim_next would look at a seat; takes nothing, for pages that stand open while nobody looks."""
    return open_seats(auditor=auditor, now=now).exists() or bool(_ended_leases(auditor, now))


def _ended_leases(auditor: Auditor, now: datetime) -> list[Seat]:
    """A few seats of others whose lease ended, where this reviewer comes next in the draw."""
    next_in = ended_leases(now=now).exclude(auditor=auditor).filter(round__drawn__contains=[str(auditor.pk)])
    return list(next_in.select_related("round").order_by("lease_until")[:LAPSED_A_CLAIM])


def ended_leases(*, now: datetime) -> QuerySet[Seat]:
    """Seats whose holder was not heard of in time; while anything is paused, time stands still."""
    return Seat.objects.filter(
        stage=SeatStage.HELD,
        lease_until__lte=now,
        round__stage=RoundStage.COMMITTING,
        round__audit__paused_at__isnull=True,
    ).exclude(round__audit__campaign__state=Campaign.State.PAUSED)


def decline(*, seat: Seat, because: str) -> bool:
    """Give a seat back, with the reason; the next in the draw is offered it."""
    with transaction.atomic():
        lock_round(key=seat.round_id)
        return _vacate(seat, SeatStage.DECLINED, because)


def recuse(*, seat: Seat) -> bool:
    """Give a seat back for a conflict of interest: its holder is never asked about this provider's traces again.

    Who the provider is stays unsaid. The holder's other open seats on traces of the same provider are passed on too.
    """
    with transaction.atomic():
        left = decline(seat=seat, because=CONFLICT)
        if left:
            provider = seat.round.audit.trace.provider
            # The recusal names the provider to the system, never to the reviewer.
            Recusal.objects.get_or_create(auditor=seat.auditor, provider=provider, defaults={"seat": seat})
    if left:
        pass_on_unfit(seats=open_seats_between(auditor=seat.auditor, provider=seat.round.audit.trace.provider))
    return left


def pass_on_unfit(*, seats: QuerySet[Seat]) -> int:
    """Pass on those of `seats` that their holders may not sit on any more; returns how many."""
    return sum(decline(seat=seat, because=why) for seat, why in find_unfit(seats=seats))


def pass_on(*, auditor: Auditor, because: str, only_ordinary: bool) -> int:
    """Pass on the seats that a reviewer may no longer hold by a person's decision; votes that are sealed stay.

    only_ordinary: seats in decoys stay.
    """
    seats = Seat.objects.filter(auditor=auditor, stage__in=(SeatStage.OFFERED, SeatStage.HELD))
    if only_ordinary:
        seats = seats.filter(round__audit__trace__decoy__isnull=True)
    return sum(decline(seat=seat, because=because) for seat in seats.select_related("round__audit"))


def sweep_unfit(*, now: datetime) -> int:
    """Pass on what nobody may vote on any more, of people who left or declared something lately.

    A claim and a vote ask anyway; this only keeps segments from waiting for somebody who may never come.
    """
    return sum(pass_on_unfit(seats=seats) for seats in seats_to_look_at(since=now - LATELY))


def lapse(*, seat: Seat, now: datetime) -> bool:
    """Take back a seat whose lease ran out: to the next in the draw, or back on offer when nobody is left."""
    with transaction.atomic():
        lock_round(key=seat.round_id)
        held = Seat.objects.select_for_update(of=("self",)).select_related("round__audit").get(pk=seat.pk)
        if held.stage != SeatStage.HELD or held.lease_until is None or held.lease_until > now:
            return False
        lock_draw([held.round])
        # With nobody left to take it, its holder may come back to it: a late vote is better than none.
        if _next_of(held.round) is not None:
            return _vacate(held, SeatStage.LAPSED, "")
        Seat.objects.filter(pk=seat.pk, stage=SeatStage.HELD).update(
            stage=SeatStage.OFFERED, lease_until=None, taken_at=None
        )
        _look_again(held.round)
        return True


def reassign(*, seats: QuerySet[Seat], actor: User | None) -> int:
    """Somebody takes seats back that nobody has opened: each goes to the next in the draw; returns how many went.

    Whom the draw names next was fixed before by its seed, so that they choose when, and never who.
    """
    return sum(_reassign(key, actor) for key in seats.filter(stage=SeatStage.OFFERED).values_list("pk", "round"))


def _reassign(key: tuple[UUID, UUID], actor: User | None) -> bool:
    seat, round = key
    with transaction.atomic():
        lock_round(key=round)
        # A claim at the same moment holds the seat, or finds it gone.
        offered = Seat.objects.select_for_update(of=("self",)).filter(pk=seat, stage=SeatStage.OFFERED)
        waiting = offered.select_related("round__audit").first()
        if waiting is None:
            return False
        lock_draw([waiting.round])
        # Nobody is left to take it: a seat that waits is better than none.
        if _next_of(waiting.round) is None:
            return False
        record_event(audit=waiting.round.audit, kind=EventKind.SEAT_REASSIGNED, actor=actor, seat=str(seat))
        return _vacate(waiting, SeatStage.LAPSED, REASSIGNED)


def withdraw(*, round: Round, now: datetime) -> int:
    """Take back the seats of an open round that nobody has opened; where nobody is at work, its window ends.

    An opened seat stays with its holder, and is counted and paid. Returns how many seats were taken back.
    """
    with transaction.atomic():
        open_round = current(round)
        if open_round.stage != RoundStage.COMMITTING:
            return 0
        # A claim at the same moment holds the seat or finds it gone: both change it from "offered". No join: it would
        # make a subquery of this condition, which is not looked at again after waiting for the claim.
        offered = Seat.objects.filter(round=round, stage=SeatStage.OFFERED)
        taken = offered.update(stage=SeatStage.LAPSED, declined_because=leaves.WITHDRAWN)
        if taken:
            record_event(audit=round.audit, kind=EventKind.SEATS_WITHDRAWN, segment=str(round.segment_id), seats=taken)
        if not closing.is_awaited(round=open_round):
            closing.close_window(round=open_round, now=now)
    return taken


def _vacate(seat: Seat, to: SeatStage, because: str) -> bool:
    left = Seat.objects.filter(pk=seat.pk, stage__in=(SeatStage.OFFERED, SeatStage.HELD)).update(
        stage=to, declined_because=because[:40], lease_until=None
    )
    # No row: sealed, or passed on by somebody else. Then nothing is offered twice.
    if left:
        Draft.objects.filter(seat=seat).delete()
        record_event(audit=seat.round.audit, kind=EventKind(f"seat.{to}"), seat=str(seat.pk), because=because)
        _offer_next(seat, to)
    return bool(left)


def _offer_next(seat: Seat, left: SeatStage) -> None:
    """Offer the place of a seat to the next auditor of the draw; `left` is the stage in which its holder gave it up."""
    # Two seats of a trace may be left at the same moment: the draws of one trace wait for each other.
    lock_draw([seat.round])
    turn = _next_of(seat.round)
    if turn is None:
        _close_if_deserted(seat.round)
        return
    round = turn.round
    seats = turn.fill(places=[seat.place], draw=_next_draw(round))
    if seats:
        Seat.objects.bulk_create(seats)
        record_events(audit=round.audit, events=passed_over(seats=seats))
        leaves.substitute(round=round, seats=seats, replaced=[seat.pk], reason=str(left), roster=turn.roster)
        # Who would come next, so that a claim of theirs finds the seats whose lease has ended.
        waiting = [str(auditor) for auditor in turn.order()]
        Round.objects.filter(pk=round.pk).update(drawn=waiting, next_drawn=0)
        announce(seats=[seat for seat in seats if seat.stage == SeatStage.OFFERED])
    _look_again(round)


def _look_again(round: Round) -> None:
    """In mid-wave the trace may be decided by now: then the next sweep takes the new offer back."""
    if leaves.waves_planned(audit=round.audit):
        Audit.objects.filter(pk=round.audit_id, stage=AuditStage.AUDITING).update(counted_at=Now())
        dispatch.enqueue("auditing.advance_audit", round.audit_id)


def _next_draw(round: Round) -> int:
    """Number of the next draw of a round: 0 first."""
    last = Seat.objects.filter(round=round).aggregate(last=Max("draw"))["last"]
    return 0 if last is None else int(last) + 1


def _close_if_deserted(round: Round) -> None:
    """Nobody of the draw is left and nobody has still to vote: the window ends now, for waiting would bring nothing."""
    if round.tier != Tier.HUMAN or closing.is_awaited(round=round):
        return
    # Only the deadline moves; closing the window is the next transition, by whoever comes first.
    if Round.objects.filter(pk=round.pk, stage=RoundStage.COMMITTING).update(due_at=Now()):
        record_event(audit=round.audit, kind=EventKind.ROUND_DESERTED, segment=str(round.segment_id))
        dispatch.enqueue("auditing.advance_round", round.pk)


def _next_of(round: Round) -> Turn | None:
    """The draw for a place of an open round; None when nobody is left or its window is closed."""
    open_round = current(round)
    if open_round.stage != RoundStage.COMMITTING:
        return None
    trusted = open_round.pool == TRUSTED and not open_round.adjudicates
    candidates = trusted_pool(round=open_round) if trusted else eligible_auditors(round=open_round)
    # The disclosure budget binds people who are drawn from the eligible list; nobody else.
    is_bound = open_round.tier == Tier.HUMAN and not open_round.pool
    disclosure = None
    if is_bound and candidates:
        disclosure = TraceDisclosure(audit=open_round.audit, auditors=candidates).state(round=open_round)
    turn = Turn(lots=Lots(audit=open_round.audit), round=open_round, candidates=candidates, disclosure=disclosure)
    if next(turn.fit(), None) is not None:
        return turn
    # They can be drawn as soon as a checkpoint covers their list.
    turn.lots.extend()
    return None
