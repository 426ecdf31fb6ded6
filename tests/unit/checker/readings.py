"""What the computer tier finds in a text: the one door that these tests use."""

from auditing.checker.examination import examine_script
from auditing.checker.findings import Verdict
from auditing.checker.reading.passages import Placed, script_of
from hdag.readers.records import read_record


def findings(*steps: str, problem: str = "A problem.") -> list[Placed]:
    trace = read_record({"id": "t", "problem": problem, "steps": list(steps)}, where="test")
    return examine_script(script=script_of(trace))[0]


def verdicts(*steps: str, problem: str = "A problem.") -> set[Verdict]:
    """The verdicts that are certain; doubts do not count."""
    found = {item.finding.verdict for item in findings(*steps, problem=problem) if not item.finding.doubts}
    return found - {Verdict.NOT_APPLICABLE}


def is_doubted(*steps: str, problem: str = "A problem.") -> bool:
    return any(item.finding.doubts for item in findings(*steps, problem=problem))


def is_refuted(*steps: str, problem: str = "A problem.") -> bool:
    return Verdict.REFUTED in verdicts(*steps, problem=problem)


def is_verified(*steps: str, problem: str = "A problem.") -> bool:
    return verdicts(*steps, problem=problem) == {Verdict.VERIFIED}
