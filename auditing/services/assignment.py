"""Who sits where: the seeded draw, offers, leases, declines. Reads Leaf, Checkpoint; writes Round, Seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from auditing import broadcast, dispatch
from auditing.core.stages import AuditStage, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, Campaign, Notice, Round, Seat
from auditing.selectors.disclosure import Standing, standing_of
from auditing.selectors.eligible import conflict_of, eligible_auditors, trusted_pool
from auditing.selectors.policies import load_policy
from auditing.services import drawing, ledger
from auditing.services.batching import may_open
from auditing.services.doors import advance_round, lock_round, note
from auditing.services.drawing import TRUSTED
from auditing.services.notices import answer_call, tell_people
from auditing.services.people import welcome

LEASE = timedelta(minutes=30)
LOOK_AGAIN = timedelta(seconds=5)
WAIT_FOR_FULL_ROUND = timedelta(minutes=10)
LAPSED_A_CLAIM = 20
CONFLICT = "conflict of interest"
_ROUND = ("audit__policy", "audit__trace__provider", "audit__campaign", "segment__block")


def seat(*, round: Round, now: datetime) -> bool:
    """Draw a seated round's auditors and open its window; False while it waits for the ledger or for people."""
    welcome(round=round)
    if drawing.find_basis(round=round) is None or not may_open(round=round, now=now):
        return _look_again(round, now)
    with transaction.atomic():
        _lock_audit(round)
        drawn = _find_candidates(round, now)
        if drawn is None or not _are_drawable(round, drawn, now):
            return _look_again(round, now)
        return _open_window(round, drawn, now)


def _open_window(round: Round, drawn: "Drawn", now: datetime) -> bool:
    rules = load_policy(version=round.audit.policy, domain=round.audit.trace.domain).tier(Tier(round.tier))
    commit_by = now + timedelta(seconds=rules.commit_seconds if drawn.candidates else 0)
    if not advance_round(round=round, to=RoundStage.COMMITTING, due_at=commit_by, pool=round.pool):
        return False
    if not round.redraws:
        reveal_by = int(commit_by.timestamp()) + rules.reveal_seconds
        ledger.open_rounds(audit=round.audit, rounds=[round], commit_by=int(commit_by.timestamp()), reveal_by=reveal_by)
    seats = _fill(round, drawn)
    note(
        audit=round.audit, kind="round.seated", segment=str(round.segment_id), tier=round.tier, seats=len(seats),
        pool=drawn.pool,
    )  # fmt: skip
    return True


def _fill(round: Round, drawn: "Drawn") -> list[Seat]:
    """Seat the next of the draw on the free places; the first draw and a redraw are different leaves."""
    silent = Seat.objects.filter(round=round, stage=SeatStage.SILENT).values_list("pk", flat=True)
    replaced = list(silent.order_by("pk"))
    seats, roster = drawing.fill(
        round=round, candidates=drawn.candidates, standing=drawn.standing, places=drawing.free_places(round=round)
    )
    if seats and seats[0].draw == 0:
        ledger.assign_seats(audit=round.audit, draws=[(round, seats)], roster=roster)
    elif seats:
        ledger.substitute(round=round, seats=seats, replaced=replaced, reason="silent", roster=roster)
    _remember_order(round)
    offered = [one for one in seats if one.stage == SeatStage.OFFERED]
    _announce(round, offered)
    return offered


def _remember_order(round: Round) -> None:
    """Who would come next: so that they are served when a lease ends."""
    waiting = [str(one.pk) for one in drawing.find_order(round=round)]
    Round.objects.filter(pk=round.pk).update(drawn=waiting, next_drawn=0)


