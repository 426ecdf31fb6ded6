"""Forms that errors of the read sets had and that were not read: each with an error, and what is near and right."""

import pytest

from tests.unit.checker.readings import is_doubted, is_refuted

# form -> steps with an error that is refuted for certain, and steps that nobody may accuse
FORMS = {
    "a root with its degree": (
        [r"So $\sqrt[3]{-1 \cdot 128} = -2\sqrt[3]{128}$."],
        [r"So $\sqrt[3]{-1 \cdot 128} = -4\sqrt[3]{2}$."],
    ),
    "a rough result behind a supposition": (
        ["The cases if they fell evenly are 450,000 - 27 * 12,486 ≈ 337,125."],
        ["The cases if they fell evenly are 450,000 - 27 * 12,486 ≈ 112,878."],
    ),
    "a result that is rounded once more": (
        ["So 0.5^3 = 0.135 = 0.14 (rounded to the nearest hundredth)."],
        ["So 0.5^3 = 0.125 = 0.13 (rounded to the nearest hundredth)."],
    ),
    "factors of a number with a comma": (
        ["The factors of 54,321 are 1, 3, 7, 9, 27 and 54321."],
        ["The common factors of 12, 18 are 1, 2, 3, and 6."],
    ),
}
# right or open, though a careless reader of the forms above would accuse them
LEFT_ALONE = (
    "a = [3, 4]\nb = a[1] = 5 + 1",
    "If we had 12 / 4 = 4, all would be well.",
    "So 0.323^3 = 0.035 (rounded to the nearest hundredth).",
)


@pytest.mark.parametrize("name", FORMS)
def test_an_error_of_this_form_is_refuted_and_what_is_near_is_not(name):
    wrong, right = FORMS[name]
    assert is_refuted(*wrong)
    assert not is_refuted(*right)
    assert not is_doubted(*right)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_only_looks_like_an_error_of_these_forms_is_left_alone(text):
    assert not is_refuted(text)
