"""manage.py experiment design|votes: a counterbalanced human experiment by campaigns, and its votes by arm."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from auditing.research.studies.arms.experiment import Design, arm_votes, campaigns_of, digest_of, make_design
from auditing.research.studies.instruments.own_file import read_own


class Command(BaseCommand):
    """Writes a design with one file of traces a campaign, and joins votes with it afterwards."""

    help = "A human experiment: who judges which trace in which arm, and which votes were cast as designed."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """design TRACES FOLDER --arm A --arm B --person P ..., votes DESIGN VOTES OUT"""
        actions = parser.add_subparsers(dest="action", required=True)
        design = actions.add_parser("design", help="write design.json and one file of traces a campaign")
        design.add_argument("traces", type=Path, help="JSONL of traces, each with an id")
        design.add_argument("folder", type=Path)
        design.add_argument("--arm", action="append", required=True, help="the name of a policy; twice or more")
        design.add_argument("--person", action="append", required=True, help="a name or pseudonym; repeated")
        design.add_argument("--hypothesis", required=True)
        design.add_argument("--seed", type=int, default=1)
        votes = actions.add_parser("votes", help="votes cast as designed, in the form of table1 and table3")
        votes.add_argument("design", type=Path)
        votes.add_argument("votes", type=Path, help="JSONL: person, trace, choice, right; arm, unit, seconds, cost")
        votes.add_argument("output", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Ends with 2 where nothing was written, with 3 where votes were left out."""
        try:
            getattr(self, f"_{options['action']}")(options)
        except (OSError, ValueError, TypeError) as error:
            raise CommandError(str(error), returncode=2) from None

    def _design(self, options: dict[str, Any]) -> None:
        records = {str(record.get("id", number)): record for number, record in read_own(options["traces"]) if record}
        design = make_design(
            hypothesis=options["hypothesis"],
            arms=options["arm"],
            people=options["person"],
            traces=list(records),
            seed=options["seed"],
        )
        folder: Path = options["folder"]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "design.json").write_text(json.dumps(asdict(design), indent=1, ensure_ascii=False) + "\n")
        for number, campaign in enumerate(campaigns_of(design=design), 1):
            path = folder / f"campaign-{number}.jsonl"
            lines = (json.dumps(records[trace], ensure_ascii=False) + "\n" for trace in campaign.traces)
            path.write_text("".join(lines), encoding="utf-8")
            told = f"{len(campaign.traces)} traces, policy {campaign.arm}: {', '.join(campaign.people)}"
            self.stdout.write(f"{path}: «{campaign.name}», {told}")
        self.stdout.write(f"SHA-256 of the design, to be published before the first vote: {digest_of(design=design)}")

    def _votes(self, options: dict[str, Any]) -> None:
        fields = json.loads(options["design"].read_text(encoding="utf-8"))
        named = {name: tuple(fields[name]) for name in ("arms", "people", "traces")}
        design = Design(hypothesis=fields["hypothesis"], seed=fields["seed"], **named)
        votes = [record or {} for _, record in read_own(options["votes"])]
        rows, refused = arm_votes(design=design, votes=votes)
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        options["output"].write_text("".join(lines), encoding="utf-8")
        self.stdout.write(f"{len(rows)} of {len(votes)} votes as designed; design {digest_of(design=design)}")
        for reason in refused[:20]:
            self.stdout.write(reason)
        if refused:
            raise CommandError("some votes were left out", returncode=3)
