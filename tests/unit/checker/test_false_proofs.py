"""Refutations of right lines, written by hand as a liar would: the verifier's file refuses each of them."""

import pytest

from auditing.verifier.verify_proofs import check_record
from tests.unit.checker.readings import is_refuted

X2 = ["^", "x", "2"]
# a line that is right or compares nothing, the proof that is said to refute it, and the words of the refusal
FALSE = {
    "a derivative that is right": (
        "d/dx(x^3) = 3x^2",
        {"kind": "derivative", "left": ["^", "x", "3"], "right": ["*", "3", X2], "symbol": "x", "point": {"x": "2"}},
        "the derivative agrees",
    ),
    "a quantity of something else": (
        "3 ft 2 in = 5 hours",
        {
            "kind": "measures",
            "left": ["+", ["*", "3", "ft"], ["*", "2", "in"]],
            "right": ["*", "5", "hours"],
            "rounded": [],
        },
        "measure different things",
    ),
    "two rays that meet": (
        "2x > 6, x < 5",
        {
            "kind": "rays",
            "equations": [["2x > 6", ["*", "2", "x"], "6"], ["x < 5", "x", "5"]],
            "relations": [">", "<"],
        },
        "they meet",
    ),
    "two rays that meet, the other way about": (
        "2x < 10, x > 3",
        {
            "kind": "rays",
            "equations": [["2x < 10", ["*", "2", "x"], "10"], ["x > 3", "x", "3"]],
            "relations": ["<", ">"],
        },
        "they meet",
    ),
    "a day that there is": (
        "March 31, 2024 is a Sunday",
        {"kind": "no day", "numbers": [2024, 31], "month": "March"},
        "there is such a day",
    ),
    "a sum of sums": (
        r"\sum_{k=1}^{9} k = 45",
        {
            "kind": "numbers",
            "relation": "=",
            "left": [["sum", "k", "1", "9", ["sum", "k", "1", "9", "k"]]],
            "right": ["45"],
            "rounded": [],
        },
        "may hold",
    ),
}


def test_a_quantity_is_never_held_against_one_of_something_else():
    assert not is_refuted("So 3 ft 2 in = 5 hours.")
    # a product says nothing about what its result measures, so no guess of a slip stands before the dimension
    assert is_refuted("60 mph for 2.5 hours is 160 miles.")
    assert not is_refuted("60 mph for 2.5 hours is 160 ft/s.")


@pytest.mark.parametrize("name", FALSE)
def test_a_refutation_that_does_not_follow_is_refused(name):
    text, proof, words = FALSE[name]
    # of two lines the second one is refuted
    read = proof["equations"][-1][0] if "equations" in proof else text
    start = text.index(read)
    finding = {
        "checker": "a liar",
        "verdict": "refuted",
        "grade": "certain",
        "details": {},
        "read": read,
        "start": start,
        "end": start + len(read),
        "proof": {"version": 1, **proof},
    }
    record = {"id": "r", "segments": [{"id": "s", "content": text, "evidence": [finding]}]}
    assert [words in reason for _, reason in check_record(record)] == [True]