def _lock_audit(round: Round) -> None:
    """One draw of a trace at once, so that the order of the leaves is the order of the draws."""
    Audit.objects.select_for_update(no_key=True, of=("self",)).get(pk=round.audit_id)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Who may be drawn; which pool they are drawn from; what keeps an auditor from one more segment."""

    candidates: Sequence[Auditor]
    standing: Standing | None
    pool: str = "eligible"


def _are_drawable(round: Round, drawn: Drawn, now: datetime) -> bool:
    """Whether enough of the committed list can be seated; newcomers are added to it when nobody can."""
    round.pool = TRUSTED if round.adjudicates or drawn.pool == TRUSTED else ""
    fit = drawing.find_fit(round=round, candidates=drawn.candidates, standing=drawn.standing)
    if not fit and drawing.is_extending(round=round):
        return False
    return round.tier != Tier.HUMAN or _are_enough(round, len(fit), now)


def _find_candidates(round: Round, now: datetime) -> Drawn | None:
    """The draw, or None while too few may sit; after a while those few, or the trusted pool when there is nobody."""
    candidates = eligible_auditors(round=round)
    if round.tier != Tier.HUMAN:  # no machine comes by waiting: those there are, and nobody when there is none
        return Drawn(candidates, None)
    standing = standing_of(round=round, auditors=candidates)
    fit = sum(not standing.objection(one.pk) for one in candidates)
    waives = standing.limit is None or round.adjudicates
    if waives or _are_enough(round, fit, now):
        if _are_enough(round, len(candidates), now):
            pool = "short trace" if standing.limit is None else "eligible"
            return Drawn(candidates, None if waives else standing, pool)
        return None
    if now - round.stage_since > WAIT_FOR_FULL_ROUND and (trusted := trusted_pool(round=round)):
        return Drawn(trusted, None, TRUSTED)
    return None


def _look_again(round: Round, now: datetime) -> bool:
    Round.objects.filter(pk=round.pk, stage=RoundStage.SEATED).update(due_at=now + LOOK_AGAIN)
    return False


def claim_next(*, auditor: Auditor, now: datetime) -> Seat | None:
    """The seat this reviewer works on next: the one already held, else the first of the own queue.

    Leases that ended are passed on here, so that no sweep is needed for the next in the draw to be served. Two tabs of
    one reviewer are given the same seat.
    """
    for ended in _ended_leases(auditor, now):
        lapse(seat=ended, now=now)
    seat = _claim(auditor, now)
    while seat is not None and conflict_of(user=seat.auditor.user, provider=seat.round.audit.trace.provider):
        decline(seat=seat, because=CONFLICT)  # either side declared it after the draw
        seat = _claim(auditor, now)
    return seat


def _claim(auditor: Auditor, now: datetime) -> Seat | None:
    """The seat held, else the first on offer, under the auditor's own lock."""
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
    answer_call(user=offer.auditor.user, now=now)
    return offer


def _ended_leases(auditor: Auditor, now: datetime) -> list[Seat]:
    """A few seats of others whose lease ended, where this reviewer comes next in the draw."""
    ended = Seat.objects.filter(stage=SeatStage.HELD, lease_until__lte=now, round__stage=RoundStage.COMMITTING)
    next_in = ended.exclude(auditor=auditor).filter(round__drawn__contains=[str(auditor.pk)])
    return list(next_in.select_related("round").order_by("lease_until")[:LAPSED_A_CLAIM])


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
        _lock_audit(current.round)
        if _next_of(current.round) is not None:
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
        _offer_next(seat, to)
    return bool(left)


def _offer_next(seat: Seat, left: SeatStage) -> None:
    """Offer the place of a seat that was left to the next auditor of the draw."""
    _lock_audit(seat.round)
    drawn = _next_of(seat.round)
    if drawn is None:
        return
    current = _current(seat.round)
    seats, roster = drawing.fill(
        round=current, candidates=drawn.candidates, standing=drawn.standing, places=[seat.place]
    )
    if seats:
        ledger.substitute(round=current, seats=seats, replaced=[seat.pk], reason=str(left), roster=roster)
        _remember_order(current)
        _announce(current, [one for one in seats if one.stage == SeatStage.OFFERED])


def _next_of(round: Round) -> Drawn | None:
    """Who may be drawn for a place of an open round; None when nobody is left or its window is closed."""
    current = _current(round)
    if current.stage != RoundStage.COMMITTING:
        return None
    trusted = current.pool == TRUSTED and not current.adjudicates
    candidates = trusted_pool(round=current) if trusted else eligible_auditors(round=current)
    is_bound = current.tier == Tier.HUMAN and not current.pool
    standing = standing_of(round=current, auditors=candidates) if is_bound and candidates else None
    fit = drawing.find_fit(round=current, candidates=candidates, standing=standing)
    return Drawn(candidates, standing, current.pool) if fit else None


def _current(round: Round) -> Round:
    return Round.objects.select_for_update(of=("self",)).select_related(*_ROUND).get(pk=round.pk)


def _are_enough(round: Round, count: int, now: datetime) -> bool:
    wanted = 1 if round.redraws else round.k
    return count >= wanted or (count > 0 and now - round.stage_since > WAIT_FOR_FULL_ROUND)


def _announce(round: Round, seats: Sequence[Seat]) -> None:
    """Tell those who were drawn, and ring open desks; neither says more than that something waits."""
    if round.tier != Tier.HUMAN:
        for one in seats:
            dispatch.ring("auditing.ask_model", one.pk, queue="llm")
        return
    people = [seat.auditor.user for seat in seats]
    key, text = f"assigned:{round.pk}", "Segments wait for your vote."
    tell_people(people=people, kind=Notice.Kind.ASSIGNED, key=key, text=text, link="/desk")
    broadcast.tell("desk")


def _open_seats(auditor: Auditor, now: datetime) -> QuerySet[Seat]:
    return Seat.objects.filter(
        auditor=auditor,
        round__stage=RoundStage.COMMITTING,
        round__due_at__gt=now,
        round__audit__campaign__state=Campaign.State.OPEN,
        round__audit__stage=AuditStage.AUDITING,
        round__audit__paused_at__isnull=True,
    ).select_related(
        "round__audit__policy", "round__audit__campaign", "round__audit__trace__provider__profile",
        "round__segment__block", "auditor__user__profile",
    )  # fmt: skip
