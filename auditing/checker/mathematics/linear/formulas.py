"""The formulas of a text that hold arrays: chains of sides between signs, each side read as a value, or not."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditing.checker.mathematics.cursor import UnreadableError
from auditing.checker.mathematics.latex import math_dollars
from auditing.checker.mathematics.linear.cursor import MAX_TOKENS, Setting, formula_tokens
from auditing.checker.mathematics.linear.grammar import ArrayParser
from auditing.checker.mathematics.linear.marks import MARK, TABLE, Mark
from auditing.checker.mathematics.linear.values import Value
from auditing.checker.mathematics.tokens import Token
from hdag.core.text.cues import Cue

# characters of a formula; formulas of a text
LONGEST, MOST_FORMULAS = 3_000, 150
_MARKS = re.compile(r"\\[()\[\]]|\\(?:begin|end)\{(?:align|equation|gather|multline|eqnarray)\*?\}|\$\$?")
_OPENS = {"\\(": "\\)", "\\[": "\\]"}
_RELATION = re.compile(r"[=<>≈≤≥≠]|\\(?:leq?|geq?|neq?|approx)(?![A-Za-z])")
_ARRAY = Cue(
    r"matrix\}|\{array\}|\\(?:mathbf|bold|boldsymbol|bm|pmb|vec|overrightarrow|langle)(?![A-Za-z])|⟨|\\hat\s?\{?\s?[ijk\\]|"
    r"(?:[(\[]|\\\{)[^=<>$]{0,160}?,"
)
_PLAIN_WORD = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{2,}(?![A-Za-z}])")
# names of environments and operators are no words of prose between two prices
_NAMES = re.compile(r"\\(?:begin|end|operatorname|mathbf|overrightarrow)\s?\{[A-Za-z*]{1,20}\}(?:\{[clr|]{1,12}\})?")


@dataclass(frozen=True, slots=True)
class ArraySide:
    """One side of a relation: its value, None where it cannot be read; whether an array stands in it.

    has_readings: whether its notation leaves another reading open, as 2 3/4 does.
    """

    value: Value | None
    start: int
    end: int
    holds_arrays: bool
    has_readings: bool = False


@dataclass(frozen=True, slots=True)
class ArrayChain:
    """side relation side relation ...: spans in code points of the text; signs[n] is where relations[n] stands."""

    sides: tuple[ArraySide, ...]
    relations: tuple[str, ...]
    signs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula with an array in it: where it begins in its text, its tokens, its marks, and how they are parted."""

    text: str
    start: int
    tokens: list[Token]
    marking: dict[int, Mark]
    # for each chain: spans of tokens of its sides, and the tokens of its signs
    chains: tuple[tuple[tuple[tuple[int, int], ...], tuple[int, ...]], ...]

    @property
    def names(self) -> frozenset[str]:
        """Every name and letter in it."""
        letters = {token.text for token in self.tokens if token.kind == "sym"}
        cells = {word for mark in self.marking.values() for row in mark.cells for cell in row for word in cell.split()}
        return frozenset(letters | {mark.text for mark in self.marking.values()} | cells)

    @property
    def dimensions(self) -> list[int]:
        """How many components its vectors may have: as many rows or columns as its tables, or three."""
        sizes = {size for mark in self.marking.values() if mark.kind == TABLE for size in _sizes(mark)}
        return [*sorted(sizes), *([3] if 3 not in sizes else [])]


def _sizes(mark: Mark) -> set[int]:
    return {len(mark.cells), len(mark.cells[0])} - {1} if mark.cells else set()


def formulas(text: str, letters: str = "") -> Iterator[Formula]:
    """The formulas of a text that hold a relation, and an array or a letter that names one.

    A text without marks of formulas is one formula a line.
    """
    holds_array = re.compile(rf"{_ARRAY.pattern}|(?<![\\A-Za-z])[{letters}]{{1,2}}(?![A-Za-z])") if letters else _ARRAY
    spans = list(_spans(text)) if ("\\" in text or "$" in text) and holds_array.search(text) else []
    count = 0
    for start, end in spans:
        inner = text[start:end]
        if end - start > LONGEST or not _RELATION.search(inner) or not holds_array.search(inner):
            continue
        count += 1
        if count > MOST_FORMULAS:
            return
        tokens, marking = formula_tokens(inner)
        if len(tokens) <= MAX_TOKENS:
            tokens = list(_joined(tokens))
            yield Formula(inner, start, tokens, marking, tuple(_chains(tokens)))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where formulas stand, without their delimiters."""
    dollars = math_dollars(_NAMES.sub(lambda match: "0" * len(match[0]), text)) if "$" in text else {}
    opened: tuple[int, str] | None = None
    is_marked = False
    for match in _MARKS.finditer(text):
        sign = match.group()
        if sign.startswith("$"):
            mark = dollars.get(match.start(), "")
            sign = "" if not mark else "$$" if mark == "$$" else f"${mark}"
        closes = opened is not None and (sign == opened[1] or (sign.startswith("\\end") and opened[1] == "\\end"))
        if opened is not None and closes:
            yield opened[0], match.start()
            opened = None
        elif opened is None:
            close = _OPENS.get(sign) or {"$$": "$$", "$(": "$)"}.get(
                sign, "\\end" if sign.startswith("\\begin") else ""
            )
            if close:
                opened, is_marked = (match.end(), close), True
    if not is_marked:
        yield from _lines(text)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Lines without a word: formulas whose delimiters were left out."""
    start = 0
    for line in text.split("\n"):
        if not _PLAIN_WORD.search(line) and "\\" in line:
            yield start, start + len(line)
        start += len(line) + 1


