"""manage.py qualify NAME: an endpoint as a judge of labelled steps or of gold, before it gets a seat."""

from argparse import ArgumentParser
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from auditing.research.qualification.core.qualification import LEAST, DomainCounts, as_json, reason_to_refuse, whole
from auditing.research.qualification.services import keep_qualification
from auditing.research.studies.instruments.coverage import Coverage
from auditing.research.studies.instruments.labelled import DataMissingError
from auditing.research.studies.instruments.qualifying import judge_gold, judge_labelled, spent_so_far
from auditing.research.studies.instruments.runner import Cell, FileNotebook, Run, Table, as_text

NOTHING, PARTIAL = 2, 3  # exit codes, as of a study
_TAKEN = "taken"  # what partial runs cost, in the notebook


class Command(BaseCommand):
    """Exit codes: 0 it may sit, 1 it is refused, 2 nothing was measured, 3 answers are missing (nothing is kept)."""

    help = "Judge labelled steps with an endpoint, keep its sensitivity and specificity, refuse seats to a coin."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who, and on which steps."""
        parser.add_argument("name", help="the endpoint")
        parser.add_argument("--file", type=Path, help="your own labelled steps (problem, steps, label a line)")
        parser.add_argument("--gold", action="store_true", help="the active gold of this installation instead")
        parser.add_argument("--dataset", default="processbench", help="a public set, without --file")
        parser.add_argument("--data", type=Path, default=settings.STUDY_DATA_DIR, help="folder of the public sets")
        parser.add_argument("--limit", type=int, default=60, help="most traces of a file")
        parser.add_argument(
            "--out", type=Path, default=Path("reports"), help="where answers are kept until all are there"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """The first line says how much was answered, the last whether it may sit."""
        notebook = FileNotebook(options["out"] / f".qualify-{options['name']}.answers.jsonl")
        run = Run(
            options={"endpoint": options["name"]},
            data=options["data"],
            notebook=notebook,
            file=options["file"],
            limit=options["limit"],
            shape="steps",
        )
        before = spent_so_far(name=options["name"])
        try:
            ballots = judge_gold(run=run) if options["gold"] else judge_labelled(run=run, dataset=options["dataset"])
        except DataMissingError as error:
            raise CommandError(f"not measured: {error}", returncode=NOTHING) from None
        coverage = run.tally.coverage()
        self._tell(coverage, ballots.domains)
        if coverage is None:
            raise CommandError("not measured: nothing was asked", returncode=NOTHING)
        taken = _taken(notebook, before, spent_so_far(name=options["name"]))
        # A qualification of the questions that a server happened to answer would flatter it: kept are only the answers.
        if coverage.is_partial:
            notebook.keep(key=_TAKEN, value=taken)
            raise CommandError("answers are missing: nothing is kept; run again for them", returncode=PARTIAL)
        data = "gold" if options["gold"] else options["file"].name if options["file"] else options["dataset"]
        qualification = as_json(domains=ballots.domains, data=data, votes=ballots.votes, **taken)
        keep_qualification(name=options["name"], qualification=qualification, is_gold=options["gold"])
        notebook.forget()
        self.stdout.write(f"cost {taken['cost']} in {taken['calls']} calls; the page of the endpoint shows the rest")
        self._conclude(ballots.domains)

    def _tell(self, coverage: Coverage | None, domains: dict[str, DomainCounts]) -> None:
        self.stdout.write(coverage.sentence if coverage else "nothing was asked")
        rows = [_row(name, counts) for name, counts in {**domains, "all": whole(domains=domains)}.items()]
        columns = ("domain", "right", "passed", "low", "high", "wrong", "failed", "low", "high", "abstained")
        self.stdout.write(as_text(table=Table("Votes on labelled steps", columns, rows)))

    def _conclude(self, domains: dict[str, DomainCounts]) -> None:
        if reason := reason_to_refuse(domains=domains):
            raise CommandError(f"no seats: {reason}", returncode=1)
        is_testable = whole(domains=domains).is_testable
        self.stdout.write("it may sit" if is_testable else f"not testable yet: fewer than {LEAST} steps of either sort")


def _taken(notebook: FileNotebook, before: tuple[Decimal, int], after: tuple[Decimal, int]) -> dict[str, Any]:
    """Money and calls of this run and of the partial ones before it."""
    earlier = notebook.find(key=_TAKEN) or {"cost": "0", "calls": 0}
    cost = Decimal(earlier["cost"]) + after[0] - before[0]
    return {"cost": f"{cost:f}", "calls": earlier["calls"] + after[1] - before[1]}


def _row(name: str, counts: DomainCounts) -> list[Cell]:
    passed, failed = counts.sensitivity, counts.specificity
    cells: list[Cell] = [name, counts.right, passed.share, passed.low, passed.high]
    return [*cells, counts.wrong, failed.share, failed.low, failed.high, counts.abstained]
