"""Segments and edges of the audited graphs as rows of their data sets."""

import json
from collections.abc import Iterator

from django.db.models import F

from auditing.models import Route
from auditing.research.exports.selectors.scope import ANY, WITHOUT, Scope
from auditing.research.exports.selectors.streams import (
    IDS,
    Row,
    audit_columns,
    block_columns,
    stream,
    take_text,
    texted,
)
from auditing.selectors.gold.truths import on_gold, standing_truth
from hdag.models import Edge


def segments(scope: Scope) -> Iterator[Row]:
    """Segments that were routed in these audits."""
    filters, routes = scope.filters, Route.objects.filter(audit__in=scope.audits())
    routes = routes.filter(primary=filters.tier) if filters.tier else routes
    if filters.gold != ANY:
        is_gold = on_gold(segment="segment__")
        routes = routes.exclude(is_gold) if filters.gold == WITHOUT else routes.filter(is_gold)
    if filters.outcome:
        routes = routes.filter(
            # Both conditions in one filter(): they must hold for the same outcome row.
            audit__segment_outcomes__segment=F("segment"),
            audit__segment_outcomes__outcome=filters.outcome,
        )
    columns = audit_columns("audit__") | {
        "segment": "segment_id",
        "label": "segment__label",
        "level": "segment__level",
        "position": "segment__position",
        "source": "segment__source",
        "source_index": "segment__source_index",
        "start": "segment__start",
        "end": "segment__end",
        "step": "segment__step",
        "complexity": "segment__complexity",
        "primary_tier": "primary",
        "gold": standing_truth(segment="segment__"),
    }
    order = routes.order_by("audit_id", "segment__position")
    for row in stream(order, **columns, **block_columns(scope, "segment__block")):
        text = take_text(row)
        row["content"] = None if text is None else content_of(text)
        row["is_gold"] = row.pop("gold") is not None
        yield texted(row, *IDS, "segment")


def content_of(text: str) -> str:
    """The exact text of a segment in its block."""
    return str(json.loads(text)["content"])


def edges(scope: Scope) -> Iterator[Row]:
    """Edges of the audited graphs."""
    graph_edges = Edge.objects.filter(decomposition__audits__in=scope.wholes())
    columns = audit_columns("decomposition__audits__") | {
        "source": "source_id",
        "target": "target_id",
        "relation": "relation",
        "strength": "strength",
        "confidence": "confidence",
    }
    for row in stream(graph_edges.order_by("decomposition__audits__pk", "pk"), **columns):
        yield texted(row, *IDS, "source", "target")
