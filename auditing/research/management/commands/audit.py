"""manage.py audit: audits a JSONL file of traces in memory and writes one JSON record for each line."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from django.core.management.base import BaseCommand, CommandError

from auditing.core.values import Tier
from auditing.research.offline.archived import read_archived
from auditing.research.offline.batches import Line, audit_lines
from auditing.research.offline.one_trace import with_id
from hdag.chat.dialects.table import DIALECTS
from hdag.core.errors import ForeignFileError
from hdag.readers.archives.traces import is_archive

if TYPE_CHECKING:
    from auditing.research.offline.set_page import SetPage

NOTICE = (
    "Audited in memory by the same cores as the server: no seats, no commitments, no postings, no ledger. "
    "The records are a machine's findings, not recorded outcomes."
)


class Command(BaseCommand):
    """Files in, files out; needs neither PostgreSQL nor Redis."""

    help = "Audit a JSONL file of traces in memory (no seats, commitments, postings or ledger)."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """IN.jsonl [--tiers computer] [--output OUT.jsonl] [--workers N]."""
        parser.add_argument("input", help="JSONL file, one trace a line, - for standard input; or a .eval or .zip")
        parser.add_argument("--tiers", default="computer", help="tiers that may be asked, comma separated")
        parser.add_argument("--output", default="-", help="JSONL file to write; standard output when left out")
        parser.add_argument("--html", default="", help="also write one page for a browser, which needs no server")
        parser.add_argument("--workers", type=int, default=0, help="processes; 0 = one for each processor")
        parser.add_argument("--url", default="", help="a model's server: its judges read what the computer leaves open")
        parser.add_argument("--model", default="", help="its name there")
        parser.add_argument("--dialect", default="", choices=["", *DIALECTS], help="by default as the address says")
        parser.add_argument("--key-variable", default="", help="environment variable with the key, ending in _API_KEY")
        parser.add_argument("--judges", type=int, default=3, help="votes on each passage, of one family")
        parser.add_argument("--concurrency", type=int, default=8, help="calls in flight")
        parser.add_argument("--timeout", type=int, default=120, help="seconds of one attempt")
        parser.add_argument("--price-in", type=Decimal, default=Decimal(0), help="per million tokens")
        parser.add_argument("--price-out", type=Decimal, default=Decimal(0), help="per million tokens")
        parser.add_argument(
            "--limit-money", type=Decimal, default=None, help="no call that could carry the run over it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Streams records; exit 1 when a file cannot be opened or read, or when a judge's answer is missing."""
        tiers = _tiers(options["tiers"])
        _check_targets(options["input"], options["output"], options["html"])
        if options["url"] or options["model"] or options["dialect"]:
            if options["html"]:
                raise CommandError("--html shows what the computer tier finds; leave out the model", returncode=2)
            # Imported here: the client of models takes longer to load than a small file to audit.
            from auditing.research.offline.judged_files import judge_file

            judge_file(options=options, out=self.stdout, told=self.stderr)
            return
        try:
            with _input(options["input"]) as source:
                # Before the output is opened: of an archive that cannot be read nothing is written.
                lines = read_archived(source=source) if is_archive(lines=source) else _lines(source)
                with _output(options["output"], self.stdout) as target:
                    page = _page(options["html"], options["input"])
                    self.run(lines, _size(source), target, tiers, options["workers"], page)
        except ForeignFileError as error:
            raise CommandError(f"{options['input']}: nothing was audited: {error}", returncode=1) from None
        except OSError as error:
            raise CommandError(
                f"{error.filename or options['input']}: {error.strerror or error}", returncode=1
            ) from None

    def run(
        self,
        lines: Iterable[Line],
        size: int,
        target: TextIO,
        tiers: tuple[Tier, ...],
        workers: int,
        page: SetPage | None = None,
    ) -> None:
        """Writes every record in input order; one without `id` takes its line's number. Exit 1 when some failed."""
        self.stderr.write(NOTICE)
        bar = _Bar(size, enabled=sys.stderr.isatty())
        records = failed = 0
        lines = page.remember(iter(lines)) if page is not None else lines
        for record, done in audit_lines(lines=lines, tiers=tiers, workers=workers):
            records, failed = records + 1, failed + ("error" in record)
            if page is not None:
                page.add(record)
            target.write(json.dumps(record, ensure_ascii=True, separators=(",", ":")) + "\n")
            bar.show(done)
        bar.close()
        if page is not None:
            page.write(notice=NOTICE)
        if failed:
            raise CommandError(f"{failed} of {records} records could not be audited; each says why", returncode=1)


def _tiers(text: str) -> tuple[Tier, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in list(Tier)]
    if unknown or not names:
        raise CommandError(f"--tiers {text!r}: known tiers are {', '.join(Tier)}", returncode=2)
    return tuple(Tier(name) for name in names)


def _check_targets(source: str, *targets: str) -> None:
    """A file that is opened to be written is emptied: the traces in it would be gone before one of them was read."""
    for target in targets:
        if Path(source).is_file() and Path(target).is_file() and Path(target).samefile(source):
            raise CommandError(f"{target} is the input: name another file, or its traces are lost", returncode=2)


def _input(name: str) -> BinaryIO:
    return sys.stdin.buffer if name == "-" else Path(name).open("rb")


class _Standard:
    """Standard output as a context that stays open."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stream.flush()

    def write(self, text: str) -> None:
        self.stream.write(text, ending="")


def _page(name: str, source: str) -> SetPage | None:
    if not name:
        return None
    # Imported here: the renderer of formulas is of no use to a file of records.
    from auditing.research.offline.set_page import SetPage

    return SetPage(path=Path(name), title=Path(source).name if source != "-" else "Traces")


def _output(name: str, stdout: Any) -> Any:
    return _Standard(stdout) if name == "-" else Path(name).open("w", encoding="utf-8")


def _lines(source: BinaryIO) -> Iterator[tuple[str, bytes, int]]:
    """("line 3", bytes, bytes read so far) of every line that is not blank."""
    read = 0
    for number, line in enumerate(source, 1):
        read += len(line)
        if number == 1 and line.startswith(b"PK\x03\x04"):
            raise ForeignFileError("an archive cannot be read through a pipe; name the file")
        if line.strip():
            yield f"line {number}", with_id(line=line, number=number), read


def _size(source: BinaryIO) -> int:
    try:
        return Path(source.name).stat().st_size
    except (OSError, AttributeError, TypeError):
        return 0


class _Bar:
    """A progress bar on a terminal, nothing elsewhere."""

    def __init__(self, size: int, *, enabled: bool) -> None:
        self.bar = None
        if enabled and size:
            from tqdm import tqdm

            self.bar = tqdm(total=size, unit="B", unit_scale=True, desc="audit")

    def show(self, done: int) -> None:
        if self.bar is not None:
            self.bar.update(max(0, done - self.bar.n))

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
