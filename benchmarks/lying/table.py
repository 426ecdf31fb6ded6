"""The liar's table: what became of the lies about each field of each kind of leaf."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from benchmarks.lying.lies import Name

Table = dict[tuple[str, str], Counter[str]]  # (kind, field) -> fate -> how often
# A lie is refused; or bound by what somebody else holds, or by the whole ledger; or listed as believed; or no lie.
FATES = ("refused", "bound", "listed", "order", "not settled", "unfinished", "nothing changed", "silent")


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


def show(table: Table) -> None:
    print(f"{'leaf and field':46}" + "".join(f"{fate:>16}" for fate in FATES))
    for (kind, field), fates in table.items():
        print(f"{f'{kind} {field}':46}" + "".join(f"{fates[fate] or '':>16}" for fate in FATES))
    total = sum(table.values(), start=Counter())
    print(f"{'all':46}" + "".join(f"{total[fate] or '':>16}" for fate in FATES))
