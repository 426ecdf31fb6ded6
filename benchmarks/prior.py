"""The prior of `manage.py train_prior` on the read two thirds of the public sets: its data, its tables, its time.

Run from the repository root: python -m benchmarks.prior [--seed 1] [--output prior.json]. The sets that one reader made
are one: processbench, mr_ben, prm and gsm8k are left out as wholes.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from auditing.research.prior.training import as_bytes, read_labelled, trained
from benchmarks.labelled import DATA, labelled


def lines() -> list[bytes]:
    """The labelled traces of the read part, each once."""
    rows: dict[bytes, None] = {}
    for case in labelled():
        if not case.is_unread:
            family = case.source.split("-")[0].split(",")[0]
            fields = {"set": family, "problem": case.problem, "steps": case.steps, "error": case.error}
            rows[(json.dumps(fields) + "\n").encode()] = None
    return list(rows)


def main() -> None:
    """Prints the tables and the seconds of reading and training."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", default="")
    options = parser.parse_args()
    if not DATA.exists():
        print("../shared/data is absent: nothing to measure")
        return
    started = time.process_time()
    data = read_labelled(lines=lines())
    read = time.process_time()
    prior = trained(data=data, seed=options.seed)
    print(f"read {read - started:.0f} s CPU, trained and cross-validated {time.process_time() - read:.0f} s CPU")
    for table in ("in_domain", "left_out"):
        for name, figures in prior[table].items():
            print(table, name, figures)
    written = as_bytes(prior)
    print(len(written), "bytes")
    if options.output:
        Path(options.output).write_bytes(written)


if __name__ == "__main__":
    main()
