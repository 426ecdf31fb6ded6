"""A segment with its direct neighbours in the graph: three queries, whatever the size of the trace.

Reads Edge, Segment and their blocks.
"""

from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Q

from hdag.core.relations import Relation
from hdag.core.units import UnitKind
from hdag.core.values import Edge, Graph, Segment
from hdag.models import Edge as EdgeRow
from hdag.models import Segment as Row
from hdag.selectors import edge_value, segment_value
from hdag.store import content


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Current segment, premises, what rests on it, its parent and parts; `rows` by label, `own` its masked text."""

    current: Segment
    own: str
    premises: tuple[Segment, ...]
    implications: tuple[Segment, ...]
    around: tuple[Segment, ...]
    edges: tuple[Edge, ...]
    rows: dict[str, Row]

    def graph(self, texts: dict[str, str]) -> Graph:
        """The neighbourhood as a graph whose titles say no more than `shown` (text by label) does.

        Every arrow runs from a premise to what rests on it, however the edge was written down.
        """
        everyone = {segment.id: segment for segment in (*self.premises, self.current, *self.implications, *self.around)}
        ordered = sorted(everyone.values(), key=lambda segment: self.rows[segment.id].position)
        hidden = tuple(replace(segment, content="", summary=texts.get(segment.id, "")[:160]) for segment in ordered)
        edges = (edge for edge in self.edges if edge.source in everyone and edge.target in everyone)
        return Graph(hidden, tuple(dict.fromkeys(_forward(edge) for edge in edges)))


def neighbourhood_of(*, row: Row) -> Neighbourhood:
    """Read the segments around `row`."""
    # What a unit's form carries is judged with it: what that rests on is a premise of the unit.
    carried = Row.objects.filter(decomposition=row.decomposition_id, label__in=row.carries).values_list("pk", flat=True)
    here = {row.pk, *(carried if row.carries else ())}
    touching = EdgeRow.objects.filter(Q(source__in=here) | Q(target__in=here))
    links = list(touching.values_list("source_id", "target_id", "relation"))
    keys = {row.pk, *(neighbour for link in links for neighbour in link[:2])} - (here - {row.pk})
    rows = {
        neighbour.pk: neighbour
        for neighbour in Row.objects.filter(pk__in=keys).select_related("block").order_by("position")
    }
    # All blocks in one read: decrypting them one by one would ask the store once a neighbour.
    content.fetch(neighbour.block for neighbour in rows.values())
    texts = {key: content.read_json(neighbour.block) for key, neighbour in rows.items()}
    values = {key: segment_value(neighbour, texts[key]) for key, neighbour in rows.items()}
    before, after, around = sides(here, links)
    labels = {key: neighbour.label for key, neighbour in rows.items()}
    edges = EdgeRow.objects.filter(source__in=keys, target__in=keys).order_by("id")
    return Neighbourhood(
        current=values[row.pk],
        own=texts[row.pk]["own"],
        premises=_in_order(before - here, values),
        # The whole trace follows from how its problem is read and from its plan: nothing to show beside them.
        implications=() if row.unit in (UnitKind.GOAL, UnitKind.STRATEGY) else _in_order(after - before - here, values),
        around=_in_order(around - before - after, values),
        edges=tuple(edge_value(edge, labels) for edge in edges),
        rows={neighbour.label: neighbour for neighbour in rows.values()},
    )


def _forward(edge: Edge) -> Edge:
    # Both relations in one direction: every arrow of the picture runs from a premise to what rests on it.
    if edge.relation is not Relation.DEPENDS_ON:
        return edge
    return replace(edge, source=edge.target, target=edge.source, relation=Relation.ENABLES)


def sides(here: set[UUID], links: list[tuple[UUID, UUID, str]]) -> tuple[set[UUID], set[UUID], set[UUID]]:
    """(premises of `here`, segments that rest on it, others that touch it) from (source, target, relation) links."""
    before: set[UUID] = set()
    after: set[UUID] = set()
    around: set[UUID] = set()
    for source, target, relation in links:
        opposite = target if source in here else source
        # "A depends_on B" and "B enables A" both make B a premise of A.
        if relation == Relation.DEPENDS_ON:
            (before if source in here else after).add(opposite)
        elif relation == Relation.ENABLES:
            (before if target in here else after).add(opposite)
        else:
            around.add(opposite)
    return before, after, around


def _in_order(keys: set[UUID], values: dict[UUID, Segment]) -> tuple[Segment, ...]:
    return tuple(value for key, value in values.items() if key in keys)
