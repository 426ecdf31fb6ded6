"""Trials set as displays: what a relation is meant as stands in the sentence before, its denial in the line behind.

"Plugging x = 1 into the equation: log 7 + log 289 = log 2023" tries a value, and "0 + 4 ≡ 0 (mod 8), 4 ≢ 0 (mod 8)"
refutes what was tried. A text that was cut at its greatest length ends in the middle of its last one.
"""

from __future__ import annotations

import re

from auditing.checker.mathematics.vocabulary import any_of

_VALUE = r"(-?\d{1,15}(?:\.\d{1,9})?)"
_NOT_EQUAL = re.compile(rf"(?<![\d.]){_VALUE}\s*(?:\\not\s*\\?(?:equiv|=)|\\n(?:eq?|equiv)(?![a-z])|≠|≢|!=)\s*{_VALUE}")
_PUT_IN = any_of("""
    (?:plug|substitut|put)*[^.!?]{1,80}into_(?:the|this|that|our)_(?:[a-z]+_)?(?:equation|condition|inequality|congruence)
    (?:equation|condition|inequality|congruence)_(?:becomes|would_be|would_become|reads) suppose*
    (?:test|try|check)*_[\\($]{0,3}[a-z](?=_?=)
    (?:is|are|be|to_be)_satisfied whether
""")
# the name of the quantity may stand before the sides: \[ \text{time} = x/18 = (45 - x)/12
_EQUATION = re.compile(r"\bequations?\s?:\s*(?:\\\[|\$\$?|\\\()?[^\n=:]{0,40}(?:=\s*)?$")
_SENTENCE = re.compile(r"[.!?]\s")
_OPENS = re.compile(r"[:,]?[\s\\\[($]*$")
_LONGEST, _SOON = 240, 160
# characters of a text that may have been cut; shorter ones end where their author ended them
_MAY_BE_CUT = 4_000


def is_denied_behind(text: str, end: int, values: tuple[str, str]) -> bool:
    """Whether directly behind a relation its two values are said to differ.

    >>> is_denied_behind("so 0 + 4 = 0, that is 4 ≠ 0.", 12, ("4", "0"))
    True
    """
    return any(match.groups() in (values, values[::-1]) for match in _NOT_EQUAL.finditer(text, end, end + _SOON))


def is_put_up_before(text: str, start: int) -> bool:
    """Whether the sentence that a display ends puts a value into an equation, or tries it.

    >>> is_put_up_before("Plugging x = 1 into the equation:\\n\\n\\\\[ 3 = 4", 38)
    True
    """
    head = text[max(0, start - _LONGEST) : start]
    opening = _OPENS.search(head)
    if opening is None or "\n" not in opening[0] or not opening[0].startswith((":", ",")):
        return False
    return bool(_PUT_IN.search(_SENTENCE.split(head[: opening.start()])[-1]))


def is_set_up_before(text: str, start: int) -> bool:
    """Whether a display is announced as an equation: what it says holds for the value that is sought.

    >>> is_set_up_before("So we set up the equation:\\n\\n\\\\[ t = x/18 = (45 - x)/12", 35)
    True
    """
    return bool(_EQUATION.search(text, max(0, start - _LONGEST), start))


def breaks_off(text: str, end: int) -> bool:
    """Whether a long text ends directly behind a relation, with no mark: it was cut, and its last number may be."""
    return len(text) >= _MAY_BE_CUT and not text[end:].strip() and text[end - 1 : end].isdigit()
