"""Forms that errors of the read sets had and that were not read: each with an error, and what is near and right."""

import json

import pytest

from auditing.research.offline.one_trace import audit_trace
from auditing.verifier.verify_proofs import check_record
from hdag.readers.records import read_record
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
    "what is expanded to get": (
        ["First, expand $(x^2+5x+6)^2$ to get $x^4+10x^3+41x^2+60x+36$."],
        ["First, expand $(x^2+5x+6)^2$ to get $x^4+10x^3+37x^2+60x+36$."],
    ),
    "what a heading says of its line": (
        ["Step 5: Combine like terms:", r"$\frac{1}{2}k + 3k + 1 + \frac{3}{2}k = 3k + 1$"],
        ["Step 5: Combine like terms:", r"$\frac{1}{2}k + 3k + 1 + \frac{3}{2}k = 5k + 1$"],
    ),
    "a product multiplied out with one slip": (
        ["We have $(x^2+5x+6)^2 = x^4+10x^3+31x^2+60x+36$."],
        ["We have $(x^2+5x+6)^2 = x^4+10x^3+37x^2+60x+36$."],
    ),
    "one equation divided": (
        ["So $x = 4 - 5y$. Dividing by $-5$ gives $y = -\\frac{4}{5} + \\frac{x}{5}$."],
        ["So $x = 4 - 5y$. Dividing by $-5$ gives $y - \\frac{4}{5} = -\\frac{x}{5}$."],
    ),
    "an inverse function": (
        [r"We find that $\tan^{-1}(0.5) = 0.9$."],
        [r"We find that $\tan^{-1}(0.5) = 0.4636$ and $\sin^{-1}(0.5) = 30$ degrees."],
    ),
    "hours in a day": (
        ["He has 24 hours in a day - (10 hours + 8 hours + 1 hour) = 15 hours left."],
        ["He has 24 hours in a day - (10 hours + 8 hours + 1 hour) = 5 hours left."],
    ),
    "a power of ten without its sign": (["So 5 x 10-3 + 2 = 2.5."], ["So 5 x 10-3 + 2 = 2.005."]),
    "a value said once more": (["This is equal to $1 - 4 + 3$, or $5$."], ["This is equal to $1 - 4 + 3$, or $0$."]),
    "a prime factorization": (
        [r"The prime factorization of 576 is $2^5 \cdot 3^3$."],
        [r"The prime factorization of 576 is $2^6 \cdot 3^2$."],
    ),
    "a number and how it is made": (
        ["The least one is 300, which is (2 x 3 x 5)^2."],
        ["The least one is 900, which is (2 x 3 x 5)^2."],
    ),
    "a common divisor in the next sentence": (
        [r"The greatest common divisor (GCD) of \(2187\) and \(5625\). By Euclid, we find that the GCD is \(3\)."],
        [r"The greatest common divisor (GCD) of \(2187\) and \(5625\). By Euclid, we find that the GCD is \(9\)."],
    ),
    "which a remainder is": (
        ["It is the remainder when 555 is divided by 5, which is 1."],
        ["It is the remainder when 555 is divided by 5, which is 0."],
    ),
    "pi before a bracket": (["So V = π(4 - 2) = 3π."], ["So V = π(4 - 2) = 2π."]),
    "pi before a long bracket": (
        ["V = π( (4ln(2) - 16/3) - (-4ln(2) + 8) + (-2/3) - (-4ln(2) + 4) ) = π(12ln(2) - 20/3)"],
        ["V = π( (4ln(2) - 16/3) - (-4ln(2) + 8) + (-2/3) - (-4ln(2) + 4) ) = π(12ln(2) - 18)"],
    ),
    "pi before a number in brackets": (["So A = π(25) = 24π."], ["So A = π(25) = 25π."]),
    "a cross behind pi": (["s = (π x 5.64)/2 = 9.86"], ["s = (π x 5.64)/2 = 8.86"]),
    "the value of a computation": (["So the value of 3^2 + 4^2 is 26."], ["So the value of 3^2 + 4^2 is 25."]),
    "a product by name": ([r"The product $3 \cdot 5$ is $16$."], [r"The product $3 \cdot 5$ is $15$."]),
    "greater than pi": ([r"Since \( \pi \) is greater than 4, it is."], [r"Since \( \pi \) is greater than 3, it is."]),
    "factors of a number with a comma": (
        ["The factors of 54,321 are 1, 3, 7, 9, 27 and 54321."],
        ["The common factors of 12, 18 are 1, 2, 3, and 6."],
    ),
}
# right or open, though a careless reader of the forms above would accuse them
LEFT_ALONE = (
    "a = [3, 4]\nb = a[1] = 5 + 1",
    "If we had 12 / 4 = 4, all would be well.",
    "There are π(10) = 4 primes.",
    r"As $1\text{ mile}=8\text{ furlongs}$, we have \[1=\frac{1\text{ mile}}{8\text{ furlongs}}.\]",
    "Simplify $2x+4=10x$ to get $x+2=5x$.",
    "Expand $(x+1)^2$ and subtract 1 to get $x^2+2x$.",
    "Factor $x^2+5x+6$ to get $(x+2)$ and $(x+3)$.",
    "Simplify the fraction $(2x+2)/(4x)$ by taking out 2 to get $2x+2$.",
    "Expand both sides:\n$2(x+1) = 3x + 5$",
    "We solve $(x+1)(x+2)(x+3) = x^3 + 6x^2 + 9x + 6$.",
    "So 6 x 10-3 = 57.",
    "So d = (0.60)(3.00x108 m/s)(2.5x10-3 s) = 450 m.",
    "He has 30 days in a month - 10 = 5 weeks.",
    "We can buy (2 * 3), or 4.",
    "We simplify, dividing $2x+4$ to get $x+2$.",
    "Expand $x(x+5)$ to get $x^2$ and $5x$.",
    "We have $(x+1)(x^2+5x+2) = 2x^3 + 9x^2 + 8x + 5$.",
    "It is 300, which is 3 * 50 more than before.",
    "It is 5, which is 1/2 of 10.",
    "So 0.323^3 = 0.035 (rounded to the nearest hundredth).",
)


@pytest.mark.parametrize("name", FORMS)
def test_an_error_of_this_form_is_refuted_and_what_is_near_is_not(name):
    wrong, right = FORMS[name]
    assert is_refuted(*wrong)
    assert not is_refuted(*right)
    assert not is_doubted(*right)


@pytest.mark.parametrize("name", FORMS)
def test_an_error_of_this_form_has_a_proof_that_the_file_re_checks(name):
    trace = read_record({"id": "t", "problem": "A problem.", "steps": FORMS[name][0]}, where="test")
    record = json.loads(json.dumps({"id": "t", **audit_trace(trace=trace)}))
    reasons = [reason for _, reason in check_record(record)]
    assert reasons
    assert set(reasons) == {""}


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_only_looks_like_an_error_of_these_forms_is_left_alone(text):
    assert not is_refuted(text)
