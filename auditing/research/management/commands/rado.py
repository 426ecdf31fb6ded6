"""manage.py rado groups|proof|settings: GRPO rows of responses, PROOF scores by endpoints, settings for trainers."""

import json
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from auditing.research.imported_votes.records import VotesRefusedError, records_of
from auditing.research.rado.core.settings_files import settings_files
from auditing.research.rado.policy_sampling import Problem, Scoring, group_of, read_problems, sample_responses
from auditing.research.rado.proof_judges import read_proof_items, score_item
from auditing.research.studies.instruments.labelled import DataMissingError
from auditing.research.studies.instruments.model_tier import CountingClient, in_parallel, open_clients
from auditing.research.studies.instruments.runner import FileNotebook, Run

ACCOUNT = "command:rado"
PARTIAL = 3  # exit code, as of a study: some answers are missing


class Command(BaseCommand):
    """What belongs to no loop of the pages."""

    help = "RADO: score groups of policy responses for GRPO; write the settings of the paper for TRL and LLaMA-Factory."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """groups IN OUT --reward NAME [--policy NAME], proof IN OUT --judge NAME..., settings FOLDER"""
        actions = parser.add_subparsers(dest="action", required=True)
        groups = actions.add_parser("groups", help="GRPO rows of the responses of a file, or of a policy's own")
        groups.add_argument("input", type=Path, help="JSONL: problem, response or responses, gold (if known)")
        groups.add_argument("output", type=Path)
        groups.add_argument("--reward", required=True, metavar="ENDPOINT", help="the reward model")
        groups.add_argument("--policy", default="", metavar="ENDPOINT", help="ask this model for the responses")
        groups.add_argument("--group", type=int, default=4, help="responses of a policy to each problem")
        groups.add_argument(
            "--temperature", type=float, default=0.7, help="of the policy; the paper: .5 at first, .7 in the loop"
        )
        groups.add_argument("--samples", type=int, default=1, help="evaluations of each response; most of them count")
        groups.add_argument("--any-format", action="store_true", help="do not ask for <think> and <answer>")
        proof = actions.add_parser("proof", help="PROOF scores of responses by endpoints, as a loop's page reads them")
        proof.add_argument("input", type=Path, help="JSONL: problem, response, item (its name, if it has one)")
        proof.add_argument("output", type=Path)
        proof.add_argument("--judge", required=True, action="append", metavar="ENDPOINT", help="may be repeated")
        settings = actions.add_parser("settings", help="write the settings of appendix A")
        settings.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Says in its first line how much was answered."""
        if options["action"] == "settings":
            self._write_settings(options["folder"])
        elif options["action"] == "proof":
            self._write_proof(options)
        else:
            self._write_groups(options)

    def _write_settings(self, folder: Path) -> None:
        for name, text in settings_files().items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            self.stdout.write(str(path))

    def _write_proof(self, options: dict[str, Any]) -> None:
        try:
            records = records_of(data=options["input"].read_bytes(), name=options["input"].name)
            items = read_proof_items(records=records)
        except (OSError, ValueError, VotesRefusedError) as error:
            raise CommandError(f"{options['input']}: {error}", returncode=2) from None
        notebook = FileNotebook(options["output"].with_name(f".{options['output'].name}.answers.jsonl"))
        run = Run(notebook=notebook)
        rows: list[dict[str, Any]] = []
        try:
            with open_clients(run=run, names=options["judge"], account=ACCOUNT) as clients:
                # One judge after the other: each has its own limit of calls in flight.
                for client in clients:
                    work = partial(_scored, client=client)
                    answers = in_parallel(work=work, items=items, workers=client.endpoint.max_concurrency)
                    rows += [row for row in answers if row is not None]
        except DataMissingError as error:
            raise CommandError(f"not measured: {error}", returncode=2) from None
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        options["output"].write_text("".join(lines), encoding="utf-8")
        coverage = run.tally.coverage()
        self.stdout.write(coverage.sentence if coverage else "nothing was asked")
        judges: dict[str, list[float]] = {row["item"]: [] for row in rows}
        for row in rows:
            judges[row["item"]].append((row["rc"] + row["ds"] + row["fa"]) / 3)
        for item, scores in judges.items():
            self.stdout.write(f"{item}: PROOF {sum(scores) / len(scores):.2f} of {len(scores)} judges")
        if coverage is None or coverage.is_partial:
            raise CommandError("some answers are missing; run the same command again for them", returncode=PARTIAL)
        notebook.forget()

    def _write_groups(self, options: dict[str, Any]) -> None:
        if not (1 <= options["group"] <= 64 and 1 <= options["samples"] <= 16 and 0 <= options["temperature"] <= 2):
            raise CommandError("--group is 1 to 64, --samples 1 to 16, --temperature 0 to 2", returncode=2)
        problems = _problems(options["input"])
        # Beside the output: the same command again asks only for what is missing.
        notebook = FileNotebook(options["output"].with_name(f".{options['output'].name}.answers.jsonl"))
        run = Run(notebook=notebook)
        names = [options["reward"], *([options["policy"]] if options["policy"] else [])]
        try:
            with open_clients(run=run, names=names, account=ACCOUNT) as clients:
                work = partial(_rows, clients=clients, options=options)
                workers = clients[0].endpoint.max_concurrency
                groups = in_parallel(work=work, items=problems, workers=workers)
        except DataMissingError as error:
            raise CommandError(f"not measured: {error}", returncode=2) from None
        rows = [row for group in groups for row in group]
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        options["output"].write_text("".join(lines), encoding="utf-8")
        coverage = run.tally.coverage()
        self.stdout.write(coverage.sentence if coverage else "nothing was asked: no problem has a response")
        uneven = sum(len({row["reward"] for row in group}) > 1 for group in groups)
        self.stdout.write(f"{len(rows)} rows of {len(problems)} problems; {uneven} groups teach something")
        if coverage is None or coverage.is_partial:
            raise CommandError("some answers are missing; run the same command again for them", returncode=PARTIAL)
        notebook.forget()


def _rows(problem: Problem, *, clients: list[CountingClient], options: dict[str, Any]) -> list[dict[str, Any]]:
    responses = problem.responses
    if options["policy"]:
        responses += sample_responses(
            client=clients[-1],
            problem=problem,
            count=options["group"],
            account=ACCOUNT,
            temperature=options["temperature"],
        )
    scoring = Scoring(clients[0], ACCOUNT, options["samples"], not options["any_format"])
    return group_of(problem=problem, responses=responses, scoring=scoring)


def _scored(item: tuple[str, str, str], *, client: CountingClient) -> dict[str, Any] | None:
    return score_item(client=client, item=item, account=ACCOUNT)


def _problems(path: Path) -> list[Problem]:
    try:
        return read_problems(records=records_of(data=path.read_bytes(), name=path.name))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}", returncode=2) from None
    except (ValueError, VotesRefusedError) as error:
        raise CommandError(f"{path}: {error}", returncode=2) from None
