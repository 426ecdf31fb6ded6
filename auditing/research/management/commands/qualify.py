"""manage.py qualify NAME: an endpoint as a judge of labelled steps, before it gets a seat."""

from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from auditing.core.model_tier.qualification import LEAST, DomainCounts, as_json, reason_to_refuse, whole
from auditing.research.studies.instruments.coverage import Coverage
from auditing.research.studies.instruments.labelled import DataMissingError, Labelled
from auditing.research.studies.instruments.model_tier import ModelTier, UnansweredError, open_model, step_segments
from auditing.research.studies.instruments.own_file import labelled_sets
from auditing.research.studies.instruments.runner import Cell, FileNotebook, Run, Table, as_text
from auditing.services.model_tier.qualification import keep_qualification
from hdag.decomposers.rules import RulesDecomposer

NOTHING, PARTIAL = 2, 3  # exit codes, as of a study


class Command(BaseCommand):
    """Exit codes: 0 it may sit, 1 it is refused, 2 nothing was measured, 3 answers are missing (nothing is kept)."""

    help = "Judge labelled steps with an endpoint, keep its sensitivity and specificity, refuse seats to a coin."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who, and on which steps."""
        parser.add_argument("name", help="the endpoint")
        parser.add_argument("--file", type=Path, help="your own labelled steps (problem, steps, label a line)")
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
        try:
            domains = _domains(run, options["dataset"])
        except DataMissingError as error:
            raise CommandError(f"not measured: {error}", returncode=NOTHING) from None
        coverage = run.tally.coverage()
        self._tell(coverage, domains)
        if coverage is None:
            raise CommandError("not measured: nothing was asked", returncode=NOTHING)
        if coverage.is_partial:
            raise CommandError("answers are missing: nothing is kept; run again for them", returncode=PARTIAL)
        data = options["file"].name if options["file"] else options["dataset"]
        keep_qualification(name=options["name"], qualification=as_json(domains=domains, data=data))
        notebook.forget()
        self._conclude(domains)

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


def _domains(run: Run, dataset: str) -> dict[str, DomainCounts]:
    """The counts of each file. Raises DataMissingError."""
    domains: dict[str, DomainCounts] = {}
    with open_model(run=run, study="qualify") as model:
        if model is None:
            raise DataMissingError("no endpoint is named")
        for name, items in labelled_sets(run=run, name=dataset, most=run.limit or 0):
            counts = model.in_parallel(partial(_counts_of, model=model), items)
            domains[name] = whole(domains=dict(enumerate(counts)))  # type: ignore[arg-type]
    return domains


def _counts_of(labelled: Labelled, *, model: ModelTier) -> DomainCounts:
    """The votes on the steps of a trace up to its first wrong one; what follows has no label."""
    graph = RulesDecomposer().decompose(labelled.trace)
    total = DomainCounts()
    for segment in step_segments(graph=graph):
        if segment.step is None or (labelled.first_error is not None and segment.step > labelled.first_error):
            continue
        try:
            fails = model.fails(trace=labelled.trace, graph=graph, segment=segment)
        # Counted by the client; a partial run keeps nothing.
        except UnansweredError:
            continue
        total += _count(fails, is_wrong=segment.step == labelled.first_error)
    return total


def _count(fails: bool | None, *, is_wrong: bool) -> DomainCounts:
    if fails is None:
        return DomainCounts(abstained=1)
    return DomainCounts(wrong=1, failed=int(fails)) if is_wrong else DomainCounts(right=1, passed=int(not fails))


def _row(name: str, counts: DomainCounts) -> list[Cell]:
    passed, failed = counts.sensitivity, counts.specificity
    cells: list[Cell] = [name, counts.right, passed.share, passed.low, passed.high]
    return [*cells, counts.wrong, failed.share, failed.low, failed.high, counts.abstained]
