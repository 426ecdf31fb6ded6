"""Who sits where: the seeded draw, offers, leases, declines. Reads Leaf, Checkpoint; writes Round, Seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet

from auditing import broadcast, dispatch
from auditing.core.assignment import Candidate, draw, draw_seed
from auditing.core.merkle import leaf_hash
from auditing.core.stages import ACTIVE_SEATS, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, Campaign, Checkpoint, Leaf, Notice, Round, Seat
from auditing.selectors.disclosure import Standing, standing_of
from auditing.selectors.eligible import eligible_auditors, trusted_pool
from auditing.selectors.places import pseudonym
from auditing.selectors.policies import load_policy
from auditing.services import ledger
from auditing.services.batching import may_open
from auditing.services.doors import advance_round, lock_round, note
from auditing.services.notices import tell_people
from auditing.services.people import welcome

LEASE = timedelta(minutes=30)
LOOK_AGAIN = timedelta(seconds=5)
WAIT_FOR_FULL_ROUND = timedelta(minutes=10)
LAPSED_A_CLAIM = 20
CONTESTED_DAYS = 1  # a contested segment stands this much earlier in the queue for every round before it
_ROUND = ("audit__policy", "audit__trace__provider", "audit__campaign", "segment__block")


def seat(*, round: Round, now: datetime) -> bool:
    """Draw a seated round's auditors and open its window; False while it waits for the ledger or for people."""
    welcome(round=round)
    seed = find_seed(round=round)
    if seed is None or not may_open(round=round, now=now):
        return _look_again(round, now)
    with transaction.atomic():
        Audit.objects.select_for_update(no_key=True, of=("self",)).get(pk=round.audit_id)  # one draw of a trace at once
        drawn = _find_candidates(round, seed, now)
        if drawn is None:
            return _look_again(round, now)
        return _open_window(round, drawn, now)


def _open_window(round: Round, drawn: "Drawn", now: datetime) -> bool:
    rules = load_policy(version=round.audit.policy, domain=round.audit.trace.domain).tier(Tier(round.tier))
    window = timedelta(seconds=rules.commit_seconds if drawn.order else 0)
    if not advance_round(
        round=round, to=RoundStage.COMMITTING, due_at=now + window,
        drawn=[str(auditor.pk) for auditor in drawn.order], next_drawn=0,
    ):  # fmt: skip
        return False
    seats = _fill(round, drawn.order, drawn.standing)
    note(
        audit=round.audit, kind="round.seated", segment=str(round.segment_id), tier=round.tier, seats=len(seats),
        pool=drawn.pool,
    )  # fmt: skip
    return True


@dataclass(frozen=True, slots=True)
class Drawn:
    """The order of the draw; which pool it was drawn from; what keeps an auditor from one more segment."""

    order: list[Auditor]
    standing: Standing | None
    pool: str = "eligible"


def _find_candidates(round: Round, seed: bytes, now: datetime) -> Drawn | None:
    """The draw, or None while too few may sit; after a while those few, or the trusted pool when there is nobody."""
    candidates = eligible_auditors(round=round)
    if round.tier != Tier.HUMAN:  # no machine comes by waiting: those there are, and nobody when there is none
        return Drawn(_draw_order(round, seed, candidates), None)
    standing = standing_of(round=round, auditors=candidates)
    fit = sum(not standing.objection(one.pk) for one in candidates)
    waives = standing.limit is None or round.adjudicates
    if waives or _are_enough(round, fit, now):
        if _are_enough(round, len(candidates), now):
            pool = "short trace" if standing.limit is None else "eligible"
            return Drawn(_draw_order(round, seed, candidates), None if waives else standing, pool)
        return None
    if now - round.stage_since > WAIT_FOR_FULL_ROUND and (trusted := trusted_pool(round=round)):
        return Drawn(_draw_order(round, seed, trusted), None, "trusted")
    return None


def _look_again(round: Round, now: datetime) -> bool:
    Round.objects.filter(pk=round.pk, stage=RoundStage.SEATED).update(due_at=now + LOOK_AGAIN)
    return False


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
    """The seat this reviewer works on next: the one already held, else the first of the own queue.

    Leases that ended are passed on here, so that no sweep is needed for the next in the draw to be served. Two tabs of
    one reviewer are given the same seat.
    """
    for seat in _ended_leases(auditor, now):
        lapse(seat=seat, now=now)
    with transaction.atomic():
        Auditor.objects.select_for_update(no_key=True).get(pk=auditor.pk)
        held = _open_seats(auditor, now).filter(stage=SeatStage.HELD).order_by("taken_at").first()
        if held is not None and renew(seat=held, now=now):
            return held
        return _take_offer(auditor, now)


def renew(*, seat: Seat, now: datetime) -> bool:
    """Hold a seat for another half hour; False when it is no longer held."""
    return bool(Seat.objects.filter(pk=seat.pk, stage=SeatStage.HELD).update(lease_until=now + LEASE))


def _take_offer(auditor: Auditor, now: datetime) -> Seat | None:
    offer = (
        _open_seats(auditor, now)
        .filter(stage=SeatStage.OFFERED)
        .order_by("wanted_by", "pk")
        .select_for_update(skip_locked=True, of=("self",))
        .first()
    )
    if offer is None:
        return None
    Seat.objects.filter(pk=offer.pk, stage=SeatStage.OFFERED).update(
        stage=SeatStage.HELD, taken_at=now, lease_until=now + LEASE
    )
    offer.stage, offer.lease_until, offer.taken_at = SeatStage.HELD, now + LEASE, now
    return offer


