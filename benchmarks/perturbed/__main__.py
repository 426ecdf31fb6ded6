"""Verified lines with one number changed: how often the changed line is still verified, and why.

Run from the repository root: python -m benchmarks.perturbed [--size N] [--seed S] [--show N] [--likely]. One number a
line is changed at random: by one, in its last digit, a digit lost, two digits swapped, a power of ten, its sign or a
percent sign. With --likely the lines are those that a check verifies without being certain.
"""

from __future__ import annotations

import argparse
import random

from auditing.checker.findings import Grade
from benchmarks.perturbed.survivors import Survivors, texts

SEED = 18


def main() -> None:
    """Prints one line a check, the reasons of what is true again, and what is false and verified still."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1_500)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--likely", action="store_true")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    survivors = Survivors(Grade.LIKELY if options.likely else Grade.CERTAIN)
    for text in texts(options.size, rng):
        survivors.add(text, rng)
    for line in survivors.falsehoods[: options.show]:
        print(line)
    columns = ("refuted", "silent", "true again", "still verified")
    for check in sorted({check for check, _ in survivors.counts}):
        figures = "  ".join(f"{column} {survivors.counts[check, column]:5d}" for column in columns)
        print(f"{check:24s} {figures}")
    total = sum(survivors.counts.values())
    wrong = sum(count for (_, column), count in survivors.counts.items() if column == "still verified")
    print(f"{total} lines changed, {wrong} of them false and verified still = {wrong / max(1, total):.2%}")
    print(survivors.reasons.most_common())


if __name__ == "__main__":
    main()
