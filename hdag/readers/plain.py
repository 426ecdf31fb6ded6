"""Plain text -> Trace: all of it is the thinking."""

from typing import Any, TypeGuard

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.records import DEFAULT_LIMITS, Limits, check_size, check_text


def reads(value: Any) -> TypeGuard[str]:
    """Whether `value` is text."""
    return isinstance(value, str)


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace without a problem. Raises BadRecordError for blank text or text over the limit."""
    text = check_text(value, where=where, field="")
    if not text.strip():
        raise BadRecordError(where=where, field="", reason="the text is blank")
    trace = Trace(problem="", thinking=text)
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)
