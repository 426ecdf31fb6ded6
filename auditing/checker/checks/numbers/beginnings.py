"""Whether a number began earlier than it was read: √576 is less than 25, 4 x 5 is even, log_2 8 is a prime number."""

from __future__ import annotations

import re

_BEGINS_BEFORE = re.compile(
    r"(?:[+*^/\-−–×·÷√∛∜]|\\cdot|\\times|\\sqrt|\d\s?x|_\{?\d{1,3}\}?)\s*\\?[($]?\s*$|\d\s+$|"
    r"\b(?:than|by|of|and|or|not|log|ln|lg|sin|cos|tan|sqrt|cbrt|exp|root|half|twice|thrice|double|triple|negative|minus|"
    r"plus|times|over|less|divided|choose|hundred|thousand)\s*\\?[($]?\s*$|"
    # the end of a range, or of a list: "a number from 1 to 100 is a multiple of 3" says nothing of 100
    r"\d\s?\\?[)$]?\s(?:to|through|thru|until|till)\s\\?[($]?\s*$|\d\s?,\s?\d{1,12}\s?,\s?\\?[($]?\s*$|"
    # the perimeter of a circle of radius 1; a number whose digits have a sum equal to 8
    r"\bof (?:radius|diameter|side|length|width|height|base|area|perimeter|volume|degree|order|size)\s\\?[($]?\s*$|"
    r"\bequal to\s\\?[($]?\s*$"
)


def begins_before(head: str) -> bool:
    """Whether the text before a number makes it a part of something longer.

    >>> begins_before("So 4 x "), begins_before("So log_2 "), begins_before("The number ")
    (True, True, False)
    """
    return bool(_BEGINS_BEFORE.search(head))
