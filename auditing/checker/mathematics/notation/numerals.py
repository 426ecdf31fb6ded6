"""Numbers as they are written: money, thousands, exponents, cut decimals, words of scale, 3 1/2, 5C2."""

from __future__ import annotations

from fractions import Fraction

from auditing.checker.mathematics.cursor import MAX_DIGITS, Cursor, UnreadableError
from auditing.checker.mathematics.exactly.arithmetic import written
from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.tree import Node, Num, Tree
from auditing.checker.mathematics.vocabulary import ORDINALS, SCALES

MAX_EXPONENT = 300
SMALLEST_BASE, LARGEST_BASE = 2, 36
# tokens to either side in which a constant may stand alone
NEARBY = 150


class Numerals(Cursor):
    """Operands that begin with a digit or a currency."""

    def scaled(self, tree: Tree) -> Tree:
        """2.5 million as 2.5 * 10^6, whose last written digit counts hundred thousands."""
        exponent = SCALES.get(self.text().lower()) if self.kind() == "word" and isinstance(tree, Num) else None
        if exponent is None:
            return tree
        self.at += 1
        return Node("*", (tree, Node("^", (Num(Fraction(10)), Num(Fraction(exponent))))))

    def money(self) -> Tree:
        self.at += 1
        if self.text() == "-":
            self.at += 1
            inner = self.number()
            return Node("neg", (Num(inner.value, inner.decimals, False, True),))
        inner = self.number()
        return Num(inner.value, inner.decimals, False, True, "", inner.cut)

    def number(self) -> Num:
        token = self.peek()
        if token is None or token.kind != "num":
            raise UnreadableError("a number is missing")
        if len(token.text) > MAX_DIGITS:
            raise UnreadableError("too many digits")
        # "1,000" and LaTeX's "1{,}000" are one number; the decimals written are kept, for 2.50 claims more than 2.5
        self.at += 1
        digits = token.text.replace("{,}", "").replace("\\!", "").replace(",", "")
        if "e" in digits.lower():
            return self.scientific(digits.lower())
        _, _, decimals = digits.partition(".")
        digits, places = self.thin_thousands(digits, bool(decimals)), len(decimals)
        # 0.333... is the range from 0.333 to 0.334, not the number 0.333
        cut = self.kind() == "dots" and places > 0
        if cut:
            self.at += 1
        # the 4 of "4th" counts nothing that can be added
        if self.kind() == "word" and (self.peek() or token).glued and self.text().lower() in ORDINALS:
            self.check_ordinal()
        return Num(written(digits), places, False, False, "", cut)

    def based(self, number: Num) -> Tree:
        """253_8 and (253)_{8}: digits with their base below; none is larger than it, and 7_7 was not carried yet."""
        if self.text() != "_":
            return number
        is_braced, digits = self.text(1) == "{", str(number.value)
        written, width = self.text(1 + is_braced), 2 + 2 * is_braced
        base = 0 if written.startswith("0") or (is_braced and self.text(3) != "}") else _integer(written)
        is_base = SMALLEST_BASE <= base <= LARGEST_BASE and self.text(width) != "_"
        if not is_base or number.decimals or not digits.isdigit() or max(map(int, digits)) > base:
            return number
        self.at += width
        return Node("numeral", (number, Num(Fraction(base))))

    def scientific(self, digits: str) -> Num:
        """4.17e6: two decimals of a million, so the last written digit counts ten thousands."""
        mantissa, _, exponent = digits.partition("e")
        if abs(int(exponent)) > MAX_EXPONENT:
            raise UnreadableError("an exponent too large")
        return Num(Fraction(digits), len(mantissa.partition(".")[2]) - int(exponent))

    def has_lost_its_sign(self) -> bool:
        """6 x 10-3: plain text loses superscripts, 10⁻³ was written; as a difference it is read, too."""
        sign, after = self.peek(1), self.peek(2)
        if sign is None or after is None or after.kind != "num" or not after.text.isdigit():
            return False
        before = self.tokens[self.at - 1].text if self.at else ""
        return sign.text == "-" and sign.glued and after.glued and before == "*" and len(after.text) < 3

    def thin_thousands(self, digits: str, has_point: bool) -> str:
        r"""Joins 1\,000: groups of three digits after a thin space; with a blank a line break may be lost."""
        while (token := self.peek()) and token.kind == "num" and token.glued and not has_point:
            if len(token.text) != 3 or not token.text.isdigit() or token.start - self.tokens[self.at - 1].end == 1:
                break
            digits += token.text
            self.at += 1
        return digits

    def selection(self, left: Num, name: str) -> Tree | None:
        """5C2 and 5C_2, 5P2: choices and arrangements."""
        low = self.text(1) == "_"
        # 2C_1 beside C_1 alone is a constant of integration, 9P2 beside P2 a price
        nearby = range(max(0, self.at - NEARBY), min(len(self.tokens), self.at + NEARBY))
        if any(self.tokens[at].text == name and self._is_alone(at) for at in nearby):
            return None
        below = self.peek(2 if low else 1)
        if below is None or below.kind != "num" or not below.glued or left.decimals or not _integer(below.text):
            return None
        self.at += 3 if low else 2
        return Node("binom" if name == "C" else "perm", (left, Num(Fraction(_integer(below.text)))))

    def _is_alone(self, at: int) -> bool:
        before = self.tokens[at - 1] if at else None
        after = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        is_indexed = after is not None and (after.text == "_" or (after.kind == "num" and after.glued))
        return is_indexed and (before is None or before.kind != "num")

    def mixed_plain(self, left: Tree, token: Token) -> Tree | None:
        """3 1/2 as a mixed number; any other number after a number ends the expression."""
        slash, below = self.peek(1), self.peek(2)
        if not (isinstance(left, Num) and left.decimals == 0 and slash and slash.text == "/" and below):
            return None
        if below.kind != "num" or token.glued or not slash.glued or left.value.denominator != 1:
            return None
        top, bottom = _integer(token.text), _integer(below.text)
        # '3 4/5' is read as 3 + 4/5, never as 3 * 4/5; '3 5/4' is no mixed number, and the expression ends after the 3
        if not (0 < top < bottom):
            return None
        self.at += 3
        return Node("+", (left, Node("/", (Num(Fraction(top)), Num(Fraction(bottom))))))


def _integer(text: str) -> int:
    return int(text) if text.isdigit() and len(text) < 12 else 0
