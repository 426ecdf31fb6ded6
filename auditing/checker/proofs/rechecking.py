"""What strangers can re-check: the file that they download is asked before a refutation accuses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from auditing.checker.findings import Finding, Grade
from auditing.verifier.verify_proofs import RefusedError, check_finding
from hdag.core.values import Segment


def rechecked(findings: Sequence[Finding], segment: Segment, texts: str) -> tuple[Finding, ...]:
    """The findings at a segment; an accusation whose proof the file refuses is likely at most.

    texts: the contents of all segments of the graph in one line, as the file joins them: it is searched for each proof.
    """
    if not any(finding.accuses for finding in findings):
        return tuple(findings)
    return tuple(
        replace(finding, grade=Grade.LIKELY)
        if finding.accuses and finding.proof and not _holds(finding, segment.content, texts)
        else finding
        for finding in findings
    )


def _holds(finding: Finding, content: str, texts: str) -> bool:
    evidence = finding.evidence
    record = {
        "verdict": finding.verdict.value,
        "read": evidence.read,
        "details": evidence.details,
        "start": evidence.start,
        "end": evidence.end,
        "proof": json.loads(finding.proof),
    }
    try:
        check_finding(record, content, texts)
    except RefusedError:
        return False
    # what breaks the file is refused by it, too
    except (ArithmeticError, LookupError, ValueError, TypeError, AttributeError, RecursionError):
        return False
    return True
