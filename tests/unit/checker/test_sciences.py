"""Statistics as reported, chemistry, check digits: a wrong text is told as a doubt, a right one verified."""

import pytest

from auditing.checker.checks.sciences.reported_statistics import beta_ratio, gamma_tail
from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified

PAIRS = {
    "a test of t": ("We found t(28) = 2.05, p = .01.", "We found t(28) = 2.05, p = .05."),
    "one side of t": ("So t(28) = 2.05, p = .035.", "So t(28) = 2.05, p = .025."),
    "a test of F": ("So F(2, 57) = 4.61, p = .14.", "So F(2, 57) = 4.61, p = .014."),
    "a test of chi2": ("So χ2(1, N = 90) = 3.84, p = .20.", "So χ2(1, N = 90) = 3.84, p = .05."),
    "a test of z": ("So z = 1.96, p < .01.", "So z = 1.96, p < .06."),
    "a balance": ("The balanced equation is H2 + O2 -> H2O.", "The balanced equation is 2 H2 + O2 -> 2 H2O."),
    "a balance with groups": (
        "Al(NO3)3 + 3 KOH → Al(OH)3 + KNO3 is balanced.",
        "Al(NO3)3 + 3 KOH → Al(OH)3 + 3 KNO3 is balanced.",
    ),
    "a molar mass": ("The molar mass of CaCO3 is 110.1 g/mol.", "The molar mass of CaCO3 is 100.1 g/mol."),
    "a book": ("ISBN 978-0-306-40615-8 is valid.", "ISBN 978-0-306-40615-7 is valid."),
    "an older book": ("ISBN 0-306-40615-2 is invalid.", "ISBN 0-306-40615-2 is valid."),
    "a journal": ("ISSN 0378-5955 is not valid.", "ISSN 0378-5956 is not valid."),
    "an article": ("EAN 4006381333932 is valid.", "EAN 4006381333931 is valid."),
    "an account": ("IBAN GB82 WEST 1234 5698 7654 23 is valid.", "IBAN GB82 WEST 1234 5698 7654 32 is valid."),
    "a card": ("The card number 4111 1111 1111 1112 is valid.", "The card number 4111 1111 1111 1111 is valid."),
}
LEFT_ALONE = (
    "H2 + O2 -> H2O is not balanced.",
    "To be balanced, H2 + O2 -> H2O needs more hydrogen.",
    "The reaction H2 + O2 -> H2O gives water.",
    "Is ISBN 978-0-306-40615-8 valid?",
    "If ISBN 978-0-306-40615-8 is valid, we go on.",
    "With a Bonferroni adjusted level, t(28) = 2.05, p = .15.",
    "Let t(28) = 2.05 and p = 3.",
    "The molar mass of Xy2 is 5 g/mol.",
)


@pytest.mark.parametrize("name", PAIRS)
def test_an_error_of_a_science_is_a_doubt_and_the_right_text_verified(name):
    wrong, right = PAIRS[name]
    assert is_doubted(wrong)
    assert not is_refuted(wrong)
    assert not is_doubted(right)
    assert is_verified(right)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_claims_nothing_of_these_is_left_alone(text):
    assert not is_doubted(text)
    assert not is_refuted(text)


def test_the_tails_are_those_of_the_printed_tables():
    # upper 5 % points: t with 10 degrees of freedom (two-sided), chi2 with 10 and 100, F with 2 and 20
    assert beta_ratio(10 / (10 + 2.228**2), 5, 0.5) == pytest.approx(0.05, abs=2e-4)
    assert gamma_tail(5, 18.307 / 2) == pytest.approx(0.05, abs=1e-5)
    assert gamma_tail(50, 124.342 / 2) == pytest.approx(0.05, abs=1e-5)
    assert beta_ratio(20 / (20 + 2 * 3.493), 10, 1) == pytest.approx(0.05, abs=1e-4)


def test_a_long_text_of_letters_and_digits_is_read_at_once():
    assert not findings("ISBN " + "A1 " * 5_000 + "is valid", "H2 + " * 5_000 + "-> balanced", "t(" * 5_000 + " p")
