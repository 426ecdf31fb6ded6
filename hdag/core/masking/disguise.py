"""The plain text behind disguised letters: look-alikes, unseen characters, styled alphabets, piles of accents.

Every character of the plain text remembers where it stood, so that what is found there can be covered in the original.
"""

import re
import unicodedata

# Soft hyphen, joiners, direction marks, fillers, variation selectors, tags: drawn as nothing.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0000-\U000e0fff]"
)
# Letters of other alphabets that look like Latin ones, each beside its double (after Unicode TR 39, confusables).
_CYRILLIC = "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwӏlѵvАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSԌGԚQԜWҮYҺhгrпnкkмmтtвbнhзз"
_GREEK = "οoΟOΑAΒBΕEΖZΗHΙIΚKΜMΝNΡPΤTΥYΧXαaεeιiκkνvρpτtυuχxγyωw"
_OTHERS = "ıiłløoðdđdƖlɑaɡgɩiʟlꓐBꓑPꓓDꓔTꓖGꓗKꓢSꓰEꓲIꓳO𐐬oᴄcᴏoᴠvᴡwᴢzᏟCᏀGᎬEᏞLᏢPᎢT\u2010-\u2011-\u2012-\u2013-\u2212-"
_ALL = _CYRILLIC.replace("зз", "") + _GREEK + _OTHERS
# The tables are written in pairs, look-alike then Latin letter: "аa" reads Cyrillic а as Latin a.
DOUBLES = dict(zip(_ALL[::2], _ALL[1::2], strict=True))


def plain(*, text: str) -> tuple[str, list[int]]:
    """The text as the eye reads it, and for each of its characters (and its end) the place in `text`.

    >>> plain(text="G\\u200bР\\U0001d413")
    ('GPT', [0, 2, 3, 4])
    """
    letters: list[str] = []
    positions: list[int] = []
    for position, character in enumerate(text):
        for letter in character if character.isascii() else _unmasked(character):
            letters.append(letter)
            positions.append(position)
    # One position more than letters: a sign that ends the text ends at the end of the original.
    return "".join(letters), [*positions, len(text)]


def _unmasked(character: str) -> str:
    """The letters behind one character: none for an unseen one or an accent."""
    if _UNSEEN.match(character):
        return ""
    double = DOUBLES.get(character)
    if double is not None:
        return double
    # NFKD takes styled letters apart: U+1D413 (bold T) becomes "T", "é" becomes "e" and a combining accent.
    apart = unicodedata.normalize("NFKD", character)
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return "".join(DOUBLES.get(letter, letter) for letter in bare)
