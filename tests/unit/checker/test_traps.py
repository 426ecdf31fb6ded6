"""Texts that lure a careless reader into accusing a right step, and false ones that must be found."""

import pytest

from tests.unit.checker.readings import is_refuted, is_verified

NEVER_REFUTED = [
    "Total in 30 days = 4.5 * 30",
    "- 5 hours = 5*60",
    "(5-2) = 1, -2, 0",
    r"\[ 3*50 = 150 \] 15%",
    "Testing 3: 2*3 + 1 = 8, which is not true.",
    "If 3 + 4 = 8 then we have a contradiction.",
    "Is 3 + 4 = 8?",
    "3 inches + 2 feet = 27 inches",
    "5 weeks = 5 * 7 = 35 days",
    "1/3 = 0.33",
    "17 / 5 = 3 remainder 2",
    "1011 + 1 = 1100 in base 2",
    "5 + 4 = 2 (mod 7)",
    "It costs 3 more than 2 * 5 = 10",
    r"\sqrt{9} = \pm 3",
    "Step 3 - 5 + 2 = -3",
    "100 pennies = $1",
    "The intensity falls by cos2(45°) = 0.5.",
    "ΔT(K) = 20 + 273 = 293 K",
    "V = (6 x 10-3 C) / (30 x 10-3 F) = 0.2 V",
    r"\[ V = 0.2 \, V \]",
    "For a = 2 and b = 5 we get 3ab = 3 * 2 * 5 = 30.",
    "3ab + 2ab = 5ab",
    r"\(3ab = ab + ab + ab\)",
]
VERIFIED = [
    "25% of $80 = 0.25*80",
    r"\(2\frac{3}{4} = \frac{11}{4}\)",
    "64 % 10 = 4",
    "gcd(41^2, 41*43) = 41",
    "75/55 = 1.4",
    "18 x $3 = $54",
    "1 - 0.9 = 0.1 = 10%",
    "2/(3*0.96) = 2/2.88 = 0.6944...",
    r"\[ 3*50 = 150 \] 15%",
    "1,200 + 300 = 1,500",
    r"\(1\,000 + 500 = 1\,500\)",
    r"\binom{5}{2} = 10",
    "5! = 120",
    "1 + 2 + ... + 10 = 55",
    r"\sqrt{50} = 7.07",
    r"\frac{4}{3} \pi (1.5)^3 = 14.137",
    "4 dreams/day * 365 days = 1460 dreams",
    "2 < 3",
    "0.5 x 9.8 m/s^2 x (2.0 s)^2 = 19.6",
    "20.0 m/s / 15.0 s = 1.33 m/s^2",
    "lcm(4, 6) = 12",
    r"\log_2(8) = 3",
    "3 1/2 + 1/2 = 4",
    "½ is half; 2 + 2 = 4",
]
REFUTED = [
    "137/965 = 14.23 %",
    "2/(3*0.96) = 0.70",
    "So 5 apples + 3 apples = 9 apples.",
    "$4.20 + $9.45 + $1.35 = $14.99",
    r"\begin{align*} 3 + 4 &= 7 \\ &= 8 - 2 \end{align*}",
    "He has 6 * 7 = 41 left.",
    r"\(\frac{1}{2} + \frac{1}{3} = \frac{2}{5}\)",
    "5 > 2 * 3",
    r"$\sqrt{16} + 1 = 6$",
]


@pytest.mark.parametrize("text", NEVER_REFUTED)
def test_a_trap_is_never_refuted(text):
    assert not is_refuted(text)


@pytest.mark.parametrize("text", VERIFIED)
def test_a_true_relation_is_verified(text):
    assert is_verified(text)


@pytest.mark.parametrize("text", REFUTED)
def test_a_false_relation_is_refuted(text):
    assert is_refuted(text)
