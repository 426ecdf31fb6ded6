"""What an audit asks of people: passages and plan seats beside the segments of before, on the public sets.

Run from the repository root: python -m benchmarks.passages [--unread] [--per-file N] [--show N]. A problem is unread
when SHA-256 of its text, blanks folded, leaves 0 on division by three; rules were made on the other two thirds alone.
Bars: fragments under 3 % of what is asked, at least four times fewer seats than segments, every labelled first error
asked or refuted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from auditing.research.offline.one_trace import audit_trace
from benchmarks.halves import SHARED
from benchmarks.halves import records as labelled
from benchmarks.public_traces import DATA, records
from hdag.readers.records import read_record

LEAST_SAVED = 4.0
LEAST_LETTERS = 12  # of a trace


def is_unread(problem: str) -> bool:
    """Whether a problem belongs to the third that no rule was made on."""
    return int(hashlib.sha256(" ".join(problem.split()).encode()).hexdigest(), 16) % 3 == 0


def audited(record: dict[str, Any]) -> dict[str, Any]:
    """The output record of one trace."""
    return audit_trace(trace=read_record(record, where="benchmark"))


def fragments(texts: list[str]) -> list[str]:
    """The texts that nobody could judge: announcements, questions, scraps, broken formulas, headings, repeats."""
    seen: set[str] = set()
    poor = []
    for text in map(str.strip, texts):
        letters = re.sub(r"\W", "", text.lower())
        broken = text.count("{") != text.count("}") or text.count("(") != text.count(")")
        if text.endswith((":", "?")) or len(letters) < 12 or broken or letters in seen or text.startswith("#"):
            poor.append(text)
        seen.add(letters)
    return poor


def count(row: dict[str, Any]) -> tuple[int, list[str], int]:
    """(segments asked before, texts of the passages asked now, seats now: passages and plan seats, A1 once)."""
    before = sum(s["tier"] != "computer" and s["level"] in ("step", "operation") for s in row["segments"])
    asked = [passage for passage in row["passages"] if passage["asked"]]
    units = {passage["id"] for passage in asked} | {seat["id"] for seat in row["plan_seats"]}
    return before, [passage["text"] for passage in asked], len(units)


def walk(unread: bool, per_file: int, show: int) -> None:
    """One line a set: what is asked before and after, a trace and a kB, and the fragments of it."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for name, record in records(per_file=per_file):
        # A bare letter is an answer without any reasoning: nothing to cut.
        text = record.get("thinking") or " ".join(record.get("steps", ()))
        if is_unread(record["problem"]) != unread or sum(map(str.isalnum, text)) < LEAST_LETTERS:
            continue
        row = audited(record)
        before, texts, seats = count(row)
        poor = fragments(texts)
        for text in poor[: max(0, show)]:
            show -= 1
            print("FRAGMENT", name, json.dumps(text[-160:], ensure_ascii=False))
        size = len(record.get("thinking") or "\n\n".join(record.get("steps", ())))
        for key in (name, "all"):
            sums[key].update(traces=1, before=before, asked=len(texts), seats=seats, poor=len(poor), size=size)
    for name, c in sums.items():
        print(
            f"{name:20s} {c['traces']:5d} traces  before {c['before'] / c['traces']:6.1f} a trace, "
            f"{c['before'] / c['size'] * 1000:5.1f} a kB   now {c['seats'] / c['traces']:5.2f} a trace, "
            f"{c['seats'] / c['size'] * 1000:5.2f} a kB   {c['before'] / max(1, c['seats']):4.1f} times fewer "
            f"(asked {LEAST_SAVED})   fragments {c['poor']}/{c['asked']} = {c['poor'] / max(1, c['asked']):.2%}"
        )


def first_errors(unread: bool, per_set: int) -> None:
    """Where the labelled first errors are: refuted, asked, or passed by the machine (and then by nobody)."""
    where: dict[str, Counter[str]] = defaultdict(Counter)
    for name, problem, steps, error in (*labelled(), *more_labels()):
        if error is None or error >= len(steps) or is_unread(problem) != unread:
            continue
        if per_set and where[name].total() >= per_set:
            continue
        row = audited({"problem": problem, "steps": steps})
        where[name][fate(row, error)] += 1
    for name, c in sorted(where.items()):
        print(f"{name:20s} first errors {c.total():5d}: {dict(sorted(c.items()))}")
    total = sum(where.values(), Counter())
    lost = total.total() - total["asked"] - total["refuted"]
    print(f"all: {dict(total)}; not asked {lost}/{total.total()} = {lost / max(1, total.total()):.2%}")


def fate(row: dict[str, Any], error: int) -> str:
    """What becomes of input step `error`."""
    labels = {segment["id"] for segment in row["segments"] if segment["step"] == error}
    holding = [passage for passage in row["passages"] if labels & set(passage["segments"])]
    if any(segment["vote"] == "fail" for segment in row["segments"] if segment["id"] in labels):
        return "refuted"
    if any(passage["asked"] or passage["why"] == "refuted" for passage in holding):
        return "asked" if any(passage["asked"] for passage in holding) else "refuted with its passage"
    return holding[0]["why"] if holding else "nowhere"


def more_labels() -> Iterator[tuple[str, str, list[str], int | None]]:
    """(set, problem, steps, first error) of the other labelled sets."""
    for subject in ("biology", "chemistry", "medicine", "physics"):
        for line in (DATA / "mr_ben" / f"{subject}.jsonl").open(encoding="utf-8"):
            row = json.loads(line)
            steps = row["Model_Solution_Steps"]
            steps = [s for s in steps.split("\n") if s.strip()] if isinstance(steps, str) else steps
            number = re.search(r"\d+", str(row["Model_Solution_First_Error_Step"]))
            at = int(number.group()) if number else 0
            label = re.compile(rf"\s*Step\s*{at}\b")
            found = next((i for i, step in enumerate(steps) if label.match(str(step))), None)
            yield f"mr_ben {subject}", row["Question"], [str(step) for step in steps], found if number else None
    for line in (DATA / "who_and_when" / "algorithm_generated.jsonl").open(encoding="utf-8"):
        row = json.loads(line)
        turns = [str(turn["content"]) for turn in row["history"]]
        yield "who_and_when", row["question"], turns, int(row["mistake_step"])


def main() -> None:
    """Print every figure beside its bar."""
    if not SHARED.exists():
        print("../shared is absent: nothing to measure")
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unread", action="store_true", help="the third that no rule was made on")
    parser.add_argument("--per-file", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="fragments to print")
    options = parser.parse_args()
    walk(options.unread, options.per_file, options.show)
    first_errors(options.unread, options.per_file)


if __name__ == "__main__":
    main()
