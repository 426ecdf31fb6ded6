"""Formulas in a text, each under one mark, so that patterns of words can be laid around them.

"the sum of $3x$ and $4x$ is 7x" is matched as "the sum of F and F is F". A formula stands between the marks of LaTeX,
or is a run of numbers, letters and signs in the plain text; what is read of it is always the whole.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from auditing.checker.mathematics.chains import Side, read_page
from auditing.checker.reading.passages import MAX_PASSAGE

_FIRST, _MORE = "\ue000", "\ue001"
# one formula in a text under marks; possessive, so that nothing is tried twice
FORMULA = f"{_FIRST}{_MORE}{{0,400}}+"
_SET = re.compile(
    r"\$\$(?P<display>[^$]{1,400})\$\$|(?<![\\$])\$(?P<dollars>[^$\n]{1,400})\$(?!\$)|"
    r"\\\((?P<round>(?:(?!\\\)|\\\(|\n).){1,400})\\\)|\\\[(?P<square>(?:(?!\\\]|\\\[).){1,400})\\\]",
    re.DOTALL,
)
# in plain text: a number (120,000 is one), 3xy, a letter alone, a sign, a bracket, a function
_PIECE = (
    r"(?:(?:\d{1,3}(?:,\d{3}){1,4}(?![\d,]*\d)|\d{1,12})(?:\.\d{1,12})?(?:[A-Za-z]{1,3}(?![A-Za-z]))?|"
    r"(?:sqrt|sin|cos|tan|ln|exp|pi)(?![A-Za-z'’])|"
    r"(?<![A-Za-z'’])[A-Za-z](?![A-Za-z'’])|[-+*/^()=²³·×÷−±√])"
)
_RUN = re.compile(rf"(?<![\w\\'’$^.,{{])(?:{_PIECE} ?){{1,80}}+(?!,\d)")
_LETTER_OR_DIGIT = re.compile(r"[A-Za-z\d]")
# signs that begin or end a run and belong to the words around it, and articles
_AROUND = " +*/^=·×÷"
_ARTICLE = re.compile(r"(?:[aAI] )+(?=\S)|(?<= )[aAI]$")
_DASH = re.compile(r"- +")
_RELATION = re.compile(r"[=<>≈≡≤≥≠≅∼~]|\\(?:leq?|geq?|neq?|approx|equiv|sim|to|Rightarrow|implies|text|pmod|quad)\b")


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with marks for its formulas, and what each holds: the inner text by the place of its mark."""

    text: str
    inner: dict[int, str]

    def formulas(self, start: int, end: int) -> list[str]:
        """What the formulas hold whose marks stand in a stretch."""
        return [self.inner[at] for at in range(start, end) if self.text[at] == _FIRST]


@functools.lru_cache(maxsize=64)
def marked(text: str) -> Marked:
    """The text with each formula under marks, of the same length.

    >>> marked("half of $4x$ is 2x").inner
    {8: '4x', 16: '2x'}
    """
    text = text[:MAX_PASSAGE]
    if _FIRST in text or _MORE in text:
        return Marked("", {})
    inner: dict[int, str] = {}
    pieces: list[str] = []
    at = 0
    for match in _SET.finditer(text):
        pieces += _plain(text[at : match.start()], at, inner), _marks(match.end() - match.start())
        inner[match.start()] = next(group for group in match.groups() if group is not None).strip(" .,;\n")
        at = match.end()
    return Marked("".join((*pieces, _plain(text[at:], at, inner))), inner)


def _marks(length: int) -> str:
    return _FIRST + _MORE * (length - 1)


def _plain(text: str, offset: int, inner: dict[int, str]) -> str:
    """A text without marks of LaTeX, its runs marked."""
    pieces: list[str] = []
    at = 0
    for match in _RUN.finditer(text):
        start, end = _trimmed(text, match.start(), match.end())
        if start >= end or not _LETTER_OR_DIGIT.search(text, start, end):
            continue
        pieces += text[at:start], _marks(end - start)
        inner[offset + start] = text[start:end]
        at = end
    return "".join((*pieces, text[at:]))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A run without the articles, dashes and brackets of the sentence around it."""
    article = _ARTICLE.match(text, start, end)
    start = article.end() if article else start
    dash = _DASH.match(text, start, end)
    start = dash.end() if dash else start
    while start < end and text[end - 1] in _AROUND + "-(":
        end -= 1
    while start < end and text[start] in _AROUND + ")":
        start += 1
    if end - start > 2 and text[end - 2 : end] in (" a", " A", " I"):
        end -= 2
    depth = text.count("(", start, end) - text.count(")", start, end)
    if depth < 0 and text[end - 1] == ")":
        end -= 1
    elif depth > 0 and text[start] == "(":
        start += 1
    return start, end


@functools.lru_cache(maxsize=512)
def side_of(formula: str) -> Side | None:
    """A formula without a relation, read whole, in one reading and without a doubt.

    >>> side_of("2x + 1").tree is not None, side_of("2x = 1"), side_of("2x, y")
    (True, None, None)
    """
    # 2n \\choose n takes in all that stands before it
    if _RELATION.search(formula) or "\\choose" in formula:
        return None
    chains = read_page(f"\\(0 = {formula}\\)").chains
    if len(chains) != 1 or len(chains[0].sides) != 2:
        return None
    side = chains[0].sides[1]
    is_whole = side.end - side.start >= len(formula.strip()) - 1
    if side.tree is None or side.doubts or side.others or side.log_open or not is_whole:
        return None
    return side


def sides_of(formula: str) -> list[str]:
    """The sides of a formula that is an equation or a chain of them; the formula alone where it is none."""
    sides = [side.strip() for side in re.split(r"(?<![<>!=])=(?!=)", formula)]
    return sides if all(sides) and not any(map(_RELATION.search, sides)) else []
