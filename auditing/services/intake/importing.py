"""Files of traces: every line is read before one is stored, so that nothing is ever half imported.

Reads the file and Campaign; writes what submission.py writes, for each trace.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from django.conf import settings
from django.db import transaction

from accounts.models import User
from auditing.models import Campaign
from auditing.selectors.intake.decomposition import RULES
from auditing.services.intake.submission import Submission, submit
from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json
from hdag.core.values import Trace
from hdag.readers import FORMATS, read_any
from hdag.readers.records import Limits

MAX_LINES = 10_000
MOST_PROBLEMS = 20
DETECT = ""  # the format that means: look at each record
_MARK = b"\xef\xbb\xbf"  # byte order mark
# First bytes of files that are no JSONL, and what their owner should do.
_FOREIGN = (
    (b"PK", "is a zip archive; unpack it and send the JSONL file inside"),
    (b"\x1f\x8b", "is compressed (gzip); unpack it first"),
    (b"BZh", "is compressed (bzip2); unpack it first"),
    (b"\xfd7zXZ", "is compressed (xz); unpack it first"),
    (b"7z\xbc\xaf", "is a 7z archive; unpack it first"),
    (b"\xff\xfe", "is UTF-16; save it as UTF-8"),
    (b"\xfe\xff", "is UTF-16; save it as UTF-8"),
)


class Lines(Protocol):
    """A file of bytes that is read by lines."""

    def readline(self, size: int = -1, /) -> bytes:
        """The next line, at most `size` bytes of it; b"" at the end."""
        ...


class ImportRefusedError(ValueError):
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


def read_lines(*, lines: Lines, format: str = DETECT) -> list[Trace]:
    """Every record of a JSONL file, each in its own format or all in `format` (a name of hdag.readers.FORMATS).

    Raises ImportRefusedError naming each bad line (the first 20).
    """
    problems: list[str] = []
    traces = list(_read(lines, format, problems))
    if not traces and not problems:
        problems.append("the file holds no record")
    if problems:
        raise ImportRefusedError(problems)
    return traces


def import_traces(
    *,
    provider: User,
    campaign: Campaign,
    traces: Iterable[Trace],
    tell: Callable[[int], None] = lambda done: None,
    whole_to_models: bool = False,
    decomposer: str = RULES,
) -> Imported:
    """Submit all in one transaction: all or none. `tell` is called with the number done; the rest as in submit."""
    done: list[Submission] = []
    with transaction.atomic():
        for trace in traces:
            done.append(
                submit(
                    provider=provider,
                    trace=trace,
                    campaign=campaign,
                    whole_to_models=whole_to_models,
                    decomposer=decomposer,
                )
            )
            tell(len(done))
    opened = sum(submission.is_new for submission in done)
    return Imported(opened, len(done) - opened)


def _read(lines: Lines, format: str, problems: list[str]) -> Iterator[Trace]:
    for number, line in _bounded(lines, _longest()):
        if number == 1:
            line = line.removeprefix(_MARK)
            if reason := next((why for magic, why in _FOREIGN if line.startswith(magic)), ""):
                problems.append(f"the file {reason}")
                return
        # Stop reading: whoever has twenty bad lines sent another format.
        if len(problems) >= MOST_PROBLEMS or number > MAX_LINES:
            problems.append(f"line {number}: more than {MAX_LINES} lines" if number > MAX_LINES else "and more")
            return
        if not line.strip():
            continue
        try:
            yield from _traces(line, f"line {number}", format)
        except BadRecordError as error:
            problems.append(str(error))


def _longest() -> int:
    """Bytes of a line that can still be within the limit of a trace: JSON may write a byte as six (\\u0041)."""
    return int(settings.TRUST_MAX_TRACE_BYTES) * 6 + 65_536


def _traces(line: bytes, where: str, format: str) -> tuple[Trace, ...]:
    longest = _longest()
    if len(line) > longest:
        raise BadRecordError(where=where, field="", reason=f"longer than {longest} bytes")
    value = read_json(line, where=where)
    if format == DETECT:
        return read_any(value, where=where, limits=limits())
    is_it, read = FORMATS[format]
    if not is_it(value):
        raise BadRecordError(where=where, field="", reason=f"is no {format}")
    return read(value, where=where, limits=limits())


def _bounded(lines: Lines, longest: int) -> Iterator[tuple[int, bytes]]:
    """Numbered lines, of which no more than longest + 1 bytes are ever held; the rest of a longer one is skipped."""
    number = 0
    while line := lines.readline(longest + 1):
        number += 1
        piece = line
        # A line without an end would fill the memory: what is beyond the limit is read and dropped.
        while piece and not piece.endswith(b"\n") and len(piece) > longest:
            piece = lines.readline(longest + 1)
        yield number, line
