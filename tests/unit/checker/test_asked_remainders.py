"""The remainder of a polynomial by a linear one, as a problem asks for it: right answers stand, false ones do not."""

import pytest

from auditing.checker.examination import decide_all
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

QUESTIONS = (
    ("x^3 - 2x + 5", "x - 3", "26", "25"),
    ("x^3 - 2x + 5", "x + 3", "-16", "16"),
    ("2x^2 + x", "2x - 1", "1", "2"),
    ("x^{10} + 1", "x - 1", "2", "3"),
    ("3y^4 - 4y^3 + 5y^2 - 13y + 4", "3y - 2", r"-\frac{82}{27}", r"-\frac{142}{27}"),
)


def is_accused(asked: str, by: str, answer: str) -> bool:
    problem = f"Find the remainder when ${asked}$ is divided by ${by}$."
    steps = [rf"So the remainder is $\boxed{{{answer}}}$."]
    trace = read_record({"id": "t", "problem": problem, "steps": steps}, where="test")
    decisions = decide_all(trace=trace, graph=RulesDecomposer().decompose(trace))
    return any(finding.accuses for decision in decisions.values() for finding in decision.findings)


@pytest.mark.parametrize(("asked", "by", "right", "wrong"), QUESTIONS)
def test_a_remainder_is_the_value_at_the_root(asked: str, by: str, right: str, wrong: str) -> None:
    assert not is_accused(asked, by, right)
    assert is_accused(asked, by, wrong)


def test_a_remainder_by_a_square_is_left_alone() -> None:
    assert not is_accused("x^{10} + 1", "x^2 - 1", "3")
