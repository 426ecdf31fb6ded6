"""The operator lies: every field changed, every leaf dropped, doubled and moved, all consequences recomputed.

    python -m benchmarks.liar              the whole table over the audits of tests/vectors
    python -m benchmarks.liar 200          a seeded sample of 200 lies
    python -m benchmarks.liar --markdown   the whole table, a row for each kind of leaf
    ... --state FILE --minutes 5           a piece of the table, kept; the next run goes on where this one stopped

The liar holds the signing key. After a lie it computes anew whatever follows from it (lists, commitments, digests,
seeds, tallies, outcomes, payouts, steps, tree, signature) except the lie itself, and asks the verifier. A lie is
refused, or what it changed is listed in the report as believed, or bound by a receipt that somebody else holds, or
changes nothing but the order of leaves that do not depend on each other. Anything else was accepted silently: there
must be none.
"""

import argparse
import gzip
import hashlib
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from auditing.verifier import verify_audit as verifier
from benchmarks.lying.consequences import Consequences
from benchmarks.lying.lies import Lie, Name, lies
from benchmarks.lying.log import Log
from benchmarks.lying.table import Table, as_markdown, show, tabled

ROOT = Path(__file__).resolve().parents[1]
OLDER = ROOT / "tests" / "vectors" / "older"
# Likewise, of today's format.
NEWER = OLDER.with_name("newer")
# Audits in which every listed auditor sits, so that a new seed draws the same people and the liar can lie on.
STORIES = ("divided", "released", "overturned", "adjudicated", "golden", "certified", "confirmed", "unjudged")
TODAYS = (*STORIES, "extended")  # of today's format besides: a list of auditors that was extended
# Waves (one with seats withdrawn in its middle), gold that models fail on, gold overturned, refutations overruled after
# an appeal, tiers that a model ordered, a random sample of what models settled. Whoever is drawn hangs on the seed,
# which the liar keeps: all fields but its own are lied about.
WAVES = ("waves", "waves-passed", "relieved", "overruled-waves")
DRAWN = (*WAVES, "misleading", "disputed", "overruled", "suggested", "sampled")
OF_THE_SEED = ("audit.open", "eligible.extend")
SEEDS = ("seed", "draw_size", "draw_root", "beacon?", "extensions?", "extensions.size", "extensions.root")
# The same, for leaves that no audit above has: only these, which come after the draw, are lied about.
BESIDES = ("left", "silent", "unopened")
AFTER_THE_DRAW = ("substitution", "vote.noreveal", "vote.unopened", "wave.plan", "skills")


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


def paths() -> dict[str, Path]:
    """Every audit that is lied about, by the name of its story."""
    today = {f"{name} of today": NEWER / f"{name}.json.gz" for name in (*TODAYS, *DRAWN, *BESIDES)}
    return today | {name: OLDER / f"{name}.json.gz" for name in (*STORIES, "left", "silent")}


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


def run_piece(state: Path, minutes: float) -> tuple[list[tuple[str, Name, str]], int]:
    """What became of the lies so far, in their order, and how many there are; goes on where the last run stopped."""
    # Each change of each field of each story once, then on every other leaf: a part is a table of fewer leaves.
    met: Counter[tuple[str, Name]] = Counter()
    ranked = []
    for tale in told():
        key = (tale[0], tale[3])
        ranked.append((met[key], tale))
        met[key] += 1
    _TALES[:] = [tale for _, tale in sorted(ranked, key=lambda pair: pair[0])]
    done = judged_before(state)
    until = time.monotonic() + 60 * minutes
    with get_context("fork").Pool(2, read_numbers_once) as pool, state.open("a", encoding="utf-8") as file:
        while len(done) < len(_TALES) and time.monotonic() < until:
            numbers = range(len(done), min(len(done) + 400, len(_TALES)))
            more = pool.map(judge_number, numbers, chunksize=50)
            file.writelines(json.dumps(line) + "\n" for line in more)
            done += more
    return done, len(_TALES)


def judged_before(state: Path) -> list[tuple[str, Name, str]]:
    """Begins a state, or reads one of the same verifier, liar and audits."""
    sources = [*paths().values(), Path(verifier.__file__), Path(__file__), *(ROOT / "benchmarks/lying").glob("*.py")]
    marks = (hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(sources))
    mark = json.dumps(hashlib.sha256("".join(marks).encode()).hexdigest())
    lines = state.read_text(encoding="utf-8").splitlines() if state.exists() else []
    if lines[:1] != [mark]:
        state.write_text(f"{mark}\n", encoding="utf-8")
        return []
    return [(story, tuple(name), fate) for story, name, fate in map(json.loads, lines[1:])]


def read_numbers_once() -> None:
    """In a process of its own the same few numbers are read thousands of times."""
    read = verifier.rational
    remembered = cache(read)
    verifier.rational = lambda value: remembered(value) if type(value) is str else read(value)


_TALES: list[tuple[str, Log, verifier.Report, Name, Lie]] = []  # what `run` is about, for its processes


def judge_number(number: int) -> tuple[str, Name, str]:
    story, log, honest, name, lie = _TALES[number]
    return story, name, judge(log, name, lie, honest)


def told(sample: int = 0, seed: int = 0) -> Iterator[tuple[str, Log, verifier.Report, Name, Lie]]:
    """Every lie about every story, or a seeded sample of them."""
    known: set[tuple[str, str]] = set()
    for story, path in paths().items():
        log = read_log(path)
        if path.name.partition(".")[0] in TODAYS:
            honest, tales = honest_report(story, log), list(lies(log))
        else:
            log.freeze()
            honest, tales = frozen_report(story, log), [tale for tale in lies(log) if may_be_told(path, tale[0], known)]
        known |= {name[:2] for name, _ in tales}
        count = min(sample // len(STORIES), len(tales))
        for name, lie in random.Random(f"{seed}{story}").sample(tales, count) if sample else tales:
            yield story, log, honest, name, lie


def may_be_told(path: Path, name: Name, known: set[tuple[str, str]]) -> bool:
    """Whether a lie about an audit whose seed is kept is not one about that seed, nor told before."""
    kind, field, _ = name
    if path.name.partition(".")[0] in DRAWN:
        return kind not in OF_THE_SEED and field not in SEEDS
    return kind in AFTER_THE_DRAW and (kind, field) not in known


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sample", type=int, nargs="?", default=0)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--state", type=Path)
    parser.add_argument("--minutes", type=float, default=5)
    asked = parser.parse_args()
    if asked.state:
        done, count = run_piece(asked.state, asked.minutes)
        table, silent = tabled(done)
        print(f"{len(done)} of {count} lies told, {len({(story, name) for story, name, _ in done})} different")
    else:
        table, silent = run(asked.sample, processes=2)
    print(as_markdown(table)) if asked.markdown else show(table)
    for line, times in Counter(silent).most_common(60):
        print(f"accepted silently: {line} ({times})")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
