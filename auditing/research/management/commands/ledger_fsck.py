"""Check invariants I1 to I13: tables, ledger, published files and remembered heads, changing nothing."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from auditing.research.ledger_checks import services as fsck
from auditing.selectors.clock import database_now


class Command(BaseCommand):
    """Check invariants I1 to I13, changing nothing. Exit code 0: all hold; 1: at least one is broken."""

    help = __doc__ or ""

    def add_arguments(self, parser: Any) -> None:
        """Options."""
        names = [invariant.name for invariant in fsck.INVARIANTS]
        parser.add_argument("--only", nargs="+", choices=names, default=[], help="look at these alone")
        parser.add_argument("--json", action="store_true", help="one line of JSON an invariant")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print each invariant as soon as it is known. Raises CommandError when one is broken."""
        broken = 0
        for finding in fsck.check(now=database_now(), only=frozenset(options["only"])):
            broken += not finding.holds
            self.stdout.write(json.dumps(asdict(finding)) if options["json"] else self.line(finding))
        if broken:
            raise CommandError(f"{broken} invariant{'s are' if broken > 1 else ' is'} broken.", returncode=1)
        self.stdout.write("All invariants hold.")

    def line(self, finding: fsck.Finding) -> str:
        """One invariant for a person."""
        head = f"{'ok    ' if finding.holds else 'BROKEN'} {finding.name:<4}{finding.says} ({finding.seconds:.2f} s)"
        return "\n".join([head, *(f"       - {fault}" for fault in finding.faults)])
