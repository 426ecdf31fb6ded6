"""What a task reads of an audit once while it walks it through its stages: its graph, and what the checkers decide.

The cutting of passages and the votes on them rest on the same decisions, and a graph is never edited. They are kept
beside the row in memory and go with it: nothing of a text outlives the task that read it. Reads Trace, Segment.
"""

from uuid import UUID
from weakref import WeakKeyDictionary

from auditing.checker.examination import decide_all
from auditing.checker.findings import Decision
from auditing.models import Audit
from hdag.core.values import Graph, Trace
from hdag.selectors import StoredGraph, load_graph, load_trace

Decisions = dict[str, Decision]
_decided: "WeakKeyDictionary[Audit, tuple[Graph, Decisions]]" = WeakKeyDictionary()
_judged: "WeakKeyDictionary[Audit, tuple[UUID, StoredGraph]]" = WeakKeyDictionary()


def decisions_of(*, audit: Audit, trace: Trace, graph: Graph) -> Decisions:
    """The decision about every segment of the audit's fine graph, by label; from now on they are known."""
    decisions = decide_all(trace=trace, graph=graph)
    _decided[audit] = graph, decisions
    return decisions


def decided_graph(*, audit: Audit) -> tuple[Graph, Decisions]:
    """The fine graph and the decision about each of its segments."""
    if audit not in _decided:
        graph = load_graph(audit.fine_job).graph
        decisions_of(audit=audit, trace=load_trace(audit.trace), graph=graph)
    return _decided[audit]


def judged_graph(*, audit: Audit) -> StoredGraph:
    """The graph whose segments, or passages, are judged, with its rows."""
    job, stored = _judged.get(audit, (None, None))
    if stored is None or job != audit.job.pk:  # the fine graph first, then that of passages
        stored = load_graph(audit.job)
        keep_judged(audit=audit, stored=stored)
    return stored


def keep_judged(*, audit: Audit, stored: StoredGraph) -> None:
    """The task has it in hand, as it is stored under the audit's job."""
    _judged[audit] = audit.job.pk, stored
