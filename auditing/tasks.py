"""Celery tasks of the corridor: each takes an id, reads the clock and calls one service; running one twice is harmless.

The schedule is in trustweb/schedule.py; research has tasks of its own.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from uuid import UUID

from celery import shared_task

from auditing import dispatch
from auditing.selectors.clock import database_now
from auditing.selectors.intake.lookup import get_audit
from auditing.selectors.seating.crowds import Crowd, share_crowd
from auditing.selectors.seating.rounds import get_rounds
from auditing.services import corridor, jobs
from auditing.services.consensus import adjudication, skills
from auditing.services.gold import decoys, disputes, repeats
from auditing.services.intake import damage
from auditing.services.model_tier import asking, families, seats
from auditing.services.model_tier.origins import allowed_origins
from auditing.services.points import books, prices, reputation, settlement, stakes
from auditing.services.seating import assignment
from auditing.services.seating.auditors import checker_auditor, seat_newcomers
from auditing.services.voting import closing
from hdag.services import batches

SWEEP_SECONDS = 6  # an older message for a sweep is dropped: beat has sent another meanwhile
TURN_SECONDS = 20  # after which a task takes up no other audit: it may live for 150
LONG = {"soft_time_limit": 3600, "time_limit": 3660}  # the row's lease, not the message, says who is at work


@shared_task(name="auditing.advance_audit")
def advance_audit(*audit_ids: str) -> int:
    """Carry out every transition that is possible now of each audit; returns how many moved."""
    return corridor.carry_out(claims=_in_turn(audit_ids))


def _in_turn(audit_ids: Sequence[str]) -> Iterator[Callable[[], int]]:
    """One after another; what is left after a turn's time waits behind other work, as long traces do."""
    crowd = Crowd()  # who is willing is asked once for those that were handed in together
    if len(audit_ids) > 1:
        # Rows of newcomers, before any audit's transaction: one that is rolled back must not take them from the others.
        crowd.once(seat_newcomers)
        crowd.once(checker_auditor)
    ends = time.monotonic() + TURN_SECONDS
    for number, key in enumerate(audit_ids):
        if number and time.monotonic() > ends:
            dispatch.enqueue("auditing.advance_audit", *audit_ids[number:])
            return
        yield partial(_advance, UUID(key), crowd)


def _advance(key: UUID, crowd: Crowd) -> int:
    audit = get_audit(key=key)
    share_crowd(audit=audit, crowd=crowd)
    before = audit.stage
    return int(corridor.advance(audit=audit) != before)


@shared_task(name="auditing.advance_due")
def advance_due() -> int:
    """The sweep, every few seconds: whatever is due moves on, also where its message was lost."""
    moved = corridor.advance_due(now=database_now())
    # More is due: look again, on a queue of its own, which workers serve in turn with the others.
    if moved >= corridor.BATCH:
        dispatch.enqueue("auditing.advance_due", queue="sweep", expires=SWEEP_SECONDS)
    return moved


@shared_task(name="auditing.close_windows")
def close_windows() -> int:
    """Windows that have ended are closed, many together: the last vote of each was sealed a moment ago."""
    closed = corridor.close_due(now=database_now())
    if closed >= corridor.BATCH:
        dispatch.enqueue("auditing.close_windows")
    return closed


@shared_task(name="auditing.end_forgotten_windows")
def end_forgotten_windows() -> int:
    """Windows that nothing is waited for in any more, and whose end was lost with the process that knew it."""
    return closing.end_forgotten_windows(now=database_now())


@shared_task(name="auditing.pass_on_unfit")
def pass_on_unfit() -> int:
    """Seats of people who lost a role, or who declared a conflict lately, go to the next of the draw."""
    return assignment.sweep_unfit(now=database_now()) + adjudication.hand_to_named()


@shared_task(name="auditing.advance_round")
def advance_round(*round_ids: str) -> int:
    """Carry out the next transition of each round, if it is possible now; returns how many moved."""
    return corridor.advance_rounds(rounds=get_rounds(keys=round_ids), now=database_now())


# Celery first raises inside the task, so that the attempt can be ended as failed; then it kills the process.
@shared_task(name="auditing.ask_model", soft_time_limit=asking.SECONDS + 20, time_limit=asking.SECONDS + 40)
def ask_model(seat_id: str) -> str:
    """One attempt of a model on the seat it holds, and beside it on others that it holds."""
    return damage.pausing_on_damage(lambda: seats.ask_models(seat_id=UUID(seat_id)), otherwise="paused")


@shared_task(name="auditing.advance_batches", soft_time_limit=900, time_limit=960)
def advance_batches() -> int:
    """Questions that wait are sent in batches; answers of finished batches are collected."""
    return batches.advance_batches(allowed=allowed_origins())


@shared_task(name="auditing.enqueue_jobs")
def enqueue_jobs() -> int:
    """The sweep of long jobs: messages for those that wait and those whose worker died."""
    now = database_now()
    return jobs.enqueue_due(now=now)


@shared_task(name="auditing.release_postings")
def release_postings() -> int:
    """Held postings of audits whose appeal window has closed are released, prices given back, ended notices paid."""
    now = database_now()
    return settlement.release_due(now=now) + prices.refund_due() + stakes.pay_due(now=now)


@shared_task(name="auditing.nightly_books")
def nightly_books() -> int:
    """The books are balanced, skills learned anew, suspended auditors and families of models looked at again."""
    now = database_now()
    looked_at = books.check(now=now) + skills.learn_all() + reputation.review_suspended(now=now)
    return looked_at + families.measure_all()


@shared_task(name="auditing.place_gold")
def place_gold() -> int:
    """Decoys and blind repeats that a campaign's policy asks for; decoys of a text that was overturned follow it."""
    planted = decoys.place_due(seed=os.urandom(32)) + repeats.repeat_due(seed=os.urandom(32), now=database_now())
    return planted + disputes.overturn_copies()
