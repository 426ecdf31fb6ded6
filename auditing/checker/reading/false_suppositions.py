"""False suppositions: "Suppose 1 = 2. Then 1 + 1 = 3." What follows from what is false may be as false."""

from __future__ import annotations

import functools
import itertools
import re

from auditing.checker.mathematics.chains import read_page
from auditing.checker.mathematics.tree import free_symbols

_FALSELY = re.compile(
    r"\b(?:if|suppose|assume|imagine|pretend|start(?:ing)? (?:with|from)|world (?:where|in which))\b"
    r"(?: that)?[ :$\\(]{0,6}(\d[^.;,\n]{0,40})",
    re.I,
)
# characters before a claim in which something false may have been supposed, and how many suppositions are read
_LONG_BEFORE, _MOST_SUPPOSED = 600, 4


def follows_a_false_one(text: str, start: int) -> bool:
    """Whether something that is false between numbers is supposed before a place.

    >>> follows_a_false_one("Suppose 1 = 2. Then 1 + 1 = 3.", 20)
    True
    """
    head = text[max(0, start - _LONG_BEFORE) : start]
    return any(_is_false(match[1]) for match in itertools.islice(_FALSELY.finditer(head), _MOST_SUPPOSED))


@functools.lru_cache(maxsize=256)
def _is_false(text: str) -> bool:
    for chain in read_page(text).chains:
        trees = [side.tree for side in chain.sides]
        if any(tree is None or free_symbols(tree) for tree in trees):
            continue
        values = [chain.value(index) for index in range(len(trees))]
        if any(
            sign == "=" and a != b for sign, (a, b) in zip(chain.relations, itertools.pairwise(values), strict=True)
        ):
            return True
    return False
