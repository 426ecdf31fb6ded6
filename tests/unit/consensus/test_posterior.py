"""The posterior's interval: the series behind it, against mpmath to the accuracy that its docstring states."""

import mpmath
import pytest

from auditing.core.consensus.posterior import _trigamma


@pytest.mark.parametrize("x", [0.5, 1.0, 3.25, 7.99, 8.0, 11.0])
def test_the_variance_of_a_log_skill_is_right_to_nine_places(x: float) -> None:
    assert abs(_trigamma(x) - float(mpmath.psi(1, x))) < 1e-9


def test_every_coefficient_of_the_series_counts() -> None:
    """At 20 the first term left out, 5 / (66 x^11), is 4e-16; the smallest one taken changes by 2e-15 with 30 -> 31."""
    assert abs(_trigamma(20.0) - float(mpmath.psi(1, 20))) < 1e-15
