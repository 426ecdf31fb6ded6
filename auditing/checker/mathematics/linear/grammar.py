r"""A grammar of arrays: sums, products and bars over vectors and matrices whose cells the grammar of numbers reads.

Pratt's parser once more (grammar.py of numbers), over values instead of trees. What holds no array is read by the
grammar of numbers as one operand; each array is a mark (marks.py) or a bracket with commas.
"""

from __future__ import annotations

from dataclasses import replace

from auditing.checker.mathematics.cursor import UnreadableError
from auditing.checker.mathematics.grammar import Parser, Reading
from auditing.checker.mathematics.linear import marks, values
from auditing.checker.mathematics.linear.cursor import MAX_DEPTH
from auditing.checker.mathematics.linear.marks import MARK
from auditing.checker.mathematics.linear.operands import Operands
from auditing.checker.mathematics.linear.values import Value
from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.tree import Sym, Tree

_TRANSPOSE = frozenset(("T", "top", "intercal"))


class ArrayParser(Operands):
    """One pass over the tokens of one side."""

    def side(self) -> Value:
        """All tokens as one value; raises UnreadableError."""
        if not self.hot:
            return values.number(self.numbers(self.end))
        label = self.label()
        value = self.expression()
        if self.at != self.end:
            raise UnreadableError("the side goes on")
        return replace(value, name=label) if label else value

    def label(self) -> str:
        """The name before a point: B'(9, 3), where the side is nothing else."""
        if self.kind() != "sym" or not self.text_at().isupper():
            return ""
        at = self.at + 1
        while at < self.end and self.tokens[at].text in ("'", "′"):
            at += 1
        is_point = at < self.end and self.tokens[at].text == "(" and at in self.hot
        if not is_point or self.closing(at) != self.end - 1:
            return ""
        name = self.text_at() + "'" * (at - self.at - 1)
        self.at = at
        return name

    def expression(self, floor: int = 0) -> Value:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnreadableError("nested too deeply")
        left = self.prefix()
        while (step := self.infix(left, floor)) is not None:
            left = step
        self.depth -= 1
        return left

    def prefix(self) -> Value:
        if self.text_at() in ("-", "+") and self.kind() == "op":
            sign = self.text_at()
            self.at += 1
            operand = self.expression(22)
            return values.negated(operand) if sign == "-" else operand
        return self.operand()

    def infix(self, left: Value, floor: int) -> Value | None:
        token = self.peek()
        if token is None:
            return None
        if token.kind == "op":
            return self.operator(token, left, floor)
        # sin 2x stands for itself; two numbers beside each other do not
        if floor >= 25 or token.kind == "num" or not self.begins_an_operand(token):
            return None
        return values.multiplied(left, self.expression(25), "")

    def begins_an_operand(self, token: Token) -> bool:
        if token.text == MARK:
            kind = self.marking[token.start].kind if token.start in self.marking else ""
            return kind not in ("", marks.NORM_CLOSES) and not (kind == marks.NORM and self.bars[-1:] == [MARK])
        if token.kind == "bar":
            return self.bars[-1:] != [token.text]
        return token.kind in ("sym", "func", "open", "prefix") or token.text == "{"

    def operator(self, token: Token, left: Value, floor: int) -> Value | None:
        if token.text == "^":
            self.at += 1
            return self.power(left)
        if token.text in ("!", "°"):
            self.at += 1
            return values.applied("!" if token.text == "!" else "deg", left)
        power = {"+": 10, "-": 10, "*": 20, "/": 20}.get(token.text)
        if power is None or power <= floor:
            return None
        self.at += 1
        right = self.expression(power)
        if power == 10:
            return values.added(left, right, token.text)
        if token.text == "/":
            return values.divided(left, right)
        is_cross = self.text.startswith(("\\times", "×"), token.start)
        return values.multiplied(left, right, "cross" if is_cross else "dot")

    def power(self, left: Value) -> Value:
        braced = self.text_at() == "{"
        if left.is_array and self.text_at(1 if braced else 0) in _TRANSPOSE:
            self.at += 3 if braced else 1
            if braced and self.tokens[self.at - 1].text != "}":
                raise UnreadableError("an exponent that is not read")
            return values.transposed(left)
        if not braced and self.text_at() == "°":
            self.at += 1
            return values.applied("deg", left)
        if braced and self.text_at(1) == "°" and self.text_at(2) == "}":
            self.at += 3
            return values.applied("deg", left)
        parser = Parser(self.tokens, self.at, self.limit(), Reading(open=self.open))
        exponent = parser.exponent()
        self.at = parser.at
        return values.raised(left, exponent)


def is_plain_name(tree: Tree) -> str:
    """The name that a tree is alone: P, P', n_1; nothing for f(2)."""
    return tree.name if isinstance(tree, Sym) and "(" not in tree.name else ""
