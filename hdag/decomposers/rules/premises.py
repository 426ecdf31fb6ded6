"""Which earlier steps a step rests on: by the values that flow between them."""

import re

from hdag.core.levels import Level
from hdag.core.relations import Relation, Strength
from hdag.core.values import Edge, Trace
from hdag.decomposers.rules.drafts import Draft

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def link(*, trace: Trace, drafts: list[Draft]) -> list[Edge]:
    """Premise edges between step-level drafts, each to the nearest earlier step that introduced a value it uses."""
    edges: list[Edge] = []
    introduced: dict[str, Draft] = {}
    for draft in drafts:
        if draft.level not in (Level.STEP, Level.GOAL):
            continue
        numbers = dict.fromkeys(n.replace(",", "") for n in NUMBER.findall(draft.text(trace)))
        for key in dict.fromkeys(introduced[n].id for n in numbers if n in introduced):
            edges.append(Edge(draft.id, key, Relation.DEPENDS_ON, Strength.STRONG, 0.75, "uses a value from there"))
        for value in numbers:
            introduced.setdefault(value, draft)
    return edges
