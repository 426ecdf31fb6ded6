r"""Bounds of sums, integrals and limits as people write them: _{k=1}^{10}, ₀³, [0, 3], from 0 to 3, as x → 2."""

from __future__ import annotations

import re
from typing import NamedTuple

_SPACE = r"(?:\s|\\limits|\\nolimits|\\displaystyle|\\!|\\,){0,4}"
# a digit that another one follows: TeX takes the first alone, whoever typed it meant both
_BRACED = r"\{((?:[^{}]|\{[^{}]{1,20}\}){1,40})\}|\(([^(){}]{1,30})\)|(π|[A-Za-z0-9](?![\d.]))"
_BELOW, _ABOVE = rf"{_SPACE}_{_SPACE}(?:{_BRACED})", rf"{_SPACE}\^{_SPACE}(?:{_BRACED}|(\\infty|∞))"
LOWER, _UPPER = "₀₁₂₃₄₅₆₇₈₉₊₋₌ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ"
FULL_SIZE = str.maketrans(LOWER + _UPPER, "0123456789+-=aehijklmnoprstuvx0123456789+-n")
_SMALL = rf"([{LOWER}]{{1,12}})"
# few characters without a blank, but around an "="
_PLACE = r"((?:[a-z]\s?=\s?)?[^\s,;()\[\]{}<>=]{1,20}?(?:\([^\s,;()\[\]{}<>=]{1,12}\))?)"
_TO = r"(?:\s{1,3}to\s{1,3}|\s?(?:→|->|\\to)\s?)"
_OF = r"(?:\s{1,3}of(?![A-Za-z]))?"
_BEFORE = tuple(
    re.compile(form)
    for form in (
        _BELOW + _ABOVE,
        rf"{_SMALL}(?:([{_UPPER}]{{1,8}})|{_ABOVE})",
        rf"\s?[(\[]\s?(?:from\s)?{_PLACE}{_TO}{_PLACE}\s?[)\]]{_OF}",
        rf"\s{{0,3}}(?:from\s{{1,3}})?{_PLACE}\s{{1,3}}to\s{{1,3}}{_PLACE}{_OF}(?=\s)",
    )
)
_TURNED = re.compile(_ABOVE + _BELOW)
_INTERVAL = re.compile(rf"\s?_?(?:\{{\[|\[)\s?{_PLACE}\s?,\s?{_PLACE}\s?(?:\]\}}|\])")
_BEHIND = re.compile(
    rf"[\s,]{{1,3}}(?:evaluated\s)?\(?from\s{{1,3}}{_PLACE}\s{{1,3}}to\s{{1,3}}{_PLACE}(?:\)|(?=[\s,;]|\.(?!\d)|$))"
)
_NEARS = r"([a-z])\s?(?:\\to|\\rightarrow|→|->|approaches)\s?"
_APPROACH = tuple(
    re.compile(form)
    for form in (
        rf"{_SPACE}_{_SPACE}\{{\s*{_NEARS}([^{{}}]{{1,24}})\}}",
        rf"\s?_?\(\s?(?:as\s)?{_NEARS}([^()]{{1,24}})\)",
        rf"\s{{1,3}}(?:as\s{{1,3}})?{_NEARS}([^\s,;()]{{1,12}}){_OF}(?=\s)",
        rf"([ₓₙₜₕₖ])→([{LOWER}]{{1,6}}|∞)",
    )
)


class Bounds(NamedTuple):
    """The lower and the upper bound as text, or the symbol of a limit and its place, and where they end."""

    low: str
    high: str
    end: int


def bounds_before(text: str, at: int) -> Bounds | None:
    """What a sum, a product or an integral runs over, behind its sign, which ends at `at`.

    >>> bounds_before("∑ from k=1 to 10 of k", 1)
    Bounds(low='k=1', high='10', end=19)
    """
    if bounds := _first(_BEFORE, text, at):
        return bounds
    turned = _first((_TURNED,), text, at)
    return Bounds(turned.high, turned.low, turned.end) if turned else None


def interval(text: str, at: int) -> Bounds | None:
    """∫[0, 3]: the bounds of an integral as an interval."""
    return _first((_INTERVAL,), text, at)


def interval_behind(text: str, at: int) -> Bounds | None:
    """∫ x dx from 0 to 3: the bounds of an integral whose differential ends at `at`."""
    return _first((_BEHIND,), text, at)


def approach(text: str, at: int) -> Bounds | None:
    """The symbol of a limit and the place that it goes to."""
    return _first(_APPROACH, text, at)


def _first(forms: tuple[re.Pattern[str], ...], text: str, at: int) -> Bounds | None:
    matches = (form.match(text, at) for form in forms)
    match = next((match for match in matches if match), None)
    if match is None:
        return None
    low, high = (part.translate(FULL_SIZE) for part in match.groups() if part)
    return Bounds(low, high, match.end())
