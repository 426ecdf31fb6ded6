"""Storing traces and graphs. Reads Trace, Decomposition; writes Block, Trace, Decomposition, Segment, Edge."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models import BooleanField, QuerySet

from accounts.prepared import Mark, PreparedQuery, Written
from hdag import models
from hdag.core import values
from hdag.core.masking.masking import mask
from hdag.core.own_text import children_inside, is_entirely_childrens, own_text
from hdag.core.units import Stretch, UnitKind
from hdag.selectors import hidden_names, identity_of
from hdag.store import content
from hdag.store.rows import insert

if TYPE_CHECKING:
    from accounts.models import User

# Mail domains that tell nothing about a provider; any other domain names an organisation and is masked.


def store_trace(
    *,
    provider: User,
    trace: values.Trace,
    copy: bool = False,
    whole_to_models: bool = False,
    tags: Sequence[str] = (),
) -> tuple[models.Trace, bool]:
    """Store a trace, or find the equal one of this provider: (row, whether it is new). `copy` asks for another."""
    digest = digest_of(trace=trace)
    # Under the keys before a rotation too: the same text is found although its digest is still the old one.
    known_as = content.keyed_digests(identity_of(trace=trace))
    mine = list(_stored.rows(provider=provider.pk, digests=known_as))
    if mine and not copy:
        return mine[0], False
    number = len(mine)
    try:
        with transaction.atomic():
            return _insert(provider, trace, (digest, number), whole_to_models, tags), True
    except IntegrityError:  # the same trace arrived at the same moment
        if copy:
            return store_trace(provider=provider, trace=trace, copy=True, whole_to_models=whole_to_models, tags=tags)
        return next(_stored.rows(provider=provider.pk, digests=known_as)), False


@PreparedQuery
def _stored(provider: int) -> QuerySet[models.Trace]:
    same = Written("hdag_trace.digest = ANY(%s)", [Mark("digests")], output_field=BooleanField())
    return models.Trace.objects.filter(same, provider=provider).order_by("copy")


def digest_of(*, trace: values.Trace) -> bytes:
    """What finds the same text handed in again; tells nothing without the master key."""
    return content.keyed_digests(identity_of(trace=trace))[0]


@dataclass(frozen=True, slots=True)
class JudgedUnit:
    """What a passage graph says of a segment beyond a fine graph: what is judged there, of what it is made, why not.

    pieces: the text that is judged, cut where its numbered steps begin and end; a piece with labels is a step.
    """

    kind: UnitKind
    pieces: tuple[tuple[str, tuple[str, ...]], ...]
    members: tuple[str, ...] = ()
    carries: tuple[str, ...] = ()
    unasked: str = ""
    takes: tuple[Stretch, ...] = ()  # the steps of other passages that it rests on


def store_graph(
    *,
    job: models.Decomposition,
    trace: values.Trace,
    graph: values.Graph,
    metrics: dict[str, Any],
    units: Mapping[str, JudgedUnit] = MappingProxyType({}),
) -> None:
    """Store the graph of `trace` under `job`, every text in a block of its own. Call inside a transaction.

    The caller stores `job` itself, before or after. units: of a passage graph, what is judged, by segment id.
    """
    # Explanations of edges may quote the trace, so they lie in a block and not in the rows of the edges.
    notes = {
        "report": list(graph.report),
        "edges": {f"{e.source} {e.relation} {e.target}": e.explanation for e in graph.edges if e.explanation},
    }
    rows, job.notes = _store_segments(job, trace, graph, units, notes)
    insert(
        models.Edge(
            decomposition=job,
            source=rows[edge.source],
            target=rows[edge.target],
            relation=edge.relation,
            strength=edge.strength,
            confidence=edge.confidence,
        )
        for edge in graph.edges
    )
    job.metrics = metrics
    job.decomposer = graph.decomposer or job.decomposer


def _store_segments(
    job: models.Decomposition,
    trace: values.Trace,
    graph: values.Graph,
    units: Mapping[str, JudgedUnit],
    notes: dict[str, Any],
) -> tuple[dict[str, models.Segment], models.Block]:
    """A row and an encrypted block for each segment, by its label in the graph; and the block of the notes."""
    inside = children_inside(graph=graph)
    hidden = hidden_names(provider=job.trace.provider, trace=trace)
    judged = {label: _judged(unit, hidden) for label, unit in units.items()}
    bodies = [
        {
            "content": segment.content,
            "own": judged[segment.id][0]
            if segment.id in judged
            else mask(text=own_text(segment=segment, children=inside[segment.id]), names=hidden),
            "summary": segment.summary,
            "focus": segment.focus,
            "why_tier": segment.why_tier,
            **(
                {"takes": [list(taken) for taken in map(astuple, units[segment.id].takes)]}
                if segment.id in units
                else {}
            ),
        }
        for segment in graph.segments
    ]
    # Whatever quotes the trace is in the block, which erasure can destroy; the row keeps places and figures.
    *blocks, notes_block = content.store(
        [*(json.dumps(body, ensure_ascii=False) for body in bodies), content.as_json(notes)]
    )
    rows = [
        models.Segment(
            decomposition=job,
            label=segment.id,
            position=position,
            level=segment.level,
            source=segment.source,
            source_index=segment.source_index,
            start=segment.start,
            end=segment.end,
            step=segment.step,
            kind=segment.kind[:40],
            complexity=segment.complexity,
            features=dict(segment.features),
            primary=segment.primary,
            secondaries=[str(tier) for tier in segment.secondaries],
            by_model=segment.by_model,
            block=block,
            # Votes name the segment by a salted digest: a short text could otherwise be guessed from the public ledger.
            salt=os.urandom(32),
            entirely_childrens=is_entirely_childrens(segment=segment, children=inside[segment.id]),
            **(_unit_columns(units[segment.id], judged[segment.id][1]) if segment.id in units else {}),
        )
        for position, (segment, block) in enumerate(zip(graph.segments, blocks, strict=True))
    ]
    insert(rows)
    return {row.label: row for row in rows}, notes_block


def _judged(unit: JudgedUnit, hidden: list[str]) -> tuple[str, list[list[Any]]]:
    """The masked text of a unit, and its steps as [labels, start, end] in that text.

    Masked piece by piece, for a mask may be shorter or longer than what it hides.
    """
    text, steps = "", []
    for piece, labels in unit.pieces:
        start = len(text)
        text += mask(text=piece, names=hidden)
        if labels:
            steps.append([list(labels), start, len(text)])
    return text, steps


def _unit_columns(unit: JudgedUnit, steps: list[list[Any]]) -> dict[str, Any]:
    return {
        "unit": unit.kind,
        "members": list(unit.members),
        "numbering": steps,
        "carries": list(unit.carries),
        "unasked": unit.unasked,
    }


def _insert(
    provider: User, trace: values.Trace, key: tuple[bytes, int], whole_to_models: bool, tags: Sequence[str]
) -> models.Trace:
    """A new row for the trace; its title, its tags and its masked domain are all that stands in the open."""
    digest, number = key
    row = models.Trace(
        provider=provider,
        domain=mask(text=trace.domain, names=hidden_names(provider=provider, trace=trace))[:60],
        digest=digest,
        external_id=trace.id[:200],
        tags=list(tags),
        copy=number,
        payload=content.store_json(asdict(trace)),
        characters=len(trace.problem) + len(trace.thinking) + len(trace.answer),
        whole_to_models=whole_to_models,
    )
    row.title = trace.title[:200] or f"Trace {str(row.id)[:8]}"
    return insert([row])[0]
