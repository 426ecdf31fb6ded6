"""Where the median of a list stands: "since there are 8 numbers, the median is the average of the 3rd and 4th"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.solved.placing import is_open, refuted
from auditing.checker.mathematics.tree import Node, Num
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

RULE = "the place of a median"
_PLACE = r"(\d{1,4})(?:st|nd|rd|th)"
_MEDIAN = Cue(
    r"\bthere\sare\s(?:a\stotal\sof\s)?(\d{1,4})\s(?:numbers|values|data\s(?:points|values)|terms|scores|items|elements|"
    r"observations)(?:\sin\s(?:total|the\s[a-z ]{1,20}))?,?\s(?:so\s|and\s)?(?:\(?an?\s(?:even|odd)\snumber\)?,?\s)?"
    rf"the\smedian\s(?:is|will\sbe)\s(?:the\s)?(?:(?:average|mean)\sof\sthe\s{_PLACE}\sand\s(?:the\s)?{_PLACE}|{_PLACE})",
    re.IGNORECASE,
)


def check(script: Script) -> Iterator[Placed]:
    """Every place of a median that is told with how many numbers there are."""
    for passage in script.near(_MEDIAN):
        for match in _MEDIAN.finditer(passage.text):
            yield from _judged(passage, match)


def _judged(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    count = int(match[1])
    # where an average is taken of an odd count, or none of an even one, something else may be meant
    if (match[2] is None) is (count % 2 == 0) or is_open(passage, match.start(), match.end()):
        return
    places = (int(match[2]), int(match[3])) if match[2] else (int(match[4]),) * 2
    if sum(places) == count + 1:
        return
    # the place from the front and the one from the back are one more than all of them
    whole = Node("+", (Num(Fraction(count)), Num(Fraction(1))))
    told = Node("+", tuple(Num(Fraction(rank)) for rank in places))
    sentence = f"Of {count} numbers the middle stands elsewhere:"
    yield refuted(passage, match.span(), RULE, (told, whole), sentence, ())
