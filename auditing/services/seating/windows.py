"""drawing -> committing: a round's auditors are drawn and its window for sealed votes opens.

A round waits for three things: a checkpoint that covers the audit's list, its policy (batch full, premises decided, not
paused), and enough people who may sit. The sweep looks again every few seconds.

Reads Round, Leaf, Checkpoint, Profile; writes Round, Seat, Roster, Leaf, Notice, AuditEvent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction

from accounts.models import Profile
from auditing import broadcast, dispatch
from auditing.core.events import EventKind
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
WAIT_FOR_FULL_ROUND = timedelta(minutes=10)  # then fewer than k people are enough
CAPACITY = 0x7365617473  # "seats": the key of an advisory lock, for draws where somebody's week is limited
_ROUND = ("audit__policy", "audit__trace__provider", "audit__campaign", "segment__block")


def seat(*, round: Round, now: datetime) -> bool:
    """Draw the auditors of a round and open its window; False while it waits for the ledger, its policy or people."""
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
    # A round that nobody can ever fill closes at once, and its segment goes on to the next tier.
    commit_by = now + timedelta(seconds=rules.commit_seconds if drawn.candidates else 0)
    if not move_round(round=round, to=RoundStage.COMMITTING, due_at=commit_by, pool=round.pool):
        return False
    # A redraw is the same round: its round.open leaf stands already.
    if not round.redraws:
        reveal_by = int(commit_by.timestamp()) + rules.reveal_seconds
        leaves.round_opened_leaves(
            audit=round.audit, rounds=[round], commit_by=int(commit_by.timestamp()), reveal_by=reveal_by
        )
    seats = _fill(round, drawn)
    record_event(
        audit=round.audit,
        kind=EventKind.ROUND_SEATED,
        segment=str(round.segment_id),
        tier=round.tier,
        seats=len(seats),
        pool=drawn.pool,
    )
    return True


def _fill(round: Round, drawn: "Drawn") -> list[Seat]:
    """Seat the next of the draw on the free places; the first draw and a redraw are different leaves."""
    # The leaf of a redraw names the seats that it replaces.
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
    offered = [seat for seat in seats if seat.stage == SeatStage.OFFERED]
    announce(round, offered)
    return offered


def remember_order(round: Round) -> None:
    """Store who would come next, so that a claim of theirs finds the seats whose lease has ended."""
    waiting = [str(auditor.pk) for auditor in sortition.find_order(round=round)]
    Round.objects.filter(pk=round.pk).update(drawn=waiting, next_drawn=0)


def lock_draw(round: Round) -> None:
    """Make draws that could disturb each other take turns, until the end of the transaction."""
    # 1. Draws of one audit: the order of the leaves is the order of the draws.
    audit = Audit.objects.select_for_update(no_key=True, of=("self",)).select_related("trace").get(pk=round.audit_id)
    if round.tier != Tier.HUMAN:
        return
    # 2. Draws for one text: two copies of it must not each disclose a person's whole share.
    _wait_for(int.from_bytes(bytes(audit.trace.digest)[:8], signed=True))
    # 3. All draws where somebody's week is limited: two traces must not give the last free seat of a week twice.
    if Profile.objects.filter(weekly_capacity__isnull=False).exists():
        _wait_for(CAPACITY)


def _wait_for(key: int) -> None:
    """An advisory lock: PostgreSQL releases it at the end of the transaction, however that ends."""
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
    # Waiting brings no machine: those there are, and nobody when there is none.
    if round.tier != Tier.HUMAN:
        return Drawn(candidates, None)
    disclosure = disclosure_state_of(round=round, auditors=candidates)
    fit = sum(not disclosure.objection(auditor.pk) for auditor in candidates)
    # No limit: the trace is so short that any share of it is the whole. An adjudicator reads everything anyway.
    waives = disclosure.limit is None or round.adjudicates
    if waives or _are_enough(round, fit, now):
        if _are_enough(round, len(candidates), now):
            pool = "short trace" if disclosure.limit is None else "eligible"
            return Drawn(candidates, None if waives else disclosure, pool)
        return None
    # After a while: people who may see more than their share, rather than a segment that nobody judges.
    if now - round.stage_since > WAIT_FOR_FULL_ROUND:
        trusted = trusted_pool(round=round)
        return Drawn(trusted, None, TRUSTED) if trusted else None
    return None


def _look_again(round: Round, now: datetime) -> bool:
    """After five seconds; after half a minute for a round that has long waited, so that many cost little."""
    # A twentieth of the time it has waited: a round that waits for an hour is not asked every five seconds.
    wait = min(max(LOOK_AGAIN, (now - round.stage_since) / 20), LOOK_AGAIN_LATER)
    Round.objects.filter(pk=round.pk, stage=RoundStage.DRAWING).update(due_at=now + wait)
    return False


def current(round: Round) -> Round:
    """The round as it stands, locked."""
    return Round.objects.select_for_update(of=("self",)).select_related(*_ROUND).get(pk=round.pk)


def _are_enough(round: Round, count: int, now: datetime) -> bool:
    """k people, or anybody at all once the round has waited long; a redraw has only some places to fill."""
    wanted = 1 if round.redraws else round.k
    return count >= wanted or (count > 0 and now - round.stage_since > WAIT_FOR_FULL_ROUND)


def announce(round: Round, seats: Sequence[Seat]) -> None:
    """Tell those who were drawn, and the open desks; neither learns more than that something waits."""
    # Models have no desk: each seat is a task.
    if round.tier != Tier.HUMAN:
        for seat in seats:
            dispatch.enqueue("auditing.ask_model", seat.pk, queue="llm")
        return
    people = [seat.auditor.person for seat in seats]
    key, text = f"assigned:{round.pk}", "Segments wait for your vote."
    tell_people(people=people, kind=Notice.Kind.ASSIGNED, key=key, text=text, link="/desk")
    broadcast.tell("desk")
