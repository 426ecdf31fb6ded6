"""The default decomposer: deterministic rules, linear time, no model."""

from collections.abc import Iterator

from hdag.core.errors import DecompositionRefused
from hdag.core.levels import Complexity, Level, Tier
from hdag.core.relations import Relation, Strength
from hdag.core.values import Edge, Graph, Segment, Trace
from hdag.decomposers.rules.drafts import Draft, number
from hdag.decomposers.rules.outline import outline
from hdag.decomposers.rules.premises import link

MAX_SEGMENTS = 60_000


class RulesDecomposer:
    """Decomposes by rules (see the modules of this package)."""

    name = "rules"

    def decompose(self, trace: Trace) -> Graph:
        """The graph of `trace`. Raises DecompositionRefused for a trace without text or with too many segments."""
        if not any(text.strip() for text in (trace.problem, trace.thinking, trace.answer)) and not trace.tool_calls:
            raise DecompositionRefused(limit="characters of text", found=0, allowed=1)
        root = outline(trace=trace)
        drafts = number(root=root)
        if len(drafts) > MAX_SEGMENTS:
            raise DecompositionRefused(limit="segments", found=len(drafts), allowed=MAX_SEGMENTS)
        edges = [*_structure(drafts), *link(trace=trace, drafts=drafts)]
        return Graph(tuple(_segment(trace, draft) for draft in drafts), tuple(edges), self.name)


def _structure(drafts: list[Draft]) -> Iterator[Edge]:
    for draft in drafts:
        for part in draft.parts:
            yield Edge(draft.id, part.id, Relation.DECOMPOSES_TO, Strength.STRONG, 1.0, "part of it")
            if part.level is Level.OPERATION:
                yield Edge(part.id, draft.id, Relation.ENABLES, Strength.STRONG, 0.95, "computes within the step")


def _segment(trace: Trace, draft: Draft) -> Segment:
    content = draft.text(trace)
    return Segment(
        id=draft.id,
        level=draft.level,
        content=content,
        source=draft.source,
        start=draft.span.start,
        end=draft.span.end,
        source_index=draft.source_index,
        kind=draft.kind,
        summary=" ".join(content.split()[:5])[:60],
        complexity=Complexity.LOW if draft.level is Level.OPERATION else Complexity.MEDIUM,
        primary=Tier.COMPUTER if draft.level is Level.OPERATION else Tier.LLM,
        secondaries=(Tier.HUMAN,),
        step=draft.step,
    )
