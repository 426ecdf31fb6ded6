"""A round's auditors are drawn and its window opens. Reads Leaf, Checkpoint; writes Round, Seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction

from accounts.models import Profile
from auditing import broadcast, dispatch
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, Notice, Round, Seat
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.disclosure import DisclosureState, disclosure_state_of
from auditing.selectors.seating.eligible import eligible_auditors, trusted_pool
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event
from auditing.services.intake.batching import may_open
from auditing.services.ledger import leaves
from auditing.services.seating import sortition
from auditing.services.seating.auditors import ensure_auditors
from auditing.services.seating.sortition import TRUSTED
from auditing.services.transitions import move_round

LOOK_AGAIN, LOOK_AGAIN_LATER = timedelta(seconds=5), timedelta(seconds=30)
WAIT_FOR_FULL_ROUND = timedelta(minutes=10)
CAPACITY = 0x7365617473  # "seats": one draw of people at a time, where somebody's week is limited
_ROUND = ("audit__policy", "audit__trace__provider", "audit__campaign", "segment__block")


def seat(*, round: Round, now: datetime) -> bool:
    """Draw a seated round's auditors and open its window; False while it waits for the ledger or for people."""
    ensure_auditors(round=round)
    if sortition.find_basis(round=round) is None or not may_open(round=round, now=now):
        return _look_again(round, now)
    with transaction.atomic():
        lock_draw(round)
        drawn = _find_candidates(round, now)
        if drawn is None or not _are_drawable(round, drawn, now):
            return _look_again(round, now)
        return _open_window(round, drawn, now)


def _open_window(round: Round, drawn: "Drawn", now: datetime) -> bool:
    rules = load_policy(version=round.audit.policy, domain=round.audit.trace.domain).tier(Tier(round.tier))
    commit_by = now + timedelta(seconds=rules.commit_seconds if drawn.candidates else 0)
    if not move_round(round=round, to=RoundStage.COMMITTING, due_at=commit_by, pool=round.pool):
        return False
    if not round.redraws:
        reveal_by = int(commit_by.timestamp()) + rules.reveal_seconds
        leaves.round_opened_leaves(
            audit=round.audit, rounds=[round], commit_by=int(commit_by.timestamp()), reveal_by=reveal_by
        )
    seats = _fill(round, drawn)
    record_event(
        audit=round.audit,
        kind="round.seated",
        segment=str(round.segment_id),
        tier=round.tier,
        seats=len(seats),
        pool=drawn.pool,
    )
    return True


def _fill(round: Round, drawn: "Drawn") -> list[Seat]:
    """Seat the next of the draw on the free places; the first draw and a redraw are different leaves."""
    silent = Seat.objects.filter(round=round, stage=SeatStage.SILENT).values_list("pk", flat=True)
    replaced = list(silent.order_by("pk"))
    seats, roster = sortition.fill(
        round=round, candidates=drawn.candidates, disclosure=drawn.disclosure, places=sortition.free_places(round=round)
    )
    if seats and seats[0].draw == 0:
        leaves.assign_seats(audit=round.audit, draws=[(round, seats)], roster=roster)
    elif seats:
        leaves.substitute(round=round, seats=seats, replaced=replaced, reason="silent", roster=roster)
    remember_order(round)
    offered = [one for one in seats if one.stage == SeatStage.OFFERED]
    announce(round, offered)
    return offered


def remember_order(round: Round) -> None:
    """Who would come next: so that they are served when a lease ends."""
    waiting = [str(one.pk) for one in sortition.find_order(round=round)]
    Round.objects.filter(pk=round.pk).update(drawn=waiting, next_drawn=0)


def lock_draw(round: Round) -> None:
    """One draw of an audit at once, so that the order of the leaves is the order of the draws. Of people, one draw of a
    text at once, so that two copies cannot each disclose an auditor's whole share; and one draw at all where somebody's
    week is limited, so that two traces cannot give the last free seat of a week twice."""
    audit = Audit.objects.select_for_update(no_key=True, of=("self",)).select_related("trace").get(pk=round.audit_id)
    if round.tier != Tier.HUMAN:
        return
    _wait_for(int.from_bytes(bytes(audit.trace.digest)[:8], signed=True))
    if Profile.objects.filter(weekly_capacity__isnull=False).exists():
        _wait_for(CAPACITY)


def _wait_for(key: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])


@dataclass(frozen=True, slots=True)
class Drawn:
    """Who may be drawn; which pool they are drawn from; what keeps an auditor from one more segment."""

    candidates: Sequence[Auditor]
    disclosure: DisclosureState | None
    pool: str = "eligible"


def _are_drawable(round: Round, drawn: Drawn, now: datetime) -> bool:
    """Whether enough of the committed list can be seated; newcomers are added to it when nobody can."""
    round.pool = TRUSTED if round.adjudicates or drawn.pool == TRUSTED else ""
    fit = sortition.find_fit(round=round, candidates=drawn.candidates, disclosure=drawn.disclosure)
    if not fit and sortition.is_extending(round=round):
        return False
    return round.tier != Tier.HUMAN or _are_enough(round, len(fit), now)


def _find_candidates(round: Round, now: datetime) -> Drawn | None:
    """The draw, or None while too few may sit; after a while those few, or the trusted pool when there is nobody."""
    candidates = eligible_auditors(round=round)
    if round.tier != Tier.HUMAN:  # no machine comes by waiting: those there are, and nobody when there is none
        return Drawn(candidates, None)
    disclosure = disclosure_state_of(round=round, auditors=candidates)
    fit = sum(not disclosure.objection(one.pk) for one in candidates)
    waives = disclosure.limit is None or round.adjudicates
    if waives or _are_enough(round, fit, now):
        if _are_enough(round, len(candidates), now):
            pool = "short trace" if disclosure.limit is None else "eligible"
            return Drawn(candidates, None if waives else disclosure, pool)
        return None
    if now - round.stage_since > WAIT_FOR_FULL_ROUND and (trusted := trusted_pool(round=round)):
        return Drawn(trusted, None, TRUSTED)
    return None


def _look_again(round: Round, now: datetime) -> bool:
    """After five seconds; after half a minute for a round that has long waited, so that many cost little."""
    wait = min(max(LOOK_AGAIN, (now - round.stage_since) / 20), LOOK_AGAIN_LATER)
    Round.objects.filter(pk=round.pk, stage=RoundStage.DRAWING).update(due_at=now + wait)
    return False


def current(round: Round) -> Round:
    """The round as it stands, locked."""
    return Round.objects.select_for_update(of=("self",)).select_related(*_ROUND).get(pk=round.pk)


def _are_enough(round: Round, count: int, now: datetime) -> bool:
    wanted = 1 if round.redraws else round.k
    return count >= wanted or (count > 0 and now - round.stage_since > WAIT_FOR_FULL_ROUND)


def announce(round: Round, seats: Sequence[Seat]) -> None:
    """Tell those who were drawn, and ring open desks; neither says more than that something waits."""
    if round.tier != Tier.HUMAN:
        for one in seats:
            dispatch.enqueue("auditing.ask_model", one.pk, queue="llm")
        return
    people = [seat.auditor.user for seat in seats]
    key, text = f"assigned:{round.pk}", "Segments wait for your vote."
    tell_people(people=people, kind=Notice.Kind.ASSIGNED, key=key, text=text, link="/desk")
    broadcast.tell("desk")
