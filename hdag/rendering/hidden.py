"""Characters that the eye cannot see are shown as marks: direction changes, zero width, controls, piles of accents."""

import re
import unicodedata

from django.utils.html import escape

MOST_ACCENTS = 4  # combining marks on one letter that are drawn; the rest are counted

_NAMES = {
    "\u00ad": "SHY",
    "\u061c": "ALM",
    "\u180e": "MVS",
    "\u200b": "ZWSP",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u2028": "LS",
    "\u2029": "PS",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u2060": "WJ",
    "\u2061": "FA",
    "\u2062": "IT",
    "\u2063": "IS",
    "\u2064": "IP",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\ufeff": "BOM",
    "\u115f": "HF",
    "\u1160": "HF",
    "\u3164": "HF",
    "\uffa0": "HF",
    "\u0000": "NUL",
    "\u001b": "ESC",
    "\u0008": "BS",
    "\u007f": "DEL",
}
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\uffff\ud800-\udfff\U000e0000-\U000e0fff\ue000-\uf8ff]"
)
# five or more combining marks in a row ("zalgo"): no language stacks so many
_MARKED = re.compile(
    r"[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{5,}"
)


def show_hidden(*, text: str) -> str:
    """Escape text for HTML and put a visible mark in the place of every unseen character.

    >>> show_hidden(text="a<b" + chr(0x202e))
    'a&lt;b<span class="hidden-char" title="U+202E RIGHT-TO-LEFT OVERRIDE">RLO</span>'
    """
    # Escaping first: the marks that are put in afterwards are the only HTML.
    marked = _HIDDEN.sub(_mark, escape(text))
    return _MARKED.sub(_fewer, marked)


def _mark(match: re.Match[str]) -> str:
    ch = match[0]
    if "\ufe00" <= ch <= "\ufe0f":
        return ch  # variation selectors only choose between two drawings of one character
    code = f"U+{ord(ch):04X}"
    title = f"{code} {unicodedata.name(ch, 'control character')}"
    return f'<span class="hidden-char" title="{title}">{_NAMES.get(ch, code)}</span>'


def _fewer(match: re.Match[str]) -> str:
    more = len(match[0]) - MOST_ACCENTS
    note = f'<span class="hidden-char" data-points="{more}" title="{more} more combining marks">+{more} marks</span>'
    return match[0][:MOST_ACCENTS] + note
