"""Long runs of blanks, made bounded before any check reads them, for patterns take time by powers of their length."""

from __future__ import annotations

import re
from dataclasses import replace

from hdag.core.values import ToolCall, Trace

LONGEST_RUN = 32
# looks blank and is none to a pattern (BRAILLE PATTERN BLANK)
FILL = "\u2800"
# the first blank by itself: to a class the engine runs, a repeat it tries at every letter
_LONG_RUN = re.compile(rf"\s\s{{{LONGEST_RUN},}}")
_KEPT = LONGEST_RUN // 2


def without_long_blanks(trace: Trace) -> Trace:
    """The trace as it is read: each run of more than 32 blanks filled in its middle, every position as it was.

    Two thousand lines with one blank each, which say nothing, took eight seconds, and more by the square and faster.

    >>> read = without_long_blanks(Trace("Add.", thinking="1 + 1" + " " * 99 + "= 2"))
    >>> len(read.thinking), read.thinking.count(" "), read.thinking.count(FILL)
    (107, 35, 67)
    """
    calls = tuple(
        ToolCall(call.name, bounded(call.arguments), bounded(call.output), call.step) for call in trace.tool_calls
    )
    return replace(
        trace,
        problem=bounded(trace.problem),
        thinking=bounded(trace.thinking),
        answer=bounded(trace.answer),
        tool_calls=calls,
    )


def bounded(text: str) -> str:
    """One text with its long runs filled."""
    return _LONG_RUN.sub(_filled, text)


def _filled(match: re.Match[str]) -> str:
    run = match[0]
    middle = FILL * (len(run) - LONGEST_RUN)
    if "\n" in run and "\n" not in run[:_KEPT] + run[-_KEPT:]:
        # what stood on two lines stays there
        middle = "\n" + middle[1:]
    return run[:_KEPT] + middle + run[-_KEPT:]
