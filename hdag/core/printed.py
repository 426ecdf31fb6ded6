"""The HDAG as the paper prints it: nodes and edges in JSON, read and written, with its counts recomputed.

What a printed graph says of itself is never trusted: its `metadata` is compared with what is there. A node's content
need not be a span of any text; the trace of such a graph is its nodes, one after the other. Source: TRUST, section 3.1,
appendix (prompts and examples); docs/formulas.md section 1.7 (which way premises point).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.invariants import find_cycle
from hdag.core.levels import Complexity, Level, Tier
from hdag.core.relations import Relation, Strength
from hdag.core.values import Edge, Graph, Segment, Source, Trace

__all__ = ["Printed", "as_printed", "is_printed", "read_printed"]

_AUDITORS = {"T_Auto": Tier.COMPUTER, "T_LLM": Tier.LLM, "T_Human": Tier.HUMAN}
_WORDS = {tier: word for word, tier in _AUDITORS.items()}
_JOINT = "\n\n"
_MOST = 20_000  # nodes, and edges


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed graph: the trace that its nodes make, the graph over it, and what it says wrongly of itself."""

    trace: Trace
    graph: Graph
    remarks: tuple[str, ...]


def is_printed(value: object) -> bool:
    """Whether `value` is an object with nodes that have an abstraction level."""
    nodes = value.get("nodes") if isinstance(value, Mapping) else None
    is_list = isinstance(nodes, list) and bool(nodes) and isinstance(nodes[0], Mapping)
    return is_list and "abstraction_level" in nodes[0]  # type: ignore[index]


def read_printed(value: Mapping[str, Any], *, where: str) -> Printed:
    """The graph of a printed document. Raises BadRecordError naming the node or edge that cannot be read.

    The first goal is the problem; all other nodes follow in their order as the thinking.
    """
    rows = _rows(value, "nodes", where)
    goal = next((index for index, row in enumerate(rows) if row.get("abstraction_level") == "GOAL"), -1)
    problem = _text(rows[goal], "content", where, f"nodes[{goal}].") if goal >= 0 else ""
    segments: list[Segment] = []
    texts: list[str] = []
    cursor = 0
    for index, row in enumerate(rows):
        at = f"nodes[{index}]."
        content = _text(row, "content", where, at)
        # A printed graph has no running text: nodes are laid one behind another, and get the places they have there.
        start = 0 if index == goal else cursor
        source = Source.PROBLEM if index == goal else Source.THINKING
        segments.append(_segment(row, content, (source, start), where, at))
        if index != goal:
            texts.append(content)
            cursor += len(content) + len(_JOINT)
    ids = Counter(segment.id for segment in segments)
    # Edges name nodes by id: of two with one name nobody could say which is meant.
    if doubled := [name for name, times in ids.items() if times > 1]:
        raise BadRecordError(where=where, field="nodes", reason=f"id {doubled[0]} stands twice")
    edges = tuple(_edge(row, ids, where, f"edges[{index}].") for index, row in enumerate(_rows(value, "edges", where)))
    title = str(value.get("title") or "")[:1000]
    trace = Trace(problem, _JOINT.join(texts), id=str(value.get("id") or "")[:1000], title=title)
    graph = Graph(tuple(segments), edges, "as printed")
    return Printed(trace, graph, tuple(_remarks(value, graph)))


def as_printed(*, graph: Graph, title: str = "") -> dict[str, Any]:
    """The document of a graph, its counts included.

    `dependencies` are the premises of a node and `enables` the nodes whose premise it is, whichever way edges point.
    """
    premises = graph.premises()
    enabled: dict[str, list[str]] = {segment.id: [] for segment in graph.segments}
    for key, bases in premises.items():
        for base in bases:
            enabled[base].append(key)
    nodes = [_node(segment, premises[segment.id], enabled[segment.id]) for segment in graph.segments]
    edges = [_printed_edge(edge) for edge in graph.edges]
    return {"title": title, "nodes": nodes, "edges": edges, "metadata": _metadata(graph)}


def _node(segment: Segment, premises: tuple[str, ...], enabled: list[str]) -> dict[str, Any]:
    return {
        "id": segment.id,
        "label": segment.summary,
        "content": segment.content,
        "abstraction_level": segment.level.name,
        "type": segment.kind,
        "summary": segment.summary,
        "primary_auditor": _WORDS[segment.primary],
        "secondary_auditors": [_WORDS[tier] for tier in segment.secondaries],
        "complexity": segment.complexity.value.capitalize(),
        "dependencies": list(premises),
        "enables": enabled,
    }


def _printed_edge(edge: Edge) -> dict[str, Any]:
    row: dict[str, Any] = {"from": edge.source, "to": edge.target, "relationship": str(edge.relation)}
    row |= {"strength": str(edge.strength), "confidence": edge.confidence}
    return row | ({"explanation": edge.explanation} if edge.explanation else {})


def _metadata(graph: Graph) -> dict[str, Any]:
    by_tier = Counter(segment.primary for segment in graph.segments)
    shares = {word: by_tier[tier] for word, tier in _AUDITORS.items()}
    return {"total_nodes": len(graph.segments), "total_edges": len(graph.edges), "auditor_distribution": shares}


