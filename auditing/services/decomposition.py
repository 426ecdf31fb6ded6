"""trace -> HDAG. Reads Trace; writes Decomposition, Segment, Edge, Block; moves the audit to `decomposed`."""

import time
from typing import Any

from django.db import transaction

from auditing.core.stages import AuditStage
from auditing.models import Audit
from auditing.services.decomposers import decomposer_for
from auditing.services.doors import advance_audit
from hdag.core.description import describe
from hdag.core.errors import HdagError
from hdag.core.invariants import find_violations
from hdag.core.values import Graph, Trace
from hdag.models import Decomposition
from hdag.selectors import load_trace
from hdag.services.traces import store_graph

MAX_VIOLATIONS_SHOWN = 3


def decompose(*, audit: Audit) -> bool:
    """Make and store the graph of an audit's trace; a refusal fails the audit with its reason."""
    started = time.monotonic()
    trace = load_trace(audit.trace)
    try:
        with decomposer_for(audit=audit) as decomposer:
            graph = decomposer.decompose(trace)
    except HdagError as error:
        return _refuse(audit, str(error))
    if broken := find_violations(trace=trace, graph=graph):
        shown = "; ".join(str(violation) for violation in broken[:MAX_VIOLATIONS_SHOWN])
        return _refuse(audit, f"The graph breaks its invariants: {shown}"[:300])
    return _store(audit, trace, graph, round((time.monotonic() - started) * 1000))


def graph_metrics(*, graph: Graph) -> dict[str, Any]:
    """The measures shown beside a graph, JSON-ready."""
    return describe(graph=graph)


def _store(audit: Audit, trace: Trace, graph: Graph, took_ms: int) -> bool:
    with transaction.atomic():
        job = Decomposition.objects.select_for_update().get(pk=audit.job.pk)
        if job.state == Decomposition.State.DONE:
            return advance_audit(audit=audit, to=AuditStage.DECOMPOSED)
        store_graph(job=job, trace=trace, graph=graph, metrics=graph_metrics(graph=graph))
        job.state, job.done_share, job.took_ms = Decomposition.State.DONE, 1.0, took_ms
        job.save()
        return advance_audit(audit=audit, to=AuditStage.DECOMPOSED)


def _refuse(audit: Audit, why: str) -> bool:
    with transaction.atomic():
        Decomposition.objects.filter(pk=audit.job.pk).update(state=Decomposition.State.FAILED, error=why)
        return advance_audit(audit=audit, to=AuditStage.FAILED, failure=why[:300])
