"""Reading stored traces and graphs back into values. Never writes."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedQuery, PreparedRows
from hdag import models
from hdag.core import values
from hdag.core.levels import Complexity, Level, Tier
from hdag.core.relations import Relation, Strength
from hdag.core.units import Stretch, UnitKind
from hdag.store import content

if TYPE_CHECKING:
    from accounts.models import User

EVERYBODYS_MAIL = frozenset(
    "gmail.com googlemail.com outlook.com hotmail.com live.com yahoo.com icloud.com me.com aol.com proton.me "
    "protonmail.com gmx.de gmx.net web.de mail.ru yandex.ru qq.com 163.com 126.com".split()
)


@dataclass(frozen=True, slots=True)
class StoredGraph:
    """A graph as a value, with the database row and the current reasoning, as auditors read it, of each segment."""

    graph: values.Graph
    rows: dict[str, models.Segment]
    own: dict[str, str]

    @property
    def plan_units(self) -> frozenset[str]:
        """Of a passage graph, the ids of the units that ask about the whole trace."""
        return frozenset(label for label, row in self.rows.items() if row.unit and UnitKind(row.unit).is_plan)


def load_trace(row: models.Trace) -> values.Trace:
    """The trace as handed in. Raises ContentGoneError, ContentDamagedError, StoreAwayError."""
    fields: dict[str, Any] = content.read_json(row.payload)
    fields["steps"] = tuple(
        # JSON knows no tuples: parents come back as a list (or null where the format stated none).
        values.StepSpan(**{**step, "parents": None if step.get("parents") is None else tuple(step["parents"])})
        for step in fields["steps"]
    )
    fields["tool_calls"] = tuple(values.ToolCall(**call) for call in fields["tool_calls"])
    return values.Trace(**fields)


def known_traces(*, provider: User, traces: Sequence[values.Trace]) -> list[bool]:
    """Of each trace, whether this provider handed it in before, here or earlier among `traces`: text and model."""
    names = [content.keyed_digests(identity_of(trace=trace)) for trace in traces]
    stored = models.Trace.objects.filter(provider=provider, digest__in={digest for some in names for digest in some})
    rows = list(stored.select_related("payload"))
    authors: dict[bytes, list[str]] = defaultdict(list)
    for row, author in zip(rows, authors_of(rows=rows), strict=True):
        authors[bytes(row.digest)].append(author)
    are_known = []
    for trace, some in zip(traces, names, strict=True):
        same_text = [author for digest in some for author in authors[digest]]
        are_known.append(any(may_be_one(author, trace.model_name) for author in same_text))
        authors[some[0]].append(trace.model_name)
    return are_known


def authors_of(*, rows: Sequence[models.Trace]) -> list[str]:
    """The model that wrote each stored trace, "" where none is named; their payloads are joined or fetched here."""
    content.fetch(row.payload for row in rows)
    return [load_trace(row).model_name for row in rows]


def may_be_one(author: str, other: str) -> bool:
    """Whether two names of models may mean one: where either is missing, nothing says that they differ.

    >>> may_be_one("Qwen3-8B", "qwen3-8b"), may_be_one("", "qwen3-8b"), may_be_one("qwen3-8b", "qwen3-32b")
    (True, True, False)
    """
    folded = (author.strip().casefold(), other.strip().casefold())
    return "" in folded or folded[0] == folded[1]


def identity_of(*, trace: values.Trace) -> str:
    """What makes two traces the same: their text, steps and tool calls."""
    identity = {key: getattr(trace, key) for key in _IDENTIFYING}
    return json.dumps(identity, sort_keys=True, ensure_ascii=False, default=values.fields_of)


_IDENTIFYING = ("problem", "thinking", "answer", "steps", "tool_calls")


def load_graph(job: models.Decomposition) -> StoredGraph:
    """The stored graph of a finished decomposition, texts included: three queries."""
    rows = list(_segments.rows(graph=job.pk))
    for row in rows:
        row.decomposition = job
    # All blocks that lie outside the database in one go, not one request a segment.
    content.fetch(row.block for row in rows)
    labels = {row.pk: row.label for row in rows}
    texts = {row.label: content.read_json(row.block) for row in rows}
    segments = tuple(segment_value(row, texts[row.label]) for row in rows)
    # Columns and no instances: a long trace has thousands of edges, and every page of it reads them.
    edges = tuple(edge_between(labels, *columns) for columns in _edges.rows(graph=job.pk))
    graph = values.Graph(segments, edges, job.decomposer)
    return StoredGraph(graph, {row.label: row for row in rows}, {label: text["own"] for label, text in texts.items()})


@PreparedQuery
def _segments(graph: UUID) -> QuerySet[models.Segment]:
    return models.Segment.objects.filter(decomposition=graph).select_related("block").order_by("position")


@PreparedRows
def _edges(graph: UUID) -> QuerySet[models.Edge, Any]:
    rows = models.Edge.objects.filter(decomposition=graph).order_by("id")
    return rows.values_list("source_id", "target_id", "relation", "strength", "confidence")


def stretches_of(*, row: models.Segment, rows: Mapping[str, models.Segment]) -> list[Stretch]:
    """What text a unit judges: its own span and what its form carries; goal and strategy read a digest instead.

    rows: those of its graph by label.
    """
    own = [row] if row.unit in (UnitKind.PASSAGE, UnitKind.ANSWER) else []
    judged = [*own, *(rows[label] for label in row.carries)]
    return [Stretch(values.Source(text.source), text.source_index, text.start, text.end) for text in judged]


def takes_of(*, texts: Mapping[str, Any]) -> list[Stretch] | None:
    """The steps of other passages that a unit rests on, from what its block holds; None where nobody wrote them down.

    What an earlier version stored has no such entry.
    """
    listed = texts.get("takes")
    return None if listed is None else [Stretch(values.Source(taken[0]), *taken[1:]) for taken in listed]


def segment_value(row: models.Segment, texts: dict[str, str]) -> values.Segment:
    """A stored segment as a value; `texts` is what its block holds."""
    return replace(
        shown_value(row, texts),
        kind=row.kind,
        complexity=Complexity(row.complexity),
        features=row.features,
        primary=Tier(row.primary),
        secondaries=tuple(Tier(tier) for tier in row.secondaries),
        why_tier=texts["why_tier"],
        focus=texts["focus"],
        step=row.step,
        by_model=row.by_model,
    )


def shown_value(row: models.Segment, texts: dict[str, str]) -> values.Segment:
    """The same of what a neighbour shows: its text and where it stands, and nothing of how it is routed.

    Asks for the columns `SHOWN` alone.
    """
    return values.Segment(
        id=row.label,
        level=Level(row.level),
        content=texts["content"],
        source=values.Source(row.source),
        start=row.start,
        end=row.end,
        source_index=row.source_index,
        summary=texts["summary"],
    )


_BLOCK = ("block__ciphertext", "block__wrapped_key", "block__is_manifest")
SHOWN = ("label", "level", "source", "start", "end", "source_index", *_BLOCK)


def edge_between(
    labels: Mapping[UUID, str], source: UUID, target: UUID, relation: str, strength: str, confidence: float
) -> values.Edge:
    """A stored edge, by its columns, as a value; `labels` by primary key."""
    return values.Edge(labels[source], labels[target], Relation(relation), Strength(strength), confidence)


def find_block(*, cid: str) -> models.Block | None:
    """One stored block by its address, with the block that it is a part of; None if there is none."""
    return models.Block.objects.select_related("part_of").filter(pk=cid).first()


def hidden_names(*, provider: User, trace: values.Trace) -> list[str]:
    """What no auditor may read: the declared model, and the provider's pseudonym, address, its domain, organisation."""
    organisation = getattr(getattr(provider, "profile", None), "organisation", "")
    domain = provider.email.rpartition("@")[2]
    domain = "" if domain in EVERYBODYS_MAIL else domain
    return [name for name in (trace.model_name, provider.pseudonym, provider.email, domain, organisation) if name]
