"""DAG-MATH steps {step_id, edge, direct_dependent_steps, node} -> Trace with stated premises.

The published code says {thinking, text} where the paper and data set say {edge, node}; both are read.
"""

from collections.abc import Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import LogStep, check_object, first_text, join
from hdag.readers.records import DEFAULT_LIMITS, Limits, check_list, check_size

EDGES, NODES = ("edge", "thinking"), ("node", "text")
PROBLEMS = ("problem", "problem_text", "question")


def reads(value: Any) -> bool:
    """Whether `value` is a record whose steps carry step_id."""
    steps = value.get("steps") if isinstance(value, dict) else None
    return isinstance(steps, list) and bool(steps) and isinstance(steps[0], dict) and "step_id" in steps[0]


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace whose step i is edge and node on two lines.

    Raises BadRecordError when ids do not rise, a premise is not an earlier id, or a step holds no text.
    """
    fields = check_object(value, where=where, field="")
    items = check_list(fields["steps"], where=where, field="steps", limit=limits.steps)
    positions: dict[int, int] = {}
    pieces = []
    for index, row in enumerate(items):
        at = f"steps[{index}]"
        step = check_object(row, where=where, field=at)
        parents = _parents(step, positions, where, at)
        positions[_identifier(step, positions, where, at)] = index
        texts = [first_text(fields=step, names=keys, where=where, at=f"{at}.") for keys in (EDGES, NODES)]
        text = "\n".join(filter(str.strip, texts))
        if not text:
            raise BadRecordError(where=where, field=at, reason="holds neither edge nor node")
        pieces.append(LogStep(text, "", parents))
    thinking, spans = join(pieces=pieces)
    problem = first_text(fields=fields, names=PROBLEMS, where=where)
    trace = Trace(problem, thinking, "", spans, id=str(fields.get("id", "")))
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)


def _identifier(step: Mapping[str, Any], positions: Mapping[int, int], where: str, at: str) -> int:
    number = step.get("step_id")
    if not isinstance(number, int) or isinstance(number, bool):
        raise BadRecordError(where=where, field=f"{at}.step_id", reason="must be a whole number")
    # Rising ids make "earlier step" and "smaller id" the same, so stated premises cannot run in a circle.
    if positions and number <= max(positions):
        raise BadRecordError(
            where=where, field=f"{at}.step_id", reason=f"{number} does not rise above {max(positions)}"
        )
    return number


def _parents(step: Mapping[str, Any], positions: Mapping[int, int], where: str, at: str) -> tuple[int, ...]:
    value, field = step.get("direct_dependent_steps"), f"{at}.direct_dependent_steps"
    premises = []
    for parent in [] if value is None else check_list(value, where=where, field=field, limit=20_000):
        if not isinstance(parent, int) or isinstance(parent, bool) or parent not in positions:
            raise BadRecordError(where=where, field=field, reason=f"{str(parent)[:20]} is no earlier step_id")
        premises.append(positions[parent])
    return tuple(dict.fromkeys(premises))
