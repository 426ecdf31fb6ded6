"""What the computer tier finds in a text: the one door that these tests use."""

from auditing.checker.findings import Verdict
from auditing.checker.reading.passages import Placed, script_of
from auditing.checker.registry import CHECKERS
from hdag.readers.records import read_record


def findings(*steps: str, problem: str = "A problem.") -> list[Placed]:
    trace = read_record({"id": "t", "problem": problem, "steps": list(steps)}, where="test")
    script = script_of(trace)
    return [item for checker in CHECKERS for item in checker.check(script)]


def verdicts(*steps: str, problem: str = "A problem.") -> set[Verdict]:
    found = {item.finding.verdict for item in findings(*steps, problem=problem)}
    return found - {Verdict.NOT_APPLICABLE}


def is_refuted(*steps: str, problem: str = "A problem.") -> bool:
    return Verdict.REFUTED in verdicts(*steps, problem=problem)


def is_verified(*steps: str, problem: str = "A problem.") -> bool:
    return verdicts(*steps, problem=problem) == {Verdict.VERIFIED}
