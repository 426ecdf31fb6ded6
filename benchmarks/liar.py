"""The operator lies: every field changed, every leaf dropped, doubled and moved, all consequences recomputed.

    python -m benchmarks.liar              the whole table over the audits of tests/vectors/older
    python -m benchmarks.liar 200          a seeded sample of 200 lies
    python -m benchmarks.liar --minutes 7 FILE   a piece of the whole table; again until it says "all told"
    python -m benchmarks.liar --print FILE       what the pieces say, as Markdown

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
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from auditing.verifier import verify_audit as verifier
from benchmarks.lying.consequences import Consequences
from benchmarks.lying.lies import Lie, Name, lies
from benchmarks.lying.log import Log

OLDER = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "older"
# Audits in which every listed auditor sits, so that a new seed draws the same people and the liar can lie on.
STORIES = ("divided", "released", "overturned", "adjudicated", "golden", "certified", "confirmed", "unjudged")
Table = dict[tuple[str, str], Counter[str]]  # (kind, field) -> fate -> how often
# A lie is refused; or bound by what somebody else holds, or by the whole ledger; or listed as believed; or no lie.
FATES = ("refused", "bound", "listed", "order", "not settled", "unfinished", "nothing changed", "silent")


class RefusedError(Exception):
    """One check failed: the other ones need not be run."""


class Hasty(verifier.Report):
    """Ends with the first check that fails."""

    def run(self, title: str, check: Callable[..., Any], *args: Any) -> Any:
        result = super().run(title, check, *args)
        if not self.lines[-1][0]:
            raise RefusedError(title)
        return result


def judge(log: Log, name: Name, lie: Lie, honest: verifier.Report) -> str:
    """refused; listed as something believed; receipt; order; or silent."""
    forged = copy.deepcopy(log)
    lied = lie(forged)
    before = [verifier.canonical(leaf) for leaf in forged.leaves]
    Consequences(forged, lied).follow()
    try:
        report = verifier.verify(forged.bundle(), report=Hasty())
    except (RefusedError, verifier.UnreadableError, ValueError, IndexError, TypeError):
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


def run(sample: int = 0, seed: int = 0) -> tuple[Table, list[str]]:
    """(kind, field) -> what became of its lies; and each lie that was accepted silently."""
    judged = ((story, name, judge(log, name, lie, honest)) for story, log, honest, name, lie in told(sample, seed))
    return tabled(judged)


def told(sample: int = 0, seed: int = 0) -> Iterator[tuple[str, Log, verifier.Report, Name, Lie]]:
    """Every lie about every story, or a seeded sample of them.

    First each change of each field once in each story, then the second leaf of its kind, and so on: what is told first
    is no corner of the table.
    """
    stories, tales = honest_logs(), []
    reports = {story: honest_report(story, log) for story, log in stories.items()}
    for story, log in stories.items():
        told_before: Counter[Name] = Counter()
        mine = []
        for name, lie in lies(log):
            mine.append((told_before[name], story, name, lie))
            told_before[name] += 1
        tales += random.Random(f"{seed}{story}").sample(mine, sample // len(STORIES)) if sample else mine
    for _, story, name, lie in sorted(tales, key=itemgetter(0)):
        yield story, stories[story], reports[story], name, lie


def honest_report(story: str, log: Log) -> verifier.Report:
    Consequences(log, lambda leaf, name: False).follow()
    honest = verifier.verify(log.bundle())
    assert honest.ok, (story, honest.refusal)
    return honest


def tabled(judged: Iterable[tuple[str, Name, str]]) -> tuple[Table, list[str]]:
    table: Table = defaultdict(Counter)
    silent = []
    for story, name, fate in judged:
        table[name[:2]][fate.partition(":")[0]] += 1
        if fate == "silent":
            silent.append(f"{story}: {' '.join(name)}")
    return table, silent


def go_on(file: Path, minutes: float) -> bool:
    """Judge the lies that `file` does not hold yet, for so long; whether all are told."""
    done = len(file.read_text().splitlines()) if file.exists() else 0
    end = time.monotonic() + 60 * minutes
    with file.open("a", encoding="utf-8") as pieces:
        for story, log, honest, name, lie in islice(told(), done, None):
            if time.monotonic() > end:
                return False
            pieces.write(json.dumps([story, name, judge(log, name, lie, honest)]) + "\n")
    return True


def read_pieces(file: Path) -> Iterator[tuple[str, Name, str]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        story, name, fate = json.loads(line)
        yield story, tuple(name), fate


def as_markdown(table: Table) -> str:
    """A row for each kind of leaf, and the sum."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for (kind, _), fates in table.items():
        rows[kind] += fates
    rows["all"] = sum(table.values(), start=Counter())
    lines = ["| leaf | lies | " + " | ".join(FATES) + " |", "|---" * (len(FATES) + 2) + "|"]
    for kind, fates in rows.items():
        lines.append(f"| {kind} | {fates.total()} | " + " | ".join(str(fates[fate]) for fate in FATES) + " |")
    return "\n".join(lines)


def main() -> int:
    if sys.argv[1:2] == ["--minutes"]:
        print("all told" if go_on(Path(sys.argv[3]), float(sys.argv[2])) else "to be continued")
        return 0
    if sys.argv[1:2] == ["--print"]:
        pieces, tales = [*read_pieces(Path(sys.argv[2]))], [(story, name) for story, *_, name, _ in told()]
        table, silent = tabled(pieces)
        once = (
            "" if {*tales} - {(story, name) for story, name, _ in pieces} else ", every change of every field in each"
        )
        print(f"{len(pieces)} of {len(tales)} lies about {len(STORIES)} audits{once}\n\n{as_markdown(table)}\n")
    else:
        table, silent = run(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
        show(table)
    for line, count in Counter(silent).most_common(60):
        print(f"accepted silently: {line} ({count})")
    return 1 if silent else 0


def show(table: Table) -> None:
    print(f"{'leaf and field':46}" + "".join(f"{fate:>16}" for fate in FATES))
    for (kind, field), fates in table.items():
        print(f"{f'{kind} {field}':46}" + "".join(f"{fates[fate] or '':>16}" for fate in FATES))
    total = sum(table.values(), start=Counter())
    print(f"{'all':46}" + "".join(f"{total[fate] or '':>16}" for fate in FATES))


if __name__ == "__main__":
    sys.exit(main())
