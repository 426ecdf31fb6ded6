"""The passage graph of a trace: made from a stored fine graph, and stored as a second decomposition beside it.

Reads Decomposition, Segment; writes Decomposition, Segment, Edge, Block.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from hdag.core.description import describe
from hdag.core.errors import HdagError
from hdag.core.invariants import find_violations
from hdag.core.passages import (
    Passage,
    PassageLimits,
    PassagePlan,
    Why,
    coarsen,
    digest_text,
    plan_passages,
    taken_steps,
)
from hdag.core.units import BETWEEN, MOST_STEPS, Stretch, UnitKind
from hdag.core.values import Graph, Segment, Trace
from hdag.models import Decomposition
from hdag.selectors import StoredGraph
from hdag.services.traces import JudgedUnit, store_graph
from hdag.store.rows import insert

DECOMPOSER = "passages"


class PassagesBrokenError(HdagError):
    """The passage graph breaks an invariant; what is judged stays the fine graph."""


def store_passages(
    *,
    fine: Decomposition,
    trace: Trace,
    graph: Graph,
    limits: PassageLimits,
    verified: Collection[str],
    refuted: Collection[Stretch],
) -> tuple[Decomposition, StoredGraph]:
    """Store the passage graph of `graph`, which is stored as `fine`; call inside a transaction.

    verified: labels of what the computer proved. refuted: where it is certain of an error; such a passage is never left
    unasked. Raises PassagesBrokenError.
    """
    plan = plan_passages(trace=trace, graph=graph, limits=limits, verified=verified)
    passages = coarsen(trace=trace, graph=graph, plan=plan)
    violations = find_violations(trace=trace, graph=passages)
    if violations:
        raise PassagesBrokenError(str(violations[0]))
    job = Decomposition(
        trace=fine.trace,
        decomposer=DECOMPOSER,
        derived_from=fine,
        state=Decomposition.State.DONE,
        done_share=1.0,
        took_ms=0,
    )
    units = units_of(plan=plan, passages=passages, graph=graph, refuted=refuted)
    stored = store_graph(job=job, trace=trace, graph=passages, metrics=describe(graph=passages), units=units)
    # Last, with what the graph gave it: foreign keys are looked at when all is stored.
    return insert([job])[0], stored


def units_of(
    *, plan: PassagePlan, passages: Graph, graph: Graph, refuted: Collection[Stretch]
) -> dict[str, JudgedUnit]:
    """What is judged at each segment of the passage graph, by its id."""
    by_id = {passage.id: passage for passage in plan.passages}
    fine = {segment.id: segment for segment in graph.segments}
    takes = taken_steps(graph=graph, plan=plan)
    units: dict[str, JudgedUnit] = {}
    for passage in plan.passages:
        # What the computer refuted is never passed over, whatever else the passage is.
        is_refuted = any(_begins_in(stretch, passage) for stretch in refuted)
        units[passage.id] = JudgedUnit(
            kind=UnitKind.PASSAGE,
            pieces=tuple(_pieces(passage, fine, [by_id[key] for key in passage.carries])),
            members=(*passage.segments, *(label for key in passage.carries for label in by_id[key].segments)),
            carries=passage.carries,
            unasked="" if is_refuted and passage.why is not Why.ONE_UNIT else str(passage.why),
            takes=tuple(dict.fromkeys(taken for key in (passage.id, *passage.carries) for taken in takes[key])),
        )
    for seat in plan.plan_seats:
        kind = UnitKind(seat.kind)
        if seat.id in units:  # the answer seat: it judges the passage that concludes
            units[seat.id] = replace(units[seat.id], kind=kind)
        else:
            units[seat.id] = JudgedUnit(kind=kind, pieces=((digest_text(seat=seat, passages=by_id), ()),))
    return units


def _begins_in(stretch: Stretch, passage: Passage) -> bool:
    whole = Stretch(passage.source, passage.source_index, passage.start, passage.end)
    return whole.holds(source=stretch.source, source_index=stretch.source_index, at=stretch.start)


def _pieces(
    passage: Passage, fine: Mapping[str, Segment], carried: Sequence[Passage]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The text of a passage and of what its form shows as well, cut at the borders of its numbered steps."""
    room = MOST_STEPS
    for number, member in enumerate((passage, *carried)):
        if number:
            yield BETWEEN, ()
        cursor = member.start
        for labels in member.marks[:room]:
            start = max(cursor, min(fine[label].start for label in labels))
            end = max(start, max(fine[label].end for label in labels))
            yield member.text[cursor - member.start : start - member.start], ()
            yield member.text[start - member.start : end - member.start], labels
            cursor = end
        room -= min(room, len(member.marks))
        yield member.text[cursor - member.start :], ()
