"""What the computer tier finds in a text: the one door that these tests use."""

from pathlib import Path

from auditing.checker.examination import examine_script
from auditing.checker.findings import Verdict
from auditing.checker.reading.passages import Placed, script_of
from hdag.readers.records import read_record

STATED = Path(__file__).parents[2] / "vectors" / "stated"


def stated(name: str, sign: str) -> list[tuple[str, list[str]]]:
    """The problems and steps of a file of lines: "P:" begins a problem, "+" a right trace, "-" a false one."""
    problem, chosen = "A problem.", []
    for line in (STATED / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("P:"):
            problem = line[2:].strip() or "A problem."
        elif line.startswith(sign):
            chosen.append((problem, line[2:].split(" // ")))
    return chosen


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
