"""Formulas and bracketed stretches of a text: no sentence, step or passage ends inside one. One pass each, linear."""

import bisect
import functools
import re
from collections.abc import Iterator, Sequence

from hdag.core.spans import Span

LONGEST = 4_000  # characters of one displayed formula
LONGEST_BRACKET = {"{": 2_000, "(": 300}
# each begins with one of a few signs, to which the search runs; what follows is told by the sign before it
_MATH = re.compile(
    r"[\\$\n`~](?:(?<=\\)(?:(?P<escaped>[\\$%&#])|[\[\]()]|begin\{(?P<begin>[A-Za-z]{1,20}\*?)\}|end\{[A-Za-z]{1,20}\*?\})"
    r"|(?<=\$)\$?|(?<=\n)(?P<blank>[ \t]*\n)|(?P<fence>(?<=`)``|(?<=~)~~))"
)
_PARTNER = {"\\[": "\\]", "\\(": "\\)", "$$": "$$", "$": "$"}
_BRACKET = re.compile(r"[\\{}()\n`~](?:(?<=[{}()])|(?<=\\).|(?<=\n)[ \t]*\n|(?P<fence>(?<=`)``|(?<=~)~~))", re.DOTALL)
DEEPEST_FENCE = 12  # blanks before it
_OPENER = {"}": "{", ")": "("}
# Two words beside each other: "$5 and then $" holds prose between two prices.
_PROSE = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{3,}[ ,]+[A-Za-z]{2,}")


def find_closed(*, text: str) -> list[Span]:
    r"""Disjoint spans, in order, that hold together: formulas by their delimiters, braces and parentheses.

    What a blank line or a code fence leaves open is no formula: a lone "\[" must not swallow the rest.

    >>> text = r"So $x. Y$ (see p. 3. Or not) and \[ a. B \] end. It costs $5. Then $6."
    >>> [span.slice(text) for span in find_closed(text=text)]
    ['$x. Y$', '(see p. 3. Or not)', '\\[ a. B \\]']
    """
    return list(_closed(text))


@functools.lru_cache(maxsize=64)  # of one trace: what divides it and what draws its conclusion ask the same
def _closed(text: str) -> tuple[Span, ...]:
    return tuple(merge(spans=[*_formulas(text), *_brackets(text)]))


def merge(*, spans: Sequence[Span]) -> list[Span]:
    """The same characters as disjoint spans in order.

    >>> merge(spans=[Span(4, 6), Span(0, 2), Span(1, 3)])
    [Span(start=0, end=3), Span(start=4, end=6)]
    """
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def is_inside(spans: Sequence[Span], position: int) -> bool:
    """Whether `position` lies within one of disjoint sorted spans, its first character left out."""
    at = bisect.bisect_left(spans, Span(position, 0)) - 1
    return at >= 0 and spans[at].start < position < spans[at].end


def _formulas(text: str) -> Iterator[Span]:
    start, closer = 0, ""
    for match in _MATH.finditer(text):
        if match["escaped"] or (match["fence"] and not _opens_a_line(text, match.start())):
            continue
        token = match.group()
        if match["blank"] or match["fence"] or (closer and match.start() - start > LONGEST):
            closer = ""
        if closer and token == closer:
            if closer != "$" or _is_formula(text[start + 1 : match.start()], text[match.end() : match.end() + 1]):
                yield Span(start, match.end())
                closer = ""
            else:
                # Two prices: the second sign may open what follows.
                start = match.start()
        elif closer in ("", "$") and _closer(match, token):
            closer, start = _closer(match, token), match.start()


def _closer(match: re.Match[str], token: str) -> str:
    return f"\\end{{{match['begin']}}}" if match["begin"] else _PARTNER.get(token, "")


def _is_formula(inner: str, after: str) -> bool:
    """Whether what stands between two dollar signs is mathematics, blanks at its ends allowed ("$ p$")."""
    return bool(inner.strip()) and not after.isdigit() and len(inner) < 600 and not _PROSE.search(inner)


def _brackets(text: str) -> Iterator[Span]:
    """Outermost pairs of braces and of parentheses, none longer than LONGEST_BRACKET."""
    opened: dict[str, list[int]] = {"{": [], "(": []}
    for match in _BRACKET.finditer(text):
        token = match.group()
        if token in opened:
            opened[token].append(match.start())
        elif token in _OPENER:
            stack = opened[_OPENER[token]]
            if not stack:
                continue
            start = stack.pop()
            if match.end() - start <= LONGEST_BRACKET[_OPENER[token]]:
                yield Span(start, match.end())
        elif token[0] != "\\" and (not match["fence"] or _opens_a_line(text, match.start())):
            # What a blank line or a fence leaves open is closed by nothing.
            opened = {"{": [], "(": []}


def _opens_a_line(text: str, position: int) -> bool:
    """Whether nothing but a few blanks stands between `position` and the beginning of its line."""
    start = text.rfind("\n", max(0, position - DEEPEST_FENCE - 1), position) + 1
    return position - start <= DEEPEST_FENCE and not text[start:position].strip(" \t")
