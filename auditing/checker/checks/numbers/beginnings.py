"""Whether a number began earlier than it was read: √576 is less than 25, 4 x 5 is even, log_2 8 is a prime number."""

from __future__ import annotations

import re

_BEGINS_BEFORE = re.compile(
    r"(?:[+*^/\-−–×·÷√∛∜]|\\cdot|\\times|\\sqrt|\d\s?x|_\{?\d{1,3}\}?)\s*\\?[($]?\s*$|\d\s+$|"
    r"\b(?:than|by|of|and|or|not|log|ln|lg|sin|cos|tan|sqrt|cbrt|exp|root|half|twice|thrice|double|triple|negative|minus|"
    r"plus|times|over|less|divided|choose|hundred|thousand)\s*\\?[($]?\s*$"
)


def begins_before(head: str) -> bool:
    """Whether the text before a number makes it a part of something longer.

    >>> begins_before("So 4 x "), begins_before("So log_2 "), begins_before("The number ")
    (True, True, False)
    """
    return bool(_BEGINS_BEFORE.search(head))
