"""manage.py study [NAME]: run a study, or list them all."""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from auditing.research.studies.instruments.labelled import DataMissingError
from auditing.research.studies.instruments.reports import write_report
from auditing.research.studies.instruments.runner import (
    FileNotebook,
    Report,
    Run,
    Study,
    as_text,
    covered,
    find_studies,
)
from hdag.chat.errors import NoAnswerError

PARTIAL = 3  # exit code: some calls to a model brought no answer


class Command(BaseCommand):
    """Run one study with a seed; print its tables and write them as HTML and JSON."""

    help = "Run a study (without a name: list them). A run that was stopped goes on where it was."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--full", action="store_true", help="full size instead of a quick look")
        parser.add_argument("--out", type=Path, default=Path("reports"))
        parser.add_argument("--data", type=Path, default=settings.STUDY_DATA_DIR, help="folder of the public sets")
        parser.add_argument("--afresh", action="store_true", help="forget the pieces of a run that was stopped")
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")

    def handle(self, *args: Any, **options: Any) -> None:
        studies = find_studies()
        if not options["name"]:
            self.stdout.write("\n".join(f"{entry.name:16} {entry.title}" for entry in studies.values()))
            return
        if options["name"] not in studies:
            raise CommandError(f"no study is named {options['name']}; there are: {', '.join(studies)}")
        # "dataset=mr_ben" -> ("dataset", "=", "mr_ben").
        pairs = [pair.partition("=") for pair in options["option"]]
        plain = Run(options["seed"], options["full"], {key: value for key, _, value in pairs}, options["data"])
        # Hidden, and named after seed, size and options: runs that differ do not share pieces.
        notebook = FileNotebook(options["out"] / f".{options['name']}-{plain.fingerprint}.pieces.jsonl")
        if options["afresh"]:
            # --afresh: what a stopped run left is not used.
            notebook.forget()
            notebook = FileNotebook(options["out"] / f".{options['name']}-{plain.fingerprint}.pieces.jsonl")
        with tqdm(total=100, unit="%", bar_format="{percentage:3.0f} %|{bar:30}| {elapsed} {desc}") as bar:
            run = replace(plain, notebook=notebook, say=lambda text, share: _show(bar, text, share))
            report = _report(studies[options["name"]], run)
            _show(bar, "done", 1.0)
        is_partial = report.coverage is not None and report.coverage.is_partial
        # The answers of a partial run are kept: asked again, it fills only the holes.
        if not is_partial:
            notebook.forget()
        self.stdout.write("\n".join(_lines(report)))
        paths = write_report(report=report, run=run, name=options["name"], folder=options["out"])
        self.stdout.write(f"written: {paths[0]} and {paths[1]}")
        if is_partial:
            raise CommandError(f"study {options['name']} is partial", returncode=PARTIAL)
        # Exit code 1, so that a pipeline notices; None claims nothing.
        if report.passed is False:
            raise CommandError(f"study {options['name']} did not reach what it claims")


def _report(chosen: Study, run: Run) -> Report:
    """The report with its coverage. Raises CommandError where the study cannot go on."""
    try:
        return covered(report=chosen.run(run), run=run)
    except (DataMissingError, FileNotFoundError) as error:
        raise CommandError(f"The study {chosen.name} cannot run: {_told(run)}{error}.") from None
    except NoAnswerError as error:
        # What was done is kept: the same command goes on from there.
        raise CommandError(f"partial: the study {chosen.name} stopped: {error}", returncode=PARTIAL) from None


def _told(run: Run) -> str:
    """The coverage until a study broke off, before the reason."""
    coverage = run.tally.coverage()
    return f"{coverage.sentence}; " if coverage else ""


def _lines(report: Report) -> Iterator[str]:
    if report.coverage:
        yield f"{report.coverage.sentence}\n"
    if report.simulated:
        yield f"Simulated: {report.simulated}\n"
    for table in report.tables:
        yield as_text(table=table) + "\n"
    yield from report.notes


def _show(bar: "tqdm[Any]", text: str, share: float) -> None:
    bar.set_description_str(text, refresh=False)
    bar.n = round(100 * share)
    bar.refresh()
