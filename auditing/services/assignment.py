"""Who sits where: the seeded draw, offers, leases, declines. Reads Leaf, Checkpoint; writes Round, Seat."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet

from auditing import dispatch
from auditing.core.assignment import Candidate, draw, draw_seed
from auditing.core.merkle import leaf_hash
from auditing.core.stages import ACTIVE_SEATS, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Auditor, Checkpoint, Leaf, Round, Seat
from auditing.selectors.eligible import eligible_auditors
from auditing.selectors.places import pseudonym
from auditing.selectors.policies import load_policy
from auditing.services import ledger
from auditing.services.doors import advance_round, note
from auditing.services.people import seat_newcomers

LEASE = timedelta(minutes=30)
LOOK_AGAIN = timedelta(seconds=5)
WAIT_FOR_FULL_ROUND = timedelta(minutes=10)


def seat(*, round: Round, now: datetime) -> bool:
    """Draw a seated round's auditors and open its window; False while it waits for the ledger or for people."""
    if round.tier == Tier.HUMAN:
        seat_newcomers()
    seed = find_seed(round=round)
    candidates = eligible_auditors(round=round)
    if seed is None or not _are_enough(round, len(candidates), now):
        Round.objects.filter(pk=round.pk, stage=RoundStage.SEATED).update(due_at=now + LOOK_AGAIN)
        return False
    with transaction.atomic():
        rules = load_policy(version=round.audit.policy, domain=round.audit.trace.domain).tier(Tier(round.tier))
        seconds = rules.commit_seconds
        order = _draw_order(round, seed, candidates)
        if not advance_round(
            round=round, to=RoundStage.COMMITTING, due_at=now + timedelta(seconds=seconds),
            drawn=[str(auditor.pk) for auditor in order], next_drawn=0,
        ):  # fmt: skip
            return False
        seats = _fill(round, order)
        note(audit=round.audit, kind="round.seated", segment=str(round.segment_id), tier=round.tier, seats=len(seats))
        for one in seats if round.tier == Tier.LLM else ():
            dispatch.ring("auditing.ask_model", one.pk, queue="llm")
    return True


def find_seed(*, round: Round) -> bytes | None:
    """The seed of an audit's draws, once a checkpoint covers its audit.open leaf; None before."""
    leaf = Leaf.objects.filter(audit=round.audit_id, kind="audit.open", index__isnull=False).first()
    if leaf is None or leaf.index is None:
        return None
    head = Checkpoint.objects.filter(size__gt=leaf.index).order_by("size").first()
    if head is None:
        return None
    return draw_seed(secret=bytes(round.audit.seed), open_leaf=leaf_hash(entry=bytes(leaf.body)), root=bytes(head.root))


def claim_next(*, auditor: Auditor, now: datetime) -> Seat | None:
    """The seat this reviewer works on next: the one already held, else the oldest offer, taken in one statement."""
    held = _open_seats(auditor, now).filter(stage=SeatStage.HELD).order_by("taken_at").first()
    if held is not None:
        Seat.objects.filter(pk=held.pk, stage=SeatStage.HELD).update(lease_until=now + LEASE)
        return held
    with transaction.atomic():
        offer = (
            _open_seats(auditor, now)
            .filter(stage=SeatStage.OFFERED)
            .order_by("offered_at", "pk")
            .select_for_update(skip_locked=True, of=("self",))
            .first()
        )
        if offer is None:
            return None
        Seat.objects.filter(pk=offer.pk, stage=SeatStage.OFFERED).update(
            stage=SeatStage.HELD, taken_at=now, lease_until=now + LEASE
        )
        offer.stage, offer.lease_until = SeatStage.HELD, now + LEASE
    return offer


def decline(*, seat: Seat, because: str) -> bool:
    """Give a seat back, with the reason; the next in the draw is offered it."""
    with transaction.atomic():
        return _vacate(seat, SeatStage.DECLINED, because)


def lapse(*, seat: Seat, now: datetime) -> bool:
    """Take back a seat whose lease ran out: to the next in the draw, or back on offer when nobody is left."""
    with transaction.atomic():
        current = Seat.objects.select_for_update().select_related("round__audit").get(pk=seat.pk)
        if current.stage != SeatStage.HELD or current.lease_until is None or current.lease_until > now:
            return False
        if current.round.next_drawn < len(current.round.drawn):
            return _vacate(current, SeatStage.LAPSED, "")
        Seat.objects.filter(pk=seat.pk).update(stage=SeatStage.OFFERED, lease_until=None, taken_at=None)
        return True


def _vacate(seat: Seat, to: SeatStage, because: str) -> bool:
    left = Seat.objects.filter(pk=seat.pk, stage__in=(SeatStage.OFFERED, SeatStage.HELD)).update(
        stage=to, declined_because=because[:40], lease_until=None
    )
    if left:
        note(audit=seat.round.audit, kind=f"seat.{to}", seat=str(seat.pk), because=because)
        _offer_next(seat.round, seat.place)
    return bool(left)


def _offer_next(round: Round, place: int) -> Seat | None:
    """Offer `place` to the next auditor of the draw who is not in the round yet."""
    current = Round.objects.select_for_update().get(pk=round.pk)
    Round.objects.filter(pk=round.pk).update(next_drawn=F("next_drawn") + 1)
    if current.stage != RoundStage.COMMITTING or current.next_drawn >= len(current.drawn):
        return None
    auditor = Auditor.objects.get(pk=current.drawn[current.next_drawn])
    try:
        with transaction.atomic():
            seat = Seat.objects.create(
                round=current, auditor=auditor, place=place,
                pseudonym=pseudonym(audit=round.audit, auditor=auditor),
            )  # fmt: skip
    except IntegrityError:
        return None
    ledger.assign_seats(audit=round.audit, round=current, seats=[seat])
    return seat


def _are_enough(round: Round, count: int, now: datetime) -> bool:
    wanted = 1 if round.redraws else round.k
    return count >= wanted or (count > 0 and now - round.stage_since > WAIT_FOR_FULL_ROUND)


def _draw_order(round: Round, seed: bytes, candidates: Sequence[Auditor]) -> list[Auditor]:
    by_name = {pseudonym(audit=round.audit, auditor=one): one for one in candidates}
    order = draw(
        seed=seed,
        segment_id=round.segment_id,
        round=round.number,
        candidates=[Candidate(auditor_id=name, weight=1) for name in by_name],
    )
    return [by_name[name] for name in order]


def _fill(round: Round, order: list[Auditor]) -> list[Seat]:
    """Seat the first of the draw on the free places."""
    taken = set(Seat.objects.filter(round=round, stage__in=ACTIVE_SEATS).values_list("place", flat=True))
    free = [place for place in range(round.k) if place not in taken]
    seats = Seat.objects.bulk_create(
        Seat(round=round, auditor=auditor, place=place, pseudonym=pseudonym(audit=round.audit, auditor=auditor))
        for place, auditor in zip(free, order, strict=False)
    )
    Round.objects.filter(pk=round.pk).update(next_drawn=len(seats))
    ledger.assign_seats(audit=round.audit, round=round, seats=seats)
    return seats


def _open_seats(auditor: Auditor, now: datetime) -> QuerySet[Seat]:
    return Seat.objects.filter(
        auditor=auditor, round__stage=RoundStage.COMMITTING, round__due_at__gt=now
    ).select_related("round__audit__policy", "round__audit__campaign", "round__audit__trace", "round__segment__block")
