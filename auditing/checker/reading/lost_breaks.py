"""Lines whose breaks were lost: "d^2 = 9 + 16 d^2 = 25" was two lines when it was written.

Read as one, the last factor of the first line would be the left side of the second. A left side that stands again,
directly before the next sign of equality and behind a whole expression, begins a line of its own.
"""

from __future__ import annotations

import itertools
import re

from auditing.checker.mathematics.vocabulary import STOP_WORDS, words
from hdag.core.text.cues import Cue

_SUM = Cue(r"\\(?:sum|prod)|[∑∏]")
_SIGN = re.compile(r"(?<![<>=!])=(?!=)")
# words of a label at most, and characters before a sign that are looked at
MAX_WORDS, REACH = 8, 90
_NEW_CLAUSE = words("and or so then that which because since but if where when while we")
# a number, and behind a blank one term with a letter before the next sign
_SOLVED = re.compile(r"\s?[-−]?\d{1,9}(?:\.\d{1,6})? ((?:\d{1,6}(?:\.\d{1,4})?)?([a-z])(?:\^\d|²)?)\s?$")
# 60 - 5 2x - 3x = 55: several terms, of which the first one has its number directly before its letter
_SUMMED = re.compile(
    r"\s?[-−]?\d{1,9}(?:\.\d{1,6})?(?:\s?[-+*/−]\s?\d{1,9}(?:\.\d{1,6})?){0,3} "
    r"(\d{1,6}(?:\.\d{1,4})?([a-z])(?:\s[-+−]\s\d{0,6}[a-z]?){1,3})\s?$"
)
# 2x - 3x = 55 -x = 55: the sign touches its letter, where the others of the line stand between blanks
_NEGATIVE = re.compile(r"\s?[-−]?\d{1,9}(?:\.\d{1,6})? ([-−]\d{0,6}([a-z]))\s?$")
_SPACED = re.compile(r"\s[-+−]\s")
_WORD = re.compile(r"\S+")
_ENDS_EXPRESSION = re.compile(r"(?:[\d)\]}%]|(?<![^\W\d_])[^\W\d_])$")
_HAS_LETTER = re.compile(r"[^\W\d_]")


def with_lost_breaks(text: str) -> str:
    """The text with a line break, in place of a blank, where a left side stands again: every position stays.

    >>> with_lost_breaks("d^2 = 9 + 16 d^2 = 25")
    'd^2 = 9 + 16\\nd^2 = 25'
    """
    # the "=" in the bounds of a sum stands in no line of its own
    if text.count("=") < 2 or _SUM.search(text):
        return text
    breaks = []
    signs = [match.start() for match in _SIGN.finditer(text)]
    for before, here in itertools.pairwise(signs):
        at = _repeated_from(text, before, here) or _solved_from(text, before, here)
        if at > 0:
            breaks.append(at - 1)
    characters = list(text)
    for at in breaks:
        characters[at] = "\n"
    return "".join(characters)


def _repeated_from(text: str, before: int, here: int) -> int:
    """Where the left side of the sign at `before` stands again, directly before the sign at `here`; else 0."""
    first = text[max(0, before - REACH) : before].split()
    start = max(before + 1, here - REACH)
    # nearly always another word stands there, and where it does need not be known
    if not first or text[start:here].split()[-1:] != first[-1:]:
        return 0
    second = list(_WORD.finditer(text, start, here))
    shared = 0
    while shared < min(len(first), len(second), MAX_WORDS) and first[-1 - shared] == second[-1 - shared].group():
        shared += 1
    # "- 30 2w - 30" stands again, too, where 2w - 30 is what both lines are about
    while shared and not _begins_a_line(second[-shared].group()):
        shared -= 1
    # something must be left of the line before: "a = a = 3" repeats nothing
    if not shared or shared == len(second):
        return 0
    # "ln 3 = 1.1 and 2 ln 3 = 2.2": the line did not end with the 2
    line = [match.group().lower() for match in second[:-shared]]
    if any(word in _NEW_CLAUSE or word[-1] in ".,;:" for word in line):
        return 0
    previous, at = second[-1 - shared].group(), second[-shared].start()
    if text[at - 1] != " " or not _ends_a_line(previous, shared):
        return 0
    return at


def _solved_from(text: str, before: int, here: int) -> int:
    """Where "2x" begins in "2x + 4 = 10 2x = 6": behind a number that ends its line, and about the same letter."""
    if here - before > REACH:
        return 0
    left = text[max(0, before - REACH) : before].rsplit("\n", 1)[-1]
    line = _SOLVED.match(text, before + 1, here) or _SUMMED.match(text, before + 1, here)
    if line is None and _SPACED.search(left):
        line = _NEGATIVE.match(text, before + 1, here)
    if line is None:
        return 0
    return line.start(1) if re.search(rf"(?<![A-Za-z\\]){line[2]}(?![A-Za-z(])", left) else 0


def _begins_a_line(word: str) -> bool:
    return bool(_HAS_LETTER.search(word)) and word.lower() not in STOP_WORDS


def _ends_a_line(word: str, shared: int) -> bool:
    """Whether a line may end with this word; behind a label of two words, any word that does not lead on."""
    if _ENDS_EXPRESSION.search(word):
        return True
    return shared > 1 and word.isalpha() and word.lower() not in STOP_WORDS
