"""Classes of text that the tier reads: each with a right line that it verifies or leaves alone, and a wrong one."""

import json
from pathlib import Path

import pytest

from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified

LABELS = Path(__file__).parents[2] / "vectors" / "checker"

# what is read: a right text, and the same text with an error
READ = {
    "a currency": (["£5,000 × 0.30 = £1,500"], ["£5,000 × 0.30 = £1,600"]),
    "a quotient in words": (["54,321 divided by 13 results in 4,178.54."], ["54,321 divided by 13 results in 4,278."]),
    "points of a game": (["Marta has 3 * (65 - 30) = 105 points."], ["Marta has 3 * (65 - 30) = 145 points."]),
    "roots": ([r"\( \sqrt{12} + 1 = 2\sqrt{3} + 1 \)"], [r"\( \sqrt{12} + 1 = 3\sqrt{3} + 1 \)"]),
    "a congruence": ([r"\(17 \cdot 5 \equiv 2 \pmod{83}\)"], [r"\(17 \cdot 5 \equiv 3 \pmod{83}\)"]),
    "a congruence in words": (["27 ≡ 6 (mod 7)"], ["27 ≡ 5 (mod 7)"]),
    "a line that goes on": (["$$A = 3(2x - 3)$$", "$$= 6x - 9$$"], ["$$A = 3(2x - 3)$$", "$$= 6x - 6$$"]),
    "numbers that go on": (["Total: 3 * 14", "= 42"], ["Total: x = 3 * 14", "= 44"]),
}
# what is refuted, beside what is near and right
ACCUSED = {
    "sides that differ by a number": (
        [r"\(\sqrt{(b-0)^2 + 37^2} = \sqrt{b^2 + 1225}\)"],
        [r"\(\sqrt{(b-0)^2 + 37^2} = \sqrt{b^2 + 1369}\)"],
    ),
    "an equation without solutions": (
        ["The games are 5 + 12x + 24 + 48 + 15 = 96 + 12x."],
        ["So 5 + 12x = 6 + 12x, which has no solution."],
    ),
    "a formula with its numbers plugged in": (
        ["Plugging in, we get d = 0*15.0 + 0.5*1.33*(15.0)^2 = 299.625 m"],
        ["Plugging in 1 we get 1 = 3 + 4."],
    ),
    "simplified to": (
        ["We get 2k + 2j + 2k + 2j + 2k = 10, which simplifies to 5k + 5j = 10."],
        ["We get 2k + 2j + 2k + 2j + 2k = 10, which simplifies to 6k + 4j = 10."],
    ),
    "the same in other words": (
        ["We have 4x + 4y - 4x^2 - 4y^2 = 2, or (2x - 1)^2 + (2y - 1)^2 = 2."],
        ["We have 4x + 4y - 4x^2 - 4y^2 = 2, or (2x - 1)^2 + (2y - 1)^2 = 0."],
    ),
    "a constant computed": (["We have 42 * 56 = c, or c = 2336."], ["We have 42 * 56 = c, or c = 2352."]),
    "two solutions": (["c = 42 * 56\nc = 2336"], ["We have x = 2, or x = 3."]),
}


@pytest.mark.parametrize("name", READ)
def test_a_text_of_this_class_is_verified_or_refuted(name):
    right, wrong = READ[name]
    assert not is_refuted(*right)
    assert not is_doubted(*right)
    assert is_refuted(*wrong)


@pytest.mark.parametrize("name", [name for name in READ if name != "numbers that go on"])
def test_what_is_right_of_this_class_is_told(name):
    assert is_verified(*READ[name][0])


@pytest.mark.parametrize("name", ACCUSED)
def test_an_error_of_this_class_is_refuted_and_what_is_near_is_not(name):
    wrong, right = ACCUSED[name]
    assert is_refuted(*wrong)
    assert not is_refuted(*right)


def test_percentage_points_leave_a_doubt():
    assert not is_refuted("The rate rose from 3% by 2 * 2 = 5 points.")


def test_a_step_that_takes_the_last_one_back_accuses_nobody():
    steps = ["So 2x + 4y = 10.", "Hence x + 2y = 4, and that is all.", "No, that's wrong. It is x + 2y = 5."]
    assert not any(item.finding.accuses and item.start > 50 for item in findings(*steps))


@pytest.mark.parametrize(
    ("name", "lines", "spans"),
    [("coverage.jsonl", 364, 135), ("coverage_two_readers.jsonl", 1_158, 413), ("coverage_third_draw.jsonl", 598, 268)],
)
def test_the_labels_of_the_coverage_meter_hold_no_text(name, lines, spans):
    rows = [json.loads(line) for line in (LABELS / name).read_text(encoding="utf-8").splitlines()]
    assert len({row["line"] for row in rows}) == len(rows) == lines
    assert all(set(row) == {"source", "line", "checkable"} for row in rows)
    assert sum(len(row["checkable"]) for row in rows) == spans
