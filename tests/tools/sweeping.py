"""What is asked of everything: a share of it in `make test`, all of it in `make sweep` (docs/decisions/0062).

The marker is given by these three alone, each of which leaves something unmarked; which files may, `tests/house` says.
"""

from collections.abc import Iterable
from typing import Any

import pytest

SWEEP = pytest.mark.sweep
LARGEST = 12
"""At least a twelfth of every sweep is asked in `make test`."""


def sampled(cases: Iterable[Any], *, one_in: int, first: int = 0) -> list[Any]:
    """The cases of a test: each `one_in`-th from the `first` on (a place) stays in `make test`. Raises ValueError.

    >>> [bool(case.marks) for case in sampled("abcde", one_in=3, first=1)]
    [True, False, True, True, False]
    """
    listed = list(cases)
    if not (2 <= one_in <= LARGEST and 0 <= first < min(one_in, len(listed))):
        raise ValueError(f"one in {one_in} of {len(listed)} from {first} on leaves too little")
    return [_case(case, is_swept=place % one_in != first) for place, case in enumerate(listed)]


def shares(one_in: int) -> list[Any]:
    """For a test that walks through a list itself: the step of its walk, `one_in` in `make test` and 1 in the sweep.

    >>> [case.values for case in shares(4)]
    [(4,), (1,)]
    """
    return [pytest.param(one_in, id=f"one in {one_in}"), pytest.param(1, id="all", marks=SWEEP)]


def sweep_of(sample: str) -> pytest.MarkDecorator:
    """Of a whole test, the name of whose small instance is `sample`: a test of the same file that is not marked."""
    return SWEEP.with_args(sample=sample)


def _case(case: Any, *, is_swept: bool) -> Any:
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=[SWEEP] if is_swept else [])
