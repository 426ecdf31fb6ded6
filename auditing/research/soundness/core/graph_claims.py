"""From an HDAG to a chain of claims: facts of the problem are base claims, steps, operations and answer derived ones.

Plans (goal, strategies, tactics outside the answer) are not claims; a premise that is a plan stands for the plan's
own premises. Source: ARES, section 2; docs/formulas.md section 2.
"""

import re
from collections.abc import Mapping
from heapq import heapify, heappop, heappush

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from hdag.core.levels import Level
from hdag.core.values import Graph, Segment, Source, Trace

__all__ = ["chain_of", "split_facts"]

_END = re.compile(r"(?<=[.!?;])\s+|\n+")  # a blank must follow: "3.5 apples" is not cut
_CLAIMS = frozenset((Level.STEP, Level.OPERATION))


def split_facts(text: str) -> tuple[str, ...]:
    """The sentences of a problem.

    >>> split_facts("Anna has 3.5 apples. She eats 2! How many are left?")
    ('Anna has 3.5 apples.', 'She eats 2!', 'How many are left?')
    """
    return tuple(piece.strip() for piece in _END.split(text) if piece.strip())


def chain_of(*, trace: Trace, graph: Graph, prior: float = 1.0) -> Chain:
    """The chain of a decomposed trace: every claim may use the facts, and of the derived claims its premises.

    A claim for which no premise is declared falls back to all facts and all claims before it. Claims stand after
    their premises, otherwise in reading order.
    """
    base = tuple(BaseClaim(f"F{n}", text, prior) for n, text in enumerate(split_facts(trace.problem), 1))
    facts = tuple(claim.id for claim in base)
    claims = {segment.id: segment for segment in graph.segments if _is_claim(segment)}
    declared = graph.premises()
    leans = {key: _through_plans(key, declared, frozenset(claims)) for key in claims}
    derived = tuple(
        DerivedClaim(key, claims[key].content, (*facts, *leans[key]) if declared[key] else None)
        for key in _in_order(leans)
    )
    return Chain(base, derived)


def _is_claim(segment: Segment) -> bool:
    return segment.level in _CLAIMS or (segment.source is Source.ANSWER and segment.level is not Level.GOAL)


def _through_plans(key: str, declared: Mapping[str, tuple[str, ...]], claims: frozenset[str]) -> tuple[str, ...]:
    """Premises of `key` that are claims, plans replaced by what they lean on themselves."""
    premises: dict[str, None] = {}
    todo, seen = list(declared[key]), {key}  # `seen` ends circles among plans
    while todo:
        premise = todo.pop(0)
        if premise in claims and premise != key:
            premises[premise] = None
        elif premise not in seen:
            todo.extend(declared.get(premise, ()))
        seen.add(premise)
    return tuple(premises)


def _in_order(leans: dict[str, tuple[str, ...]]) -> list[str]:
    """Topological order (Kahn 1962) that takes the earliest in reading order first. Raises ValueError on a circle."""
    position = {key: n for n, key in enumerate(leans)}
    waiting = {key: len(premises) for key, premises in leans.items()}
    needed_by: dict[str, list[str]] = {key: [] for key in leans}
    for key, premises in leans.items():
        for premise in premises:
            needed_by[premise].append(key)
    ready = [position[key] for key, count in waiting.items() if count == 0]
    heapify(ready)
    labels, order = list(leans), []
    while ready:
        key = labels[heappop(ready)]
        order.append(key)
        for dependent in needed_by[key]:
            waiting[dependent] -= 1
            if waiting[dependent] == 0:
                # A heap: of several free claims the one written first comes first, so that seeds stay the same.
                heappush(ready, position[dependent])
    if len(order) != len(leans):
        raise ValueError("premises run in a circle; repair the graph first")
    return order
