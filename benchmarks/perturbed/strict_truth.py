"""Why a verified relation is true, computed from its proof anew and more strictly than any checker: to tell falsehoods.

A number that is written stands for what lies within half a unit of its last digit, and for nothing else. What has no
proof of numbers is true by the verifier's file or not at all.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from auditing.checker.findings import Finding
from auditing.verifier import verify_proofs
from auditing.verifier.verify_proofs import RefusedError, check_finding, settings, value_of, written_number

Interval = tuple[Fraction, Fraction]
# sixteen digits as a computer prints them, and the bits that its operations may lose
_PRINTED, _STEP = Fraction(1, 10**12), Fraction(1, 2**46)


def reason_it_holds(finding: Finding, text: str) -> str:
    """Why what a finding verifies in a text is true; empty where it is false, or where nobody can tell."""
    proof = json.loads(finding.proof) if finding.proof else {}
    if proof.get("kind") == "numbers":
        pairs = [(left, right) for left in proof["left"] for right in proof["right"]]
        reasons = [_reason(left, right, proof["relation"]) for left, right in pairs]
        return next(filter(None, reasons), "")
    if not proof:
        return ""
    evidence = finding.evidence
    record = {"verdict": "verified", "proof": proof, "details": evidence.details, "read": evidence.read}
    try:
        check_finding({**record, "start": 0, "end": len(evidence.read)}, evidence.read, text)
    except (RefusedError, KeyError):
        return ""
    return f"proved: {proof['kind']}"


def _reason(left: Any, right: Any, relation: str) -> str:
    for setting in settings([left, right], []):
        try:
            sides = value_of(left, setting), value_of(right, setting)
            if relation in ("=", "≈"):
                reason = _why_equal(left, right, *sides)
            else:
                reason = "the order holds" if verify_proofs.ordered(*sides, relation) else ""
        except RefusedError:
            continue
        if reason:
            return reason
    return ""


def _why_equal(left: Any, right: Any, a: Interval, b: Interval) -> str:
    if a == b or (a[1] - a[0] and a[0] <= b[1] and b[0] <= a[1]):
        return "equal again"
    for number, value in ((written_number(right), a), (written_number(left), b)):
        if number is not None and _is_rounded(number, value):
            return "hidden by rounding"
        if number is not None and number[1] <= _PRINTED and abs(value[0] - number[0]) <= _STEP * max(1, abs(value[0])):
            return "the last bits of a double"
    return ""


def _is_rounded(number: tuple[Fraction, Fraction, bool], value: Interval) -> bool:
    written, unit, is_cut = number
    reach = unit if is_cut else unit / 2
    if not is_cut and value[0] == value[1] and (value[0] / unit).denominator == 1:
        return False
    return written - reach <= value[0] and value[1] <= written + reach
