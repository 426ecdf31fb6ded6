"""A segment with its direct neighbours in the graph, and how each of them stands: one query, whatever the trace's size.

Reads Edge, Segment and their blocks, Round, SegmentOutcome.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, DateTimeField, Exists, JSONField, OuterRef, QuerySet, Subquery, UUIDField

from accounts.prepared import Mark, PreparedQuery, PreparedRows, Slot, Written
from auditing.core.stages import RoundStage
from auditing.core.values import Outcome, Tier
from auditing.models import Round, SegmentOutcome
from hdag.core.relations import Relation
from hdag.core.units import Stretch, UnitKind
from hdag.core.values import Edge, Graph, Segment, Trace
from hdag.models import Edge as EdgeRow
from hdag.models import Segment as Row
from hdag.selectors import SHOWN, edge_between, load_trace, shown_value, takes_of
from hdag.store import content


@dataclass(frozen=True, slots=True)
class Standing:
    """How a segment stands: what it looks like, and its state in words."""

    look: str
    words: str


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Current segment, premises, what rests on it, its parent and parts; `rows` by label, `own` its masked text."""

    trace: Trace
    current: Segment
    own: str
    premises: tuple[Segment, ...]
    implications: tuple[Segment, ...]
    around: tuple[Segment, ...]
    parts: tuple[Segment, ...]  # those of `around` that the current segment is decomposed into
    rows: dict[str, Row]
    carried: tuple[Row, ...]  # unasked passages that the form of a unit shows as well
    takes: tuple[Stretch, ...]  # the steps of its premises that a unit takes
    standings: dict[str, Standing]  # by label; pending ones are left out

    def graph(self, texts: Mapping[str, str]) -> Graph:
        """The neighbourhood as a graph whose titles say no more than `shown` (text by label) does; reads its edges.

        Every arrow runs from a premise to what rests on it, however the edge was written down.
        """
        everyone = {segment.id: segment for segment in (*self.premises, self.current, *self.implications, *self.around)}
        ordered = sorted(everyone.values(), key=lambda segment: self.rows[segment.id].position)
        hidden = tuple(replace(segment, content="", summary=texts.get(segment.id, "")[:160]) for segment in ordered)
        labels = {self.rows[label].pk: label for label in everyone}
        edges = _edges_between.rows(segments=list(labels))
        return Graph(hidden, tuple(dict.fromkeys(_forward(edge_between(labels, *columns)) for columns in edges)))


@PreparedRows
def _edges_between() -> QuerySet[EdgeRow, Any]:
    both = "hdag_edge.source_id = ANY(%s) AND hdag_edge.target_id = ANY(%s)"
    inside = Written(both, [Mark("segments"), Mark("segments")], output_field=BooleanField())
    rows = EdgeRow.objects.filter(inside).order_by("id")
    return rows.values_list("source_id", "target_id", "relation", "strength", "confidence")


def neighbourhood_of(*, round: Round) -> Neighbourhood:
    """Read the segments around the one that `round` judges."""
    row = round.segment
    # What a unit's form carries is judged with it: what that rests on is a premise of the unit.
    rows: dict[UUID, Any] = {
        neighbour.pk: neighbour
        for neighbour in _around.rows(
            row=row.pk,
            decomposition=row.decomposition_id,
            carries=list(row.carries),
            audit=round.audit_id,
            adjudicates=round.adjudicates,
        )
    }
    links = [(UUID(source), UUID(target), str(relation)) for source, target, relation in rows[row.pk].links or ()]
    here = {key for key, neighbour in rows.items() if key == row.pk or neighbour.label in row.carries}
    carried = tuple(rows.pop(key) for key in here - {row.pk})
    # All blocks in one read: decrypting them one by one would ask the store once a neighbour.
    content.fetch(neighbour.block for neighbour in rows.values())
    texts = {key: content.read_json(neighbour.block) for key, neighbour in rows.items()}
    values = {key: shown_value(neighbour, texts[key]) for key, neighbour in rows.items()}
    before, after, around = sides(here, links)
    parts = {target for source, target, relation in links if source == row.pk and relation == Relation.DECOMPOSES_TO}
    return Neighbourhood(
        trace=load_trace(round.audit.trace),
        current=values[row.pk],
        own=texts[row.pk]["own"],
        premises=_in_order(before - here, values),
        # The whole trace follows from how its problem is read and from its plan: nothing to show beside them.
        implications=() if row.unit in (UnitKind.GOAL, UnitKind.STRATEGY) else _in_order(after - before - here, values),
        around=_in_order(around - before - after, values),
        parts=_in_order(parts & (around - before - after), values),
        rows={neighbour.label: neighbour for neighbour in rows.values()},
        carried=carried,
        takes=tuple(takes_of(texts=texts[row.pk]) or ()),
        standings=standings_of(rows=rows.values()),
    )


