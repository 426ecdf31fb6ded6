"""Import votes that were cast elsewhere: never sealed, never paid, apart in every page and export."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from auditing.core.values import Tier
from auditing.permissions import may_export
from auditing.research.imported_votes.records import Columns, ImportedVote, Layout, VotesRefusedError, read_votes
from auditing.research.imported_votes.services import store_votes

NAMES = tuple(Columns.__dataclass_fields__)


class Command(BaseCommand):
    """manage.py import_votes FILE... --layout LAYOUT --owner E-MAIL"""

    help = __doc__ or ""

    def add_arguments(self, parser: Any) -> None:
        """Files, layout, columns."""
        parser.add_argument("files", type=Path, nargs="+", help="JSONL, or CSV with a header")
        parser.add_argument("--layout", choices=[str(member) for member in Layout], default=str(Layout.COLUMNS))
        parser.add_argument("--owner", required=True, help="e-mail of the researcher")
        parser.add_argument("--title", default="")
        parser.add_argument("--domain", default="")
        parser.add_argument("--tier", choices=[str(member) for member in Tier], default=str(Tier.HUMAN))
        for name in NAMES:
            parser.add_argument(f"--column-{name.replace('_', '-')}", dest=f"column_{name}", default=None)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read every file, then store."""
        owner = User.objects.filter(email=options["owner"].lower()).first()
        if owner is None or not may_export(user=owner):
            raise CommandError(f"{options['owner']} is no researcher here.")
        columns = {name: options[f"column_{name}"] for name in NAMES if options[f"column_{name}"] is not None}
        votes: dict[tuple[str, str], ImportedVote] = {}
        for path in options["files"]:
            # By item and auditor: a vote that stands in two of the files is one vote, and the later file wins.
            votes |= {
                (vote.item, vote.auditor): vote for vote in self._read(path, options["layout"], Columns(**columns))
            }
        done = store_votes(
            owner=owner,
            title=options["title"] or options["files"][0].stem,
            layout=Layout(options["layout"]),
            votes=list(votes.values()),
            domain=options["domain"],
            tier=Tier(options["tier"]),
        )
        note = "" if done.is_new else " (known already)"
        self.stdout.write(f"{len(votes)} votes in the set {done.set.pk}{note}.")

    def _read(self, path: Path, layout: str, columns: Columns) -> list[ImportedVote]:
        try:
            return read_votes(data=path.read_bytes(), name=path.name, layout=Layout(layout), columns=columns)
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        except VotesRefusedError as error:
            raise CommandError("Nothing was imported.\n" + "\n".join(error.problems)) from error
