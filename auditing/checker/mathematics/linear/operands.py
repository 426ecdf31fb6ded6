"""The operands of the grammar of arrays: names, tables, points, bars, and what the grammar of numbers reads."""

from __future__ import annotations

import itertools
from dataclasses import replace

from auditing.checker.mathematics.cursor import UnreadableError
from auditing.checker.mathematics.grammar import Parser, Reading
from auditing.checker.mathematics.linear import marks, values
from auditing.checker.mathematics.linear.cursor import (
    MAX_DEPTH,
    ArrayCursor,
    Setting,
    commas_in,
    formula_tokens,
    is_named,
    is_product,
)
from auditing.checker.mathematics.linear.marks import ARROW, BOLD, MARK, Mark
from auditing.checker.mathematics.linear.values import Value
from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.tree import Sym, Tree

# letters that name functions before a bracket: f(2, 3) is no product
_FUNCTIONS = frozenset("fghpqFGHPQTC")
_OPENS = {"(": ")", "[": "]"}
_AXES = {"i": 0, "j": 1, "k": 2}
_FEWEST, _MOST = 2, 6


class Operands(ArrayCursor):
    """Everything that can stand where an operand is expected."""

    def expression(self, floor: int = 0) -> Value:
        """An expression whose operators bind more tightly than `floor` (the parser knows how)."""
        raise NotImplementedError

    def side(self) -> Value:
        """All tokens as one value (the parser knows how)."""
        raise NotImplementedError

    def operand(self) -> Value:
        token = self.peek()
        if token is None:
            raise UnreadableError("the side ends early")
        mark = self.mark()
        if mark is not None:
            return self.marked(mark)
        if token.kind == "bar":
            return self.between_bars("|")
        if token.kind == "func" and self.is_hot_call():
            return self.call(token)
        if token.kind == "sym" and (named := self.symbol(token)) is not None:
            return named
        if self.at in self.hot:
            return self.bracket(token)
        parser = Parser(self.tokens, self.at, self.limit(), Reading(open=self.open))
        tree = parser.primary()
        self.at = parser.at
        return values.number(tree)

    def symbol(self, token: Token) -> Value | None:
        """A letter that names an array, two that name matrices, or one before a bracket that holds arrays."""
        following, named = self.peek(1), self.setting.named
        if is_named(token.text, named) and self.text_at(1) not in ("_", "'", "′"):
            self.at += 1
            if is_product(token.text, named):
                return values.multiplied(named[token.text[0]], named[token.text[1]], "")
            return named[token.text]
        if following is None or self.at + 1 not in self.hot or following.kind != "open":
            return None
        if token.text in _FUNCTIONS and self.is_tuple(self.at + 1):
            raise UnreadableError("a function of several numbers")
        self.at += 1
        return values.number(Sym(token.text))

    def marked(self, mark: Mark) -> Value:
        self.at += 1
        match mark.kind:
            case marks.NAME:
                return self.named(mark.text)
            case marks.TABLE:
                return self.table(mark)
            case marks.NORM | marks.NORM_OPENS:
                self.at -= 1
                return self.between_bars(MARK)
            case marks.PROJECTION:
                return self.projection()
            case marks.DETERMINANT | marks.TRACE:
                value = self.expression(24)
                return values.determinant_of(value) if mark.kind == marks.DETERMINANT else values.trace_of(value)
        raise UnreadableError("a norm that closes")

    def named(self, name: str) -> Value:
        """The value of a name with a style: the one that the text gives it, or unknown cells."""
        named, letters, dimension = self.setting.named, name[1:], self.setting.dimension
        first, second = (named.get(letter) for letter in (letters[:1], letters[1:]))
        # from A to B, where both are points of the text
        if name[0] == ARROW and first is not None and second is not None and first.kind == second.kind == values.VECTOR:
            return replace(values.added(second, first, "-"), is_computed=True)
        value = named.get(name) or named.get(letters)
        if value is not None:
            return value
        if letters == "0":
            return Value(values.NOTHING, ())
        if letters in _AXES:
            return values.unit(_AXES[letters], dimension)
        if name == f"{BOLD}I":
            return values.identity(dimension)
        if letters[:2].isupper() and len(letters) > 1 and letters[1].isalpha() and name[0] == BOLD:
            raise UnreadableError("two letters that are set as one")
        return values.unknown(name, dimension, is_matrix=name[0] == BOLD)

    def table(self, mark: Mark) -> Value:
        if not mark.cells:
            raise UnreadableError("a table that is not read")
        rows = [list(row) for row in mark.cells]
        axes = [self.cell(cell) for cell in rows[0]] if mark.text == "vmatrix" else []
        if len(axes) == len(rows) == 3 and all(axis.kind == values.VECTOR for axis in axes):
            return self.crossed(axes, rows[1:])
        value = values.matrix([[self.number_cell(cell) for cell in row] for row in rows])
        if mark.text == "vmatrix":
            return replace(values.determinant_of(value), is_computed=True)
        if mark.text == "Vmatrix":
            return replace(values.length(value), is_computed=True)
        # a table alone shows its columns: what makes a matrix of it are the brackets around it
        if mark.text in ("array", "matrix", "smallmatrix"):
            around = [self.tokens[at].text for at in (self.at - 2, self.at) if 0 <= at < len(self.tokens)]
            if len(around) < 2 or around[0] not in ("(", "[", "|") or around[1] not in (")", "]", "|"):
                raise UnreadableError("a table without brackets")
        return value

    def crossed(self, axes: list[Value], rows: list[list[str]]) -> Value:
        """The cross product as a determinant whose first row are the axes."""
        if [axis.cells for axis in axes] != [values.unit(at, 3).cells for at in range(3)]:
            raise UnreadableError("a determinant of vectors")
        first, second = (values.vector([self.number_cell(cell) for cell in row]) for row in rows)
        return values.multiplied(first, second, "cross")

    def cell(self, text: str) -> Value:
        if text in _AXES and self.setting.dimension == 3:
            return values.unit(_AXES[text], 3)
        tokens, marking = formula_tokens(text)
        parser = type(self)(text, tokens, marking, self.setting, (0, len(tokens)))
        parser.depth, parser.open = self.depth + 1, self.open
        if parser.depth > MAX_DEPTH:
            raise UnreadableError("nested too deeply")
        return parser.side()

    def number_cell(self, text: str) -> Tree:
        tokens, marking = formula_tokens(text)
        if marking:
            return self.as_number(self.cell(text))
        parser = type(self)(text, tokens, marking, Setting(), (0, len(tokens)))
        parser.open = self.open
        return self.as_number(parser.side())

    @staticmethod
    def as_number(value: Value) -> Tree:
        if value.kind != values.NUMBER:
            raise UnreadableError("a cell that is no number")
        return value.tree

    def projection(self) -> Value:
        self.expect("_")
        onto = self.group() if self.text_at() == "{" else self.operand()
        return values.projected(onto, self.expression(24))

    def between_bars(self, sign: str) -> Value:
        self.at += 1
        self.bars.append(sign)
        inner = self.expression(0)
        self.bars.pop()
        closes = self.mark() if sign == MARK else None
        if sign == MARK and (closes is None or closes.kind not in (marks.NORM, marks.NORM_CLOSES)):
            raise UnreadableError("a norm stays open")
        self.expect(sign)
        if sign == "|" and inner.kind == values.MATRIX:
            return values.determinant_of(inner)
        return values.length(inner)

    def is_hot_call(self) -> bool:
        """Whether an argument of a function holds arrays."""
        ahead = 1
        while self.text_at(ahead) == "{" or (self.kind(ahead) == "open" and ahead == 1):
            if self.at + ahead in self.hot:
                return True
            ahead = self.closing(self.at + ahead) + 1 - self.at
        return False

    def call(self, token: Token) -> Value:
        self.at += 1
        if token.text == "frac":
            return values.divided(self.group(), self.group())
        if token.text not in ("sqrt", "sin", "cos", "tan", "arcsin", "arccos", "arctan"):
            raise UnreadableError("a function of arrays")
        return values.applied(token.text, self.group())

    def group(self) -> Value:
        """An argument of LaTeX in braces, or a bracket."""
        token = self.peek()
        if token is None or (token.text != "{" and token.kind != "open"):
            raise UnreadableError("an argument without braces")
        return self.bracket(token)

    def bracket(self, token: Token) -> Value:
        """What stands in brackets: a point where commas part it."""
        opens, close = self.at, self.closing(self.at)
        bars, self.bars = self.bars, list[str]()
        if token.text in ("(", "[") and self.tokens[close].text != _OPENS[token.text]:
            raise UnreadableError("an interval that is open at one end")
        if self.is_tuple(opens):
            value = self.point(opens, close)
            if token.text == "{":
                value = replace(value, kind=values.SET)
        else:
            self.at += 1
            end, self.end = self.end, close
            value = self.expression(0)
            if self.at != close:
                raise UnreadableError("a bracket that is not read")
            self.end = end
        self.at, self.bars = close + 1, bars
        return replace(value, name="")

    def is_tuple(self, opens: int) -> bool:
        return bool(commas_in(self.tokens, opens, self.closing(opens)))

    def point(self, opens: int, close: int) -> Value:
        borders = [opens, *commas_in(self.tokens, opens, close), close]
        if not _FEWEST <= len(borders) - 1 <= _MOST:
            raise UnreadableError("a list that is no point")
        cells = []
        for start, stop in itertools.pairwise(borders):
            parser = type(self)(self.text, self.tokens, self.marking, self.setting, (start + 1, stop))
            parser.depth, parser.open = self.depth + 1, self.open
            cells.append(self.as_number(parser.side()))
        return values.vector(cells)
