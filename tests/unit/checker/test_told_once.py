"""One equality, one finding: of the checks that tell of the same numbers, the surest is heard."""

import pytest

from auditing.checker.findings import Verdict
from auditing.checker.registry import CHECKERS, TELLS_NUMBERS
from tests.unit.checker.readings import findings

# a line that several checks read, and who is heard of it
HEARD = [
    ("40 divided by 8 is 5.", "spoken", Verdict.VERIFIED),
    ("40 divided by 8 is 6.", "spoken", Verdict.REFUTED),
    ("20% of $10 = $2", "arithmetic", Verdict.VERIFIED),
    ("20% of $10 = $4", "arithmetic", Verdict.REFUTED),
    ("7 buttons * 2 holes/button = 14", "arithmetic", Verdict.VERIFIED),
    ("Half of 60 is 30.", "sayings", Verdict.VERIFIED),
    ("Half of 60 is 35.", "sayings", Verdict.REFUTED),
    ("210 + 91 is 301.", "spoken", Verdict.VERIFIED),
    ("12:18 simplifies to 2:3", "phrases", Verdict.VERIFIED),
    ("12:18 simplifies to 3:4", "phrases", Verdict.REFUTED),
    ("The square root of 16 is 4.", "phrases", Verdict.VERIFIED),
    ("The square root of 16 is 5.", "phrases", Verdict.REFUTED),
    ("64 in base 8 is 100.", "plain facts", Verdict.VERIFIED),
    ("The largest integer less than 7 is 6.", "number facts", Verdict.VERIFIED),
    ("The units digit of 3^5 is 3.", "sayings", Verdict.VERIFIED),
    ("3*2^{5/12}, which equals 3^{7/12}.", "spoken", Verdict.REFUTED),
    ("0.1 or 10%", "spoken", Verdict.VERIFIED),
    # "4/5 is 4/5" is a part of what is read
    ("The reciprocal of 4/5 is 4/5.", "sayings", Verdict.REFUTED),
    ("The absolute value of -7 is -7.", "phrases", Verdict.REFUTED),
]


def told(text: str) -> list[tuple[str, Verdict]]:
    return [
        (placed.finding.evidence.checker, placed.finding.verdict)
        for placed in findings(text)
        if placed.finding.evidence.checker in TELLS_NUMBERS
    ]


@pytest.mark.parametrize(("text", "checker", "verdict"), HEARD)
def test_an_equality_is_told_once(text, checker, verdict):
    assert told(text) == [(checker, verdict)]


def test_two_claims_in_one_line_are_told_both():
    assert len(told("40 divided by 8 is 5, and 20% of 80 is 16.")) == 2


def test_a_slip_beside_what_holds_is_told_as_well():
    verdicts = [verdict for _, verdict in told("Half of 60 is 30. Half of 36 is 16.")]
    assert sorted(verdicts) == [Verdict.REFUTED, Verdict.VERIFIED]


def test_a_check_that_was_given_up_stands_in_no_row():
    assert not {"said twice", "orderings", "domains", "alphabet"} & {checker.name for checker in CHECKERS}


@pytest.mark.parametrize("text", ["15 - 7 = 8. So the answer is 8", "She has 8, which is 8.", "8, which is equal to 8"])
def test_the_same_number_again_is_nothing_to_tell(text: str) -> None:
    assert "spoken" not in [checker for checker, _ in told(text)]
