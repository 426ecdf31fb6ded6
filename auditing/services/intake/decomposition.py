"""submitted -> decomposed: a decomposer makes the graph (HDAG) of a trace, which is checked and stored.

Reads Trace; writes Audit, Decomposition, Segment, Edge, Block, Leaf, Transfer, AuditEvent.
"""

import json
import logging
import os
import time
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from accounts.prepared import Changes, PreparedQuery, PreparedUpdate
from auditing import dispatch
from auditing.checker.findings import Verdict
from auditing.core.events import EventKind
from auditing.core.policy import Grain
from auditing.core.routing.computer_tier import place_findings
from auditing.core.stages import AuditStage
from auditing.models import Audit
from auditing.selectors.intake.decomposition import BY_MODEL, DECOMPOSERS, why_not_again
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_event
from auditing.services.gold.passages import open_to_people
from auditing.services.intake.decomposers import HandedOverError, decomposer_for
from auditing.services.ledger import leaves, receipts
from auditing.services.points import prices
from auditing.services.routing.decisions import decisions_of, keep_judged
from auditing.services.transitions import move_audit
from hdag.core.description import describe
from hdag.core.errors import HdagError
from hdag.core.invariants import find_violations
from hdag.core.units import Stretch
from hdag.core.values import Graph, Trace
from hdag.models import Decomposition
from hdag.models import Trace as StoredTrace
from hdag.selectors import load_graph, load_trace
from hdag.services.passages import PassagesBrokenError, store_passages
from hdag.services.traces import store_graph
from hdag.store.rows import insert

log = logging.getLogger(__name__)

MAX_VIOLATIONS_SHOWN = 3


class NotAgainError(Exception):
    """No other graph of this audit's trace may be asked for."""


def decompose(*, audit: Audit) -> bool:
    """Make and store the graph of an audit's trace; a refusal fails the audit with its reason."""
    started = time.monotonic()
    trace = load_trace(audit.trace)
    if audit.job.state == Decomposition.State.DONE:  # for the audit that this one follows
        return _move_on(audit, trace, load_graph(audit.job).graph)
    try:
        with decomposer_for(audit=audit) as decomposer:
            graph = decomposer.decompose(trace)
    except HandedOverError:  # its time in this task is over: another message, another task
        dispatch.enqueue("auditing.advance_audit", audit.pk)
        return False
    except HdagError as error:
        return _refuse(audit, str(error))
    # Never trust a decomposer, least of all a model: what it made must be a graph of this very text.
    violations = find_violations(trace=trace, graph=graph)
    if violations:
        first_few = "; ".join(str(violation) for violation in violations[:MAX_VIOLATIONS_SHOWN])
        return _refuse(audit, f"The graph breaks its invariants: {first_few}"[:300])
    return _store(audit, trace, graph, round((time.monotonic() - started) * 1000))


def decompose_again(*, audit: Audit, decomposer: str, actor: User, whole_to_models: bool = False) -> Audit:
    """Ask for another graph: the audit is withdrawn, and its successor begins with the other decomposer.

    The graph of an audit is never edited. `whole_to_models` is the provider's agreement, so only the provider gives it.
    Raises NotAgainError, before or after the race with an auditor who takes a seat.
    """
    if decomposer not in dict(DECOMPOSERS):
        raise NotAgainError("There is no such decomposer.")
    with transaction.atomic():
        old = Audit.objects.select_for_update(of=("self",)).select_related("trace").get(pk=audit.pk)
        if reason := why_not_again(audit=old):
            raise NotAgainError(reason)
        _agree(old.trace, decomposer, whole_to_models and old.trace.provider_id == actor.pk)
        if old.stage != AuditStage.FAILED:
            move_audit(
                audit=old, to=AuditStage.WITHDRAWN, failure="Another graph was asked for; a later audit follows."
            )
        made = Audit(
            trace=old.trace,
            campaign_id=old.campaign_id,
            policy_id=old.policy_id,
            follows=old,
            seed=os.urandom(32),
            decomposition=Decomposition.objects.create(trace=old.trace, decomposer=decomposer),
        )
        receipts.promise_submissions(audits=[made])
        insert([made])
        leaves.submit(audits=[made])
        _pay(old, made)
        record_event(audit=made, kind=EventKind.AUDIT_SUBMITTED, actor=actor, why=f"another graph, by {decomposer}")
    dispatch.enqueue("auditing.advance_audit", made.pk)
    return made


