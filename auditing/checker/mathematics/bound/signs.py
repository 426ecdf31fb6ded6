r"""Signs that bind a symbol, read in the text: \sum_{k=1}^{10}, \prod, \int_0^1 ... dx, \lim_{x \to 2}.

One token holds the sign with its bounds, because the "=" in them is no relation of the text; an integral also holds
what is integrated, for nothing but its "dx" says where that ends. How bounds are written stands in bounds.py.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from auditing.checker.mathematics.bound.bounds import Bounds, approach, bounds_before, interval, interval_behind

# bounds that are not read: their relations are none of the text
_UNREAD = re.compile(r"(?:\s|\\limits|\\nolimits|\\displaystyle|\\!|\\,){0,4}_\s?\{[^{}]{1,80}\}")
_FIRST = re.compile(r"\s*([a-z])\s*=\s*(.{1,30})")
# what is integrated, up to its differential; no relation stands in it
_D = r"(?:\\[,;: !]|\s|~){0,4}(?:\\(?:mathrm|text|rm)\s?\{\s?d\s?\}|d)\s?([a-z](?![A-Za-z])|\\?(?:theta|phi)\b|[θφ])"
_INTEGRAND = re.compile(rf"([^=<>≈∫]{{1,160}}?){_D}")
_OPENED = re.compile(r"\s*([\[(])(.*)", re.DOTALL)
_CLOSES = {"[": "]", "(": ")"}
_NESTED = re.compile(r"\\int|∫")
# ∫ ∫ f dy dx: the inner one stands before the differential of the outer one
_INNER = re.compile(r"(?:\\[,;: !]|\s){0,4}(?:\\int(?![A-Za-z])|∫)")
_DIFFERENTIAL = re.compile(_D)
MOST_NESTED = 3
NAMES = {
    **dict.fromkeys(("sum", "∑", "Σ"), "sum"),
    **dict.fromkeys(("prod", "∏"), "prod"),
    **dict.fromkeys(("int", "∫", "integral"), "integral"),
    "lim": "limit",
}
_INFINITE = re.compile(r"\+?\s*(?:\\infty|∞|infinity)")
_MINUS_INFINITE = re.compile(r"-\s*(?:\\infty|∞|infinity)")
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
        limit = approach(text, at)
        return Sign(name, limit.low, _end(limit.high), "", "", limit.end) if limit else None
    if name == "integral":
        return _integral(text, at)
    bounds = bounds_before(text, at)
    first = _FIRST.fullmatch(bounds.low) if bounds else None
    return Sign(name, first[1], first[2], bounds.high, "", bounds.end) if bounds and first else None


def _integral(text: str, at: int, depth: int = 1) -> Sign | None:
    bounds = bounds_before(text, at) or interval(text, at)
    nested = _INNER.match(text, bounds.end) if bounds else None
    if bounds and nested:
        return _of_another(text, nested, bounds, depth)
    inner = _INTEGRAND.match(text, bounds.end if bounds else at)
    if inner is None or _NESTED.search(inner[1]):
        return None
    end, body = inner.end(), inner[1]
    # ∫0 to 1 [x dx]: the bracket holds the differential, too
    opened = _OPENED.match(body)
    if opened and text[end : end + 1] == _CLOSES[opened[1]] and opened[1] not in opened[2]:
        end, body = end + 1, opened[2]
    if bounds is None:
        bounds = interval_behind(text, end)
        end = bounds.end if bounds else end
    return _between(bounds, inner[2], body, end) if bounds else None


def _of_another(text: str, nested: re.Match[str], bounds: Bounds, depth: int) -> Sign | None:
    inner = _integral(text, nested.end(), depth + 1) if depth < MOST_NESTED else None
    differential = _DIFFERENTIAL.match(text, inner.end) if inner else None
    if inner is None or differential is None:
        return None
    body = text[nested.start() : inner.end]
    return _between(bounds, differential[1], body, differential.end())


def _between(bounds: Bounds, symbol: str, body: str, end: int) -> Sign:
    r"""The sign of an integral; \int_{x=0}^{x=1} names its symbol in the bounds again."""
    low, high = (re.sub(rf"^\s*{re.escape(symbol)}\s*=(?!=)", "", bound) for bound in (bounds.low, bounds.high))
    return Sign("integral", symbol.removeprefix("\\"), low, high, body, end)


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
