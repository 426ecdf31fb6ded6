"""manage.py study [NAME]: run a study, or list them all."""

import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from auditing.research.studies.instruments.coverage import Tally
from auditing.research.studies.instruments.labelled import DataMissingError
from auditing.research.studies.instruments.reports import write_report
from auditing.research.studies.instruments.runner import (
    FileNotebook,
    OptionError,
    Report,
    Run,
    Study,
    as_text,
    covered,
    find_studies,
)
from auditing.services.model_tier.origins import allowed_origins
from hdag.chat.errors import Failure, NoAnswerError
from hdag.services.batches import advance_batches

NOTHING, PARTIAL = 2, 3  # exit codes: nothing was measured; some answers or lines are missing


class ForecastTold(Exception):  # noqa: N818  nothing went wrong
    """The forecast was all that was wanted."""


class Command(BaseCommand):
    """Run one study with a seed; print its tables and write them as HTML, JSON and CSV.

    The first line says what was measured and what was not. Exit codes: 0 measured, 1 the study did not reach what it
    claims, 2 nothing was measured, 3 answers of a model or lines of the file are missing.
    """

    help = "Run a study (without a name: list them). A run that was stopped goes on where it was."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--full", action="store_true", help="full size instead of a quick look")
        parser.add_argument("--out", type=Path, default=Path("reports"))
        parser.add_argument("--data", type=Path, default=settings.STUDY_DATA_DIR, help="folder of the public sets")
        parser.add_argument(
            "--file", type=Path, help="your own file in place of the public set: one JSON object a line"
        )
        parser.add_argument("--limit", type=int, help="most records of a file")
        parser.add_argument("--endpoint", help="the endpoint to ask; the same as --option endpoint=NAME")
        parser.add_argument("--limit-money", type=Decimal, help="most that this run may spend at the endpoint")
        parser.add_argument("--forecast", action="store_true", help="say what a model would be asked, and ask nothing")
        parser.add_argument("--wait", type=int, default=0, metavar="SECONDS", help="wait for batches, looking so often")
        parser.add_argument("--afresh", action="store_true", help="forget the pieces of a run that was stopped")
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")

    def handle(self, *args: Any, **options: Any) -> None:
        studies = find_studies()
        if not options["name"]:
            self.stdout.write("\n".join(f"{entry.name:16} {entry.title}" for entry in studies.values()))
            return
        if options["name"] not in studies:
            raise CommandError(f"no study is named {options['name']}; there are: {', '.join(studies)}")
        chosen = studies[options["name"]]
        plain = _run(chosen, options)
        notebook = _notebook(chosen, plain, options)
        try:
            report, run = self._measure(chosen, replace(plain, notebook=notebook), options)
        except ForecastTold as told:
            self.stdout.write(str(told))
            return
        is_partial = report.coverage is not None and report.coverage.is_partial
        # The answers of a partial run are kept: asked again, it fills only the holes.
        if not is_partial:
            notebook.forget()
        self.stdout.write("\n".join(_lines(chosen, report, run)))
        paths = write_report(report=report, run=run, name=chosen.name, folder=options["out"])
        self.stdout.write(f"written: {', '.join(map(str, paths[:-1]))} and {paths[-1]}")
        if waits(run):
            advance_batches(allowed=allowed_origins(), at_once=True)
            self.stdout.write("its questions wait in a batch: the same command collects the answers, within a day")
        if is_partial or run.reading.refused:
            raise CommandError(f"study {chosen.name} is partial", returncode=PARTIAL)
        # Exit code 1, so that a pipeline notices; None claims nothing.
        if report.passed is False:
            raise CommandError(f"study {chosen.name} did not reach what it claims")

    def _measure(self, chosen: Study, plain: Run, options: dict[str, Any]) -> tuple[Report, Run]:
        """The report and the run that it is of; with --wait once every batch is answered. Raises ForecastTold."""
        form = "{percentage:3.0f} %|{bar:30}| {elapsed} {desc}"
        with tqdm(total=100, unit="%", bar_format=form, disable=None) as bar:
            run = replace(plain, say=lambda text, share: _show(bar, text, share), tell=self._teller(options))
            report = self._report(chosen, run)
            while waits(run) and options["wait"]:
                _wait_for_batches(options["wait"])
                run = replace(run, tally=Tally())
                report = self._report(chosen, run)
            _show(bar, "done", 1.0)
        return report, run

    def _teller(self, options: dict[str, Any]) -> Callable[[str], None]:
        """Where the forecast goes: beside the report, or in its place."""

        def only(sentence: str) -> None:
            raise ForecastTold(sentence)

        return only if options["forecast"] else self.stderr.write

    def _report(self, chosen: Study, run: Run) -> Report:
        """The report with its coverage. Raises CommandError where the study cannot go on."""
        try:
            return covered(report=chosen.run(run), run=run)
        except (DataMissingError, OptionError, FileNotFoundError) as error:
            self.stdout.write(f"not measured: {_told(run)}{error}")
            raise CommandError(f"the study {chosen.name} measured nothing", returncode=NOTHING) from None
        except NoAnswerError as error:
            # What was done is kept: the same command goes on from there.
            self.stdout.write(f"partial: {_told(run)}the study stopped: {error}")
            raise CommandError(f"the study {chosen.name} stopped", returncode=PARTIAL) from None


