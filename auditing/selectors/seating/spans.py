"""Which spans of the trace the segments of a graph disclose by themselves, and with what they take from others.

Reads Segment with its blocks, Edge.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Any
from uuid import UUID

from auditing.selectors.voting.neighbourhood import sides
from hdag.core.disclosure import Disclosed, current_alone, digest, joined, reserved, span_of
from hdag.core.relations import Relation
from hdag.core.units import UnitKind
from hdag.core.values import Segment as SegmentValue
from hdag.core.values import Trace
from hdag.models import Edge, Segment
from hdag.selectors import segment_value, stretches_of, takes_of
from hdag.store import content


def disclosed_unit(*, row: Segment, carried: Iterable[Segment], trace: Trace) -> Disclosed:
    """What the text of one unit discloses; carried: the passages that its form shows as well."""
    return _unit_alone(row, carried) or _digest(row, trace)


class GraphSpans:
    """The same for many segments of one graph, whose rows are read once; texts only of those that are asked about."""

    def __init__(self, *, decomposition: Any) -> None:
        """Nothing is read before it is asked for."""
        self._decomposition = decomposition
        self._values: dict[UUID, SegmentValue] = {}

    def alone(self, *, row: Segment) -> Disclosed:
        """What the current reasoning of `row` discloses; no span for a digest, which neighbours nothing."""
        if row.unit:
            return _unit_alone(row, self._carried(row)) or Disclosed()
        children = [
            self._rows[target]
            for source, target, relation in self._links[row.pk]
            if source == row.pk and relation == Relation.DECOMPOSES_TO
        ]
        return _text_alone(row, children, self._values)

    def with_premises(self, *, row: Segment, alone: Disclosed, trace: Trace) -> Disclosed:
        """A unit cannot be judged without what it takes from others: that is reserved with its seat."""
        if row.unit in (UnitKind.GOAL, UnitKind.STRATEGY):
            return _digest(row, trace)
        here = {row.pk, *(carried.pk for carried in self._carried(row))}
        premises, _, _ = sides(here, [link for key in here for link in self._links[key]])
        rows = [neighbour for key, neighbour in self._rows.items() if key in premises - here]
        takes = takes_of(texts=content.read_json(row.block))
        return reserved(current=alone, dependencies=_read(rows, self._values), takes=takes)

    def _carried(self, row: Segment) -> list[Segment]:
        return [self._by_label[label] for label in row.carries if label in self._by_label]

    @cached_property
    def _rows(self) -> dict[UUID, Segment]:
        rows = Segment.objects.filter(decomposition=self._decomposition)
        return {row.pk: row for row in rows.select_related("block").order_by("position")}

    @cached_property
    def _by_label(self) -> dict[str, Segment]:
        return {row.label: row for row in self._rows.values()}

    @cached_property
    def _links(self) -> dict[UUID, list[tuple[UUID, UUID, str]]]:
        """The edges that touch each segment, as (source, target, relation)."""
        links: dict[UUID, list[tuple[UUID, UUID, str]]] = defaultdict(list)
        edges = Edge.objects.filter(decomposition=self._decomposition).order_by("id")
        for link in edges.values_list("source_id", "target_id", "relation"):
            for key in dict.fromkeys(link[:2]):
                links[key].append(link)
        return links


def _text_alone(row: Segment, children: Iterable[Segment], values: dict[UUID, SegmentValue]) -> Disclosed:
    """A segment discloses its own characters and the summaries of its children in the same text."""
    inside = [child for child in children if (child.source, child.source_index) == (row.source, row.source_index)]
    inside.sort(key=lambda child: (child.start, child.position))
    return current_alone(segment=_read([row], values)[0], children=_read(inside, values))


def _unit_alone(row: Segment, carried: Iterable[Segment]) -> Disclosed | None:
    """A passage discloses its text and what its form carries, an answer seat too; None where a digest is read."""
    rows = {row.label: row, **{passage.label: passage for passage in carried}}
    stretches = stretches_of(row=row, rows=rows)
    return Disclosed(joined(map(span_of, stretches))) if stretches else None


def _digest(row: Segment, trace: Trace) -> Disclosed:
    return digest(label=row.label, text=content.read_json(row.block)["own"], trace=trace)


def _read(rows: list[Segment], values: dict[UUID, SegmentValue]) -> list[SegmentValue]:
    """The rows as values; what `values` holds is not decrypted again."""
    content.fetch(row.block for row in rows if row.pk not in values)
    for row in rows:
        if row.pk not in values:
            values[row.pk] = segment_value(row, content.read_json(row.block))
    return [values[row.pk] for row in rows]
