"""The page of a file of traces, gathered while the file is audited and written at its end."""

from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from auditing.research.offline.batches import Line
from auditing.research.offline.one_trace import trace_in
from auditing.research.offline.pages import PageTrace, trace_of_record, write_page
from hdag.core.errors import HdagError
from hdag.core.strict_json import read_json
from hdag.core.values import Trace


class SetPage:
    """Keeps what the page needs of each trace; the file is opened at once, so that a bad name is told before work."""

    def __init__(self, *, path: Path, title: str) -> None:
        self.path, self.title = path, title
        self.lines: deque[Line] = deque()  # under way: records come back in their order
        self.traces: list[PageTrace] = []
        path.touch()

    def remember(self, lines: Iterator[Line]) -> Iterator[Line]:
        """The lines themselves, each remembered until its record is there."""
        for line in lines:
            self.lines.append(line)
            yield line

    def add(self, record: Mapping[str, Any]) -> None:
        """The record of the oldest line that has none yet."""
        where, text, _ = self.lines.popleft()
        trace = None if "error" in record else _read(text, where)
        self.traces.append(trace_of_record(number=len(self.traces) + 1, record=record, trace=trace))

    def write(self, *, notice: str) -> None:
        """Write the page."""
        with self.path.open("w", encoding="utf-8") as file:
            file.writelines(write_page(traces=self.traces, title=self.title, notice=notice))


def _read(text: bytes, where: str) -> Trace | None:
    try:
        return trace_in(record=read_json(text, where=where), where=where)
    except HdagError:
        return None