def _notebook(chosen: Study, plain: Run, options: dict[str, Any]) -> FileNotebook:
    """Hidden, and named after seed, size and options: runs that differ do not share pieces."""
    path = options["out"] / f".{chosen.name}-{plain.fingerprint}.pieces.jsonl"
    if options["afresh"]:
        # --afresh: what a stopped run left is not used.
        FileNotebook(path).forget()
    return FileNotebook(path)


def waits(run: Run) -> bool:
    """Whether some of its questions lie in a batch."""
    return any(failure.startswith(Failure.BATCHED) for failure in run.tally.failures)


def _wait_for_batches(seconds: int) -> None:
    """Send what waits, and look until something was answered."""
    while not advance_batches(allowed=allowed_origins(), at_once=True):
        time.sleep(seconds)


def _run(chosen: Study, options: dict[str, Any]) -> Run:
    """What the study is given. Raises CommandError for what it does not know."""
    # "dataset=mr_ben" -> ("dataset", "=", "mr_ben").
    pairs = {key: value for key, _, value in (pair.partition("=") for pair in options["option"])}
    if options["endpoint"]:
        pairs["endpoint"] = options["endpoint"]
    if chosen.options is not None and (unknown := [key for key in pairs if key not in chosen.options]):
        told = f"it knows {', '.join(chosen.options)}" if chosen.options else "it has none"
        what = "asks no model" if unknown[0] == "endpoint" else f"knows no option {unknown[0]!r}: {told}"
        raise CommandError(f"not measured: the study {chosen.name} {what}", returncode=NOTHING)
    file, limit = options["file"], options["limit"]
    if file is not None and not chosen.reads:
        raise CommandError(f"not measured: the study {chosen.name} reads no file", returncode=NOTHING)
    if file is not None and not file.is_file():
        raise CommandError(f"not measured: there is no file {file}", returncode=NOTHING)
    if limit is not None and limit < 1:
        raise CommandError("not measured: --limit is at least 1", returncode=NOTHING)
    money = options["limit_money"]
    if (options["forecast"] or money is not None) and not pairs.get("endpoint"):
        raise CommandError("not measured: a forecast or a limit in money needs --endpoint", returncode=NOTHING)
    source = {"file": file, "limit": limit, "shape": chosen.reads, "money": money}
    return Run(options["seed"], options["full"], pairs, options["data"], **source)


def _told(run: Run) -> str:
    """The coverage until a study broke off, before the reason."""
    coverage = run.tally.coverage()
    return f"{coverage.sentence}; " if coverage else ""


def _first_line(chosen: Study, report: Report, run: Run) -> str:
    """What was measured and what was not; empty where a study asks nobody and reads no file of one's own."""
    coverage = report.coverage
    missing = (coverage is not None and coverage.is_partial) or bool(run.reading.refused)
    parts = [coverage.sentence.partition(": ")[2]] if coverage else []
    parts += [run.reading.sentence] if run.reading.lines else []
    if chosen.asks and coverage is None and not run.options.get("endpoint"):
        parts.append("not measured: the model tier (no endpoint was named; --endpoint NAME asks one)")
    return f"{'partial' if missing else 'complete'}: {'; '.join(parts)}\n" if parts else ""


def _lines(chosen: Study, report: Report, run: Run) -> Iterator[str]:
    if first := _first_line(chosen, report, run):
        yield first
    if report.simulated:
        yield f"Simulated: {report.simulated}\n"
    for table in report.tables:
        yield as_text(table=table) + "\n"
    yield from report.notes


def _show(bar: "tqdm[Any]", text: str, share: float) -> None:
    bar.set_description_str(text, refresh=False)
    bar.n = round(100 * share)
    bar.refresh()
