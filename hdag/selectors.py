"""Reading stored traces and graphs back into values. Never writes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hdag import content, models
from hdag.core import values
from hdag.core.levels import Complexity, Level, Tier
from hdag.core.relations import Relation, Strength


@dataclass(frozen=True, slots=True)
class StoredGraph:
    """A graph as a value, with the database row of each segment by its label."""

    graph: values.Graph
    rows: dict[str, models.Segment]


def load_trace(row: models.Trace) -> values.Trace:
    """The trace as handed in. Raises ContentGone, ContentDamaged."""
    said: dict[str, Any] = content.read_json(row.payload)
    said["steps"] = tuple(
        values.StepSpan(**{**step, "parents": None if step.get("parents") is None else tuple(step["parents"])})
        for step in said["steps"]
    )
    said["tool_calls"] = tuple(values.ToolCall(**call) for call in said["tool_calls"])
    return values.Trace(**said)


def load_graph(job: models.Decomposition) -> StoredGraph:
    """The stored graph of a finished decomposition, texts included: three queries."""
    rows = list(job.segments.select_related("block").order_by("position"))
    labels = {row.pk: row.label for row in rows}
    segments = tuple(_segment(row, content.read_json(row.block)) for row in rows)
    edges = tuple(_edge(edge, labels) for edge in job.edges.order_by("id"))
    return StoredGraph(values.Graph(segments, edges, job.decomposer), {row.label: row for row in rows})


def read_segments(rows: Iterable[models.Segment]) -> dict[Any, dict[str, str]]:
    """The texts of segments by primary key: content, own, summary, focus, why_tier."""
    return {row.pk: content.read_json(row.block) for row in rows}


def _segment(row: models.Segment, texts: dict[str, str]) -> values.Segment:
    return values.Segment(
        id=row.label,
        level=Level(row.level),
        content=texts["content"],
        source=values.Source(row.source),
        start=row.start,
        end=row.end,
        source_index=row.source_index,
        kind=row.kind,
        summary=texts["summary"],
        complexity=Complexity(row.complexity),
        features=row.features,
        primary=Tier(row.primary),
        secondaries=tuple(Tier(tier) for tier in row.secondaries),
        why_tier=texts["why_tier"],
        focus=texts["focus"],
        step=row.step,
    )


def _edge(row: models.Edge, labels: dict[Any, str]) -> values.Edge:
    return values.Edge(
        source=labels[row.source_id],
        target=labels[row.target_id],
        relation=Relation(row.relation),
        strength=Strength(row.strength),
        confidence=row.confidence,
    )
