"""The coverage meter: which share of the checkable computations in public texts the computer tier reads, and decides.

Lines are drawn by seed from the read two thirds of every public set; what a careful person would call checkable in each
was labelled before any reader was written for it (tests/vectors/checker/: no text, but the digest of each line and the
spans in it), 364 lines by one reader and 1,158 others by two who did not know of each other: what both of them marked.
A third draw of 598 lines was marked by whoever wrote readers from it: what is read of it teaches and measures nothing.
Run from the repository root: python -m benchmarks.coverage [--show]. With --show the spans are printed that are not
read; those of the two readers are printed for nobody, so that they go on measuring.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from auditing.checker.checks.vectors.array_readings import array_links
from auditing.checker.examination import examine_script
from auditing.checker.findings import Verdict
from auditing.checker.reading.passages import Script, script_of
from benchmarks.labelled import DATA, is_unread, labelled
from hdag.readers.records import read_record

VECTORS = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "checker"
ONE_READER, TWO_READERS = VECTORS / "coverage.jsonl", VECTORS / "coverage_two_readers.jsonl"
TEACHING = VECTORS / "coverage_third_draw.jsonl"
_MAY_COMPUTE = re.compile(r"\d|[=<>≤≥≈]|\\(?:frac|sum|times)")
_RELATION = re.compile(r"[=<>≈≡≤≥≠]|\\(?:equiv|approx|leq?|geq?|neq?)\b")


def lines() -> dict[str, str]:
    """Every line that may be drawn, by the digest that the labels name it by."""
    texts = (text for problem, texts in _traces() if not is_unread(problem) for text in texts)
    stripped = (line.strip() for text in texts for line in text.split("\n"))
    return {_digest(line): line for line in stripped if 4 <= len(line) <= 400 and _MAY_COMPUTE.search(line)}


def _digest(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()[:24]


def _traces() -> Iterator[tuple[str, list[str]]]:
    for case in labelled():
        yield case.problem, case.steps
    for row in _rows("financemath_cot/*.jsonl"):
        output = row["output"]
        yield row["question"], [output if isinstance(output, str) else output[0]]
    for row in _rows("mmlu_pro_cot_sample/*.jsonl"):
        yield row["question"], [row.get("model_outputs") or row.get("cot_content") or row.get("generated_text") or ""]
    for row in _rows("usmle_gpt4_errors/multilabel_191_strict.jsonl"):
        yield row["gpt4_prompt"], [row["gpt4_response"]]
    for row in _rows("who_and_when/algorithm_generated.jsonl"):
        yield row["question"], [turn["content"] for turn in row["history"]]
    for row in _rows("bigbench_mistake/multistep_arithmetic.jsonl"):
        yield row["input"], row["steps"]


def _rows(pattern: str) -> Iterator[dict[str, Any]]:
    for path in sorted(DATA.glob(pattern)):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def measured(line: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether line[start:end] is read as what it computes, and whether a check decides it, the line being all."""
    script = script_of(read_record({"id": "t", "problem": "", "steps": [line]}, where="benchmark"))
    findings, _ = examine_script(script=script)
    decided = any(
        placed.finding.verdict is not Verdict.NOT_APPLICABLE and placed.start < end and placed.end > start
        for placed in findings
    )
    return decided or _is_parsed(script, line, start, end), decided


def _is_parsed(script: Script, line: str, start: int, end: int) -> bool:
    """Whether every relation in the span has a tree on either side."""
    signs = {match.start() + start for match in _RELATION.finditer(line[start:end])}
    for chain in script.passages[0].page.chains:
        for left, right in zip(chain.sides, chain.sides[1:], strict=False):
            if left.tree is not None and right.tree is not None:
                signs -= set(range(left.end - 1, right.start + 1))
    # a relation between arrays is read where every cell on either side of it is
    for link in array_links(script)[0]:
        signs -= set(range(link.left.end - 1, link.right.start + 1))
    return bool(_RELATION.search(line[start:end])) and not signs


def main() -> None:
    """Prints one line a set and the sum: spans labelled, read, decided."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if not DATA.exists():
        print("../shared/data is absent: nothing to measure")
        return
    texts = lines()
    for labels in (ONE_READER, TWO_READERS, TEACHING):
        print(f"{labels.stem} (teaches)" if labels == TEACHING else labels.stem)
        _report(labels, texts, is_shown=options.show and labels != TWO_READERS)


def _report(labels: Path, texts: dict[str, str], *, is_shown: bool) -> None:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for row in map(json.loads, labels.read_text(encoding="utf-8").splitlines()):
        line = texts[row["line"]]
        for start, end in row["checkable"]:
            parsed, decided = measured(line, start, end)
            for name in (row["source"], "all"):
                counts[name] = [a + b for a, b in zip(counts[name], (0, 1, int(parsed), int(decided)), strict=True)]
            if is_shown and not (parsed and decided):
                print("unread   " if not parsed else "undecided", line[start:end])
        for name in (row["source"], "all"):
            counts[name][0] += 1
    for name, (drawn, spans, read, told) in sorted(counts.items()):
        print(f"{name:22s} lines {drawn:4d}  checkable {spans:4d}  read {read:4d}  decided {told:4d}")


if __name__ == "__main__":
    main()