def _segment(row: Mapping[str, Any], content: str, position: tuple[Source, int], where: str, at: str) -> Segment:
    source, start = position
    return Segment(
        id=_text(row, "id", where, at, longest=60),
        level=Level(_word(row, "abstraction_level", {level.name: str(level) for level in Level}, where, at)),
        content=content,
        source=source,
        start=start,
        end=start + len(content),
        kind=str(row.get("type") or "")[:60],
        summary=str(row.get("summary") or row.get("label") or "")[:200],
        complexity=Complexity(_word(row, "complexity", {c.value.capitalize(): str(c) for c in Complexity}, where, at)),
        primary=_tier(row.get("primary_auditor", "T_Human"), where, f"{at}primary_auditor"),
        secondaries=tuple(
            _tier(word, where, f"{at}secondary_auditors") for word in row.get("secondary_auditors") or ()
        ),
    )


def _edge(row: Mapping[str, Any], ids: Mapping[str, int], where: str, at: str) -> Edge:
    ends = [_text(row, name, where, at, longest=60) for name in ("from", "to")]
    for end in ends:
        if end not in ids:
            raise BadRecordError(where=where, field=at.rstrip("."), reason=f"{end} is no node")
    confidence = row.get("confidence", 0.5)
    # bool first: to Python True is the number 1.
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        raise BadRecordError(where=where, field=f"{at}confidence", reason="is no number from 0 to 1")
    return Edge(
        ends[0],
        ends[1],
        Relation(_word(row, "relationship", {str(r): str(r) for r in Relation}, where, at)),
        Strength(_word(row, "strength", {str(s): str(s) for s in Strength}, where, at)),
        float(confidence),
        str(row.get("explanation") or ""),
    )


# What a node or edge is taken for where it does not say.
_DEFAULTS = {"complexity": "low", "strength": "medium"}


def _word(row: Mapping[str, Any], name: str, words: Mapping[str, str], where: str, at: str) -> str:
    value = row.get(name)
    if value is None and name in _DEFAULTS:
        return _DEFAULTS[name]
    # Models write "medium", "Medium" and "MEDIUM".
    meanings = {word.casefold(): meaning for word, meaning in words.items()}
    if not isinstance(value, str) or value.casefold() not in meanings:
        raise BadRecordError(where=where, field=f"{at}{name}", reason=f"is none of {', '.join(words)}")
    return meanings[value.casefold()]


def _tier(word: object, where: str, field: str) -> Tier:
    if not isinstance(word, str) or word not in _AUDITORS:
        raise BadRecordError(where=where, field=field, reason=f"is none of {', '.join(_AUDITORS)}")
    return _AUDITORS[word]


def _rows(value: Mapping[str, Any], name: str, where: str) -> list[Mapping[str, Any]]:
    rows = value.get(name)
    if not isinstance(rows, list) or len(rows) > _MOST or not all(isinstance(row, Mapping) for row in rows):
        raise BadRecordError(where=where, field=name, reason=f"must be a list of at most {_MOST} objects")
    return rows


def _text(row: Mapping[str, Any], name: str, where: str, at: str, longest: int = 1_000_000) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip() or len(value) > longest:
        raise BadRecordError(where=where, field=f"{at}{name}", reason="must be text that is not blank")
    return value


def _remarks(value: Mapping[str, Any], graph: Graph) -> Iterator[str]:
    """What the document says wrongly of itself, and what its graph lacks."""
    metadata = value.get("metadata")
    stated = metadata if isinstance(metadata, Mapping) else {}
    actual = _metadata(graph)
    for name in ("total_nodes", "total_edges"):
        if name in stated and stated[name] != actual[name]:
            yield f"{name}: it says {stated[name]}, there are {actual[name]}"
    shares = stated.get("auditor_distribution")
    for word, times in actual["auditor_distribution"].items():
        # A document that gives no shares contradicts nothing.
        if isinstance(shares, Mapping) and shares.get(word, 0) != times:
            yield f"{word}: it says {shares.get(word, 0)}, there are {times}"
    parts = _components(graph)
    if len(parts) > 1:
        lonely = sorted(component[0] for component in parts if len(component) == 1)
        yield f"{len(parts)} parts that no edge joins" + (f"; alone: {', '.join(lonely)}" if lonely else "")
    for name, successors in (("premises", graph.premises()), ("structure", graph.children())):
        if cycle := find_cycle(successors=successors):
            yield f"{name} run in a circle: {', '.join(cycle)}"


def _components(graph: Graph) -> list[list[str]]:
    """The nodes of each connected part."""
    part_of = dict(zip((segment.id for segment in graph.segments), count(), strict=False))
    for edge in graph.edges:
        old, new = part_of[edge.source], part_of[edge.target]
        if old != new:
            part_of = {key: new if component == old else component for key, component in part_of.items()}
    parts: dict[int, list[str]] = {}
    for key, component in part_of.items():
        parts.setdefault(component, []).append(key)
    return list(parts.values())
