"""Signs that a text gives a meaning of its own: "let a * b = ab + 1", "define x # y by ...".

After such a line "2 * 3 = 7" is right. What a sign means then is not computed: no relation that uses it is judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.reading.passages import Script
from hdag.core.text.cues import Cue

# "a * b = ..." with letters on either side; a definition says the word, or gives the sign to letters alone
_OPERANDS = r"(?<![\w.])\(?[a-z]\)?\s?(\\ast|[*+^/&|~%@#!-])\s?\(?[a-z]\)?[\s$]{0,2}"
_RULE = Cue(rf"{_OPERANDS}(?::?=|is|means|denotes|stands for)", re.I)
# the words first, for letters with a sign between them stand in every formula
_SAYS, _BEFORE, _LONGEST = (
    re.compile("[Ii]s|[Mm]eans|[Dd]enotes|[Ss]tands for"),
    re.compile(rf"{_OPERANDS}\Z", re.I),
    16,
)
# without a sign, a letter and the words behind one another there is nothing to look for; one class first, to whose
# signs the engine runs
_SAID = re.compile(
    r"[\\*+^/&|~%@#!-](?:(?<=\\)ast|(?<!\\))\s?\(?(?i:[a-z])\)?[\s$]{0,2}(?:[Ii]s|[Mm]eans|[Dd]enotes|[Ss]tands for)"
)
_WORD = Cue(r"\b(?:defin\w+|denot\w+|operations?|operator|new meaning|stands? for)\b|定义|规定|运算", re.I)
# a * b = a^b + b is no product of a and b, whatever the words around it: its rule holds both again
_OF_LETTERS = Cue(r"(?<![\w.*^\\])([a-z])\s?(\*|\\ast)\s?([a-z])\s?=([^=\n$]{1,80})", re.I)
# commands and words: what is left are letters that stand for numbers
_NO_LETTERS = re.compile(r"\\[A-Za-z]+|[A-Za-z]{3,}")
_SUM, _USED = (
    re.compile(r"[+^−-]"),
    re.compile(r"\W{0,4}(?:(?:so|then|thus|e\.g\.)\W{1,3})?\d+\s?(?:\*|\\ast)\s?\d+\s?=", re.I),
)
_NAMED = re.compile(r"\b(?:let|define|operation|operator|symbol|sign)\s+[\"'`$]?\s?([*+^/&|~%@#!-])[\"'`$]?\s", re.I)


def redefined_signs(script: Script) -> frozenset[str]:
    """The signs of operations that the problem or a step defines anew.

    >>> from auditing.checker.reading.passages import script_of
    >>> from hdag.core.values import Trace
    >>> signs = redefined_signs(script_of(Trace("The operation * is defined by a*b = ab + 1. What is 2*3?")))
    >>> sorted(signs), uses_one_of(signs, "2*3 = 7")
    (['*', '\\\\ast'], True)
    """
    signs: set[str] = set()
    for passage in script.everything:
        signs |= set(_said(passage.text))
    for passage in script.anywhere_near(_WORD):
        if _WORD.search(passage.text):
            signs |= {match[1] for match in _RULE.finditer(passage.text)}
            signs |= {match[1] for match in _NAMED.finditer(passage.text)}
    signs |= {
        match[2] for match in _OF_LETTERS.finditer(script.problem.text) if _has_both(match[4], match[1], match[3])
    }
    signs |= {sign for passage in script.near(_OF_LETTERS) for sign in _ruled_in_passing(passage.text)}
    # one sign, typed in two ways
    return frozenset(signs | {"*", "\\ast"} if signs & {"*", "\\ast"} else signs)


def _said(text: str) -> Iterator[str]:
    """Each sign between two letters of which it is said what it is, means, denotes or stands for."""
    for says in _SAYS.finditer(text) if _SAID.search(text) else ():
        operands = _BEFORE.search(text, max(0, says.start() - _LONGEST), says.start())
        if operands is not None:
            yield operands[1]


def _ruled_in_passing(text: str) -> Iterator[str]:
    """a * b = a + b - ab; 2 * 3 = -1: a rule with a sum in it, and directly behind it two numbers with its sign."""
    for match in _OF_LETTERS.finditer(text):
        rule = match[4].partition(";")[0]
        if _has_both(rule, match[1], match[3]) and _SUM.search(rule) and _USED.match(text, match.start(4) + len(rule)):
            yield match[2]


def uses_one_of(signs: frozenset[str], text: str) -> bool:
    """Whether a relation is written with a sign of a meaning of its own."""
    return any(sign in text for sign in signs)


def _has_both(rule: str, left: str, right: str) -> bool:
    letters = _NO_LETTERS.sub(" ", rule)
    return left != right and left in letters and right in letters
