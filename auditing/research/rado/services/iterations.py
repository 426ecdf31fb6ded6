"""Loops and their iterations: evaluations come in or are asked for, are audited, and hard ones are marked for people.

Writes TrainingLoop, Iteration, Evaluation, Block.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from auditing.core.events import EventKind
from auditing.research.models import Evaluation, Iteration, TrainingLoop
from auditing.research.rado.core import find_hard_reason, write_dialogue
from auditing.research.rado.records import IncomingEvaluation, Item
from auditing.research.rado.selectors import value_of
from auditing.research.rado.services.audits import audit_missing
from auditing.research.rado.services.sampling import MOST_SAMPLES, evaluate_missing
from auditing.services import jobs
from auditing.services.events import record_event
from hdag.chat.address import Origin
from hdag.models import Endpoint
from hdag.store import content


def open_loop(*, owner: User, title: str) -> TrainingLoop:
    """A new loop, without iterations."""
    return TrainingLoop.objects.create(owner=owner, title=title[:120])


def start_iteration(
    *,
    loop: TrainingLoop,
    owner: User,
    evaluations: Sequence[IncomingEvaluation],
    reward_model: str,
    audit_model: str = "",
    endpoint: Endpoint | None = None,
) -> Iteration:
    """Iteration k + 1 with all its evaluations, in one transaction; its job audits them and mines the hard ones."""
    with transaction.atomic():
        iteration = _next(
            loop,
            owner=owner,
            reward_model=reward_model[:120],
            endpoint=endpoint,
            total=len(evaluations),
            audit_model=(endpoint.model if endpoint else audit_model)[:120],
        )
        _store(iteration, evaluations)
        record_event(
            audit=None, kind=EventKind.RADO_ITERATION, actor=owner, job=str(iteration.pk), evaluations=len(evaluations)
        )
        jobs.enqueue(job=iteration)
    return iteration


def start_sampling(
    *,
    loop: TrainingLoop,
    owner: User,
    items: Sequence[Item],
    reward: Endpoint,
    samples: int,
    endpoint: Endpoint | None = None,
) -> Iteration:
    """Iteration k + 1 whose evaluations a reward model at `reward` makes, `samples` of each response."""
    samples = max(1, min(samples, MOST_SAMPLES))
    with transaction.atomic():
        iteration = _next(
            loop,
            owner=owner,
            reward_model=reward.model[:120],
            audit_model=(endpoint.model if endpoint else "")[:120],
            endpoint=endpoint,
            reward_endpoint=reward,
            samples=samples,
            # Each evaluation is asked for and then audited.
            total=2 * len(items) * samples,
            items=content.store_json([sampled.as_json() for sampled in items]),
        )
        record_event(audit=None, kind=EventKind.RADO_SAMPLING, actor=owner, job=str(iteration.pk), responses=len(items))
        jobs.enqueue(job=iteration)
    return iteration


def _next(loop: TrainingLoop, **fields: Any) -> Iteration:
    """The next iteration of a loop, numbered under the loop's lock."""
    # Two uploads at the same time wait here, and get numbers one after the other.
    TrainingLoop.objects.select_for_update().get(pk=loop.pk)
    last = loop.iterations.aggregate(last=Max("number"))["last"]
    return Iteration.objects.create(loop=loop, number=0 if last is None else last + 1, **fields)


def run(*, iteration: Iteration, now: datetime, allowed: frozenset[Origin] = frozenset()) -> str:
    """Evaluate and audit what is missing, then mine. A run that was cut off goes on where it stopped."""

    # Each of the three steps finds by itself what it has still to do.
    def work() -> None:
        evaluate_missing(
            iteration=iteration,
            allowed=allowed,
            step=lambda done: jobs.step(job=iteration, done=done, says=f"{done} evaluations asked for"),
        )
        audit_missing(iteration, allowed)
        _mark_hard_samples(iteration)
        jobs.finish(job=iteration, done=iteration.total)

    return jobs.run(job=iteration, now=now, work=work)


def _store(iteration: Iteration, incoming: Sequence[IncomingEvaluation]) -> None:
    texts = [
        content.store_json({"prompt": evaluation.prompt, "rationale": evaluation.evaluation.rationale})
        for evaluation in incoming
    ]
    # One batch for all audits; rows without one take none.
    audits = iter(content.store([write_dialogue(evaluation.audit) for evaluation in incoming if evaluation.audit]))
    Evaluation.objects.bulk_create(
        Evaluation(
            iteration=iteration,
            key=evaluation.key,
            problem=evaluation.problem,
            reason=evaluation.evaluation.reason,
            answer=evaluation.evaluation.answer,
            given=block,
            audit=next(audits) if evaluation.audit else None,
            audit_score=evaluation.audit.score if evaluation.audit else None,
            audit_confidence=evaluation.confidence,
        )
        for evaluation, block in zip(incoming, texts, strict=True)
    )


def _mark_hard_samples(iteration: Iteration) -> None:
    audited = iteration.evaluations.filter(audit__isnull=False).select_related("iteration", "given", "audit")
    rows = list(audited)
    for row in rows:
        row.hard = str(find_hard_reason(audited=value_of(row)) or "")
    Evaluation.objects.bulk_update(rows, ["hard"], batch_size=500)
