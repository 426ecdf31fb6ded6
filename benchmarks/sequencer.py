"""Leaves sequenced, signed and published against a real PostgreSQL beside pymerkle: python -m benchmarks.sequencer.

The floor is 5,000 leaves a second. pymerkle only appends in memory and computes a root a batch; a bare insert of the
same rows stands beside both.
"""

import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

from auditing.core.ledger import leaves
from auditing.translog.note import signing_key
from benchmarks.ledger import theirs
from tests.unit.ledger.examples import EXAMPLES
from trustweb.serve import embedded

LEAVES, BATCH, FLOOR = 50_000, 5_000, 5_000


def main() -> None:
    """Start the pair, migrate, insert, sequence."""
    with tempfile.TemporaryDirectory(prefix="trust-bench-") as folder:
        services = embedded.Services(Path(folder))
        services.start()
        os.environ |= {
            "DATABASE_URL": services.database_url,
            "REDIS_URL": services.redis_url,
            "TRUST_RUN_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "trustweb.settings",
            "LOG_LEVEL": "ERROR",
        }
        try:
            measure(Path(folder))
        finally:
            services.stop()


def measure(folder: Path) -> None:
    """Print the figures; exit code 1 below the floor."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", "--noinput", verbosity=0)
    from auditing.models import Leaf
    from auditing.services.ledger.sequencing import Sequencer

    entry = leaves.encode(leaf=EXAMPLES["vote.commit"])
    started = perf_counter()
    for start in range(0, LEAVES, BATCH):
        Leaf.objects.bulk_create([Leaf(kind="vote.commit", body=entry) for _ in range(start, start + BATCH)])
    inserted = LEAVES / (perf_counter() - started)
    key = signing_key(name="trust.example/ledger/v1", seed=b"k" * 32)
    sequencer = Sequencer.at(key=key, directory=folder / "ledger")
    started, spent = perf_counter(), process_time()
    while sequencer.step(limit=BATCH):
        pass
    took, cpu = perf_counter() - started, process_time() - spent
    peer, _ = theirs([entry + number.to_bytes(4) for number in range(LEAVES)])
    mine = LEAVES / took
    print(
        f"{LEAVES:,} leaves in batches of {BATCH:,}: sequenced, tiled, signed and published {mine:,.0f} leaves/s "
        f"(floor {FLOOR:,}), {cpu / LEAVES * 1e6:.0f} us of our processor a leaf; bare insert {inserted:,.0f} rows/s; "
        f"pymerkle append and root in memory {peer:,.0f} leaves/s, ratio {mine / peer:.2f}"
    )
    if mine < FLOOR:
        sys.exit("the floor is missed")


if __name__ == "__main__":
    main()