def _ended_leases(auditor: Auditor, now: datetime) -> list[Seat]:
    """A few seats of others whose lease ended, where this reviewer comes next in the draw."""
    ended = Seat.objects.filter(stage=SeatStage.HELD, lease_until__lte=now, round__stage=RoundStage.COMMITTING)
    found = ended.exclude(auditor=auditor).select_related("round").order_by("lease_until")[:LAPSED_A_CLAIM]
    return [seat for seat in found if str(auditor.pk) in seat.round.drawn[seat.round.next_drawn :]]


def decline(*, seat: Seat, because: str) -> bool:
    """Give a seat back, with the reason; the next in the draw is offered it."""
    with transaction.atomic():
        lock_round(key=seat.round_id)
        return _vacate(seat, SeatStage.DECLINED, because)


def lapse(*, seat: Seat, now: datetime) -> bool:
    """Take back a seat whose lease ran out: to the next in the draw, or back on offer when nobody is left."""
    with transaction.atomic():
        lock_round(key=seat.round_id)
        current = Seat.objects.select_for_update(of=("self",)).select_related("round__audit").get(pk=seat.pk)
        if current.stage != SeatStage.HELD or current.lease_until is None or current.lease_until > now:
            return False
        if current.round.next_drawn < len(current.round.drawn):
            return _vacate(current, SeatStage.LAPSED, "")
        Seat.objects.filter(pk=seat.pk, stage=SeatStage.HELD).update(
            stage=SeatStage.OFFERED, lease_until=None, taken_at=None
        )
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
    """Offer `place` to the next auditor of the draw who may sit and is not in the round yet."""
    current = Round.objects.select_for_update(of=("self",)).select_related(*_ROUND).get(pk=round.pk)
    if current.stage != RoundStage.COMMITTING:
        return None
    waiting = _in_order(current.drawn[current.next_drawn :])
    standing = standing_of(round=current, auditors=waiting) if current.tier == Tier.HUMAN and waiting else None
    for auditor in waiting:
        Round.objects.filter(pk=round.pk).update(next_drawn=F("next_drawn") + 1)
        if _objection(current, auditor, standing):
            continue
        seat = _create_seat(current, auditor, place, standing)
        if seat is not None:
            ledger.assign_seats(audit=current.audit, round=current, seats=[seat])
            _announce(current, [seat])
            return seat
    return None


def _create_seat(round: Round, auditor: Auditor, place: int, standing: Standing | None) -> Seat | None:
    try:
        with transaction.atomic():
            return Seat.objects.create(**_seat_fields(round, auditor, place, standing))
    except IntegrityError:
        return None


def _objection(round: Round, auditor: Auditor, standing: Standing | None) -> str:
    """Why the draw passes over an auditor, which is logged; "" when it does not."""
    if standing is None or standing.limit is None or round.adjudicates:
        return ""
    why = standing.objection(auditor.pk)
    if why:
        name = pseudonym(audit=round.audit, auditor=auditor).hex()
        note(audit=round.audit, kind="seat.passed_over", round=str(round.pk), auditor=name, because=why)
    return why


def _in_order(keys: Sequence[str]) -> list[Auditor]:
    found = {str(one.pk): one for one in Auditor.objects.filter(pk__in=keys)}
    return [found[key] for key in keys if key in found]


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


def _fill(round: Round, order: Sequence[Auditor], standing: Standing | None) -> list[Seat]:
    """Seat the first of the draw who may sit on the free places."""
    taken = set(Seat.objects.filter(round=round, stage__in=ACTIVE_SEATS).values_list("place", flat=True))
    free = [place for place in range(round.k) if place not in taken]
    seats: list[Seat] = []
    asked = 0
    for auditor in order:
        if len(seats) == len(free):
            break
        asked += 1
        if not _objection(round, auditor, standing):
            seats.append(Seat(**_seat_fields(round, auditor, free[len(seats)], standing)))
    Seat.objects.bulk_create(seats)
    Round.objects.filter(pk=round.pk).update(next_drawn=asked)
    ledger.assign_seats(audit=round.audit, round=round, seats=seats)
    _announce(round, seats)
    return seats


def _announce(round: Round, seats: Sequence[Seat]) -> None:
    """Tell those who were drawn: one piece of news an audit, and a bell for open desks that says nothing else."""
    if round.tier != Tier.HUMAN:
        for one in seats:
            dispatch.ring("auditing.ask_model", one.pk, queue="llm")
        return
    people = [seat.auditor.user for seat in seats]
    key, text = f"assigned:{round.audit_id}", "Segments wait for your vote."
    tell_people(people=people, kind=Notice.Kind.ASSIGNED, key=key, text=text, link="/desk")
    broadcast.tell("desk")


def _seat_fields(round: Round, auditor: Auditor, place: int, standing: Standing | None) -> dict[str, Any]:
    """A new seat. Contested segments come first in its holder's queue, then those whose window closes first."""
    assert round.due_at is not None
    contested = timedelta(days=CONTESTED_DAYS * (round.number + round.redraws))
    return {
        "round": round,
        "auditor": auditor,
        "place": place,
        "pseudonym": pseudonym(audit=round.audit, auditor=auditor),
        "wanted_by": round.due_at - contested,
        "shown": standing.shown if standing is not None else {},
    }


def _open_seats(auditor: Auditor, now: datetime) -> QuerySet[Seat]:
    return Seat.objects.filter(
        auditor=auditor,
        round__stage=RoundStage.COMMITTING,
        round__due_at__gt=now,
        round__audit__campaign__state=Campaign.State.OPEN,
    ).select_related("round__audit__policy", "round__audit__campaign", "round__audit__trace", "round__segment__block")
