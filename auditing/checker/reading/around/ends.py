"""Ends of sides: where a side that was read goes on in a way that nobody read, or begins inside a name.

"0.018 = 1 - 1/2 erf(...)" says nothing of 1/2, "CO2 × 2 = 4" nothing of 2 × 2.
"""

from __future__ import annotations

import re

from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.tree import bare_number

# a function by its name
_FUNCTION = (
    r"\\?(?:text|mathrm|operatorname)\{\s?(?:erfc?|cis|sgn|sinc|sech|csch|coth|Re|Im|Arg|arg|tr|det|rank|Var|Pr|Li|Ei)"
    r"\s?\}|(?:erfc?|sgn|sinc|cis)\s?[(\\\[]"
)
_GOES_ON = re.compile(rf"[\s\\,;!]{{0,4}}(?:{_FUNCTION})")
# no unit is raised to such a power: 108 s^5 is a multiple of what s stands for
_HIGH_POWER = re.compile(r"(?:^|\s)(?:[a-zA-Z]{1,2}\^[5-9]|s\^[3-9])")
# -13.6 eV (1/n^2 - 1): what a number with a unit is multiplied by
_BRACKET = re.compile(r"[ ~]?(?:\\left)?\(\s?-?(?:\d|\\frac)[^()=]{0,40}[-+−/]")
# CO2, H2O: a capital letter and what touches it
_IN_A_NAME = re.compile(r"(?<![A-Za-z\\])[A-Z][A-Za-z]{0,3}$")
# erf(z) = 2/3 is told of the error function, and not of z
_WORD_BEFORE = re.compile(r"(?<![\\A-Za-z])(?!(?:and|or|is|so|then|of|times|plus|minus|left)\()[A-Za-z]{2,10}$")
# 2 (from each neutron): such a term counts as often as there are such things
_EACH = re.compile(r"\((?:from|for|by|in|of|per|with)?\s?(?:each|every)\b[^()=]{0,40}\)", re.IGNORECASE)


def about_ends(text: str, chain: Chain, index: int) -> str:
    """Why the sides of link `index` may be no whole sides; empty when they are.

    >>> from auditing.checker.mathematics.chains import read_page
    >>> [about_ends(text, read_page(text).chains[0], 0) for text in ("1 = 3 - 2 erf(x)", "1 = 3 - 2 here")]
    ['a side that goes on', '']
    """
    left, right = chain.sides[index], chain.sides[index + 1]
    number = bare_number(right.tree) if right.tree is not None else None
    unit = number.unit if number is not None else ""
    is_multiplied = bool(unit) and (_BRACKET.match(text, right.end) or _HIGH_POWER.search(unit))
    if _GOES_ON.match(text, right.end) or is_multiplied:
        return "a side that goes on"
    if text[left.start : left.start + 1].isdigit() and _IN_A_NAME.search(text, max(0, left.start - 6), left.start):
        return "a number of a name"
    if text[left.start : left.start + 1] == "(" and _WORD_BEFORE.search(text, max(0, left.start - 12), left.start):
        return "an argument of a function"
    return "a term that counts for each" if _EACH.search(text, left.start, right.end) else ""
