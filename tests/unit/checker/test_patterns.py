"""No pattern runs away: a list of thirty numbers once could be read in 2^30 ways, and stopped the whole tier."""

import importlib
import pkgutil

import pytest

import auditing.checker
from hdag.core.text import cues

_ROW = ", ".join(str(15 + 3 * number) for number in range(29))
_HEADS = ("", "the multiples of 3 are: ", "sum of ", "the mean of ", "in order: ", "a set ", "there are 30 of them: ")
_LONG = {
    "numbers apart by commas": _ROW,
    "numbers apart by commas alone": ",".join(["15"] * 40),
    "thousands": ", ".join(["1,000"] * 30),
    "formulas": ", ".join(["$12$"] * 30),
    "numbers and numbers": " and ".join(["3"] * 30),
    "brackets": "(" * 60,
    "pairs": "(1, 2), " * 30,
    "fractions": "1/2, " * 30,
    "names": "A, B, " * 30,
    "blanks": " " * 200,
    "words": "the number of " * 30,
}


def _all_cues() -> list[cues.Cue]:
    for module in pkgutil.walk_packages(auditing.checker.__path__, "auditing.checker."):
        importlib.import_module(module.name)
    return list(cues._MADE)


@pytest.mark.parametrize("long", _LONG.values(), ids=_LONG)
def test_every_pattern_comes_to_an_end(long: str) -> None:
    # one that does not would need years; the run's own limit tells of it
    patterns = _all_cues()
    for head in _HEADS:
        for tail in ("!", ". There are 30 multiples of 3", " is x"):
            for cue in patterns:
                assert sum(1 for _ in cue.compiled.finditer(head + long + tail)) < len(long) + 60
    assert len(patterns) > 500
