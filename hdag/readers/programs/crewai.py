"""CrewAI: the log of a crew (`output_log_file` with a name that ends in .json) -> Trace.

An array with two entries a task: started, then completed with its output. Outputs are steps with the role of their
agent, the last of a run is its answer, and what the tasks asked for is the problem. A program that runs the same crew
again appends to the file: each run is a trace.
Sources, read 2026-11-30: crewAIInc/crewAI, lib/crewai/src/crewai/utilities/file_handler.py (FileHandler, LogEntry) and
crew.py (`_log_task_start`, `_process_task_result`); docs, concepts/crews (crew output log).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import LogStep, join
from hdag.readers.programs.talk import objects
from hdag.readers.records import DEFAULT_LIMITS, JOINT, Limits, check_size, check_text

STARTED, COMPLETED = "started", "completed"
_ENTRY = {"timestamp", "task", "agent", "status"}


@dataclass(slots=True)
class _Run:
    """One run of a crew: what was asked, and what came of it."""

    asked: dict[str, None] = field(default_factory=dict)  # descriptions of tasks, in the order of their start
    outputs: list[LogStep] = field(default_factory=list)


def reads(value: Any) -> bool:
    """Whether `value` is an array of such entries.

    >>> reads([{"timestamp": "2026-11-30 09:00:00", "task": "Add.", "agent": "Adder", "status": "started"}])
    True
    """
    return isinstance(value, list) and bool(value) and all(_is_entry(row) for row in value)


def _is_entry(row: Any) -> bool:
    return isinstance(row, dict) and row.keys() >= _ENTRY and row["status"] in (STARTED, COMPLETED)


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """A trace for each run with a completed task. Raises BadRecordError naming the entry."""
    rows = [*objects(value, where=where, at="entries", limit=limits.steps)]
    traces = [_trace(run, where, limits) for run in _runs(rows, where) if run.outputs]
    if not traces:
        raise BadRecordError(where=where, field="entries", reason="no task was completed")
    return tuple(traces)


def _runs(rows: Sequence[tuple[str, Mapping[str, Any]]], where: str) -> Iterator[_Run]:
    """The runs of a log: each begins where a task is started that was completed in the one before."""
    run, done = _Run(), set[tuple[str, str]]()
    for at, row in rows:
        task = check_text(row["task"], where=where, field=f"{at}.task")
        agent = check_text(row["agent"], where=where, field=f"{at}.agent")
        if row["status"] == STARTED:
            if (task, agent) in done:
                yield run
                run, done = _Run(), set()
            run.asked[task] = None
            continue
        # In older logs the output of a completed task stands where its description does now.
        output = row.get("output", row["task"])
        run.outputs.append(LogStep(check_text(output, where=where, field=f"{at}.output"), agent))
        done.add((task, agent))
    yield run


def _trace(run: _Run, where: str, limits: Limits) -> Trace:
    *before, last = run.outputs
    thinking, spans = join(pieces=before)
    trace = Trace(JOINT.join(run.asked), thinking, last.text, spans)
    check_size(trace=trace, where=where, limits=limits)
    return trace