def _joined(tokens: list[Token]) -> Iterator[Token]:
    """The tokens without the line breaks that a relation or a sum spans."""
    kept = [token for at, token in enumerate(tokens) if token.kind != "nl" or token.text[0] == "\\"]
    kept = [
        token
        for at, token in enumerate(kept)
        # the space that begins a line separates nothing
        if not (token.text == ";" and token.kind == "sep" and at and kept[at - 1].kind in ("nl", "rel", "op"))
    ]
    for at, token in enumerate(kept):
        if token.kind != "nl" or not _goes_on(kept, at):
            yield token


def _goes_on(tokens: list[Token], at: int) -> bool:
    before, after = tokens[at - 1] if at else None, tokens[at + 1] if at + 1 < len(tokens) else None
    if before is None or after is None:
        return True
    if before.kind == "rel" or after.kind == "rel":
        return True
    # "\\ =\text{ } ..." is no part of it; a line that begins with a sign goes on, unless it may be its own equation
    if after.kind != "op" or after.text not in "+-*/":
        return False
    line = []
    for token in tokens[at + 1 :]:
        if token.kind == "nl":
            break
        line.append(token)
    return not any(token.kind == "rel" for token in line)


def _chains(tokens: list[Token]) -> Iterator[tuple[tuple[tuple[int, int], ...], tuple[int, ...]]]:
    """Cuts the tokens at what separates formulas, and each piece at its signs."""
    depth, start, signs = 0, 0, list[int]()
    for at in range(len(tokens) + 1):
        token = tokens[at] if at < len(tokens) else None
        if token is not None:
            depth += (token.kind == "open" or token.text == "{") - (token.kind == "close" or token.text == "}")
            if token.kind == "rel" and depth <= 0:
                signs.append(at)
            if not _separates(token, depth):
                continue
        if signs:
            borders = [start - 1, *signs, at]
            spans = tuple((left + 1, right) for left, right in itertools.pairwise(borders))
            yield spans, tuple(signs)
        start, signs, depth = at + 1, [], 0


def _separates(token: Token, depth: int) -> bool:
    if token.kind in ("nl", "stop"):
        return True
    return depth <= 0 and (token.kind in ("text", "word") or (token.kind == "sep" and token.text in ",;.:?"))


def read_chains(formula: Formula, setting: Setting) -> Iterator[ArrayChain]:
    """The chains of a formula that hold an array, with every side as a value, where it can be read."""
    for spans, signs in formula.chains:
        parsers = [ArrayParser(formula.text, formula.tokens, formula.marking, setting, span) for span in spans]
        # most chains are of numbers alone, which others read
        if any(parser.hot for parser in parsers):
            sides = tuple(_side(formula, span, parser) for span, parser in zip(spans, parsers, strict=True))
            places = tuple(formula.start + formula.tokens[at].start for at in signs)
            yield ArrayChain(sides, tuple(formula.tokens[at].text for at in signs), places)


def _side(formula: Formula, span: tuple[int, int], parser: ArrayParser) -> ArraySide:
    first, last = span
    if first >= last:
        border = formula.start + (formula.tokens[first - 1].end if first else 0)
        return ArraySide(None, border, border, False)
    start, end = formula.tokens[first].start, formula.tokens[last - 1].end
    try:
        value: Value | None = parser.side()
    except (UnreadableError, RecursionError):
        value = None
    # a mark is as long as what it stands for
    if formula.tokens[last - 1].text == MARK:
        end = start + len(formula.text[start:].rstrip()) if last == len(formula.tokens) else formula.tokens[last].start
        end = start + len(formula.text[start:end].rstrip())
    return ArraySide(value, formula.start + start, formula.start + end, bool(parser.hot), bool(parser.open))
