"""What holds under another reading that people share is not refuted; what holds under none is."""

import pytest

from tests.unit.checker.readings import is_refuted, is_verified

# a right line, and the same line with an error that the reading does not excuse
READINGS = {
    "sides that go on": ("3*4=12+5=17", "3*4=12+5=18"),
    "a running sum with cut digits": ("Add 1/3 =0.333333 +0.694444 =1.0277778.", "Add 1/3 =0.333333 +0.694444 =1.2."),
    "an intermediate rounding": ("45/7 = 6.43 * 3 = 19.3", "45/7 = 6.43 * 3 = 21.3"),
    "a carried operand is no running sum": ("(-7 - 8 + 4) = (-15 + 4) = -11", "(-7 - 8 + 4) = (-11 + 4) = -7"),
    "brackets are no running sum": ("(1 + 6 - 6) = (1 - 0) = 1", "(1 + 6 - 6) = (1 - 12) = (-11)"),
    "a percentage of the price": ("$85 - 20% = $68", "$85 - $20 = $60"),
    "degrees": ("arctan(3/4) = 36.87°", "arctan(3/4) = 46.87°"),
    "a prefix of units": ("3.3 V / 4096 = 0.806 mV", "3.3 V / 4096 = 0.96 mV"),
    "a loss in brackets": ("400 - 650 = (250)", "400 - 650 = (350)"),
    "a decimal comma": ("12,5 × 2 = 25 mm", "12.5 × 2 = 35 mm"),
    "points that group": ("1.000 + 500 = 1.500", "1.000 + 500 = 1.700"),
    "another base": ("0x10 + 0x10 = 0x20", "10 + 10 = 30"),
    "an exponent behind a bracket": ("A = πr2 = π(5)2 = 25π", "A = πr2 = π(5)2 = 26π"),
    "an exponent behind two brackets": ("V = 4/3 π(3)3 = 36π", "V = 4/3 π(3)3 = 35π"),
    "bits": ("5 ^ 3 = 6 (bitwise XOR)", "5 ^ 3 = 6"),
    "degrees of heat": ("F = 9/5 * 20 + 32 = 68 °F", "F = 9/5 * 20 + 32 = 78 °F"),
    "a number in scientific notation": ("5.0 × 10^3 / 2.5 × 10^2 = 20", "5.0 × 10^3 / 2.5 × 10^2 = 30"),
    "a remainder below zero": ("-7 % 3 = 2", "-7 % 3 = 1"),
    "days between two dates": ("12/31 - 12/25 = 6 days", "12/31 - 12/25 = 6"),
    "levels": ("50 dB + 50 dB = 53 dB", "50 + 50 = 53"),
    "unequal decimals": ("0.1 + 0.2 != 0.3", "4 + 5 != 9"),
    "bytes": ("uint8: 250 + 10 = 4", "250 + 10 = 4"),
    "a sign with a meaning of its own": ("Let * be defined by a*b = a+b. Then 3*4 = 7.", "Let a = 3. Then 3*4 = 7."),
    "a finite field": ("In F_2, 1 + 1 = 0.", "In F_2, 1 + 1 = 1."),
    "a root cut at its last digit": ("v^2 = 98, so v = 9.9", "v^2 = 98, so v = 9.7"),
    "a quotient cut at its last digit": ("3x = 7, so x = 2.3", "3x = 7, so x = 2.5"),
    "a part of a longer sentence": ("Twice 15 minus 4 is 26.", "15 minus 4 is 26."),
    "a list of factors": ("The product of 5 and 6 plus 2 is 32.", "5 and then 6 plus 2 is 32."),
    "a cited article": ("Art. 5(1) = 6(2)", "5(1) = 6(2)"),
    "a test that fails": ("The assertion 2 * 2 = 5 fails.", "The product 2 * 2 = 5 stands."),
    "what is left out": ("Without the carry 27 + 15 = 32.", "With the carry 27 + 15 = 32."),
    "a clock": ("clock arithmetic: 9 + 5 = 2", "9 + 5 = 2"),
    "hours and minutes": ("40 minutes + 35 minutes = 1 hour 15 minutes", "40 minutes + 35 minutes = 65 minutes"),
    "a sign of the words before": ("the 250 of the old books - 135 sold books - 50 = 65 books", "250 - 135 - 50 = 60"),
    "a product of 2 and x": (r"\(x^2 - 2 x - 18 + 18 = x^2 - 2x\)", "4 - 2 x 18 = 5"),
    "taken back": ("So 3+4=8. Oops, 3+4=7.", "So 3+4=8. And 3+5=8."),
    "computed again": ("15*12=170. Let us see. 15*12=180.", "15*12=170. 15*13=195."),
    "said to be rounded": ("33% + 33% + 33% = 100% (rounded)", "33% + 33% + 33% = 100%"),
    "a program's counter": ("x = x + 1", r"\(x + 2 = x + 1\)"),
}
DOUBLES = [
    "0.1 + 0.2 = 0.30000000000000004",
    "69*58/(72*1.4) = 39.702380952380956",
    "1 - 0.9 = 0.09999999999999998",
    "1000 * 1.05^3 = 1157.6250000000002",
    ">>> 0.1 + 0.2\n0.30000000000000004",
]


@pytest.mark.parametrize("name", READINGS)
def test_a_reading_excuses_what_holds_under_it_and_nothing_else(name):
    right, wrong = READINGS[name]
    assert not is_refuted(right)
    assert is_refuted(wrong)


@pytest.mark.parametrize("text", DOUBLES)
def test_a_double_is_verified_to_the_digits_that_it_holds(text):
    assert is_verified(text)


@pytest.mark.parametrize("text", ["0.1 + 0.2 = 0.30000000000004", "69*58/(72*1.4) = 39.702380952480956"])
def test_a_double_with_a_wrong_digit_is_not_verified(text):
    assert not is_verified(text)


@pytest.mark.parametrize(
    "text", ["1.0277777778 /185 = 0.005555556...", "1/3 = 0.333333", "np.float32(1)/3 = 0.33333334"]
)
def test_digits_that_are_cut_off_are_right_to_one_unit_of_the_last(text):
    assert not is_refuted(text)
