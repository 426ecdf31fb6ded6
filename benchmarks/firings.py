"""How often each rule refutes a labelled step, and the alarms to be read: what auditing/checker/alarms.py is made from.

Run from the repository root: python -m benchmarks.firings [--unread] [--show N]. The unread third prints figures alone.
Intervals are of recall and alarms, resampled by problem (1,000 times, seed 18).
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from auditing.checker.examination import decide_all
from auditing.checker.findings import Finding, Verdict
from benchmarks.labelled import DATA, MATHEMATICS, Labelled, labelled, symbolic
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

RESAMPLES, SEED = 1_000, 18


@dataclass(frozen=True, slots=True)
class Examined:
    """The first certain refutation of each refuted step, the rules that doubt a step, and where something is told."""

    refuted: dict[int, Finding]
    doubted: dict[int, set[tuple[str, str]]]
    passed: set[int]
    told: set[int]


def examined(case: Labelled) -> Examined:
    """What is found in one trace, by step."""
    trace = read_record({"id": "t", "problem": case.problem, "steps": case.steps}, where="benchmark")
    graph = RulesDecomposer().decompose(trace)
    decisions = decide_all(trace=trace, graph=graph)
    refuted: dict[int, Finding] = {}
    doubted: dict[int, set[tuple[str, str]]] = defaultdict(set)
    passed, told = set(), set()
    for segment in graph.segments:
        decision = decisions[segment.id]
        if segment.step is None:
            continue
        if decision.verdict is Verdict.REFUTED:
            refuted.setdefault(segment.step, next(finding for finding in decision.findings if finding.accuses))
        if decision.verdict is Verdict.VERIFIED:
            passed.add(segment.step)
        if any(finding.verdict is not Verdict.NOT_APPLICABLE for finding in decision.findings):
            told.add(segment.step)
        for finding in decision.findings:
            if finding.doubts:
                doubted[segment.step].add((finding.evidence.checker, finding.evidence.rule))
    return Examined(refuted, doubted, passed, told)


Counts = tuple[int, int, int, int, int, int, int]


def counts_of(case: Labelled, refuted: set[int], passed: set[int], told: set[int]) -> Counts:
    """Errors hit, errors, alarms, right steps, right and wrong steps passed, labelled steps with a verdict in place."""
    errors = {case.error} - {None}
    right = set(range(case.right))
    return (
        len(errors & refuted),
        len(errors),
        len(right & refuted),
        len(right),
        len(right & passed),
        len(errors & passed),
        len((right | errors) & told),
    )


def interval(groups: list[list[Counts]], top: int, bottom: int) -> tuple[float, float]:
    """The middle 95 % of a ratio of sums, problems drawn anew with replacement."""
    rng = random.Random(SEED)
    sums = [(sum(row[top] for row in group), sum(row[bottom] for row in group)) for group in groups]
    ratios = []
    for _ in range(RESAMPLES):
        drawn = rng.choices(sums, k=len(sums))
        ratios.append(sum(a for a, _ in drawn) / max(1, sum(b for _, b in drawn)))
    ratios.sort()
    return ratios[int(0.025 * RESAMPLES)], ratios[int(0.975 * RESAMPLES)]


def main() -> None:
    """Prints one line a set, the pooled line with intervals, and the firings of each rule."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unread", action="store_true")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    if not DATA.exists():
        print("../shared/data is absent: nothing to measure")
        return
    tables, symbols = Tables(), Tables()
    for case in labelled():
        if case.is_unread is options.unread:
            tables.add(case)
    for case in symbolic():
        if case.is_unread is options.unread:
            symbols.add(case)
    # alarms of the unread third stay unread
    for alarm in [] if options.unread else tables.alarms[: options.show]:
        print(alarm)
    for line in (*tables.report(), *tables.beside(symbols)):
        print(line)


