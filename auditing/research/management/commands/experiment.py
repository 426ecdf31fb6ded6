"""manage.py experiment design|register|analyse: a counterbalanced, registered human experiment by campaigns."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from accounts.models import Role, User
from auditing.research.experiments.core import LONGEST_ID, Design, campaigns_of, digest_of, make_design, read_design
from auditing.research.experiments.selectors import find_registration, registered_audits, votes_of
from auditing.research.experiments.services import register
from auditing.research.studies.instruments.own_file import read_own
from auditing.services.intake.submission import CampaignClosedError
from hdag.core.errors import HdagError

DESIGN, REGISTERED, VOTES = "design.json", "registered.json", "votes.jsonl"


class Command(BaseCommand):
    """Plans an experiment in a folder, registers it in the ledger with its campaigns, and reads its votes."""

    help = "A human experiment: a design, its registration before the first vote, and the votes cast as designed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """design TRACES FOLDER --arm A --arm B --person P ..., register FOLDER --owner --provider, analyse FOLDER"""
        actions = parser.add_subparsers(dest="action", required=True)
        design = actions.add_parser("design", help="write design.json and one file of traces a campaign")
        design.add_argument("traces", type=Path, help="JSONL of traces, each with an id, and right or label")
        design.add_argument("folder", type=Path)
        design.add_argument("--arm", action="append", required=True, help="the name of a policy; twice or more")
        design.add_argument("--person", action="append", required=True, help="the e-mail of a reviewer; repeated")
        design.add_argument("--hypothesis", required=True)
        design.add_argument("--seed", type=int, default=1)
        registering = actions.add_parser("register", help="the design's leaf in the ledger, its campaigns and audits")
        registering.add_argument("folder", type=Path, help="as design wrote it")
        registering.add_argument("--owner", required=True, help="e-mail of the admin whose campaigns they are")
        registering.add_argument("--provider", required=True, help="e-mail of the provider who hands the traces in")
        registering.add_argument("--guidelines", type=Path, help="a text for the reviewers of every campaign")
        analysis = actions.add_parser("analyse", help="votes.jsonl of what was cast as designed; tables 1 and 3 of it")
        analysis.add_argument("folder", type=Path)
        analysis.add_argument("--hourly", type=float, default=0.0, help="cost of an hour of a person's work")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ends with 2 where nothing was written, with 3 where votes are missing or were left out."""
        try:
            getattr(self, f"_{options['action']}")(options)
        except (OSError, ValueError, TypeError, KeyError, HdagError, CampaignClosedError) as error:
            words = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise CommandError(words, returncode=2) from None

    def _design(self, options: dict[str, Any]) -> None:
        design = make_design(
            hypothesis=options["hypothesis"],
            arms=options["arm"],
            people=options["person"],
            traces=(records := _records(options["traces"])),
            seed=options["seed"],
        )
        folder: Path = options["folder"]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / DESIGN).write_text(_as_json(asdict(design)), encoding="utf-8")
        for number, campaign in enumerate(campaigns_of(design=design), 1):
            path = folder / f"campaign-{number}.jsonl"
            lines = (json.dumps(records[trace], ensure_ascii=False) + "\n" for trace in campaign.traces)
            path.write_text("".join(lines), encoding="utf-8")
            told = f"{len(campaign.traces)} traces, policy {campaign.arm}: {', '.join(campaign.people)}"
            self.stdout.write(f"{path}: «{campaign.name}», {told}")
        self.stdout.write(f"SHA-256 of the design: {digest_of(design=design)}")
        self.stdout.write(f"Nothing is registered yet: manage.py experiment register {folder}")

    def _register(self, options: dict[str, Any]) -> None:
        design, records = _read(options["folder"])
        text = options["guidelines"].read_text(encoding="utf-8") if options["guidelines"] else ""
        owner, provider = _person(options["owner"], Role.ADMIN), _person(options["provider"], Role.PROVIDER)
        campaigns = register(design=design, records=records, owner=owner, provider=provider, guidelines=text)
        audits = registered_audits(design=design)
        registered = {"design": asdict(design), "audits": audits}
        (options["folder"] / REGISTERED).write_text(_as_json(registered), encoding="utf-8")
        for campaign in campaigns:
            seats = f"{campaign.reviewers.count()} people"
            self.stdout.write(f"{campaign.pk}: «{campaign.title}», {seats}, {campaign.audits.count()} traces")
        self.stdout.write(f"Registered, before any vote: leaf experiment.register {digest_of(design=design)}")
        self.stdout.write(f"Strangers check it: verify_audit.py ledger ADDRESS --design {REGISTERED}")

    def _analyse(self, options: dict[str, Any]) -> None:
        folder: Path = options["folder"]
        design, records = _read(folder)
        joined = votes_of(design=design, records=records, hourly=options["hourly"])
        leaf = find_registration(design=design)
        where = "waits for its place" if leaf is None or leaf.index is None else f"is leaf {leaf.index} of the ledger"
        voted, asked = joined.pairs
        self.stdout.write(f"The design {digest_of(design=design)} {where}.")
        self.stdout.write(f"{len(joined.rows)} votes; {voted} of {asked} pairs of a person and a trace have one.")
        for reason in joined.refused[:20]:
            self.stdout.write(f"left out: {reason}")
        if not joined.rows:
            raise ValueError("no vote of this experiment is counted yet")
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in joined.rows)
        (folder / VOTES).write_text("".join(lines), encoding="utf-8")
        for name in ("table1", "table3"):
            call_command("study", name, file=folder / VOTES, out=folder, stdout=self.stdout, stderr=self.stderr)
        if joined.refused or voted < asked:
            raise CommandError("votes are missing or were left out, as said above", returncode=3)


def _records(path: Path) -> dict[str, dict[str, Any]]:
    """Id -> record of a file of traces. Raises ValueError for a line without an id, or with the id of another."""
    records: dict[str, dict[str, Any]] = {}
    for number, record in read_own(path):
        name = str((record or {}).get("id", ""))
        if record is None or not 0 < len(name) <= LONGEST_ID:
            raise ValueError(f"{path.name}, line {number}: no JSON object with an id (at most {LONGEST_ID} characters)")
        if name in records:
            raise ValueError(f"{path.name}, line {number}: the id {name} stands twice")
        records[name] = dict(record)
    return records


def _read(folder: Path) -> tuple[Design, dict[str, dict[str, Any]]]:
    """The design of a folder, and the traces of its campaigns' files."""
    design = read_design(fields=json.loads((folder / DESIGN).read_text(encoding="utf-8")))
    records: dict[str, dict[str, Any]] = {}
    for number in range(1, len(design.arms) ** 2 + 1):
        # Every trace stands in one file of each arm: changed in one of them, it would be two traces.
        for name, record in _records(folder / f"campaign-{number}.jsonl").items():
            if records.setdefault(name, record) != record:
                raise ValueError(f"trace {name} is not the same in all files of campaigns")
    return design, records


def _person(email: str, role: Role) -> User:
    person = User.objects.filter(email=email.lower(), is_active=True, grants__role=role).first()
    if person is None:
        raise ValueError(f"nobody with the role {role} has the e-mail {email}")
    return person


def _as_json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
