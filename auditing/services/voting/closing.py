"""The end of a window: no more sealed votes, and all of it stands in the ledger before any vote is opened.

Windows that end at about the same time are closed together: a closing reads what is believed of everyone who sealed,
and for many rounds of one campaign that is read once.

Reads Seat, Commitment, the policy, auditors' skills; writes Round, Seat, WeightSource, Leaf, Notice, AuditEvent.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import BooleanField, Count, Exists, F, OuterRef, Q, QuerySet

from accounts.prepared import UNHURRIED_ALONE, Changes, Mark, PreparedQuery, PreparedUpdate, Written
from accounts.prepared.cursors import change
from auditing import dispatch
from auditing.core.consensus.skills import Skill
from auditing.core.consensus.weight_sources import Record, sources_digest
from auditing.core.events import EventKind
from auditing.core.ledger import leaves as kinds
from auditing.core.policy import Policy
from auditing.core.policy.windows import window_of
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Round, Seat, WeightSource
from auditing.selectors.consensus.skills import skills_for
from auditing.selectors.consensus.weights import sources_for
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.voting.bindings import weight_salt
from auditing.services.events import record_events
from auditing.services.ledger import leaves
from auditing.services.transitions import end_windows
from auditing.services.voting import own_openings
from hdag.store.arrays import pack
from hdag.store.rows import insert


def close_window(*, round: Round, now: datetime) -> bool:
    """No more sealed votes of one round; False when another worker was first."""
    return bool(close_windows(rounds=[round], now=now))


def close_windows(*, rounds: Sequence[Round], now: datetime) -> int:
    """No more sealed votes of any of these rounds; returns how many were still open. All of them or none."""
    with transaction.atomic(savepoint=False):
        # As long as the round's leaf says, or longer: the leaf states the policy's time, also where that is short.
        tiers = {round.pk: (Tier(round.tier), _policy_of(round)) for round in rounds}
        seconds = {key: window_of(tier=tier, seconds=of.tier(tier).reveal_seconds) for key, (tier, of) in tiers.items()}
        closed = end_windows(
            rounds=rounds, due_at={key: now + timedelta(seconds=most) for key, most in seconds.items()}
        )
        if not closed:
            return 0
        Seat.objects.filter(round__in=closed, stage__in=(SeatStage.OFFERED, SeatStage.HELD)).update(
            stage=SeatStage.SILENT, lease_until=None
        )
        _weigh(closed)
        _publish(closed)
        own_openings.ask_for(rounds=closed)
    return len(closed)


def end_window(*, round: Round, now: datetime) -> None:
    """Nothing is waited for any more: the window ends now, and a worker closes it with others that ended."""
    # The sweep finds it where the message is lost; where the row is, too, `end_forgotten_windows` does.
    _end.run(round=round.pk, now=now, is_alone=not connection.in_atomic_block)
    dispatch.enqueue_soon("auditing.close_windows")


@PreparedUpdate
def _end(round: UUID, now: datetime) -> Changes:
    rows = Round.objects.filter(UNHURRIED_ALONE, pk=round, stage=RoundStage.COMMITTING, due_at__gt=now)
    return rows, {"due_at": now}


def end_forgotten_windows(*, now: datetime) -> int:
    """End the windows in which nothing is waited for and whose end was lost; returns how many.

    The last vote is on disk before it is answered; the end of its window is not. A process or a PostgreSQL that dies
    between them leaves a round that would wait for its deadline, which may be days away.
    """
    at_work = Seat.objects.filter(round=OuterRef("pk"))
    # The same rule as when a vote is sealed (commitment.py).
    is_full = Q(sealed__gte=F("k")) & ~Exists(at_work.filter(stage=SeatStage.HELD))
    is_deserted = Q(tier=Tier.HUMAN) & ~Exists(at_work.filter(stage__in=(SeatStage.OFFERED, SeatStage.HELD)))
    sealed = Round.objects.filter(
        stage=RoundStage.COMMITTING, due_at__gt=now, seats__stage=SeatStage.COMMITTED
    ).annotate(sealed=Count("seats"))
    keys = list(sealed.filter(is_full | is_deserted).values_list("pk", flat=True))
    return Round.objects.filter(pk__in=keys, stage=RoundStage.COMMITTING, due_at__gt=now).update(due_at=now)


def is_awaited(*, round: Round) -> bool:
    """Whether somebody holds a seat of a round, or is offered one."""
    return Seat.objects.filter(round=round, stage__in=(SeatStage.OFFERED, SeatStage.HELD)).exists()


def _weigh(rounds: Sequence[Round]) -> None:
    """Weights before votes: what is believed of everyone who sealed stands in the log before the closing does.

    Votes are opened only after the closing, so nobody can weigh a vote after seeing it.
    """
    made: list[kinds.Skills] = []
    sources: list[WeightSource] = []
    seats = _seats_to_weigh(rounds)
    for alike in _alike(rounds):
        skills, records = _believed(alike, [seat for round in alike for seat in seats[round.pk]])
        for round in alike:
            weighed = {seat.pk: records[seat.auditor_id] for seat in seats[round.pk]}
            sources += [WeightSource(seat_id=seat, record=record) for seat, record in weighed.items()]
            digests = {
                seat: sources_digest(salt=weight_salt(seat=seat), record=record) for seat, record in weighed.items()
            }
            made += leaves.skills_leaves(round=round, seats=seats[round.pk], skills=skills, sources=digests)
    insert(sources)
    leaves.write_named(leaves=made)


def _seats_to_weigh(rounds: Sequence[Round]) -> dict[UUID, list[Seat]]:
    """The sealed seats of each round that have no weight yet."""
    # A redraw closes the window again: those who were weighed at the first closing keep their weights.
    weighed = {round.pk: leaves.weights_of(round=round) for round in rounds if round.redraws}
    seats: dict[UUID, list[Seat]] = defaultdict(list)
    for seat in _sealed_seats.rows(rounds=[round.pk for round in rounds]):
        if bytes(seat.pseudonym) not in weighed.get(seat.round_id, ()):
            seats[seat.round_id].append(seat)
    return seats


def _alike(rounds: Iterable[Round]) -> Iterable[list[Round]]:
    """Rounds of which the same is believed of the same people: one policy, campaign, domain and level."""
    groups: dict[Any, list[Round]] = defaultdict(list)
    for round in rounds:
        audit = round.audit
        groups[audit.policy_id, audit.campaign_id, audit.trace.domain, round.segment.level].append(round)
    return groups.values()


def _believed(alike: Sequence[Round], seats: Iterable[Seat]) -> tuple[dict[str, Skill], dict[UUID, Record]]:
    """Skill and record of everyone who sealed in rounds that are alike."""
    auditors = list({seat.auditor_id: seat.auditor for seat in seats}.values())
    policy, sample = _policy_of(alike[0]), alike[0]
    records = sources_for(auditors=auditors, policy=policy, round=sample) if auditors else {}
    return skills_for(auditors=auditors, policy=policy, round=sample), records


def _publish(rounds: Sequence[Round]) -> None:
    """The closing of each round, and its event. The salts of the draw go with it: now everybody may know who sat."""
    made = leaves.closing_leaves(rounds=rounds)
    rows = leaves.write_named(leaves=made)
    columns = [pack([round.pk for round in rounds], "uuid"), pack([leaf.pk for leaf in rows], "bigint")]
    change(_KEEP_CLOSINGS, columns)
    events: dict[UUID, list[tuple[EventKind, dict[str, Any]]]] = defaultdict(list)
    for round, leaf in zip(rounds, made, strict=True):
        body = {"segment": str(round.segment_id), "sealed": leaf.commits}
        events[round.audit_id].append((EventKind.ROUND_CLOSED, body))
    for audit in {round.audit_id: round.audit for round in rounds}.values():
        record_events(audit=audit, events=events[audit.pk])


_KEEP_CLOSINGS = """
UPDATE auditing_round SET closing_leaf_id = closed.leaf
FROM unnest($1::uuid[], $2::bigint[]) AS closed (id, leaf) WHERE auditing_round.id = closed.id
"""


def _policy_of(round: Round) -> Policy:
    return load_policy(version=round.audit.policy, domain=round.audit.trace.domain)


@PreparedQuery
def _sealed_seats() -> QuerySet[Seat]:
    theirs = Written("auditing_seat.round_id = ANY(%s)", [Mark("rounds")], output_field=BooleanField())
    sealed = Seat.objects.filter(theirs, stage=SeatStage.COMMITTED)
    return sealed.select_related("auditor__endpoint").order_by("pk")
