"""Results set off in bold, fractions in one sign, words among signs: read as what they are, on both sides."""

import pytest

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import read_page
from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified

WRITTEN = {
    "in bold": ("3 × 4 = **12**", "3 × 4 = **13**"),
    "a line in bold": ("**3 × 4 = 12**", "**3 × 4 = 13**"),
    "bold in a formula": (r"\(3 \times 4 = \mathbf{12}\)", r"\(3 \times 4 = \mathbf{13}\)"),
    "underlined": (r"3 * 4 = \underline{12}", r"3 * 4 = \underline{13}"),
    "a power": ("2**3 + 1**2 = 9", "2**3 + 1**2 = 10"),
    "vulgar fractions": ("½ + ¼ = ¾", "½ + ¼ = ⅞"),
    "a mixed number": ("1½ + 2½ = 4", "1½ + 2½ = 5"),
    "a choice": (r"\({6 \choose 2} = 15\)", r"\({6 \choose 2} = 16\)"),
    "divided by": ("10 divided by 2 = 5", "10 divided by 2 = 6"),
    "things divided by": ("20 apples divided by 4 = 5", "20 apples divided by 4 = 6"),
    "the smaller number first": ("So 3 + 4 is 7.", "So 3 + 4 is 8."),
    "ohms": ("2 A * 3 Ω = 6 V", "2 A * 3 Ω = 7 V"),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_right_line_is_verified_and_a_wrong_one_refuted(kind: str) -> None:
    right, wrong = WRITTEN[kind]
    assert is_verified(right)
    assert is_refuted(wrong)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Half of 10 = 5", "Half of 10 = 7"),
        ("3 more than 10 = 13", "3 more than 10 = 14"),
        ("The sum of 3 and 4 = 7", "The sum of 3 and 4 = 9"),
        (
            r"Multiplying $\frac{5}{8}$ by $\frac{1}{3}$ gives $\frac{5}{24}$.",
            r"Multiplying $\frac{5}{8}$ by $\frac{1}{3}$ gives $\frac{5}{23}$.",
        ),
        ("3.456 rounded to two decimal places is 3.46.", "3.456 rounded to two decimal places is 3.54."),
        ("12 has 6 factors.", "12 has 5 factors."),
        ("The digits of 345 add up to 12.", "The digits of 345 add up to 13."),
    ],
)
def test_new_forms_of_words_are_doubts_at_most(right: str, wrong: str) -> None:
    assert is_verified(right)
    assert is_doubted(wrong)
    assert not is_refuted(wrong)


@pytest.mark.parametrize(
    "line",
    [
        # a bold 0 is a vector, and the cross a product of vectors
        r"Expanding, \((\mathbf{a} + \mathbf{b}) \times \mathbf{a} = \mathbf{b} \times \mathbf{a} + \mathbf{0}\)",
        "1/5 is 9.",
        "arcsin(0.5) = 30°",
        "**Note** 3 ** 4",
        "20 apples divided by the 4 of us = 5 apples",
    ],
)
def test_what_only_looks_alike_accuses_nobody(line: str) -> None:
    assert not is_refuted(line)
    assert not is_doubted(line)


def test_an_inverse_function_may_give_degrees() -> None:
    assert is_verified(r"\(\arccos(1/2) = 60^\circ\)")


@pytest.mark.parametrize(
    "line",
    [
        "The expression x^2 - 9 factors as (x-3)(x+3).",
        "$x^2 - 9$ can be factored as $(x-3)(x+3)$.",
        "(x+1)^2 expands to x^2 + 2x + 1.",
        "Expanding $(x+1)^2$, we get $x^2 + 2x + 1$.",
        r"So \(\frac{x^2 - 1}{x - 1}\) simplifies to \(x + 1\).",
        "3x + 5x is 8x.",
    ],
)
def test_expressions_that_words_call_the_same_are_multiplied_out(line: str) -> None:
    (item,) = [item for item in findings(line) if item.finding.evidence.checker == "said identities"]
    assert item.finding.verdict is Verdict.VERIFIED
    assert item.finding.proof


@pytest.mark.parametrize(
    "line",
    [
        "3x + 5x is 9x.",
        "The derivative of x^2 + 2x is x(x + 2).",
        "x^2 - 9 factors as (x-3)(x-3).",
        "Modulo 5, 3x + 5x is 8x.",
        "3x + 5x is 8x + y of them.",
    ],
)
def test_words_between_other_expressions_say_nothing(line: str) -> None:
    assert not [item for item in findings(line) if item.finding.evidence.checker == "said identities"]


@pytest.mark.parametrize("sign", ["equals", "EQUALS", r"\le", "≈", "<"])
def test_a_sign_or_a_word_is_enough_for_a_relation(sign: str) -> None:
    assert read_page(f"So 3 + 4 {sign} 8.").chains
    assert not read_page("So 3 + 4 and 8.").chains
