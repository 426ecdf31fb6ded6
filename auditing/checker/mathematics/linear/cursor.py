"""The lowest layer of the grammar of arrays: a position in the tokens of a formula, and where arrays stand in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from auditing.checker.mathematics.cursor import UnreadableError
from auditing.checker.mathematics.grammar import Reading, parse_slice
from auditing.checker.mathematics.linear import values
from auditing.checker.mathematics.linear.marks import COMMA, MARK, Mark, marked
from auditing.checker.mathematics.linear.values import Value
from auditing.checker.mathematics.tokens import Token, tokenize
from auditing.checker.mathematics.tree import Tree


@dataclass(frozen=True, slots=True)
class Setting:
    """The values that names have, and how many components a vector has of which nothing is known."""

    named: Mapping[str, Value] = field(default_factory=dict)
    dimension: int = 3


def formula_tokens(text: str) -> tuple[list[Token], dict[int, Mark]]:
    """The tokens of a formula as it stands between its marks, at their places in it; and what its marks are."""
    masked, marking = marked(text)
    # read between delimiters, so that letters are symbols
    opening = "\\("
    tokens = [
        token._replace(start=token.start - len(opening), end=token.end - len(opening))
        for token in tokenize(opening + masked)
        if token.kind != "math" and token.text != "&"
    ]
    return tokens, marking


# brackets in brackets; tokens of one formula
MAX_DEPTH, MAX_TOKENS = 24, 1_200


class ArrayCursor:
    """A span of the tokens of one formula."""

    def __init__(
        self, text: str, tokens: list[Token], marking: Mapping[int, Mark], setting: Setting, span: tuple[int, int]
    ) -> None:
        self.text, self.tokens, self.marking, self.setting = text, tokens, marking, setting
        self.at, self.end = span
        self.depth = 0
        # bars and marks of a norm that are open: the next one like the last of them closes it
        self.bars: list[str] = []
        # questions of notation that came up (Reading), in all cells
        self.open: set[str] = set()
        self.hot = _hot(tokens, marking, span, setting.named)

    def peek(self, ahead: int = 0) -> Token | None:
        return self.tokens[self.at + ahead] if self.at + ahead < self.end else None

    def kind(self, ahead: int = 0) -> str:
        token = self.peek(ahead)
        return token.kind if token else ""

    def text_at(self, ahead: int = 0) -> str:
        token = self.peek(ahead)
        return token.text if token else ""

    def mark(self) -> Mark | None:
        token = self.peek()
        return self.marking.get(token.start) if token is not None and token.text == MARK else None

    def expect(self, text: str) -> None:
        if self.text_at() != text:
            raise UnreadableError(f"expected {text}")
        self.at += 1

    def closing(self, opens: int) -> int:
        """Where the bracket or brace closes that opens at a token."""
        depth = 0
        for at in range(opens, self.end):
            token = self.tokens[at]
            is_group = token.kind == "group" or token.text in ("{", "}")
            depth += 1 if token.kind == "open" or (is_group and token.text == "{") else 0
            depth -= 1 if token.kind == "close" or (is_group and token.text == "}") else 0
            if depth == 0:
                return at
        raise UnreadableError("a bracket stays open")

    def limit(self) -> int:
        """Where the next array begins, or the bracket that holds one: the grammar of numbers reads no further."""
        return min((at for at in self.hot if at >= self.at), default=self.end)

    def numbers(self, end: int) -> Tree:
        """Everything up to a token as one expression without arrays."""
        tree, after = parse_slice(tokens=self.tokens, start=self.at, end=end, reading=Reading(open=self.open))
        if after != end:
            raise UnreadableError("the expression goes on")
        self.at = end
        return tree


def is_named(letters: str, named: Mapping[str, Value]) -> bool:
    """Whether letters name an array, or two matrices that are multiplied."""
    return letters in named or is_product(letters, named)


def is_product(letters: str, named: Mapping[str, Value]) -> bool:
    """Whether two letters each name a matrix: AB."""
    return len(letters) == 2 and all(letter in named and named[letter].kind == values.MATRIX for letter in letters)


def commas_in(tokens: list[Token], opens: int, close: int) -> list[int]:
    """The commas of a bracket that stand in no bracket inside of it."""
    depth, places = 0, []
    for at in range(opens + 1, close):
        token = tokens[at]
        depth += (token.kind == "open" or token.text == "{") - (token.kind == "close" or token.text == "}")
        if depth == 0 and token.text in (",", COMMA):
            places.append(at)
    return places


def _hot(
    tokens: list[Token], marking: Mapping[int, Mark], span: tuple[int, int], named: Mapping[str, Value]
) -> frozenset[int]:
    """The tokens that are arrays or open a bracket with an array in it: a bracket with commas is one."""
    hot: set[int] = set()
    stack: list[int] = []
    for at in range(*span):
        token = tokens[at]
        if token.kind == "open" or token.text == "{":
            stack.append(at)
        elif (token.kind == "close" or token.text == "}") and stack:
            stack.pop()
        elif (
            (token.text == MARK and token.start in marking)
            or (token.text in (",", COMMA) and stack and _parts_a_point(tokens, stack[-1]))
            or (named and token.kind == "sym" and is_named(token.text, named))
        ):
            hot.update(stack)
            hot.add(at)
    return frozenset(hot)


def _parts_a_point(tokens: list[Token], opens: int) -> bool:
    """Whether a bracket with commas is a point, and no list of arguments: gcd(4, 6), f(2, 3)."""
    before = tokens[opens - 1] if opens else None
    if tokens[opens].text == "{":
        # the braces of a set, and none of LaTeX
        return tokens[opens].kind == "other"
    return before is None or before.kind not in ("func", "text", "word")
