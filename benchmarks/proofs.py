"""Proofs of findings at full size: 1,000 and more re-checked by the single file, 200 tampered ones refused.

Run from the repository root: python -m benchmarks.proofs [--size N]. The traces are those of the read two thirds.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import time
from collections import Counter
from typing import Any

from auditing.research.offline.one_trace import audit_trace
from auditing.verifier.verify_proofs import check_record
from benchmarks.labelled import DATA, labelled
from hdag.readers.records import read_record

TAMPERED, SEED = 200, 18
# a changed weight or point may make another proof that holds; these make a false one
_NUMBERS = ("left", "right", "equations", "modulus", "numbers", "member")


def tampered(record: dict[str, Any], seed: int) -> dict[str, Any]:
    """The record with one proof changed: a number of it, or its verdict."""
    rng = random.Random(seed)
    record = copy.deepcopy(record)
    findings = [finding for segment in record["segments"] for finding in segment["evidence"] if "proof" in finding]
    finding = rng.choice(findings)
    places = [place for name in _NUMBERS if name in finding["proof"] for place in _places(finding["proof"], name)]
    places += [(step, "value") for step in finding["proof"].get("steps", []) if "value" in step]
    if not places or rng.random() < 0.25:
        finding["verdict"] = "refuted" if finding["verdict"] == "verified" else "verified"
        return record
    holder, key = rng.choice(places)
    # a number that the text can hardly hold, and that no rounding excuses
    holder[key] = 7919 if isinstance(holder[key], int) else f"{holder[key].rstrip('%.').lstrip('-')}7919"
    return record


def _places(holder: Any, key: Any) -> list[tuple[Any, Any]]:
    """Where numbers stand below holder[key], texts of lines left out."""
    value = holder[key]
    if isinstance(value, list):
        return [place for index in range(len(value)) for place in _places(value, index)]
    is_number = isinstance(value, int) or (
        isinstance(value, str) and value.lstrip("-")[:1].isdigit() and " " not in value
    )
    return [(holder, key)] if is_number and "=" not in str(value) else []


def main() -> None:
    """Prints how many proofs hold, by check and verdict, how many tampered ones are refused, and the time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1_500)
    options = parser.parse_args()
    if not DATA.exists():
        print("../shared/data is absent: nothing to measure")
        return
    cases = [case for case in labelled() if not case.is_unread]
    random.Random(SEED).shuffle(cases)
    counts: Counter[tuple[str, str, str]] = Counter()
    records = []
    for number, case in enumerate(cases[: options.size]):
        trace = read_record({"id": str(number), "problem": case.problem, "steps": case.steps}, where="benchmark")
        record = json.loads(json.dumps({"id": str(number), **audit_trace(trace=trace)}))
        for segment in record["segments"]:
            counts.update(_kinds(segment))
        records.append(record)
    started = time.process_time()
    reasons = [reason for record in records for _, reason in check_record(record)]
    seconds = time.process_time() - started
    for key, count in sorted(counts.items()):
        print(" | ".join((*key, str(count))))
    print(f"{reasons.count('')} of {len(reasons)} proofs hold, {seconds * 1000 / max(1, len(reasons)):.2f} ms each")
    print(Counter(reason for reason in reasons if reason).most_common(10))
    proved = [record for record in records if any(True for _ in check_record(record))]
    lies = [tampered(record, SEED + number) for number, record in enumerate((proved * TAMPERED)[:TAMPERED])]
    print(f"{sum(any(reason for _, reason in check_record(lie)) for lie in lies)} of {len(lies)} tampered are refused")


def _kinds(segment: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(check, verdict, kind of proof) of each certain finding of a segment."""
    return [
        (finding["checker"], finding["verdict"], finding.get("proof", {}).get("kind", "no proof"))
        for finding in segment["evidence"]
        if finding["verdict"] != "not_applicable" and finding["grade"] == "certain"
    ]


if __name__ == "__main__":
    main()
