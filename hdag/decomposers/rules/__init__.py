"""The default decomposer: deterministic rules, linear time, no model.

The passes, each a module: units (text -> sentences), equations (sentence -> operations), discourse (what a sentence
does), outline (sentences -> tree), drafts (numbering), evidence and derivation or statements (premises of steps),
premises (all edges). Every pass is linear in the text, and equal traces give equal graphs.
"""

from collections.abc import Iterator

from hdag.core.complexity import Assessment, assess
from hdag.core.errors import DecompositionRefusedError
from hdag.core.levels import Level
from hdag.core.relations import Relation, Strength
from hdag.core.spans import gaps
from hdag.core.text.summary import summarise
from hdag.core.values import Edge, Graph, Segment, Source, Trace
from hdag.decomposers.rules.drafts import Draft, number
from hdag.decomposers.rules.outline import LONG_UNIT, outline
from hdag.decomposers.rules.premises import link

MAX_SEGMENTS = 25_000


class RulesDecomposer:
    """Decomposes by rules (see the modules of this package)."""

    name = "rules"

    def decompose(self, trace: Trace) -> Graph:
        """The graph of `trace`. Raises DecompositionRefusedError for a trace without text or with too many segments."""
        if not any(text.strip() for text in (trace.problem, trace.thinking, trace.answer)) and not trace.tool_calls:
            raise DecompositionRefusedError(limit="characters of text", actual=0, allowed=1)
        # 1. the tree; 2. its numbering; 3. structure and premises as edges; 4. segments with complexity and tiers
        root = outline(trace=trace)
        drafts = number(root=root)
        if len(drafts) > MAX_SEGMENTS:
            raise DecompositionRefusedError(limit="segments", actual=len(drafts), allowed=MAX_SEGMENTS)
        edges = [*_structure(drafts), *link(trace=trace, drafts=drafts)]
        return Graph(tuple(_segments(trace, drafts, edges)), tuple(edges), self.name, tuple(_left_out(drafts)))


def _left_out(drafts: list[Draft]) -> Iterator[str]:
    for draft in drafts:
        if draft.stands_as_step and draft.source is not Source.TOOL_CALL and len(draft.span) > LONG_UNIT:
            yield f"{draft.id} has {len(draft.span)} characters and no sentence end: its equations were not looked for"


def _structure(drafts: list[Draft]) -> Iterator[Edge]:
    for draft in drafts:
        for child in draft.parts:
            yield Edge(draft.id, child.id, Relation.DECOMPOSES_TO, Strength.STRONG, 1.0, "part of it")
            if child.level is Level.OPERATION and draft.level is Level.STEP:
                yield Edge(child.id, draft.id, Relation.ENABLES, Strength.STRONG, 0.95, "computes within the step")


def _segments(trace: Trace, drafts: list[Draft], edges: list[Edge]) -> Iterator[Segment]:
    """The drafts as segments, each with its complexity, its tiers and the features they rest on."""
    bases: dict[str, list[str]] = {draft.id: [] for draft in drafts}
    for edge in edges:
        if edge.relation is Relation.DEPENDS_ON:
            bases[edge.source].append(edge.target)
    depth: dict[str, int] = {}
    for draft in drafts:  # premises by rules come before what rests on them, tool calls apart
        depth[draft.id] = 1 + max((depth.get(base, 0) for base in bases[draft.id]), default=-1)
        content = draft.text(trace)
        # `held` / length is the share that the checkers can read: all of an equation, else what its operations hold.
        whole = draft.is_equation or draft.level is Level.OPERATION
        held = len(content) if whole else sum(len(child.span) for child in draft.parts)
        contains = draft.level in (Level.STRATEGY, Level.TACTIC)  # judged by its own text, its parts apart
        assessment = assess(
            content=_own(draft, content) if contains else content,
            level=draft.level,
            domain=trace.domain,
            premises=len(bases[draft.id]),
            depth=depth[draft.id],
            checkable=0.0 if contains else held / len(content),
        )
        yield _segment(draft, content, assessment)


def _own(draft: Draft, content: str) -> str:
    held = (child.span for child in draft.parts)
    return " ".join(
        content[gap.start - draft.span.start : gap.end - draft.span.start]
        for gap in gaps(within=draft.span, covered=held)
    )


def _segment(draft: Draft, content: str, assessment: Assessment) -> Segment:
    return Segment(
        id=draft.id,
        level=draft.level,
        content=content,
        source=draft.source,
        start=draft.span.start,
        end=draft.span.end,
        source_index=draft.source_index,
        kind=draft.kind,
        summary=summarise(content=content, is_equation=draft.level is Level.OPERATION),
        complexity=assessment.complexity,
        features=assessment.features,
        primary=assessment.primary,
        secondaries=assessment.secondaries,
        why_tier=assessment.why,
        focus=assessment.focus,
        step=draft.step,
    )
