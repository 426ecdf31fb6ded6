"""A whole file of traces, read to its end before one is stored: JSON lines, a document, a text or an archive."""

from collections.abc import Mapping
from dataclasses import dataclass

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json
from hdag.core.values import Trace
from hdag.readers.archives.traces import is_archive, read_archive
from hdag.readers.files import DETECT, Line, Lines, read_file
from hdag.readers.mapping import NO_MAPPING, columns_of, suggest
from hdag.readers.records import Limits


@dataclass(frozen=True, slots=True)
class Survey:
    """A whole file that was read: the lines that hold traces, those that do not, and what its first record is like."""

    good: tuple[Line, ...]
    bad: tuple[Line, ...]
    columns: tuple[str, ...]
    suggested: str  # name of the preset that fits

    @property
    def traces(self) -> list[Trace]:
        """Every trace that could be read, in the order of the file."""
        return [trace for line in self.good for trace in line.traces]

    @property
    def ignored(self) -> tuple[str, ...]:
        """Every field that was left alone in a line, once."""
        return tuple(dict.fromkeys(name for line in self.good for name in line.ignored))

    @property
    def bad_file(self) -> bytes:
        """The lines that could not be read, byte for byte, to be mended and sent again."""
        # A file of an archive that was not opened has none.
        return b"".join(line.raw.rstrip(b"\r\n") + b"\n" for line in self.bad if line.raw)


def survey(*, lines: Lines, limits: Limits, format: str = DETECT, mapping: Mapping[str, str] = NO_MAPPING) -> Survey:
    """The whole file, read to its end. Raises ForeignFileError."""
    good: list[Line] = []
    bad: list[Line] = []
    first: Line | None = None
    read = read_archive if is_archive(lines=lines) else read_file
    for line in read(lines=lines, limits=limits, format=format, mapping=mapping):
        (bad if line.problem else good).append(line)
        first = first or line
    sample = _sample(first) if first else None
    return Survey(tuple(good), tuple(bad), tuple(columns_of(sample)), suggest(sample))


def _sample(line: Line) -> object:
    try:
        return read_json(line.raw, where="")
    except BadRecordError:
        return None
