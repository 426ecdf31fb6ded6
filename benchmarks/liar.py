"""The operator lies: every field changed, every leaf dropped, doubled and moved, all consequences recomputed.

    python -m benchmarks.liar              the whole table over the audits of tests/vectors/older
    python -m benchmarks.liar 200          a seeded sample of 200 lies
    python -m benchmarks.liar --markdown   the whole table, a row for each kind of leaf

The liar holds the signing key. After a lie it computes anew whatever follows from it (lists, commitments, digests,
seeds, tallies, outcomes, payouts, steps, tree, signature) except the lie itself, and asks the verifier. A lie is
refused, or what it changed is listed in the report as believed, or bound by a receipt that somebody else holds, or
changes nothing but the order of leaves that do not depend on each other. Anything else was accepted silently: there
must be none.
"""

import gzip
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from auditing.verifier import verify_audit as verifier
from benchmarks.lying.consequences import Consequences
from benchmarks.lying.lies import Lie, Name, lies
from benchmarks.lying.log import Log

OLDER = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "older"
# Likewise, of today's format.
NEWER = OLDER.with_name("newer")
# Audits in which every listed auditor sits, so that a new seed draws the same people and the liar can lie on.
STORIES = ("divided", "released", "overturned", "adjudicated", "golden", "certified", "confirmed", "unjudged")
# Audits with leaves that those do not have. Whoever is drawn here hangs on the seed, so only these leaves, which come
# after the draw, are lied about.
BESIDES = ("left", "silent")
AFTER_THE_DRAW = ("substitution", "vote.noreveal", "vote.unopened", "wave.plan", "skills")
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
    """refused; listed as something believed; bound elsewhere; order; or silent."""
    forged = log.copied()
    lied = lie(forged)
    report = Hasty()
    try:
        check_early(forged, log)
        Consequences(forged, lied).follow()
        check_late(forged, log, report)
    except (RefusedError, verifier.CheckFailedError, ValueError, LookupError, TypeError, AttributeError):
        return "refused"
    return fate_of(log, (name, lie), report, honest) if report.ok else "refused"


def judge_file(log: Log, name: Name, lie: Lie, honest: verifier.Report) -> str:
    """The same through the file of the audit, with every proof and signature: slow, and what a stranger does."""
    forged = log.copied()
    lied = lie(forged)
    Consequences(forged, lied).follow()
    try:
        report = verifier.verify(forged.bundle(), report=Hasty())
    except (RefusedError, verifier.UnreadableError, ValueError, IndexError, TypeError):
        return "refused"
    return fate_of(log, (name, lie), report, honest) if report.ok else "refused"


def check_early(forged: Log, honest: Log) -> None:
    """What no consequence can mend, for it reads no field that is computed anew: most lies end here."""
    audit = forged.audit(Hasty())
    for leaf in forged.leaves:
        if verifier.canonical(leaf) not in honest.known:
            verifier.check_leaf(leaf, audit, "")
    verifier.need(len(audit.by_type["audit.open"]) == 1, "")
    verifier.need(len(audit.by_type["trace.outcome"]) <= 1, "")
    verifier.check_order(audit)
    verifier.check_draw_rules(audit)
    for leaf in audit.by_type["round.open"]:
        verifier.check_opening(audit, leaf)
        if not verifier.is_open(audit, leaf):
            verifier.check_seating(audit, leaf["segment"], leaf["round"])
    if audit.outcome:
        verifier.check_complete(audit)


def check_late(forged: Log, honest: Log, report: verifier.Report) -> None:
    """All checks but those that the liar's own tree and signature pass by construction."""
    entries = [verifier.canonical(leaf) for leaf in forged.leaves]
    head, draw = forged.heads(entries)
    # check_seed looks up the entries of the lists alone
    listed = [
        {"index": at, "entry": entry.decode()}
        for at, (leaf, entry) in enumerate(zip(forged.leaves, entries, strict=True))
        if leaf["t"] in ("audit.open", "eligible.extend")
    ]
    audit = forged.audit(report, {"draw": draw, "leaves": listed})
    for leaf, entry in zip(forged.leaves, entries, strict=True):
        if entry not in honest.known:
            verifier.check_leaf(leaf, audit, "")
    # without a head the seed is not looked at again: a frozen one is that of the audit's own ledger
    audit.seeds = list(forged.frozen or ())
    verifier.check_audit(report, audit, head if forged.frozen is None else None)