def _pay(old: Audit, made: Audit) -> None:
    """The price goes from the one audit to the other: nobody pays twice for one trace. Raises NotAgainError."""
    prices.refund(audit=old)
    try:
        prices.charge_all(audits=[made])
    except prices.PriceNotCoveredError as error:
        raise NotAgainError(str(error)) from error


def _agree(trace: StoredTrace, decomposer: str, agrees: bool) -> None:
    """A model sees the whole trace: its provider has agreed to that, or does so now. Raises NotAgainError."""
    if decomposer not in BY_MODEL or trace.whole_to_models:
        return
    if not agrees:
        raise NotAgainError("Its provider has not agreed that language models see the whole trace.")
    trace.whole_to_models = True
    trace.save(update_fields=["whole_to_models"])


def graph_metrics(*, graph: Graph) -> dict[str, Any]:
    """The measures shown beside a graph, JSON-ready."""
    return describe(graph=graph)


def _store(audit: Audit, trace: Trace, graph: Graph, took_ms: int) -> bool:
    with transaction.atomic():
        (job,) = _locked.rows(job=audit.job.pk)
        job.trace = audit.trace  # with its provider, whose names are masked
        if job.state == Decomposition.State.DONE:  # by another worker
            graph = load_graph(job).graph
        else:
            store_graph(job=job, trace=trace, graph=graph, metrics=graph_metrics(graph=graph))
            assert job.notes is not None
            made = {"decomposer": job.decomposer, "metrics": json.dumps(job.metrics), "notes": job.notes.pk}
            _finish.run(job=job.pk, took_ms=took_ms, **made)
        return _move_on(audit, trace, graph)


@PreparedQuery
def _locked(job: UUID) -> QuerySet[Decomposition]:
    return Decomposition.objects.filter(pk=job).select_for_update()


@PreparedUpdate
def _finish(job: UUID, took_ms: int, decomposer: str, metrics: str, notes: str) -> Changes:
    made = {"took_ms": took_ms, "decomposer": decomposer, "metrics": metrics, "notes": notes}
    return Decomposition.objects.filter(pk=job), {"state": Decomposition.State.DONE, "done_share": 1.0, **made}


def _move_on(audit: Audit, trace: Trace, graph: Graph) -> bool:
    """Leave the stage: with the graph of passages where the policy asks for passages and the graph is a fine one."""
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    if policy.grain is not Grain.PASSAGE or audit.job.derived_from_id is not None:
        return move_audit(audit=audit, to=AuditStage.DECOMPOSED)
    audit.job.trace = audit.trace
    decisions = decisions_of(audit=audit, trace=trace, graph=graph)
    placed = place_findings(decisions=decisions, graph=graph)
    proved = {label for label, decision in decisions.items() if decision.verdict is Verdict.VERIFIED}
    with transaction.atomic(savepoint=False):  # whoever moved it first stored the fine graph as well
        try:
            passages, stored = store_passages(
                fine=audit.job,
                trace=trace,
                graph=graph,
                limits=policy.passage_limits,
                verified=open_to_people(trace=audit.trace, graph=graph, verified=proved),
                refuted=[
                    Stretch(accusation.source, accusation.source_index, accusation.at, accusation.at)
                    for accusation in placed
                    if accusation.is_refuted
                ],
            )
        except PassagesBrokenError as error:  # a fault of ours and none of the trace: it is judged by segments
            log.error("audit %s has no passages: %s", audit.pk, error)
            return move_audit(audit=audit, to=AuditStage.DECOMPOSED)
        if not move_audit(audit=audit, to=AuditStage.DECOMPOSED, decomposition=passages):
            transaction.set_rollback(True)
            return False
    keep_judged(audit=audit, stored=stored)
    return True


def _refuse(audit: Audit, why: str) -> bool:
    with transaction.atomic():
        Decomposition.objects.filter(pk=audit.job.pk).update(state=Decomposition.State.FAILED, error=why)
        return move_audit(audit=audit, to=AuditStage.FAILED, failure=why[:300])
