"""Erase the text of one trace, as an admin confirms it on the page: its keys are deleted, the ledger stays."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from accounts.models import Role, User
from accounts.permissions import has_role
from auditing.models import Erasure
from auditing.research.erasure.services import REMAINS, ErasureRefusedError, ask, confirm
from hdag.models import Trace


class Command(BaseCommand):
    """Erase the text of a trace for good: ask in its provider's name, and confirm in the admin's."""

    help = __doc__ or ""

    def add_arguments(self, parser: Any) -> None:
        """Options."""
        parser.add_argument("trace", type=UUID, help="id of the trace")
        parser.add_argument("--by", required=True, metavar="EMAIL", help="the admin who confirms")
        parser.add_argument("--because", default="", help="a word for the record; do not quote the trace")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say how many texts were erased, and what remains. Raises CommandError."""
        admin = User.objects.filter(email=options["by"]).first()
        if admin is None or not has_role(admin, Role.ADMIN):
            raise CommandError(f"--by: {options['by']} is no admin.")
        trace = Trace.objects.select_related("provider").filter(pk=options["trace"]).first()
        if trace is None:
            raise CommandError(f"There is no trace {options['trace']}.")
        try:
            erasure = ask(trace=trace, by=trace.provider, because=options["because"])
            # Without ERASURE_NEEDS_ADMIN, or when somebody was faster, the request is carried out already.
            done = confirm(erasure=erasure, by=admin) if erasure.state == Erasure.State.WAITING else erasure
        except ErasureRefusedError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Erased on {done.decided_at:%Y-%m-%d %H:%M} UTC: {done.texts} texts. What remains:")
        for line in REMAINS:
            self.stdout.write(f" - {line}")
