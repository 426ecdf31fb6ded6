"""The first error of a trace, as it leaves for process reward models."""

import pytest

from auditing.research.exports.selectors.steps import _first_error


@pytest.mark.parametrize(
    ("outcomes", "first"),
    [
        ([], -1),
        (["pass", "pass"], -1),
        (["pass", "fail", "fail"], 1),
        (["undecided", "fail"], None),
        (["pass", "undecided"], None),
        (["fail", "undecided"], 0),
    ],
)
def test_the_first_error_is_known_only_when_every_step_before_it_is_decided(outcomes, first):
    assert _first_error(outcomes) == first