def standings_of(*, rows: Iterable[Row]) -> dict[str, Standing]:
    """How segments read with `standing_columns` stand, by label: verified by computer, by quorum, contested."""
    return {row.label: standing for row in rows if (standing := _standing(row)) is not None}


def _standing(row: Any) -> Standing | None:
    if not row.decided:
        return Standing("contested", "contested") if row.is_hung else None
    by = "computer" if row.decided_by == Tier.COMPUTER else "quorum"
    words = {Outcome.PASS: f"verified by {by}", Outcome.FAIL: f"found wrong by {by}"}
    look = row.decided if row.decided in words else "contested"
    return Standing(look, words.get(Outcome(row.decided), "contested"))


def standing_columns(*, audit: Any, before: Any = None) -> dict[str, Any]:
    """Annotations for segments, by which `standings_of` tells how they stand in an audit; or stood at a moment."""
    hung = Round.objects.filter(audit=audit, segment=OuterRef("pk"), stage=RoundStage.TALLIED, outcome=Outcome.HUNG)
    outcome = SegmentOutcome.objects.filter(audit=audit, segment=OuterRef("pk"))
    if before is not None:
        hung, outcome = hung.filter(stage_since__lt=before), outcome.filter(decided_at__lt=before)
    return {
        "is_hung": Exists(hung.exclude(tier=Tier.COMPUTER)),
        "decided": Subquery(outcome.values("outcome")),
        "decided_by": Subquery(outcome.values("round__tier")),
    }


def first_asked(*, round: Any) -> Written:
    """The moment in which people were first asked about the segment of a round; of an adjudicator's, the end of time.

    All votes on a segment, of every wave, rest on the same states of its neighbours. States of now would tell the hour,
    and gold, whose neighbours nobody is asked about; an adjudicator decides on all that is known. round: a Round, or
    None for a prepared query.
    """
    names = {"audit": "audit_id", "row": "segment_id", "adjudicates": "adjudicates"}
    values = [Mark(name) if round is None else getattr(round, names[name]) for name in ("adjudicates", "audit", "row")]
    return Written(_FIRST_ASKED, values, DateTimeField())


_FIRST_ASKED = """SELECT CASE WHEN %s THEN 'infinity' ELSE coalesce(min(seat.offered_at), 'infinity') END
    FROM auditing_round AS asked JOIN auditing_seat AS seat ON seat.round_id = asked.id
    WHERE asked.audit_id = %s AND asked.segment_id = %s AND asked.tier = 'human' AND NOT asked.adjudicates"""
# The segment and what its form carries. An array in place of a subquery: PostgreSQL then reads by index, always.
_HERE = """ARRAY(SELECT here.id FROM hdag_segment AS here
              WHERE here.id = %s OR here.decomposition_id = %s AND here.label = ANY(%s))"""
_BY = [Mark("row"), Mark("decomposition"), Mark("carries")]
# What an edge joins to them, and themselves.
_NEAR = """hdag_segment.id = ANY({here}
    || ARRAY(SELECT edge.source_id FROM hdag_edge AS edge WHERE edge.target_id = ANY({here}))
    || ARRAY(SELECT edge.target_id FROM hdag_edge AS edge WHERE edge.source_id = ANY({here})))""".replace(
    "{here}", _HERE
)
# Of the segment itself alone: all edges that touch it or what it carries.
_LINKS = """CASE WHEN hdag_segment.id = %s THEN (
    SELECT jsonb_agg(jsonb_build_array(edge.source_id, edge.target_id, edge.relation) ORDER BY edge.id)
    FROM hdag_edge AS edge WHERE edge.source_id = ANY({here}) OR edge.target_id = ANY({here})) END""".replace(
    "{here}", _HERE
)


@PreparedQuery
def _around() -> QuerySet[Row]:
    rows = Row.objects.filter(Written(_NEAR, _BY * 3, output_field=BooleanField()))
    return (
        rows.select_related("block")
        .only(*SHOWN, "position")
        .annotate(links=Written(_LINKS, [Mark("row"), *_BY, *_BY], output_field=JSONField()))
        .annotate(**standing_columns(audit=Slot("audit", UUIDField()), before=first_asked(round=None)))
        .order_by("position")
    )


def _forward(edge: Edge) -> Edge:
    # Both relations in one direction: every arrow of the picture runs from a premise to what rests on it.
    if edge.relation is not Relation.DEPENDS_ON:
        return edge
    return edge._replace(source=edge.target, target=edge.source, relation=Relation.ENABLES)


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
