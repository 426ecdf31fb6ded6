"""Adjudication: one adjudicator decides a contested segment, after stating why it was contested.

Reads Seat, Round; writes Adjudication, Seat, Round, Leaf, AuditEvent.
"""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from auditing.core.events import EventKind
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Adjudication, Auditor, Campaign, Round, Seat
from auditing.selectors.gold.decoys import comes_again
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.draws import AFTER_ALL_JUDGED
from auditing.services.campaigns.notices import tell_deserted
from auditing.services.events import record_event
from auditing.services.ledger import leaves
from auditing.services.seating.assignment import reassign
from auditing.services.transitions import move_round
from auditing.services.voting import closing

LEASE = timedelta(minutes=30)  # to read every earlier vote and decide


class NotYoursError(Exception):
    """This segment waits for another adjudicator."""


class ReasonMissingError(Exception):
    """Say first why the segment was contested: a reason code is required."""


def hold_case(*, seat: Seat, now: datetime) -> None:
    """The adjudicator opened the case: the seat is held, as long as one who reads every vote may take."""
    offered = Seat.objects.filter(pk=seat.pk, stage=SeatStage.OFFERED)
    # The time of a vote counts from the first opening: a second one only prolongs the lease.
    if not offered.update(stage=SeatStage.HELD, taken_at=now, lease_until=now + LEASE):
        Seat.objects.filter(pk=seat.pk, stage=SeatStage.HELD).update(lease_until=now + LEASE)


def state_reason(*, round: Round, auditor: Auditor, reason: str, now: datetime) -> Adjudication:
    """Put the reason code on record and hold the seat; the same again is the same record.

    Raises NotYoursError, ReasonMissingError.
    """
    if reason not in Adjudication.Reason.values:
        raise ReasonMissingError(ReasonMissingError.__doc__)
    with transaction.atomic():
        seat = (
            Seat.objects.select_for_update(of=("self",))
            .filter(round=round, auditor=auditor, stage__in=(SeatStage.OFFERED, SeatStage.HELD))
            .filter(round__adjudicates=True, round__stage=RoundStage.COMMITTING)
            .first()
        )
        if seat is None:
            raise NotYoursError(NotYoursError.__doc__)
        hold_case(seat=seat, now=now)
        try:
            with transaction.atomic():
                stated = Adjudication.objects.create(round=round, auditor=auditor, reason=reason)
        except IntegrityError:  # stated already, by another tab of the same adjudicator
            return Adjudication.objects.get(round=round)
        record_event(
            audit=round.audit, kind=EventKind.ADJUDICATION_REASON, segment=str(round.segment_id), reason=reason
        )
    return stated


def hand_to_named(*, actor: User | None = None) -> int:
    """Cases that nobody opened go to the adjudicators whom their campaign names; returns how many went.

    A case waits where it is while none of those named can be drawn: their names have to stand in the ledger before.
    """
    named = Campaign.adjudicators.through.objects.filter(
        campaign=OuterRef("round__audit__campaign"), user=OuterRef("auditor__user")
    )
    seats = Seat.objects.filter(
        ~Exists(named),
        round__adjudicates=True,
        round__stage=RoundStage.COMMITTING,
        round__audit__campaign__any_adjudicator=False,
    )
    return reassign(seats=seats, actor=actor)


def expire_without_adjudicator(*, round: Round, now: datetime) -> bool:
    """No adjudicator by the policy's deadline: the round closes without a vote, which leaves the segment undecided.

    So does a wave that nobody can be drawn for, the first one too: the planner goes on without them, to an adjudicator.
    It is opened in the ledger all the same: a stranger counts its empty seats like those of any other round.
    """
    if round.stage != RoundStage.DRAWING or round.audit.campaign.paused_at is not None:
        return False
    policy = load_policy(version=round.audit.policy, domain=round.audit.trace.domain)
    batched = round.audit.batched_at  # before that nobody is looked for
    # When the round began to look for somebody.
    waited = now - max(round.stage_since, batched or round.stage_since)
    most = timedelta(seconds=policy.adjudication_seconds)
    # For a passage that comes again nobody else will ever come, and there is nobody to tell of it.
    is_repeat = waited >= min(AFTER_ALL_JUDGED, most) and comes_again(trace=round.audit.trace_id)
    if not round.adjudicates and not (round.tier == Tier.HUMAN and batched and (policy.planner or is_repeat)):
        return False
    if waited < most and not is_repeat:
        return False
    with transaction.atomic():
        kind = EventKind.ADJUDICATION_LAPSED if round.adjudicates else EventKind.ROUND_DESERTED
        if not close_unseated(round=round, now=now, kind=kind):
            return False
        if not is_repeat:
            tell_deserted(audit=round.audit, adjudicates=round.adjudicates)
    return True


def close_unseated(*, round: Round, now: datetime, kind: EventKind) -> bool:
    """Close a round that nobody was drawn for, which is opened in the ledger all the same; False: others were first."""
    with transaction.atomic():
        if not move_round(round=round, to=RoundStage.COMMITTING, due_at=now, drawn=[], next_drawn=0):
            return False
        # A redrawn round has its round.open leaf already. Its windows are empty: both end now.
        if not round.redraws:
            at = int(now.timestamp())
            leaves.round_opened_leaves(audit=round.audit, rounds=[round], commit_by=at, reveal_by=at)
        record_event(audit=round.audit, kind=kind, segment=str(round.segment_id))
        return closing.close_window(round=round, now=now)