class Tables:
    """Counts by set and by problem, firings by rule, and the alarms to be read."""

    def __init__(self) -> None:
        self.by_set: dict[str, list[Counts]] = defaultdict(list)
        self.by_problem: dict[str, list[Counts]] = defaultdict(list)
        # some files of a set repeat a trace: counted once beside the raw figures
        self.by_trace: dict[tuple[str, ...], Counts] = {}
        self.firings: Counter[tuple[str, str, str]] = Counter()
        # what is likely at most: counted apart, for it fails nobody
        self.doubts: Counter[tuple[str, str, str]] = Counter()
        self.alarms: list[str] = []

    def add(self, case: Labelled) -> None:
        """Examines one trace and counts it."""
        step_findings = examined(case)
        refuted = step_findings.refuted
        row = counts_of(case, set(refuted), step_findings.passed, step_findings.told)
        self.by_set[case.source].append(row)
        self.by_problem[case.problem].append(row)
        self.by_trace.setdefault((case.problem, str(case.error), *case.steps), row)
        for step, finding in refuted.items():
            label = "right" if step < case.right else "wrong" if step == case.error else ""
            if label:
                self.firings[finding.evidence.checker, finding.evidence.rule, label] += 1
            if label == "right":
                self.alarms.append(f"{case.source}: {finding.evidence.sentence}\n   {case.steps[step][:300]!r}")

        for step, rules in step_findings.doubted.items():
            label = "right" if step < case.right else "wrong" if step == case.error else ""
            for rule in sorted(rules) if label and step not in refuted else ():
                self.doubts[*rule, label] += 1

    def beside(self, symbols: Tables) -> Iterator[str]:
        """What the scorer of the issue pools, the symbolic tasks, and every public set with labels of steps."""
        mathematics = [row for name in MATHEMATICS for row in self.by_set[name]]
        others = [row for rows in symbols.by_set.values() for row in rows]
        yield from (f"{name:32s} {_line(rows)}" for name, rows in sorted(symbols.by_set.items()))
        yield f"{'mathematics, as the scorer pools':32s} {_line(mathematics)}"
        yield f"{'every set':32s} {_line([*(row for rows in self.by_set.values() for row in rows), *others])}"
        groups = [*self.by_problem.values(), *symbols.by_problem.values()]
        for name, top, bottom in (("recall", 0, 1), ("alarms", 2, 3)):
            low, high = interval(groups, top, bottom)
            yield f"every set, {name} [{low:.2%}, {high:.2%}]"
        yield from (" | ".join(("symbolic", *key, str(count))) for key, count in sorted(symbols.firings.items()))

    def report(self) -> Iterator[str]:
        """The lines that are printed."""
        for name, rows in sorted(self.by_set.items()):
            yield f"{name:22s} {_line(rows)}"
        groups = list(self.by_problem.values())
        yield f"{'all':22s} {_line([row for group in groups for row in group])}"
        yield f"{'all, each trace once':22s} {_line(list(self.by_trace.values()))}"
        for name, top, bottom in (("recall", 0, 1), ("alarms", 2, 3)):
            low, high = interval(groups, top, bottom)
            yield f"{name} [{low:.2%}, {high:.2%}]"
        for key, count in sorted(self.firings.items()):
            yield " | ".join((*key, str(count)))
        for key, count in sorted(self.doubts.items()):
            yield " | ".join(("doubt", *key, str(count)))


def _line(rows: list[Counts]) -> str:
    hit, errors, alarms, right, right_passed, wrong_passed, told = (sum(column) for column in zip(*rows, strict=True))
    parts = (
        f"errors found {hit}/{errors} = {hit / max(1, errors):.1%}",
        f"alarms {alarms}/{right} = {alarms / max(1, right):.2%}",
        f"precision {hit / max(1, hit + alarms):.1%}",
        f"passed: right {right_passed / max(1, right):.1%}, wrong {wrong_passed}",
        f"with a verdict in place {told / max(1, right + errors):.1%}",
    )
    return "  ".join(parts)


if __name__ == "__main__":
    main()
