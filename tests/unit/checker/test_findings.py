"""Residues, complex numbers, inequalities, restated symbols, domains: what is found and what must not be."""

import pytest

from auditing.checker.mathematics.chains import read_page
from auditing.checker.mathematics.tree import latex, plain
from tests.unit.checker.readings import findings, is_refuted, is_verified

FALSE = {
    "a division with remainder": (r"\(5050 = 77 \cdot 64 + 28\), so \(5050 \equiv 28 \pmod{77}\).", ""),
    "decimals beside a base": (r"\(1 \cdot 3^3 + 2 \cdot 3^2 = 27 + 81\).", "Write 45 in base 3."),
    "a power of i": ("Evaluating, i^2 = -1 and i^10 = i.", ""),
    "a complex product": (r"\((2+i)(2-i) = 3\)", "Multiply these complex numbers."),
    "a complex quotient": (r"\(\frac{5}{2+i} = 2+i\)", "Simplify this complex number."),
    "a sign not turned": (r"\(-2x > 6\), so \(x > -3\).", ""),
    "a sign turned wrongly": (r"\(3x - 6 \ge 0\), hence \(x \le 2\).", ""),
    "solutions that do not meet": (r"\(2x < 4\), thus \(x > 5\).", ""),
    "a symbol over two lines": (r"\[ R = 2310 \mod 42 \] \[ R = 18 \]", ""),
    "a label over two lines": (r"\[ \text{Total fruits} = 52 + 24 + 44 + 48 \] \[ \text{Total fruits} = 178 \]", ""),
    "the letter pi": ("Volume = π(6)^2(12) = 216π", ""),
    "delimiters around each operand": (r"\(5\) + \(3\) = \(9\)", ""),
    "a sum with one delimited term": (r"We get 2 + \( 3 \) + 4 = 10.", ""),
    "division by zero": ("So the slope is 5/0 = 0.", ""),
    "a root of a negative number": (r"\(\sqrt{-4} = -2\)", ""),
    "radians": ("cos(3π/4) = sqrt(2)/2", ""),
    "a factorial's divisor": ("$4! = 24$ is divisible by $9$.", ""),
}
TRAPS = {
    "a residue": (r"\(7 + 8 = 3\), as we compute modulo 12.", ""),
    "a residue whose modulus comes later": ("11^3 = 331. So we look at the last three digits, modulo 1000.", ""),
    "a sum in base 3": (r"\(12 + 12 = 101\)", "Compute in base 3."),
    "a base without a number": ("12 + 12 = 101", "Compute this in base b."),
    "the last digit": ("7 * 8 = 6 as a units digit, modulo 5.", ""),
    "i as an index": (r"\(\sum_{i=1}^{3} 2i = 12\) and i^2 = 9.", "A complex number is given."),
    "i without a word on it": ("i^2 = 9", ""),
    "i solved for": ("i^2 = -1", "A complex number."),
    "two separate rays": (r"\(2x > 6\) or \(x < -3\).", ""),
    "a case": (r"If \(2x > 6\), but \(x < 3\), nothing is left.", ""),
    "a sign turned rightly": (r"\(-2x > 6\), so \(x < -3\).", ""),
    "an unknown divisor": (r"\(\frac{6}{x} > 2\), so \(x < 3\).", ""),
    "a weaker bound": (r"\(2x > 6\), so \(x > 2\).", ""),
    "two solutions": (r"\( x = \frac{16}{6} \) \( x = -8 \)", ""),
    "a variable that changes": (r"\(n = 3 + 4\). In the next year, \(n = 9\).", ""),
    "an undefined quotient": ("5/0 = undefined", ""),
    "an imaginary root": (r"\(\sqrt{-4} = 2i\)", ""),
    "an angle in degrees": ("cos(60) = 0.5", ""),
    "a true volume": ("π(6)^2(12) = 432π", ""),
    "prices of unlike things": ("3 pencils + 1 eraser = 124 cents", ""),
    "an inverse function": (r"\(f^{-1}(0) = 3\). Also \(f^{-1}(6) = -3\).", ""),
    "counted primes": ("π(10) = 4", ""),
    "a dash": (r"\(x = 3\) - 5 = five is said of it", ""),
    "a bullet after a formula": ("\\(2 + 2 = 4\\)\n- \\(3\\) = the number of days", ""),
}
TRUE = {
    "a complex product": (r"\((2+i)(2-i) = 5\)", "Multiply these complex numbers."),
    "a division with remainder": (r"\(5050 = 77 \cdot 65 + 45\), so \(5050 \equiv 45 \pmod{77}\).", ""),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_refuted(name):
    assert is_refuted(FALSE[name][0], problem=FALSE[name][1])


@pytest.mark.parametrize("name", TRAPS)
def test_what_may_be_meant_otherwise_is_not_refuted(name):
    assert not is_refuted(TRAPS[name][0], problem=TRAPS[name][1])


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_verified(name):
    assert is_verified(TRUE[name][0], problem=TRUE[name][1])


def test_a_value_outside_the_domain_is_named():
    found = findings("The slope is 5/0 = 0.")[0].finding.evidence
    assert found.rule == "division by zero"
    assert found.sentence == "5 / 0 has no value (division by zero), so it is not 0."


@pytest.mark.parametrize(
    ("text", "shown"),
    [("9^9^9^9", "9^9^9^9"), ("(2^3)^2", "(2^3)^2"), ("2^(3^2)", "2^3^2"), ("2^3^2 - 1", "2^3^2 - 1")],
)
def test_powers_associate_to_the_right_when_read_and_when_shown(text, shown):
    tree = read_page(f"{text} = 1").chains[0].sides[0].tree
    assert plain(tree) == shown
    assert read_page(f"{shown} = 1").chains[0].sides[0].tree == tree


def test_a_power_of_a_power_has_its_brackets_in_latex():
    tree = read_page("(2^3)^2 = 64").chains[0].sides[0].tree
    assert latex(tree) == r"\left(2^{3}\right)^{2}"


def test_two_to_the_three_to_the_two_is_512():
    assert is_verified("2^3^2 = 512")
    assert is_refuted("2^3^2 = 64")
