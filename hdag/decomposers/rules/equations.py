"""Equations and computations inside a step: the spans that become operations. One pass over tokens, linear."""

import re
from dataclasses import dataclass

from hdag.core.spans import Span

TOKEN = re.compile(
    r"(?P<number>[$€£]?\d[\d,]*(?:\.\d+)?%?)"
    r"|(?P<relation>=|≈|\\approx\b|\\equiv\b)"
    r"|(?P<operator>[-+*/×÷·^_−]|\\(?:times|cdot|div|pm)\b)"
    r"|(?P<bracket>[()\[\]{}]|\\(?:left|right)\b)"
    r"|(?P<command>\\[A-Za-z]+|\\[%$,;!: ])"
    r"|(?P<name>[A-Za-z](?![A-Za-z'’]))"
    r"|(?P<word>[A-Za-z]+)"
    r"|(?P<blank>[ \t]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
INSIDE = frozenset(("number", "relation", "operator", "bracket", "command", "name", "blank"))
EDGE_TRIM = " \t,;:.*_|"


@dataclass(frozen=True, slots=True)
class Token:
    """One lexeme of a run of mathematics."""

    kind: str
    start: int
    end: int


def find_equations(*, text: str, within: Span) -> list[Span]:
    """The maximal runs of mathematics with a relation between two non-empty sides, one of which computes.

    >>> [s.slice("so 40 * 2 = $80 a day") for s in find_equations(text="so 40 * 2 = $80 a day", within=Span(0, 21))]
    ['40 * 2 = $80']
    """
    found: list[Span] = []
    run: list[Token] = []
    for match in TOKEN.finditer(text, within.start, within.end):
        kind = match.lastgroup or "other"
        if kind in INSIDE:
            run.append(Token(kind, match.start(), match.end()))
        elif run:
            _close(text, run, found)
            run = []
    _close(text, run, found)
    return found


def _close(text: str, run: list[Token], found: list[Span]) -> None:
    tokens = _trim(run)
    relations = [index for index, token in enumerate(tokens) if token.kind == "relation"]
    if not relations:
        return
    if not _has_value(tokens[: relations[0]]):
        tokens = _trim(tokens[relations[0] + 1 :])
        relations = [index for index, token in enumerate(tokens) if token.kind == "relation"]
    if relations and _has_value(tokens[: relations[0]]) and _has_value(tokens[relations[-1] + 1 :]):
        found.append(Span(tokens[0].start, tokens[-1].end))


def _has_value(tokens: list[Token]) -> bool:
    return any(token.kind in ("number", "name") for token in tokens)


def _trim(tokens: list[Token]) -> list[Token]:
    low, high = 0, len(tokens)
    while low < high and tokens[low].kind in ("blank", "relation", "operator"):
        low += 1
    while high > low and tokens[high - 1].kind in ("blank", "relation", "operator"):
        high -= 1
    return tokens[low:high]
