"""The checkers as an entailment model: a claim that they prove has probability 1, one that they refute 0.

Reads and writes nothing.
"""

import re
from functools import lru_cache

from auditing.checker.decision import Grounds, decide
from auditing.checker.examination import examine_graph
from auditing.checker.findings import Verdict
from auditing.core.soundness.entailment import Query
from hdag.core.levels import Level
from hdag.core.relations import Relation
from hdag.core.values import Edge, Graph, Segment, Source, Trace

__all__ = ["prove"]

# granted one by one: a problem that states the claim itself would excuse it
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?%?")


def prove(query: Query) -> Verdict:
    """What the checkers say of the hypothesis when the premises are the problem.

    >>> prove(Query(("There are 17 and 25.",), "17 + 25 = 43"))
    <Verdict.REFUTED: 'refuted'>
    """
    # The hypothesis alone first: its answer is the same for every set of premises, and is remembered.
    alone = _alone(query.hypothesis)
    if alone is not Verdict.VERIFIED:
        return alone  # premises ground a verified claim; they neither mend a refuted one nor make one checkable
    return _examine("\n".join(query.premises), query.hypothesis)


@lru_cache(maxsize=4096)
def _alone(hypothesis: str) -> Verdict:
    """What the checkers find in the hypothesis itself, its own numbers granted."""
    return _examine(", ".join(_NUMBER.findall(hypothesis)), hypothesis)


def _examine(premises: str, hypothesis: str) -> Verdict:
    problem = premises.strip() or "Nothing is given."
    # A graph of two segments: the premises are the goal, and the hypothesis depends on them.
    goal = Segment("G1", Level.GOAL, problem, Source.PROBLEM, 0, len(problem))
    claim = Segment("O1", Level.OPERATION, hypothesis, Source.THINKING, 0, len(hypothesis))
    edges = (Edge("G1", "O1", Relation.DECOMPOSES_TO), Edge("O1", "G1", Relation.DEPENDS_ON))
    graph = Graph((goal, claim), edges)
    findings = examine_graph(trace=Trace(problem, hypothesis), graph=graph)["O1"]
    return decide(segment=claim, findings=findings, grounds=Grounds(graph)).verdict
