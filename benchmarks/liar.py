"""The operator lies: every field changed, every leaf dropped, doubled and moved, all consequences recomputed.

    python -m benchmarks.liar              the whole table over the audits of tests/vectors/older
    python -m benchmarks.liar 200          a seeded sample of 200 lies

The liar holds the signing key. After a lie it computes anew whatever follows from it (lists, commitments, digests,
seeds, tallies, outcomes, payouts, steps, tree, signature) except the lie itself, and asks the verifier. A lie is
refused, or what it changed is listed in the report as believed, or bound by a receipt that somebody else holds, or
changes nothing but the order of leaves that do not depend on each other. Anything else was accepted silently: there
must be none.
"""

import copy
import gzip
import json
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

from auditing.verifier import verify_audit as verifier
from benchmarks.lying.consequences import Consequences
from benchmarks.lying.lies import Lie, Name, lies
from benchmarks.lying.log import Log

OLDER = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "older"
# Audits in which every listed auditor sits, so that a new seed draws the same people and the liar can lie on.
STORIES = ("divided", "released", "overturned", "adjudicated", "golden", "certified", "confirmed", "unjudged")
# A lie is refused; or bound by what somebody else holds, or by the whole ledger; or listed as believed; or no lie.
FATES = ("refused", "bound", "listed", "order", "not settled", "unfinished", "nothing changed", "silent")


def judge(log: Log, name: Name, lie: Lie, honest: verifier.Report) -> str:
    """refused; listed as something believed; receipt; order; or silent."""
    forged = copy.deepcopy(log)
    lied = lie(forged)
    before = [verifier.canonical(leaf) for leaf in forged.leaves]
    Consequences(forged, lied).follow()
    try:
        report = verifier.verify(forged.bundle())
    except (verifier.UnreadableError, ValueError, IndexError):
        return "refused"
    if not report.ok:
        return "refused"
    kind, field, change = name
    codes = verifier.MATRIX[kind][field].split()
    lists = (log.segments, log.eligible) == (forged.segments, forged.eligible)
    if [verifier.canonical(leaf) for leaf in log.leaves] == before and lists:
        return "nothing changed"
    listed = [code for code in codes if code in report.believed]
    # the same leaves, and the same entries in their lists, in another order
    is_moved = lists and sorted(map(sorted, before)) == sorted(sorted(verifier.canonical(leaf)) for leaf in log.leaves)
    if is_moved and (not field or change == "turned") and sorted(report.lines) == sorted(honest.lines):
        return "order"
    if field == "" and [title for _, title, _ in report.lines if title in ("unfinished",)]:
        return "unfinished"
    if "settlement" in [title for _, title, _ in report.lines]:
        return "not settled"
    if set(codes) & verifier.ELSEWHERE.keys():
        return "bound"
    return f"listed: {listed[0]}" if listed else "silent"


def honest_logs() -> dict[str, Log]:
    return {name: Log(json.loads(gzip.decompress((OLDER / f"{name}.json.gz").read_bytes()))) for name in STORIES}


def run(sample: int = 0, seed: int = 0) -> tuple[dict[tuple[str, str], Counter[str]], list[str]]:
    """(kind, field) -> what became of its lies; and each lie that was accepted silently."""
    table: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    silent = []
    for story, log in honest_logs().items():
        Consequences(log, lambda leaf, name: False).follow()
        honest = verifier.verify(log.bundle())
        assert honest.ok, (story, honest.refusal)
        told = [*lies(log)]
        if sample:
            told = random.Random(f"{seed}{story}").sample(told, sample // len(STORIES))
        for name, lie in told:
            fate = judge(log, name, lie, honest)
            table[name[:2]][fate.partition(":")[0]] += 1
            if fate == "silent":
                silent.append(f"{story}: {' '.join(name)}")
    return table, silent


def main() -> int:
    table, silent = run(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    print(f"{'leaf and field':46}" + "".join(f"{fate:>16}" for fate in FATES))
    for (kind, field), fates in table.items():
        print(f"{f'{kind} {field}':46}" + "".join(f"{fates[fate] or '':>16}" for fate in FATES))
    total = sum(table.values(), start=Counter())
    print(f"{'all':46}" + "".join(f"{total[fate] or '':>16}" for fate in FATES))
    for line, count in Counter(silent).most_common(60):
        print(f"accepted silently: {line} ({count})")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
