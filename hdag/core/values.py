"""The values that all apps pass around: a Trace, and the Graph of Segments and Edges that a decomposer makes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from hdag.core.levels import Complexity, Level, Tier
from hdag.core.relations import Relation, Strength


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass by name, as they are: what json.dumps(default=fields_of) writes at any depth.

    dataclasses.asdict copies whatever is below, which takes as long as to encrypt it.

    >>> fields_of(ToolCall("calculator", "1+1", "2"))
    {'name': 'calculator', 'arguments': '1+1', 'output': '2', 'step': None}
    """
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


class Source(StrEnum):
    """Which text of a trace a span lies in."""

    PROBLEM = "problem"
    THINKING = "thinking"
    ANSWER = "answer"
    TOOL_CALL = "tool_call"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A recorded tool call: name, arguments as given, output as given."""

    name: str
    arguments: str
    output: str
    step: int | None = None  # index of the input step that made the call, where the format tells

    @property
    def text(self) -> str:
        """The text whose spans tool-call segments cite."""
        return f"{self.name}({self.arguments}) -> {self.output}"


@dataclass(frozen=True, slots=True)
class StepSpan:
    """Where input step `index` lies in the thinking (code points, half open), and who spoke it."""

    index: int
    start: int
    end: int
    speaker: str = ""
    parents: tuple[int, ...] | None = None  # declared premises (DAG-MATH), None when the format states none


@dataclass(frozen=True, slots=True)
class Trace:
    """A reasoning trace as handed in. Model name and reference answer are never shown to auditors."""

    problem: str
    thinking: str = ""
    answer: str = ""
    steps: tuple[StepSpan, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    domain: str = ""
    model_name: str = ""
    reference_answer: str = ""
    id: str = ""
    title: str = ""

    def source_text(self, source: Source, index: int = 0) -> str:
        """The whole text of `source`; `index` picks the tool call."""
        # a row of the database holds the name alone, which is equal to it and not the same
        if source == Source.THINKING:
            return self.thinking
        if source == Source.ANSWER:
            return self.answer
        return self.problem if source == Source.PROBLEM else self.tool_calls[index].text


@dataclass(frozen=True, slots=True)
class Segment:
    """A node of the HDAG: an exact span of one source of the trace.

    start/end count Unicode code points in the named source, half open; content is exactly that slice.
    step is the index of the one input step the span lies in, or None.
    """

    id: str
    level: Level
    content: str
    source: Source
    start: int
    end: int
    source_index: int = 0
    kind: str = ""
    summary: str = ""
    complexity: Complexity = Complexity.LOW
    features: Mapping[str, float] = field(default_factory=dict)
    primary: Tier = Tier.HUMAN
    secondaries: tuple[Tier, ...] = ()
    why_tier: str = ""
    focus: str = ""
    step: int | None = None
    by_model: bool = False  # the tiers were suggested by a model, not by rules


class Edge(NamedTuple):
    """A typed, directed edge between two segments."""

    source: str
    target: str
    relation: Relation
    strength: Strength = Strength.MEDIUM
    confidence: float = 0.5
    explanation: str = ""


# without slots: it remembers what follows from its edges
@dataclass(frozen=True)
class Graph:
    """The HDAG of one trace: segments in reading order, edges, and what decomposition has to report."""

    segments: tuple[Segment, ...]
    edges: tuple[Edge, ...]
    decomposer: str = ""
    report: tuple[str, ...] = ()

    def premises(self) -> Mapping[str, tuple[str, ...]]:
        """Direct premises of every segment, in reading order.

        >>> from hdag.core.levels import Level
        >>> a = Segment("ST1", Level.STEP, "x", Source.THINKING, 0, 1)
        >>> b = Segment("ST2", Level.STEP, "y", Source.THINKING, 1, 2)
        >>> Graph((a, b), (Edge("ST2", "ST1", Relation.DEPENDS_ON),)).premises()
        {'ST1': (), 'ST2': ('ST1',)}
        """
        return self._premises

    def children(self) -> Mapping[str, tuple[str, ...]]:
        """Direct parts of every segment by decomposes_to, in reading order."""
        return self._children

    @cached_property
    def _premises(self) -> dict[str, tuple[str, ...]]:
        order = {segment.id: position for position, segment in enumerate(self.segments)}
        bases: dict[str, set[str]] = {segment.id: set() for segment in self.segments}
        for edge in self.edges:
            if edge.relation is Relation.DEPENDS_ON:
                bases[edge.source].add(edge.target)
            elif edge.relation is Relation.ENABLES:
                bases[edge.target].add(edge.source)
        return {key: tuple(sorted(ids, key=order.__getitem__)) for key, ids in bases.items()}

    @cached_property
    def _children(self) -> dict[str, tuple[str, ...]]:
        parts: dict[str, list[str]] = {segment.id: [] for segment in self.segments}
        for edge in self.edges:
            if edge.relation is Relation.DECOMPOSES_TO:
                parts[edge.source].append(edge.target)
        return {key: tuple(ids) for key, ids in parts.items()}
