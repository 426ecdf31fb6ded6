"""Decorations hide no error and make none; worldly readings hold only where their words stand."""

import pytest

from auditing.checker.mathematics.notation.decorations import undecorated
from tests.unit.checker.readings import is_doubted, is_refuted, is_verified


@pytest.mark.parametrize(
    "around",
    [
        "• {}",
        "1) {}",
        "(a) {}",
        "### {}",
        "| sum | {} |",
        "*{}*",
        "_{}_",
        "<li>{}</li>",
        "{} [1]",
        "{} 😀",
        "{}*",
        "{}†",
    ],
)
def test_a_mark_around_a_line_changes_nothing(around):
    assert is_refuted(around.format("12 × 4 = 49"))
    assert is_verified(around.format("12 × 4 = 48"))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("12 * 4 = *48*", "12 * 4 = *49*"),
        ("5 [apples] + 6 [pears] = 11", "5 [apples] + 6 [pears] = 12"),
        ("10 (from step 1) + 15 (from step 2) = 25", "10 (from step 1) + 15 (from step 2) = 26"),
    ],
)
def test_what_is_set_off_inside_a_line_is_read(right, wrong):
    assert is_verified(right)
    assert is_refuted(wrong)


@pytest.mark.parametrize(
    "text", ["|x| = 3", "(2) (3) = 6", "3 + □ = 8", "2 * 3 * 4 = 24", "a_1 + a_2 = 5", "x < 3 and 4 > b"]
)
def test_a_sign_of_its_own_is_no_decoration(text):
    assert undecorated(text) == text


def test_what_stands_between_ticks_may_be_code():
    assert is_doubted("`total = 12 * 4 = 49`")
    assert not is_refuted("`7 / 2 = 3`")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("5/6/2023 + 7 days = 5/13/2023", "15/6/23 + 7 = 15/13/23"),
        ("4/4 = 4 beats per bar", "4/4 = 3 beats per bar"),
        ("5 km east + 12 km north = 13 km", "5 km east + 12 km north = 14 km"),
        ("3 N + 4 N = 5 N (perpendicular)", "3 N + 4 N = 5 N"),
        ("5.25% − 5.00% = 25 bps", "5.25% − 5.00% = 35 bps"),
        ("Z/12: 7 + 8 = 3", "Z/12: 7 + 8 = 4"),
        ("a * b = a + b - ab; 2 * 3 = -1", "a * b = b * a; 2 * 3 = -1"),
        ("16777216 + 1 = 16777216 in float32", "16777216 + 1 = 16777216"),
        ("2 + 2 = 11 in ternary", "2 + 2 = 11"),
        ("(3.0 ± 0.1) + (2.0 ± 0.1) = 5.0 ± 0.14", "5 ± 2 = 4 ± 2"),
        ("Beginning 100 + purchases 50 − (30) = 120", "Purchases 50 − (30) = 40"),
    ],
)
def test_a_worldly_reading_holds_where_its_words_stand(right, wrong):
    assert not is_refuted(right)
    assert is_refuted(wrong)


def test_dashes_that_join_parts_leave_a_doubt():
    assert is_doubted("4-3-3 = 10 outfield players")
    assert not is_refuted("4-3-3 = 10 outfield players")
    assert is_refuted("4-3-3 = 11 outfield players")
    assert is_refuted("4 - 3 - 3 = 10")


@pytest.mark.parametrize(
    "number", ["0.(142857)", r"0.\dot{1}4285\dot{7}", "0.1\u03054\u03052\u03058\u03055\u03057\u0305"]
)
def test_digits_that_repeat_are_one_number(number):
    assert is_verified(f"{number} = 1/7")
    assert is_doubted(f"{number} = 1/8")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}^T = \begin{pmatrix} 1 & 3 \\ 2 & 4 \end{pmatrix}",
            ("2 & 4", "2 & 5"),
        ),
        (
            r"\begin{pmatrix} 2 & 1 \\ 1 & 1 \end{pmatrix}^{-1} = \begin{pmatrix} 1 & -1 \\ -1 & 2 \end{pmatrix}",
            ("1 & -1", "1 & 1"),
        ),
        ("3(1, -2) - (0, 4) = (3, -10)", ("-10", "-2")),
        ("<1, 2> + <3, 4> = <4, 6>", ("6>", "7>")),
        ("[1 2; 3 4] [1; 1] = [3; 7]", ("7]", "6]")),
        ("np.dot([1, 2, 3], [4, 5, 6]) = 32", ("32", "30")),
        ("tr [[1, 2], [3, 4]] = 5", ("= 5", "= 6")),
        ("2(1,2) + (3,4) = (2,4) + (3,4) = (5,8)", ("(5,8)", "(5,9)")),
    ],
)
def test_an_expression_of_arrays_is_computed(right, wrong):
    assert is_verified(right)
    assert is_doubted(right.replace(*wrong))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (r"\(P^* = 10\), so \(2P^* = 20\).", r"\(P^* = 4 \cdot 3 = 13\)"),
        (r"\(\hat{p} = 45/60 = 0.75\)", r"\(\hat{p} = 45/60 = 0.65\)"),
        (r"\(\text{lcm}(4, 6) = 12\)", r"\(\text{lcm}(4, 6) = 24\)"),
        (r"\(y^{\prime} = 2 \cdot 3 = 6\)", r"\(y^{\prime} = 2 \cdot 3 = 7\)"),
    ],
)
def test_a_mark_above_a_letter_is_part_of_its_name(right, wrong):
    assert not is_refuted(right)
    assert is_refuted(wrong)
