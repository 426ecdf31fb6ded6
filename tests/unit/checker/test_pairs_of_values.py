"""Plus and minus as one pair: lines of the quadratic formula, also where the radicand is below zero."""

import pytest

from tests.unit.checker.readings import is_refuted, is_verified

EQUATION = "We have $2x^2 - 3x - 5 = 0$."


@pytest.mark.parametrize(
    "steps",
    [
        (EQUATION, r"Using the quadratic formula, \[ x = \frac{3 \pm \sqrt{9 - 40}}{4} \]"),
        (EQUATION, r"\[ x = \frac{3 \pm \sqrt{(-3)^2 - 4(2)(5)}}{2(2)} \]"),
        (r"\[ x = \frac{4 \pm \sqrt{16 - 36}}{2} = \frac{4 \pm \sqrt{-10}}{2} \]",),
        (r"\[ x = \frac{1 \pm \sqrt{16 - 36}}{2} \] \[ x = \frac{1 \pm \sqrt{-10}}{2} \]",),
        (r"\[ x = \frac{1 \pm \sqrt{16 - 36}}{2} \]", r"So \[ x = \frac{1 \pm \sqrt{-10}}{2} \]"),
        (r"\[ x = \frac{-4 \pm \sqrt{4^2 + 20}}{2} \]", r"\[ x = \frac{-4 \pm \sqrt{26}}{2} \]"),
        (r"\[ x = \frac{-(-4) \pm \sqrt{36}}{2(1)} \]", r"\[ x = \frac{-4 \pm 6}{2} \]"),
    ],
)
def test_a_pair_that_is_not_the_one_before_it_or_solves_nothing_is_refuted(steps: tuple[str, ...]) -> None:
    assert is_refuted(*steps)


@pytest.mark.parametrize(
    "steps",
    [
        (EQUATION, r"\[ x = \frac{3 \pm \sqrt{(-3)^2 - 4(2)(-5)}}{2(2)} \]"),
        ("We have $x^2 + 2x + 5 = 0$.", r"\[ x = \frac{-2 \pm \sqrt{4 - 20}}{2} \]"),
        ("We have $x^2 + 2x + 5 = 0$.", r"\[ x = -1 \pm \sqrt{-4} \]"),
        ("We have $x^2 + 2x + 5 = 0$ and $x^3 = 1$.", r"\[ x = \frac{-1 \pm \sqrt{1 - 4}}{2} \]"),
        (r"\[ x = \frac{1 \pm \sqrt{16 - 36}}{2} \]", r"\[ x = \frac{1 \pm \sqrt{-20}}{2} \]"),
        (r"\[ x = \frac{-4 \pm \sqrt{4^2 + 20}}{2} \]", r"\[ x = \frac{-4 \pm 6}{2} \]"),
        (r"\[ x = \frac{-4 \pm \sqrt{4^2 + 20}}{2} \]", r"\[ x = -2 \pm 3 \]"),
        (r"\[ x = \frac{2 \pm \sqrt{4 + 8}}{2} \]", r"\[ x = 1 \pm \sqrt{3} \]"),
        (r"\[ x = \frac{2 \pm 2\sqrt{3}}{2} \]", r"\[ x = 1 \pm \sqrt{3} \]"),
        # each may be a pair of solutions
        (r"\[ x = \pm \sqrt{2} \]", r"\[ x = \pm \sqrt{3} \]"),
        (r"\[ x = \pm \sqrt{2} \] or \[ x = \pm 3 \]",),
        # another equation, another letter, a slip taken back
        (r"\[ x = \frac{1 \pm \sqrt{16 - 36}}{2} \]", r"For the second equation, \[ x = \frac{1 \pm \sqrt{-10}}{2} \]"),
        (r"\[ x = \frac{1 \pm \sqrt{16 - 36}}{2} \]", r"\[ y = \frac{1 \pm \sqrt{-10}}{2} \]"),
        (r"\[ x = \frac{1 \pm \sqrt{16 - 36}}{2} \]", r"Wait, that is wrong. \[ x = \frac{1 \pm \sqrt{26}}{2} \]"),
        (r"\[ x = \frac{1 \pm \sqrt{2.3}}{2} \]", r"\[ x = \frac{1 \pm 1.5}{2} \]"),
        (r"\[ L = (3.0 \pm 0.1) + (2.0 \pm 0.1) = 5.0 \pm 0.14 \]",),
    ],
)
def test_a_pair_that_holds_or_may_be_another_one_accuses_nobody(steps: tuple[str, ...]) -> None:
    assert not is_refuted(*steps)


def test_a_pair_rewritten_is_verified() -> None:
    assert is_verified(r"\( \frac{3 \pm \sqrt{49}}{4} = \frac{3 \pm 7}{4} \)")


def test_long_texts_of_pairs_are_read_in_the_end() -> None:
    assert not is_refuted(r"\( x = \frac{1 \pm \sqrt{16 + 36}}{2} \) " * 500)
