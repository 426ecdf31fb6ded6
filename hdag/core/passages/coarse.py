"""The passage graph: passages as steps under one strategy and one answer unit, with the fine premises between them.

G1 "How much in a week?"
  S1 (all of the thinking)   P1  P2  P3        depends_on: P3 -> P1, because a step of P3 rests on a step of P1
  A1 (the answer)            P4
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hdag.core.levels import Complexity, Level, Tier
from hdag.core.passages.conclusions import concluding_sentence
from hdag.core.passages.context import further_premises
from hdag.core.passages.seats import ANSWER, GOAL, STRATEGY
from hdag.core.passages.taking import find_owners
from hdag.core.passages.values import Passage, PassagePlan, PlanKind
from hdag.core.relations import Relation, Strength
from hdag.core.repair import break_cycles
from hdag.core.spans import Span, trim
from hdag.core.values import Edge, Graph, Segment, Source, Trace

DECOMPOSER = "passages"
FOCUS = "Does every step follow from its premises, and is nothing missing?"
_HARDNESS = list(Complexity)
_STRENGTH = {Strength.WEAK: 0, Strength.MEDIUM: 1, Strength.STRONG: 2}


def coarsen(*, trace: Trace, graph: Graph, plan: PassagePlan) -> Graph:
    """The graph of `plan` over the fine `graph`: its segments have the ids of the passages; fine edges are joined.

    It satisfies the invariants of every HDAG. A goal G1 always; one unit is a step right under it; else S1 holds the
    passages of the thinking (of the answer, where nothing else is), and A1 is the passage that concludes.
    """
    fine = {segment.id: segment for segment in graph.segments}
    goal = _goal(trace, graph)
    asks = {seat.id: seat.question for seat in plan.plan_seats}
    steps = [_step(passage, fine, asks.get(passage.id, FOCUS)) for passage in plan.passages]
    containers = _containers(trace, plan)
    parents = _parents(plan, containers)
    segments = sorted([*containers, *steps], key=_reading_order)
    structure = [
        Edge(parents[segment.id], segment.id, Relation.DECOMPOSES_TO, Strength.STRONG, 1.0, "part of it")
        for segment in segments
    ]
    lateral = list(_lateral(graph, plan, goal))
    joined = break_cycles(graph=Graph((goal, *segments), (*structure, *lateral), DECOMPOSER, graph.report))
    further = further_premises(passages=plan.passages, known=joined.premises())
    return break_cycles(graph=replace(joined, edges=(*joined.edges, *further)))


def _reading_order(segment: Segment) -> tuple[int, int, int, int, int]:
    rank = (Source.PROBLEM, Source.THINKING, Source.TOOL_CALL, Source.ANSWER).index(segment.source)
    return rank, segment.source_index, segment.start, segment.level.depth, -segment.end


def _goal(trace: Trace, graph: Graph) -> Segment:
    """The fine graph's goal under the id of the goal seat."""
    return replace(next(s for s in graph.segments if s.level is Level.GOAL), id=GOAL)


def _step(passage: Passage, fine: Mapping[str, Segment], question: str) -> Segment:
    """A passage as a step: as hard as its hardest member; its summary is its concluding sentence."""
    members = [fine[label] for label in passage.segments]
    hardest = max(members, key=lambda s: _HARDNESS.index(s.complexity), default=None)
    lone = {segment.step for segment in members}
    by_model = any(segment.by_model for segment in members)
    return Segment(
        id=passage.id,
        level=Level.STEP,
        content=passage.text,
        source=passage.source,
        start=passage.start,
        end=passage.end,
        source_index=passage.source_index,
        kind=_kind(passage, hardest),
        summary=concluding_sentence(text=passage.text),
        complexity=hardest.complexity if hardest else Complexity.LOW,
        features=hardest.features if hardest else {},
        primary=passage.tier,
        secondaries=_after(passage.tier, members) if by_model else hardest.secondaries if hardest else (),
        why_tier=hardest.why_tier if hardest else "",
        focus=question,
        step=lone.pop() if len(lone) == 1 else None,
        by_model=by_model,
    )


def _after(primary: Tier, members: Sequence[Segment]) -> tuple[Tier, ...]:
    """The other tiers that a member's suggestion names; checkers look at every step before anybody."""
    named = {tier for segment in members for tier in (segment.primary, *segment.secondaries)}
    return tuple(tier for tier in (Tier.LLM, Tier.HUMAN) if tier in named and tier is not primary)


def _kind(passage: Passage, hardest: Segment | None) -> str:
    if passage.id == ANSWER:
        return PlanKind.ANSWER.value
    return passage.why.value or (hardest.kind if hardest else "")


def _containers(trace: Trace, plan: PassagePlan) -> list[Segment]:
    """S1 over the main text: what the strategy seat is asked about."""
    main = Source.THINKING if trace.thinking.strip() else Source.ANSWER
    text = trace.source_text(main)
    whole = trim(text=text, span=Span(0, len(text)))
    if plan.is_one_unit or not len(whole):
        return []
    content = whole.slice(text)
    summary = concluding_sentence(text=content)
    kind = PlanKind.STRATEGY
    extent = (whole.start, whole.end)
    return [
        Segment(STRATEGY, Level.STRATEGY, content, main, *extent, kind=kind.value, summary=summary, focus=kind.question)
    ]


def _parents(plan: PassagePlan, containers: Sequence[Segment]) -> dict[str, str]:
    """What each segment stands under: S1 where it lies in its text, else the goal."""
    main = containers[0].source if containers else None
    parents = {p.id: STRATEGY if main is p.source else GOAL for p in plan.passages}
    return {**parents, **dict.fromkeys((box.id for box in containers), GOAL)}


def _lateral(graph: Graph, plan: PassagePlan, goal: Segment) -> Iterator[Edge]:
    """The fine edges between passages, each pair and relation once, with the strongest of its fine edges."""
    owner = find_owners(graph=graph, plan=plan, goal=goal.id)
    joined: dict[tuple[str, str, Relation], Edge] = {}
    for edge in graph.edges:
        source, target = owner.get(edge.source), owner.get(edge.target)
        if edge.relation is Relation.DECOMPOSES_TO or not source or not target or source == target:
            continue
        key = source, target, edge.relation
        rank = (_STRENGTH[edge.strength], edge.confidence)
        if key not in joined or rank > (_STRENGTH[joined[key].strength], joined[key].confidence):
            joined[key] = edge._replace(source=source, target=target)
    yield from joined.values()
