"""Signs that a text gives a meaning of its own: "let a * b = ab + 1", "define x # y by ...".

After such a line "2 * 3 = 7" is right. What a sign means then is not computed: no relation that uses it is judged.
"""

from __future__ import annotations

import re

from auditing.checker.reading.passages import Script

# "a * b = ..." with letters on either side; a definition says the word, or gives the sign to letters alone
_RULE = re.compile(
    r"(?<![\w.])\(?[a-z]\)?\s?([*+^/&|~%@#!-])\s?\(?[a-z]\)?\s?(?::?=|is|means|denotes|stands for)", re.I
)
_WORD = re.compile(r"\b(?:defin\w+|denot\w+|operation|operator|new meaning|stands? for)\b", re.I)
_NAMED = re.compile(r"\b(?:let|define|operation|operator|symbol|sign)\s+[\"'`$]?\s?([*+^/&|~%@#!-])[\"'`$]?\s", re.I)


def redefined_signs(script: Script) -> frozenset[str]:
    """The signs of operations that the problem or a step defines anew.

    >>> from auditing.checker.reading.passages import script_of
    >>> from hdag.core.values import Trace
    >>> redefined_signs(script_of(Trace("The operation * is defined by a*b = ab + 1. What is 2*3?")))
    frozenset({'*'})
    """
    signs: set[str] = set()
    for passage in (script.problem, *script.passages):
        if _WORD.search(passage.text):
            signs |= {match[1] for match in _RULE.finditer(passage.text)}
            signs |= {match[1] for match in _NAMED.finditer(passage.text)}
    return frozenset(signs)
