"""An HDAG in the paper's nodes and edges -> the trace of its nodes, with its premises as stated ones.

The first goal is the problem; the other nodes are the steps, premises before what rests on them, otherwise in order.
"""

from collections.abc import Mapping
from typing import Any

from hdag.core.printed import Printed, is_printed, read_printed
from hdag.core.values import Segment, Source, Trace
from hdag.readers.compose import LogStep, join
from hdag.readers.records import DEFAULT_LIMITS, Limits, check_size, check_text

__all__ = ["read", "reads"]

reads = is_printed


def read(value: Mapping[str, Any], *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError."""
    printed = read_printed(value, where=where)
    ordered = _in_order(printed)
    position = {segment.id: index for index, segment in enumerate(ordered)}
    premises = printed.graph.premises()
    steps = [
        # A premise within a circle stands behind: it cannot be stated as an earlier step.
        LogStep(s.content, "", tuple(position[p] for p in premises[s.id] if position.get(p, index) < index))
        for index, s in enumerate(ordered)
    ]
    for step in steps:
        check_text(step.text, where=where, field="nodes")
    thinking, spans = join(pieces=steps)
    trace = Trace(
        check_text(printed.trace.problem, where=where, field="nodes"),
        thinking,
        steps=spans,
        id=printed.trace.id,
        title=check_text(printed.trace.title, where=where, field="title"),
    )
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)


def _in_order(printed: Printed) -> list[Segment]:
    """The steps, each after its premises where they run in no circle (depth first, in reading order)."""
    by_id = {s.id: s for s in printed.graph.segments if s.source is Source.THINKING}
    premises = printed.graph.premises()
    order: dict[str, None] = {}
    started: set[str] = set()
    for root in by_id:
        todo = [root]
        while todo:
            key = todo[-1]
            waiting = [p for p in premises[key] if p in by_id and p not in started] if key not in started else []
            started.add(key)
            if waiting:
                # Reversed: the last one pushed is the first one taken. A stack of its own holds graphs of any depth.
                todo.extend(reversed(waiting))
                continue
            order.setdefault(todo.pop(), None)
    return [by_id[key] for key in order]
