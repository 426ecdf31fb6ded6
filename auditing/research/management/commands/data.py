"""manage.py data list|check|add: the public sets that the studies read, without a database or a network."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from auditing.research.studies.sets.catalogue import SETS, PublicSet
from auditing.research.studies.sets.public_sets import add_files, state_of


class Command(BaseCommand):
    """What is wanted, what is here, whether it is whole; nothing is downloaded."""

    help = "The public sets of the studies: list them, check those that are here, add files of one."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """list, check [NAME ...], add NAME FILE ..."""
        parser.add_argument("--data", type=Path, default=settings.STUDY_DATA_DIR, help="folder of the public sets")
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("list", help="every set: fields, licence, where to get it, who reads it, what is here")
        check = actions.add_parser("check", help="read every file to its end; ends with 1 where something is wrong")
        check.add_argument("names", nargs="*", metavar="NAME")
        add = actions.add_parser("add", help="copy files into a set, with their checksums")
        add.add_argument("name", metavar="NAME")
        add.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints one block a set."""
        getattr(self, f"_{options['action']}")(options)

    def _list(self, options: dict[str, Any]) -> None:
        for entry in SETS.values():
            state = state_of(entry=entry, data=options["data"])
            here = (
                f"here: {sum(state.files.values())} records in {len(state.files)} files" if state.is_here else "missing"
            )
            self.stdout.write(
                f"{entry.name}: {here}\n"
                f"  files    {', '.join(entry.files)} in {options['data'] / entry.name}\n"
                f"  fields   {', '.join(entry.fields)}\n"
                f"  licence  {entry.licence}\n"
                f"  from     {entry.home}\n"
                f"  studies  {', '.join(entry.studies)}"
            )
            for file, checksum in state.sums.items():
                self.stdout.write(f"  sha256   {checksum}  {file}")

    def _check(self, options: dict[str, Any]) -> None:
        entries = [_get(name) for name in options["names"]]
        # Without names: whatever is here must be whole, and what is not here is no fault.
        wanted = entries or [entry for entry in SETS.values() if state_of(entry=entry, data=options["data"]).is_here]
        faults = 0
        for entry in wanted:
            state = state_of(entry=entry, data=options["data"])
            faults += len(state.faults)
            for fault in state.faults:
                self.stdout.write(f"{entry.name}: {fault}")
            if not state.faults:
                self.stdout.write(f"{entry.name}: {sum(state.files.values())} records, whole")
        if not wanted:
            self.stdout.write(f"no set is in {options['data']}")
        if faults:
            raise CommandError(f"{faults} faults")

    def _add(self, options: dict[str, Any]) -> None:
        entry = _get(options["name"])
        try:
            counts = add_files(entry=entry, paths=options["files"], data=options["data"])
        except (ValueError, OSError) as error:
            raise CommandError(f"nothing was added: {error}", returncode=2) from None
        for name, records in counts.items():
            self.stdout.write(f"{entry.name}/{name}: {records} records")


def _get(name: str) -> PublicSet:
    if name not in SETS:
        raise CommandError(f"there is no set {name}; there are {', '.join(SETS)}", returncode=2)
    return SETS[name]
