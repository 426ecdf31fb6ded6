"""manage.py study [NAME]: run a study, or list them all."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from auditing.studies.labelled import DataMissing
from auditing.studies.runner import Run, as_text, find_studies, write_report


class Command(BaseCommand):
    """Run one study with a seed; print its tables and write them as HTML and JSON."""

    help = "Run a study (without a name: list them)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--full", action="store_true", help="full size instead of a quick look")
        parser.add_argument("--out", type=Path, default=Path("reports"))
        parser.add_argument("--data", type=Path, default=Path("../shared/data"))
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")

    def handle(self, *args: Any, **options: Any) -> None:
        studies = find_studies()
        if not options["name"]:
            self.stdout.write("\n".join(f"{item.name:16} {item.title}" for item in studies.values()))
            return
        if options["name"] not in studies:
            raise CommandError(f"no study is named {options['name']}; there are: {', '.join(studies)}")
        pairs = [pair.partition("=") for pair in options["option"]]
        run = Run(
            seed=options["seed"],
            full=options["full"],
            options={key: value for key, _, value in pairs},
            data=options["data"],
            say=self._say,
        )
        try:
            report = studies[options["name"]].run(run)
        except (DataMissing, FileNotFoundError) as error:
            raise CommandError(f"The study {options['name']} cannot run: {error}.") from None
        for table in report.tables:
            self.stdout.write(as_text(table=table) + "\n")
        for note in report.notes:
            self.stdout.write(note)
        paths = write_report(report=report, run=run, name=options["name"], folder=options["out"])
        self.stdout.write(f"written: {paths[0]} and {paths[1]}")
        if report.passed is False:
            raise CommandError(f"study {options['name']} did not reach what it claims")

    def _say(self, text: str, share: float) -> None:
        self.stderr.write(f"{100 * share:3.0f} % {text}")
