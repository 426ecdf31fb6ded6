"""Export of 1,000,000 opened votes from PostgreSQL to Parquet by the job, within 60 s and 300 MB, beside a bare cursor.

python -m benchmarks.export_database [votes]. The floor reads the same columns by the same server-side cursor and
throws them away.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.tools.services import own_services


def main() -> None:
    """Start PostgreSQL and Redis, fill, measure, stop."""
    votes = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with own_services() as run_dir:
        _measure(votes, run_dir)


def _measure(votes: int, folder: Path) -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings_test")
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from auditing.core.policy import FAST
    from auditing.models import Round
    from auditing.research.exports import services as exporting
    from auditing.research.exports.selectors.scope import Filters
    from tests.factories.worlds import make_world
    from tests.tools.copies import copy_counted_rounds

    call_command("migrate", verbosity=0)
    settings.EXPORT_DIR = folder / "exports"
    world = make_world(reviewers=5, policy=replace(FAST, human=replace(FAST.human, k=5)))
    world.everybody_votes(world.submit())
    after = Round.objects.filter(tier="human", stage="tallied").select_related("segment", "audit__trace").first()
    assert after is not None
    started = time.perf_counter()
    copy_counted_rounds(after=after, votes=votes, tag="export")
    print(f"filled in {time.perf_counter() - started:.0f} s", flush=True)
    owner = world.campaign.owner
    count, floor = _floor(owner)
    job = exporting.ask(owner=owner, dataset="votes", format="parquet", filters=Filters())
    worker = [sys.executable, "-m", "benchmarks.export_database", "job", str(job.pk), str(settings.EXPORT_DIR)]
    said = subprocess.run(worker, check=True, capture_output=True, text=True).stdout.split()
    took, spent, peak, idle = map(float, said[-4:])
    job.refresh_from_db()
    print(f"{job.state}: {job.rows:,} votes to Parquet {took:.1f} s (limit 60 s), {spent:.1f} s the worker's CPU")
    print(f"peak {peak:.0f} MB (limit 300 MB), {idle:.0f} MB of it before the first row; file {job.size or 0:,} bytes")
    print(f"floor, the bare cursor over {count:,} rows: {floor:.1f} s, ratio {took / floor:.2f}")
    if votes <= 100_000:
        _compare(owner, job.pk)


def work(key: str, folder: str) -> None:
    """What a worker does, in a process of its own: prints seconds, CPU seconds, peak and idle MB."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings_test")
    django.setup()
    from django.conf import settings

    from auditing.research.exports import services as exporting
    from auditing.research.models import ExportJob
    from auditing.selectors.clock import database_now

    settings.EXPORT_DIR = Path(folder)
    job = ExportJob.objects.select_related("owner").get(pk=key)
    idle = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    started, spent = time.perf_counter(), time.process_time()
    exporting.run(job=job, now=database_now())
    took, spent = time.perf_counter() - started, time.process_time() - spent
    print(took, spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, idle)


def _floor(owner: Any) -> tuple[int, float]:
    from auditing.research.exports.selectors.scope import Filters, Scope
    from auditing.research.exports.selectors.votes import cast, vote_columns

    scope = Scope(owner, Filters(), "floor")
    rows = cast(scope).values_list(*vote_columns().values()).iterator(chunk_size=2000)
    started = time.perf_counter()
    count = sum(1 for _ in rows)
    return count, time.perf_counter() - started


def _compare(owner: Any, key: Any) -> None:
    """The same rows in every format under the same pseudonyms: one hash."""
    from auditing.research.exports import services as exporting
    from auditing.research.exports.formats import DATASETS, Format, write_rows
    from auditing.research.exports.selectors.scope import Filters

    with tempfile.TemporaryDirectory() as folder:
        hashes = {
            write_rows(
                rows=exporting.rows_of(owner=owner, dataset="votes", filters=Filters(), salt=str(key)),
                dataset=DATASETS["votes"],
                path=Path(folder, str(format)),
                format=format,
            ).content_hash
            for format in Format
        }
    print(f"JSONL, CSV, Parquet and the Hugging Face folder have one content hash: {len(hashes) == 1}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["job"]:
        work(*sys.argv[2:4])
    else:
        main()
