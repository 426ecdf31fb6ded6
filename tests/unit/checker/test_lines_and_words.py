"""Lost line breaks, results said in words, sums of terms and their near misses: each error beside what is right."""

import pytest

from auditing.checker.reading.lost_breaks import with_lost_breaks
from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified

ACCUSED = {
    "a left side that stands again": (["d^2 = (4k)^2 + (3k)^2 d^2 = 24k^2"], ["d^2 = (4k)^2 + (3k)^2 d^2 = 25k^2"]),
    "a label that stands again": (
        ["Total score = 90 * 6 Total score = 550"],
        ["Total score = 90 * 6 Total score = 540"],
    ),
    "a left side for the third time": (
        ["2w - 30 = 2 * 5 - 30 2w - 30 = 10 - 30 2w - 30 = -24"],
        ["2w - 30 = 2 * 5 - 30 2w - 30 = 10 - 30 2w - 30 = -20"],
    ),
    "like terms over two lines": (["d^2 = 16k^2 + 9k^2\nd^2 = 24k^2"], ["y = 2x + x^2\ny = 3x"]),
    "a sum of terms": (["In all it is 0.25(80x) + 0.1(100x) = 20x."], ["So 2(x + 3x) = x + 14."]),
    "a quotient of terms": (["He takes (60x * 5) / 15 = 40x calls."], ["He takes (60x * 5) / 15 = 20x calls."]),
    "a coefficient with decimals": (["It is 0.79 * 0.79x = 0.6161x."], ["It is 0.79 * 0.79x = 0.62x."]),
    "a term beside a number": (["1 + 0.05 * 2x + 42 = 43 + x"], ["1 + 0.05 * 2x + 42 = 43 + 0.1x"]),
    "a result said": (["Yes, and 210 + 91 is 300."], ["Yes, and 210 + 91 is 301."]),
    "a result said behind a formula": ([r"Now $\frac{14}{2}$ is 8."], [r"Now $\frac{14}{2}$ is 7."]),
    "the result of a chain": (["x = (-4 + 9)/5, which equals 2."], ["x = (-4 + 9)/5, which equals 1."]),
    "a logarithm with its base": (["pH = -log10(0.0001) = 3"], ["pH = -log10(0.0001) = 4"]),
    "a polynomial taken apart": (
        [
            r"\(x^3 - 4x^2 - 7x + 6 = 0\)",
            r"For \(x = 1\) it holds, for \(x = 2\) as well.",
            r"We get \(x^3 - 4x^2 - 7x + 6 = (x-1)(x^2 - 3x - 6)\).",
        ],
        [r"\(x^2 - 5x + 6 = 0\)", r"We get \(x^2 - 5x + 6 = (x-2)(x-3)\)."],
    ),
    "a share of gallons": (["Spoilt: 2/5 * 4000 = 800 gallons"], ["Spoilt: 2 * 16 = 8 gallons"]),
}
# what may be meant otherwise, by what it is
LEFT_ALONE = {
    "a digit of a product": "The last digit of 7 * 3 is 1.",
    "a comparison": "So 5 + 3 is 9 more than we need.",
    "a place of a function": r"The value of $x$ that makes $f(x)=\frac{1}{5}$ is 9.",
    "a place of another function": "The value of x that makes f(x) = 7 - 3 is 9.",
    "a year before a sum": "A year before 2000 + 5 is 2004.",
    "an equation between products": "Then 2 * 3y - 4y = y.",
    "a share of something": "So 1/5 is 9 people.",
    "a question": "Is it so that 5 + 3 is 9?",
    "an equation to solve": "Then 2y - 0 = y.",
    "an equation with zero as its solution": "The curves meet where x + x = x.",
    "two equations in a row": "Lines: y = 2x + 3x, y = 7x",
    "a case": "If x = 0, then 2 * 3x = 5x.",
    "another function": "sin2(0.5) = 3",
    "equations of one quantity": "x^2 = x + 1, and x^3 = 2x + 1.",
}


@pytest.mark.parametrize("name", ACCUSED)
def test_an_error_of_this_class_is_refuted_and_what_is_near_is_not(name):
    wrong, right = ACCUSED[name]
    assert is_refuted(*wrong)
    assert not is_refuted(*right)


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_what_may_be_meant_otherwise_is_left_alone(name):
    assert not is_refuted(LEFT_ALONE[name])
    assert not is_doubted(LEFT_ALONE[name])


def test_a_result_said_rightly_is_verified():
    assert is_verified("We know that 210 + 91 is 301.")


def test_a_break_put_back_moves_nothing():
    text = "Now d^2 = 9 + 16 d^2 = 25 and x = 3 and x = 4"
    assert with_lost_breaks(text) == "Now d^2 = 9 + 16\nd^2 = 25 and x = 3 and x = 4"


@pytest.mark.parametrize(
    "text", ["ln 3 = 1.1 and 2 ln 3 = 2.2", "a = b = b = c", "x = 3 + x = 7", "2 = 2 2 = 2", "x = 1, x = 2", ""]
)
def test_no_break_is_put_where_an_expression_goes_on(text):
    assert with_lost_breaks(text) == text


def test_a_finding_behind_a_lost_break_stands_where_the_text_does():
    text = "Total score = 90 * 6 Total score = 550"
    accusations = [item for item in findings(text) if item.finding.accuses]
    assert accusations
    assert all(text[item.start : item.end].endswith("= 550") for item in accusations)
