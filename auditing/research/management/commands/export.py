"""Write a data set to a file, without a job: the same rows and the same content hash as the page's export."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from auditing.permissions import may_export
from auditing.research.exports.formats import DATASETS, ExportRefusedError, Format, Shape, write_records, write_rows
from auditing.research.exports.selectors.scope import FilterRefusedError, Filters
from auditing.research.exports.services import rows_of
from auditing.selectors.clock import database_now

SHAPES = {f".{shape}.jsonl": shape for shape in Shape}
ENDINGS = {".jsonl": Format.JSONL, ".csv": Format.CSV, ".parquet": Format.PARQUET, "": Format.HUGGING_FACE}
FILTERS = ("campaign", "domain", "policy", "since", "until", "tier", "outcome", "agreement", "gold", "simulated")


class Command(BaseCommand):
    """manage.py export DATASET FILE [filters] --as E-MAIL"""

    help = __doc__ or ""

    def add_arguments(self, parser: Any) -> None:
        """What, whereto, narrowed how."""
        parser.add_argument("dataset", choices=sorted(DATASETS))
        parser.add_argument("file", type=Path, help="ends in .jsonl, .csv or .parquet; a folder without ending")
        parser.epilog = "steps --text into X.processbench.jsonl or X.prm800k.jsonl: records of these shapes"
        parser.add_argument("--as", dest="person", metavar="E-MAIL", help="whose rows (default: the first admin)")
        parser.add_argument("--text", action="store_true", help="with content and reasons")
        for name in (*FILTERS, "imported"):
            parser.add_argument(f"--{name}", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write and print rows, size and hash."""
        path: Path = options["file"]
        format = ENDINGS.get(path.suffix)
        if format is None:
            raise CommandError(f"{path.name}: the name must end in .jsonl, .csv or .parquet, or have no ending.")
        person, dataset = self._person(options["person"]), DATASETS[options["dataset"]]
        try:
            filters = Filters.read(options)
            rows = rows_of(
                owner=person,
                dataset=dataset.name,
                filters=filters,
                salt=f"command {person.pk}",
                with_text=options["text"],
            )
            # ".processbench.jsonl" and ".prm800k.jsonl" are shapes, ".jsonl" alone is a format.
            shape = SHAPES.get("".join(path.suffixes[-2:]))
            if shape and dataset.name == "steps" and options["text"]:
                count, digest = write_records(
                    rows=rows,
                    dataset=dataset,
                    path=path,
                    shape=shape,
                    day=f"{database_now():%Y-%m-%d}",
                    on_progress=lambda count: self.stderr.write(f"{count:,} traces"),
                )
                self.stdout.write(f"{count} records, content hash of their steps {digest}")
                return
            done = write_rows(
                rows=rows,
                dataset=dataset,
                path=path,
                format=format,
                about=filters.sentence(dataset=options["dataset"]),
                on_progress=lambda count: self.stderr.write(f"{count:,} rows"),
            )
        except (FilterRefusedError, ExportRefusedError) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"{done.rows} rows, {done.size} bytes, content hash {done.content_hash}")

    def _person(self, email: str | None) -> User:
        people = User.objects.filter(is_active=True)
        person = (
            people.filter(email=email.lower()).first()
            if email
            else people.filter(grants__role="admin").order_by("pk").first()
        )
        if person is None or not may_export(user=person):
            who = f"{email} may not export" if email else "There is no admin, so nobody may export"
            raise CommandError(f"{who}; name a researcher by --as.")
        return person
