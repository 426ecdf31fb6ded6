r"""Marks of TeX that compute nothing, choices with indices, series without an end, numbers with their unit in words."""

import pytest

from auditing.checker.mathematics.chains import read_page
from tests.unit.checker.readings import is_doubted, is_refuted, is_verified

# name: (right, wrong)
PAIRS = {
    "a choice with indices": (r"$_5C_2 = 10$", r"$_5C_2 = 11$"),
    "a choice with braces": (r"$_{10}C_{3} = 120$", r"${}_{10}C_{3} = 121$"),
    "arrangements": (r"${}_5P_2 = 20$", r"${}_5P_2 = 25$"),
    "an index above": (r"$^5C_2 = 10$", r"$^5C_2 = 9$"),
    "not equal": (r"$2 \not= 1+2$", r"$2 \not= 1+1$"),
    "not less": (r"$5 \not < 2 + 3$", r"$5 \not < 3 + 3$"),
    "cancelled": (r"$\cancel{3} \cdot 4 = 12$", r"$\cancel{3} \cdot 4 = 13$"),
    "in colour": (r"$\color{red}{7} + 2 = 9$", r"$\textcolor{red}{7} + 2 = 10$"),
    "a brace above": (r"$\overbrace{2+2+2}^{3} = 6$", r"$\overbrace{2+2+2}^{\text{thrice}} = 7$"),
    "a brace below": (r"$\underbrace{2+2}_{2} + 1 = 5$", r"$\underbrace{2+2}_{2} + 1 = 6$"),
    "over": (r"${1\over 6} + {1 \over 3} = {1 \over 2}$", r"${1\over 6} + {1 \over 3} = {1 \over 4}$"),
    "a base of one digit": (r"$\log_28 = 3$", r"$\log_28 = 4$"),
    "gcd as a text": (r"$\text{gcd}\,(12,18) = 6$", r"$\text{gcd}\,(12,18) = 7$"),
    "lcm as an operator": (r"$\mathop{\text{lcm}}[9,8] = 72$", r"$\mathop{\text{lcm}}[9,8\cdot 10] = 792$"),
    "a tie": (r"$\frac{~\frac{5}{8}~}{5} = \frac18$", r"$\frac{~\frac{5}{8}~}{5} = \frac17$"),
    "a bracket and a number": (r"$\frac{(2+8)3}{2}=15$", r"$\frac{(2+8)3}{2}=\boxed{16}$"),
    "a geometric sum": (r"$\sum_{k=1}^\infty \frac{1}{2^k} = 1$", r"$\sum_{k=1}^\infty \frac{1}{2^k} = 2$"),
    "its ratio in a bracket": (
        r"$\sum_{k=0}^{\infty} \left(\frac{1}{3}\right)^k = \frac32$",
        r"$\sum_{k=0}^{\infty} \left(\frac{1}{3}\right)^k = \frac43$",
    ),
    "with a factor": (r"$\sum_{n=1}^{\infty} \frac{2}{3^{n-1}} = 3$", r"$\sum_{n=1}^{\infty} \frac{2}{3^{n-1}} = 4$"),
    "with signs in turn": (
        r"$\sum_{k=0}^\infty (-1)^k \frac{1}{4^k} = \frac45$",
        r"$\sum_{k=0}^\infty (-1)^k \frac{1}{4^k} = \frac43$",
    ),
    "dots without an end": (r"$1 + \frac12 + \frac14 + \cdots = 2$", r"$1 + \frac12 + \frac14 + \cdots = 3$"),
    "dots with signs in turn": (
        r"$1 - \frac13 + \frac19 - \dots = \frac34$",
        r"$1 - \frac13 + \frac19 - \dots = \frac35$",
    ),
}
DOUBTS = {
    "a bar without a nought": (r"$.\overline{7} = \frac79$", r"$.\overline{7} = \frac{7}{10}$"),
    "a bar without braces": (r"$0.4\overline8 = 44/90$", r"$0.4\overline8 = 44/91$"),
    "an arrow": ("50 - 15 -> 35", "50 - 15 -> 45"),
    "an arrow in one sign": ("12 * 5 → 60 apples", "12 * 5 → 62 apples"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_formula_is_read_through_its_setting(name: str) -> None:
    right, wrong = PAIRS[name]
    assert is_verified(right)
    assert is_refuted(wrong)


@pytest.mark.parametrize("name", DOUBTS)
def test_what_has_a_second_reading_is_a_doubt(name: str) -> None:
    right, wrong = DOUBTS[name]
    assert is_verified(right)
    assert is_doubted(wrong)
    assert not is_refuted(wrong)


@pytest.mark.parametrize(
    "line",
    [
        r"$\sum_{n=1}^{\infty} \frac{1}{n^2} = \frac{\pi^2}{6}$",
        r"$\sum_{k \ge 1} k = 3$",
        r"$\sum_{d \mid 12} d = 28$",
        r"$\sum_{k=0}^\infty 2^k = 3$",
        r"$1 + 2 + 4 + \cdots = -1$",
        r"$1 + \frac12 + \frac13 + \cdots = 9$",
        r"$\frac{7}{10} + \frac{2}{10^2} + \frac{6}{10^3} + \frac{6}{10^4} + \cdots = 0.7$",
        "1 + 1/2 + 1/4 + ... + 1/64",
        r"$7!! = 7 \cdot 5 \cdot 3 \cdot 1$",
        r"$f(2)3 = 9$",
        r"The value is (2) 3 = 6",
        r"$x \not\in \{1, 2\}$",
        r"$x_5C_2 = 9$",
        "1 - 2 -> 3",
        "Node 3 + 4 -> 5",
        "5 -> 8",
        r"$\log_{2}8 = 3$ and $\log_216 = 4$",
        r"$4 \sim 5$ and $a ~ b$",
    ],
)
def test_what_only_looks_like_it_is_accused_by_nobody(line: str) -> None:
    assert not is_refuted(line)
    assert not is_doubted(line)


def test_the_bounds_of_a_sum_are_no_equation_of_the_text() -> None:
    assert read_page(r"Let $T = \sum_{k \ge 1, k < 9} k$.").chains[0].relations == ["="]
    assert read_page(r"the sum $\sum_{k \ge 1} k^2$").chains == []


def test_a_series_that_does_not_converge_has_no_sum() -> None:
    assert not is_verified(r"$\sum_{k=0}^\infty 2^k = -1$")
    assert not is_verified(r"$1 + 2 + 4 + \cdots = -1$")


def test_thousands_of_choices_are_read_once() -> None:
    """Whether C stands alone is looked for nearby: all tokens for each of them would take half a minute."""
    assert not is_refuted("{}_5C_2 = " * 3900)