def fate_of(log: Log, told: tuple[Name, Lie], report: verifier.Report, honest: verifier.Report) -> str:
    """Why a lie was accepted."""
    (kind, field, change), lie = told
    forged = log.copied()
    lie(forged)
    before = [verifier.canonical(leaf) for leaf in forged.leaves]
    codes = verifier.MATRIX[kind][field].split()
    lists = (log.segments, log.eligible) == (forged.segments, forged.eligible)
    if [verifier.canonical(leaf) for leaf in log.leaves] == before and lists:
        return "nothing changed"
    listed = [code for code in codes if code in report.believed]
    # the same leaves, and the same entries in their lists, in another order
    is_moved = lists and sorted(map(sorted, before)) == sorted(sorted(verifier.canonical(leaf)) for leaf in log.leaves)
    same = sorted(said_by(report)) == sorted(said_by(honest))
    if is_moved and (not field or change == "turned") and same:
        return "order"
    if field == "" and [title for _, title, _ in report.lines if title in ("unfinished",)]:
        return "unfinished"
    if "settlement" in [title for _, title, _ in report.lines]:
        return "not settled"
    if set(codes) & verifier.ELSEWHERE.keys():
        return "bound"
    return f"listed: {listed[0]}" if listed else "silent"


# what the liar's own tree and signature pass by construction; `judge` skips them
OF_THE_TREE = ("signature of the checkpoint", "inclusion of every leaf", "form of every leaf")


def said_by(report: verifier.Report) -> list[tuple[bool, str, str]]:
    return [line for line in report.lines if line[1] not in OF_THE_TREE]


def honest_logs() -> dict[str, Log]:
    return {name: read_log(OLDER / f"{name}.json.gz") for name in STORIES}


def read_log(path: Path) -> Log:
    return Log(json.loads(gzip.decompress(path.read_bytes())))


def run(sample: int = 0, seed: int = 0, processes: int = 1) -> tuple[Table, list[str]]:
    """(kind, field) -> what became of its lies; and each lie that was accepted silently."""
    _TALES[:] = told(sample, seed)
    if processes == 1:
        return tabled(map(judge_number, range(len(_TALES))))
    # forked, for a lie is a closure and stays where it was made
    with get_context("fork").Pool(processes) as pool:
        return tabled(pool.imap_unordered(judge_number, range(len(_TALES)), chunksize=100))


_TALES: list[tuple[str, Log, verifier.Report, Name, Lie]] = []  # what `run` is about, for its processes


def judge_number(number: int) -> tuple[str, Name, str]:
    story, log, honest, name, lie = _TALES[number]
    return story, name, judge(log, name, lie, honest)


def told(sample: int = 0, seed: int = 0) -> Iterator[tuple[str, Log, verifier.Report, Name, Lie]]:
    """Every lie about every story, or a seeded sample of them."""
    known: set[tuple[str, str]] = set()
    for story, log in honest_logs().items():
        honest, tales = honest_report(story, log), list(lies(log))
        known |= {name[:2] for name, _ in tales}
        for name, lie in random.Random(f"{seed}{story}").sample(tales, sample // len(STORIES)) if sample else tales:
            yield story, log, honest, name, lie
    for path in (*(OLDER / f"{name}.json.gz" for name in BESIDES), *sorted(NEWER.glob("*.json.gz"))):
        log = read_log(path)
        log.freeze()
        honest = frozen_report(path.name, log)
        tales = [(name, lie) for name, lie in lies(log) if name[:2] not in known and name[0] in AFTER_THE_DRAW]
        count = min(sample // len(STORIES), len(tales)) if sample else len(tales)
        for name, lie in random.Random(f"{seed}{path.name}").sample(tales, count):
            yield path.name.partition(".")[0], log, honest, name, lie


def honest_report(story: str, log: Log) -> verifier.Report:
    Consequences(log, lambda leaf, name: False).follow()
    log.learn()
    honest = verifier.verify(log.bundle())
    assert honest.ok, (story, honest.refusal)
    return honest


def frozen_report(story: str, log: Log) -> verifier.Report:
    report = verifier.Report()
    check_late(log, log, report)
    assert report.ok, (story, report.refusal)
    return report


def tabled(judged: Iterable[tuple[str, Name, str]]) -> tuple[Table, list[str]]:
    table: Table = defaultdict(Counter)
    silent = []
    for story, name, fate in judged:
        table[name[:2]][fate.partition(":")[0]] += 1
        if fate == "silent":
            silent.append(f"{story}: {' '.join(name)}")
    return table, silent


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
    words = sys.argv[1:]
    sample = int(words[0]) if words[:1] and words[0].isdigit() else 0
    table, silent = run(sample, processes=2)
    if "--markdown" in words:
        print(as_markdown(table))
    else:
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
