r"""Signs that bind a symbol, read in the text: \sum_{k=1}^{10}, \prod, \int_0^1 ... dx, \lim_{x \to 2}.

One token holds the sign with its bounds, because the "=" in them is no relation of the text; an integral also holds
what is integrated, for nothing but its "dx" says where that ends.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_BRACED = r"\{([^{}]{1,40})\}|([A-Za-z0-9])"
_SPACE = r"(?:\s|\\limits|\\nolimits|\\displaystyle|\\!|\\,){0,4}"
_BOUNDS = re.compile(rf"{_SPACE}_{_SPACE}(?:{_BRACED}){_SPACE}\^{_SPACE}(?:{_BRACED}|(\\infty|∞))")
# bounds that are not read: their relations are none of the text
_UNREAD = re.compile(rf"{_SPACE}_{_SPACE}\{{[^{{}}]{{1,80}}\}}")
_LIMIT = re.compile(rf"{_SPACE}_{_SPACE}\{{\s*([a-z])\s*(?:\\to|\\rightarrow|→|->)\s*([^{{}}]{{1,24}})\}}")
_FIRST = re.compile(r"\s*([a-z])\s*=\s*(.{1,30})")
# what is integrated, up to its differential; no relation stands in it
_INTEGRAND = re.compile(
    r"([^=<>≈∫]{1,160}?)(?:\\[,;: !]|\s|~){0,4}(?:\\(?:mathrm|text|rm)\s?\{\s?d\s?\}|d)\s?([a-z])(?![A-Za-z])"
)
_NESTED = re.compile(r"\\int|∫")
NAMES = {"sum": "sum", "prod": "prod", "int": "integral", "lim": "limit", "∑": "sum", "∏": "prod", "∫": "integral"}
_INFINITE = re.compile(r"\+?\s*(?:\\infty|∞)")
_MINUS_INFINITE = re.compile(r"-\s*(?:\\infty|∞)")
UP, DOWN = "up", "down"
SEPARATOR = "\0"


class Sign(NamedTuple):
    """A sign with its symbol, its bounds as text, and for an integral what is integrated; where it ends in the text."""

    name: str
    symbol: str
    low: str
    high: str
    body: str
    end: int


def read_sign(text: str, name: str, at: int) -> Sign | None:
    """The sign whose name ends at `at`; None where its bounds cannot be read."""
    if name == "limit":
        limit = _LIMIT.match(text, at)
        return Sign(name, limit[1], _end(limit[2]), "", "", limit.end()) if limit else None
    bounds = _BOUNDS.match(text, at)
    if bounds is None:
        return None
    low, high = bounds[1] or bounds[2], bounds[3] or bounds[4] or bounds[5]
    if name == "integral":
        inner = _INTEGRAND.match(text, bounds.end())
        if inner is None or _NESTED.search(inner[1]):
            return None
        return Sign(name, inner[2], low, high, inner[1], inner.end())
    first = _FIRST.fullmatch(low)
    return Sign(name, first[1], first[2], high, "", bounds.end()) if first else None


def behind_bounds(text: str, at: int) -> int:
    """Just behind bounds that cannot be read; `at` where none stand there."""
    bounds = _UNREAD.match(text, at)
    return bounds.end() if bounds else at


def is_infinite(bound: str) -> bool:
    """Whether a bound lies beyond every number."""
    return bool(_INFINITE.fullmatch(bound.strip()))


def _end(text: str) -> str:
    """The place of a limit; two words stand for the infinite ones."""
    if is_infinite(text):
        return UP
    return DOWN if _MINUS_INFINITE.fullmatch(text.strip()) else text
