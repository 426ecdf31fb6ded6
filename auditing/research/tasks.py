"""Celery's tasks of research: each takes an id, looks at the clock, and calls one service."""

import logging
from dataclasses import asdict, replace
from typing import Any
from uuid import UUID

from celery import shared_task
from django.conf import settings

from auditing.research.anchoring import chain as anchor
from auditing.research.anchoring import services as anchoring
from auditing.research.causal import services as causal
from auditing.research.causal.selectors import find_batch
from auditing.research.conduct.services.following import learn_followers
from auditing.research.exports import services as exports
from auditing.research.exports.selectors.jobs import find_export
from auditing.research.ledger_checks import services as fsck
from auditing.research.news import services as digests
from auditing.research.population import demo
from auditing.research.practice import services as practice
from auditing.research.prior import services as priors
from auditing.research.qualification import services as qualification
from auditing.research.rado import services as rado
from auditing.research.rado.selectors import find_iteration
from auditing.research.soundness.services import runs as soundness
from auditing.research.studies import services as study_runs
from auditing.research.studies.faithfulness import public_traces
from auditing.research.studies.instruments.labelled import DataMissingError
from auditing.research.studies.instruments.runner import OptionError, Run, covered, find_studies
from auditing.research.studies.selectors import find_run
from auditing.research.treasury.returned_fines import give_back_due
from auditing.selectors.clock import database_now
from auditing.selectors.soundness import find_run as find_soundness_run
from auditing.services.model_tier.origins import allowed_origins
from auditing.tasks import LONG
from hdag.chat.errors import NoAnswerError

log = logging.getLogger(__name__)


@shared_task(name="auditing.simulate")
def simulate() -> int:
    """Simulated reviewers, if the demo has any, vote on the seats they hold."""
    return demo.tick(seed=int(database_now().timestamp()))


@shared_task(name="auditing.order_by_prior")
def order_by_prior() -> int:
    """Campaigns that have a prior ask sooner about what it finds likelier to be wrong."""
    return priors.order_queues()


@shared_task(name="auditing.run_export", **LONG)
def run_export(job_id: str) -> str:
    """Write one export."""
    job = find_export(job_id=job_id)
    return "gone" if job is None else exports.run(job=job, now=database_now())


@shared_task(name="auditing.run_study", **LONG)
def run_study(run_id: str) -> str:
    """Run one study."""
    row = find_run(run_id=run_id)
    if row is None:
        return "gone"

    # The service knows no study: it is given the work to do.
    def work(say: study_runs.Say, pieces: study_runs.Pieces) -> dict[str, Any]:
        entry = find_studies().get(row.study)
        if entry is None:
            raise DataMissingError(f"There is no study named {row.study} any more.")

        def tell(sentence: str) -> None:
            say(sentence, 0.0)

        run = Run(row.seed, row.full, row.options, settings.STUDY_DATA_DIR, say, pieces, tell=tell)
        # Votes are a file of the command; the page keeps figures.
        return asdict(replace(covered(report=entry.run(run), run=run), votes=()))

    return study_runs.run(
        row=row,
        now=database_now(),
        work=work,
        refusals=(DataMissingError, OptionError, FileNotFoundError, NoAnswerError),
    )


@shared_task(name="auditing.run_iteration", **LONG)
def run_iteration(job_id: str) -> str:
    """Audit one iteration of a RADO loop and mine its hard samples."""
    job = find_iteration(iteration_id=job_id)
    return "gone" if job is None else rado.run(iteration=job, now=database_now(), allowed=allowed_origins())


@shared_task(name="auditing.run_causal", **LONG)
def run_causal(job_id: str) -> str:
    """Carry out one batch of causal audits."""
    batch = find_batch(batch_id=job_id)
    if batch is None:
        return "gone"
    run = Run(seed=batch.seed, data=settings.STUDY_DATA_DIR)
    # Read here, because public sets lie in files that a service does not look for.
    public = public_traces(run=run, most=batch.public) if batch.public else []
    return causal.run(batch=batch, now=database_now(), public=public, allowed=allowed_origins())


@shared_task(name="auditing.forget_exports")
def forget_exports() -> int:
    """Files of exports that are older than an operator keeps them go."""
    return exports.forget_old(now=database_now())


@shared_task(name="auditing.return_fines")
def return_fines() -> int:
    """Final fines that were the house's fault are given back: short windows, and gold that was overturned later."""
    return give_back_due()


@shared_task(name="auditing.nightly_measures")
def nightly_measures() -> int:
    """Qualified models are watched for drift, calibrations of people who judge poorly lapse, followers are measured."""
    return qualification.watch_all() + practice.lapse_poor_performers() + learn_followers()


@shared_task(name="auditing.check_ledger", **LONG)
def check_ledger() -> int:
    """Invariants I1 to I12 (docs/guides/ledger.md), every night; their faults stand on the ledger's page of checks."""
    return fsck.check_nightly(now=database_now())


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
    run = find_soundness_run(key=UUID(run_id))
    return "gone" if run is None else soundness.run(run=run, now=database_now(), allowed=allowed_origins())
