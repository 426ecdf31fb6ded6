r"""Decimals that repeat: 0.(142857), 0.1\dot{6}, .1\overline6 and 0.16̅ in the tokens of 0.1\overline{6}."""

from __future__ import annotations

import re
from fractions import Fraction

from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.tree import Node, Num, Tree

_MARKED = re.compile(
    r"(?<![\w.,])(?P<whole>\d{0,9}\.)(?:\((?P<a>\d{1,20})\)(?![\d(*/×^])"
    r"|(?P<fixed>\d{0,20}?)(?:\\dot\s?\{?(?P<b>\d)\}?(?:(?P<c>\d{0,18})\\dot\s?\{?(?P<d>\d)\}?)?"
    r"|\\(?:overline|bar)\s?(?:\{(?P<f>\d{1,20})\}|(?P<g>\d))"
    r"|(?P<e>(?:\d[\u0304\u0305]){1,20})))(?![\d\u0304\u0305]|\.\d)"
)
_SIGNS = (".(", "\\dot", "\\overline", "\\bar", "\u0304", "\u0305")
_MARKS = re.compile(r"[\u0304\u0305]")


def with_periods(tokens: list[Token], text: str) -> list[Token]:
    """The tokens, those of each decimal with marked digits replaced by those of a decimal with a bar."""
    if not any(mark in text for mark in _SIGNS):
        return tokens
    places = [(match.start(), match.end(), _tokens_of(match)) for match in _MARKED.finditer(text)]
    if not places:
        return tokens
    tokens_left: list[Token] = []
    at = 0
    for token in tokens:
        while at < len(places) and places[at][1] <= token.start:
            at += 1
        if at == len(places) or token.end <= places[at][0]:
            tokens_left.append(token)
        # the first token of such a decimal makes room for all of them
        elif token.start == places[at][0]:
            tokens_left.extend(places[at][2])
    return tokens_left


def _tokens_of(match: re.Match[str]) -> list[Token]:
    dotted = f"{match['b']}{match['c'] or ''}{match['d'] or ''}"
    period = match["a"] or match["f"] or match["g"] or _MARKS.sub("", match["e"] or "") or dotted
    pieces = (
        ("num", f"{'0' if match['whole'] == '.' else ''}{match['whole']}{match['fixed'] or ''}"),
        ("prefix", "segment"),
        ("group", "{"),
        ("num", period),
        ("group", "}"),
    )
    return [Token(kind, piece, match.start(), match.end(), at > 0) for at, (kind, piece) in enumerate(pieces)]


def repeating_decimal(written: str, digits: str) -> Tree:
    """0.1 and 6 as the node for 0.1666...: the number written, and what repeats behind it, once.

    >>> from auditing.checker.mathematics.tree import plain
    >>> plain(repeating_decimal("0.1", "6"))
    '0.1(6)'
    """
    places = len(written.partition(".")[2])
    period = Num(Fraction(int(digits), 10 ** (places + len(digits))), places + len(digits))
    return Node("repeat", (Num(Fraction(written), places), period, Num(Fraction(10 ** len(digits)))))
