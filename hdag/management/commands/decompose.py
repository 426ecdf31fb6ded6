"""`manage.py decompose FILE`: traces in, graphs out, without database, server or model."""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from hdag.core.errors import BadRecordError, HdagError
from hdag.core.flow import verification_flow
from hdag.core.invariants import find_violations
from hdag.core.metrics import measure
from hdag.core.printed import Printed, as_printed, is_printed, read_printed
from hdag.core.strict_json import read_json
from hdag.core.values import Graph, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers import read_any
from hdag.readers.documents import is_session


class Command(BaseCommand):
    """Decompose every trace of a file by rules."""

    help = "Decompose the traces of FILE (JSON lines, one JSON document, or plain text) by rules; needs no database."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """FILE, --stats, --output."""
        parser.add_argument("file", help="JSON lines, JSON or text; - reads standard input")
        parser.add_argument("--stats", action="store_true", help="print measures of each graph instead of the graph")
        parser.add_argument(
            "--form",
            choices=("segments", "hdag"),
            default="segments",
            help="hdag: nodes and edges as the paper prints them",
        )
        parser.add_argument("--output", help="write JSON lines here instead of printing them")

    def handle(self, **options: Any) -> None:
        """One line of JSON a trace; a bad record gives a line with its error, and the run goes on."""
        text = _read_file(options["file"])
        records: Counter[bool] = Counter()
        lines = _lines(_rows(text, options), records)
        if options["output"]:
            _write(options["output"], lines)
        else:
            for line in lines:
                self.stdout.write(line)
        if records[True]:
            count = f"{records[True]} of {records.total()} records"
            raise CommandError(f"{count} could not be decomposed; each says why", returncode=1)


def _lines(rows: Iterator[dict[str, Any]], records: Counter[bool]) -> Iterator[str]:
    """Each row as a line of JSON, counted by whether it was refused."""
    for row in rows:
        records["error" in row] += 1
        yield json.dumps(row, ensure_ascii=False)


def _write(output: str, lines: Iterator[str]) -> None:
    try:
        with Path(output).open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise CommandError(f"{output} cannot be written: {error.strerror}") from error


def _read_file(name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        if data.startswith(b"PK"):
            raise CommandError(f"{name} is an archive (zip), which is not read here; manage.py audit reads it")
        # With a byte order mark before it JSON would be taken for plain text.
        return data.decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{name} is not UTF-8 text (byte {error.start})") from error


def _rows(text: str, options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for where, value in _values(text):
        try:
            document: Any = read_json(value, where=where) if where != "text" else value
            if is_printed(document):
                yield _printed_row(read_printed(document, where=where), options)
                continue
            yield from (_row(trace, options) for trace in read_any(document, where=where))
        except HdagError as error:
            yield {"where": where, "error": str(error)}


def _values(text: str) -> Iterator[tuple[str, str]]:
    """The documents of a file: the whole of it when that is JSON or text, else its lines."""
    bare = text.lstrip()
    if not bare.startswith(("{", "[")):
        yield "text", text
        return
    # JSON lines also begin with "{": only a parse of the whole tells one document from many.
    try:
        read_json(text, where="file")
        yield "file", text
    except BadRecordError:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        yield from _session(lines) or [(f"line {number}", line) for number, line in lines]


def _session(lines: list[tuple[int, str]]) -> list[tuple[str, str]]:
    """The lines of a session as one document, behind those that are no JSON; nothing for any other file."""
    events: list[str] = []
    broken: list[tuple[str, str]] = []
    for number, line in lines:
        try:
            value = read_json(line, where="")
        except BadRecordError:
            broken.append((f"line {number}", line))
            continue
        if not events and not is_session(value=value, format=""):
            return []
        events.append(line)
    return [*broken, ("session", f"[{','.join(events)}]")] if events else []


def _printed_row(printed: Printed, options: Mapping[str, Any]) -> dict[str, Any]:
    """A graph that was handed in stays as it is; what is wrong with it is said."""
    head = {"id": printed.trace.id, "remarks": list(printed.remarks)}
    return head | _shown(printed.graph, printed.trace, options)


def _row(trace: Trace, options: Mapping[str, Any]) -> dict[str, Any]:
    graph = RulesDecomposer().decompose(trace)
    violations = [str(violation) for violation in find_violations(trace=trace, graph=graph)]
    return {"id": trace.id, "violations": violations} | _shown(graph, trace, options)


def _shown(graph: Graph, trace: Trace, options: Mapping[str, Any]) -> dict[str, Any]:
    if options["stats"]:
        return _stats(graph)
    return as_printed(graph=graph, title=trace.title) if options["form"] == "hdag" else _graph(graph)


def _stats(graph: Graph) -> dict[str, Any]:
    levels: dict[str, int] = {}
    for segment in graph.segments:
        levels[segment.level] = levels.get(segment.level, 0) + 1
    flow = verification_flow(graph=graph)
    return {"levels": levels, "graph_edges": len(graph.edges), **asdict(measure(graph=graph)), "flow": asdict(flow)}


def _graph(graph: Graph) -> dict[str, Any]:
    return {
        # Who suggested the tiers is said where it was a model: a graph by rules is written as it always was.
        "segments": [
            {name: value for name, value in asdict(segment).items() if name != "by_model" or value}
            for segment in graph.segments
        ],
        "edges": [edge._asdict() for edge in graph.edges],
        "report": list(graph.report),
    }
