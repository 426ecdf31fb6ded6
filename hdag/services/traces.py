"""Storing traces and graphs. Reads Trace, Decomposition; writes Block, Trace, Decomposition, Segment, Edge."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from django.db import IntegrityError, transaction
from django.db.models import BooleanField, QuerySet

from accounts.prepared import Mark, PreparedQuery, Written
from hdag import models
from hdag.core import values
from hdag.core.masking.masking import mask
from hdag.core.own_text import children_inside, is_entirely_childrens, own_text
from hdag.core.units import Stretch, UnitKind
from hdag.rendering.titles import one_line
from hdag.selectors import StoredGraph, authors_of, hidden_names, identity_of, may_be_one
from hdag.store import content
from hdag.store.rows import fresh, insert, insert_columns

if TYPE_CHECKING:
    from accounts.models import User

TRIES = 3  # of traces that others store at the same moment


def store_traces(
    *,
    provider: User,
    traces: Sequence[values.Trace],
    copy: bool = False,
    whole_to_models: bool = False,
    tags: Sequence[str] = (),
) -> list[tuple[models.Trace, bool]]:
    """Store traces in a few statements, or find the equal ones of this provider: each row, and whether it is new.

    `copy` asks for another of each. Two that are equal are one row, which is new for the first of them. The same text
    of two models is two traces, so that whoever compares the models counts it for both.
    """
    # Under the keys before a rotation too: the same text is found although its digest is still the old one.
    known_as = [content.keyed_digests(identity_of(trace=trace)) for trace in traces]
    for tries_left in reversed(range(TRIES)):
        mine: dict[bytes, list[tuple[models.Trace, str]]] = defaultdict(list)
        stored = list(_stored.rows(provider=provider.pk, digests=list(chain.from_iterable(known_as))))
        for row, author in zip(stored, authors_of(rows=stored), strict=True):
            mine[bytes(row.digest)].append((row, author))
        rows: list[tuple[models.Trace, bool]] = []
        for trace, (digest, *older) in zip(traces, known_as, strict=True):
            same_text = [pair for known in (digest, *older) for pair in mine[known]]
            equal = [row for row, author in same_text if may_be_one(author, trace.model_name)]
            is_new = copy or not equal
            row = _new_row(provider, trace, (digest, len(same_text)), whole_to_models, tags) if is_new else equal[0]
            mine[digest] += [(row, trace.model_name)] if is_new else []
            rows.append((row, is_new))
        try:
            _insert([(row, trace) for (row, is_new), trace in zip(rows, traces, strict=True) if is_new])
        except IntegrityError:  # one of them arrived at the same moment; what it was stored as is found now
            if not tries_left:
                raise
        else:
            break
    return rows


@PreparedQuery
def _stored(provider: int) -> QuerySet[models.Trace]:
    same = Written("hdag_trace.digest = ANY(%s)", [Mark("digests")], output_field=BooleanField())
    return models.Trace.objects.filter(same, provider=provider).select_related("payload").order_by("copy")


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
) -> StoredGraph:
    """Store the graph of `trace` under `job`, every text in a block of its own. Call inside a transaction.

    The caller stores `job` itself, before or after. units: of a passage graph, what is judged, by segment id.
    Returns what load_graph would read.
    """
    # Explanations of edges may quote the trace, so they lie in a block and not in the rows of the edges.
    notes = {
        "report": list(graph.report),
        "edges": {f"{e.source} {e.relation} {e.target}": e.explanation for e in graph.edges if e.explanation},
    }
    rows, own, job.notes = _store_segments(job, trace, graph, units, notes)
    keys = {label: row.pk for label, row in rows.items()}
    edges: dict[str, list[Any]] = {
        "decomposition_id": [job.pk] * len(graph.edges),
        "source_id": [keys[edge.source] for edge in graph.edges],
        "target_id": [keys[edge.target] for edge in graph.edges],
        "relation": [edge.relation for edge in graph.edges],
        "strength": [edge.strength for edge in graph.edges],
        "confidence": [edge.confidence for edge in graph.edges],
    }
    insert_columns(models.Edge, edges)
    job.metrics = metrics
    job.decomposer = graph.decomposer or job.decomposer
    plain = [edge._replace(explanation="") if edge.explanation else edge for edge in graph.edges]
    return StoredGraph(values.Graph(graph.segments, tuple(plain), job.decomposer), rows, own)


def _store_segments(
    job: models.Decomposition,
    trace: values.Trace,
    graph: values.Graph,
    units: Mapping[str, JudgedUnit],
    notes: dict[str, Any],
) -> tuple[dict[str, models.Segment], dict[str, str], models.Block]:
    """Row and own text of each segment, by its label, stored with a block each; and the block of the notes."""
    inside = children_inside(graph=graph)
    hide = _masks.setdefault(job.trace, _Mask(hidden_names(provider=job.trace.provider, trace=trace)))
    judged = {label: _judged(unit, hide) for label, unit in units.items()}
    bodies = [
        {
            "content": segment.content,
            "own": judged[segment.id][0]
            if segment.id in judged
            else hide(own_text(segment=segment, children=inside[segment.id])),
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
        fresh(
            models.Segment,
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
    own = {segment.id: str(body["own"]) for segment, body in zip(graph.segments, bodies, strict=True)}
    return {row.label: row for row in rows}, own, notes_block


class _Mask:
    """Masks the texts of one trace, each once: a passage is made of the segments that were masked before."""

    def __init__(self, names: list[str]) -> None:
        self._names = names
        self._masked = dict[str, str]()

    def __call__(self, text: str) -> str:
        if text not in self._masked:
            self._masked[text] = mask(text=text, names=self._names)
        return self._masked[text]


# Beside the row of its trace, and gone with it: nothing of a text outlives the task that read it.
_masks: WeakKeyDictionary[models.Trace, _Mask] = WeakKeyDictionary()


def _judged(unit: JudgedUnit, hide: _Mask) -> tuple[str, list[list[Any]]]:
    """The masked text of a unit, and its steps as [labels, start, end] in that text.

    Masked piece by piece, for a mask may be shorter or longer than what it hides.
    """
    text, steps = "", []
    for piece, labels in unit.pieces:
        start = len(text)
        text += hide(piece)
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


def _new_row(
    provider: User, trace: values.Trace, key: tuple[bytes, int], whole_to_models: bool, tags: Sequence[str]
) -> models.Trace:
    """A row for the trace, whose title, tags and masked domain are all that stands in the open."""
    digest, number = key
    row = models.Trace(
        provider=provider,
        domain=mask(text=trace.domain, names=hidden_names(provider=provider, trace=trace))[:60],
        digest=digest,
        external_id=trace.id[:200],
        tags=list(tags),
        copy=number,
        characters=len(trace.problem) + len(trace.thinking) + len(trace.answer),
        whole_to_models=whole_to_models,
    )
    row.title = one_line(text=trace.title)[:200] or f"Trace {str(row.id)[:8]}"
    return row


def _insert(new: Sequence[tuple[models.Trace, values.Trace]]) -> None:
    """The texts, then the rows that refer to them."""
    if not new:
        return
    with transaction.atomic():
        payloads = content.store([content.as_json(trace) for _, trace in new])
        for (row, _), payload in zip(new, payloads, strict=True):
            row.payload = payload
        insert(row for row, _ in new)
