"""Files of traces: every line is read before one is stored, so nothing is ever half imported. Calls submission."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction

from auditing.models import Campaign
from auditing.services.submission import Submission, submit
from hdag.core.errors import BadRecord
from hdag.core.strict_json import read_json
from hdag.core.values import Trace
from hdag.readers.records import Limits, read_record

MAX_LINES = 10_000


class ImportRefused(ValueError):
    """The file cannot be imported; each line that is wrong is named."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems[:20]))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Imported:
    """How many audits were opened, and how many traces were known already."""

    opened: int
    known: int


def limits() -> Limits:
    """The limits of one trace, from the settings."""
    return Limits(text_bytes=settings.TRUST_MAX_TRACE_BYTES)


def read_lines(*, lines: Iterable[bytes]) -> list[Trace]:
    """Every record of a JSONL file. Raises ImportRefused naming each bad line (the first 20)."""
    traces: list[Trace] = []
    problems: list[str] = []
    for trace in _read(lines, problems):
        traces.append(trace)
    if not traces and not problems:
        problems.append("the file holds no record")
    if problems:
        raise ImportRefused(problems)
    return traces


def import_traces(*, provider: Any, campaign: Campaign, traces: Iterable[Trace]) -> Imported:
    """Submit all in one transaction: all or none."""
    with transaction.atomic():
        done: list[Submission] = [submit(provider=provider, trace=trace, campaign=campaign) for trace in traces]
    opened = sum(one.is_new for one in done)
    return Imported(opened, len(done) - opened)


def _read(lines: Iterable[bytes], problems: list[str]) -> Iterator[Trace]:
    longest = settings.TRUST_MAX_TRACE_BYTES * 2
    for number, line in enumerate(lines, start=1):
        if len(problems) >= 20 or number > MAX_LINES:
            problems.append(f"line {number}: more than {MAX_LINES} lines" if number > MAX_LINES else "and more")
            return
        if number == 1 and line.startswith(b"\xef\xbb\xbf"):
            line = line[3:]
        if not line.strip():
            continue
        if len(line) > longest:
            problems.append(f"line {number}: longer than {longest} bytes")
            continue
        try:
            yield read_record(read_json(line, where=f"line {number}"), where=f"line {number}", limits=limits())
        except BadRecord as error:
            problems.append(str(error))
