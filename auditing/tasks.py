"""Celery tasks of the corridor: each takes an id, reads the clock and calls one service; running one twice is harmless.

The schedule is in trustweb/schedule.py; research has tasks of its own.
"""

import logging
import os
from uuid import UUID

from celery import shared_task
from django.conf import settings

from auditing import anchor, dispatch
from auditing.selectors.clock import database_now
from auditing.selectors.intake.lookup import get_audit
from auditing.selectors.seating.rounds import get_round
from auditing.selectors.soundness import find_run
from auditing.services import corridor, jobs
from auditing.services.campaigns import calibration, digests
from auditing.services.consensus import skills
from auditing.services.gold import decoys, disputes
from auditing.services.intake import damage
from auditing.services.ledger import anchoring, fsck
from auditing.services.model_tier import asking, families, qualification, seats
from auditing.services.model_tier.origins import allowed_origins
from auditing.services.points import books, reputation, settlement
from auditing.services.seating import assignment
from auditing.services.soundness import runs
from hdag.services import batches

log = logging.getLogger(__name__)

SWEEP_SECONDS = 6  # an older message for a sweep is dropped: beat has sent another meanwhile
LONG = {"soft_time_limit": 3600, "time_limit": 3660}  # the row's lease, not the message, says who is at work


@shared_task(name="auditing.advance_audit")
def advance_audit(audit_id: str) -> str:
    """Carry out every transition of one audit that is possible now."""
    return str(corridor.advance(audit=get_audit(key=UUID(audit_id)), now=database_now()))


@shared_task(name="auditing.advance_due")
def advance_due() -> int:
    """The sweep, every few seconds: whatever is due moves on, also where its message was lost."""
    moved = corridor.advance_due(now=database_now())
    # More is due: look again, on a queue of its own, which workers serve in turn with the others.
    if moved >= corridor.BATCH:
        dispatch.enqueue("auditing.advance_due", queue="sweep", expires=SWEEP_SECONDS)
    return moved


@shared_task(name="auditing.pass_on_unfit")
def pass_on_unfit() -> int:
    """Seats of people who lost a role, or who declared a conflict lately, go to the next of the draw."""
    return assignment.sweep_unfit(now=database_now())


@shared_task(name="auditing.advance_round")
def advance_round(round_id: str) -> bool:
    """Carry out the next transition of one round, if it is possible now."""
    return corridor.advance_round(round=get_round(key=round_id), now=database_now())


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


@shared_task(name="auditing.check_ledger", **LONG)
def check_ledger() -> int:
    """Invariants I1 to I12 (docs/guides/ledger.md), every night; their faults stand on the ledger's page of checks."""
    return fsck.check_nightly(now=database_now())


@shared_task(name="auditing.release_postings")
def release_postings() -> int:
    """Held postings of audits whose appeal window has closed are released."""
    return settlement.release_due(now=database_now())


@shared_task(name="auditing.nightly_books")
def nightly_books() -> int:
    """The books are balanced, skills learned anew, suspended auditors and calibrations looked at again."""
    now = database_now()
    looked_at = books.check(now=now) + skills.learn_all() + reputation.review_suspended(now=now)
    looked_at += families.measure_all() + qualification.watch_all()
    return looked_at + calibration.lapse_poor_performers()


@shared_task(name="auditing.place_gold")
def place_gold() -> int:
    """Decoys that a campaign's policy asks for are planted; those of a text that was overturned are overturned too."""
    return decoys.place_due(seed=os.urandom(32)) + disputes.overturn_copies()


@shared_task(name="auditing.anchor_ledger")
def anchor_ledger() -> str:
    """One step of anchoring the ledger on a chain, where that is switched on."""
    try:
        chain = anchor.chosen()
    except (anchor.ChainAwayError, anchor.ChainRefusedError) as error:
        log.warning("the anchor chain: %s", error)
        return "trouble"
    if chain is None:
        return "off"
    return anchoring.step(chain=chain, now=database_now(), confirmations=settings.ANCHOR_CONFIRMATIONS)


@shared_task(name="auditing.send_digests")
def send_digests() -> int:
    """Mail the news of everyone whose digest is due."""
    return digests.send_digests(now=database_now())


@shared_task(name="auditing.run_soundness", **LONG)
def run_soundness(run_id: str) -> str:
    """Compute the soundness of one audit's trace."""
    run = find_run(key=UUID(run_id))
    return "gone" if run is None else runs.run(run=run, now=database_now(), allowed=allowed_origins())
