"""What an expression starts with: numbers, money, symbols, functions, brackets, LaTeX groups."""

from __future__ import annotations

from fractions import Fraction

from auditing.checker.mathematics.cursor import MAX_DIGITS, Cursor, UnreadableError
from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree
from auditing.checker.mathematics.vocabulary import ORDINALS, words

_FUNCTIONS = words("log ln lg sin cos tan cot sec csc exp arcsin arccos arctan")
_MANY = words("gcd lcm max min")


class Primaries(Cursor):
    """Everything that can stand where an operand is expected."""

    def expression(self, floor: int = 0) -> Tree:
        """An expression whose operators bind more tightly than `floor` (the parser knows how)."""
        raise NotImplementedError

    def exponent(self) -> Tree:
        """What stands after a power sign (the parser knows how)."""
        raise NotImplementedError

    def prefix(self) -> Tree:
        text = self.text()
        if text in ("-", "±"):
            self.at += 1
            return Node("neg" if text == "-" else "±", (self.expression(22),))
        if text == "+":
            self.at += 1
            return self.expression(22)
        return self.annotated(self.primary())

    def primary(self) -> Tree:
        token = self.peek()
        if token is None:
            raise UnreadableError("the expression ends early")
        reader = {"sym": self.symbol, "func": self.function, "prefix": self.named_figure}.get(token.kind)
        if reader is not None:
            return reader(token)
        plain_reader = {"dollar": self.money, "num": self.number, "bar": self.bars}.get(token.kind)
        if plain_reader is not None:
            return plain_reader()
        if token.kind == "open" or token.text == "{":
            return self.bracket(token)
        raise UnreadableError(f"no expression starts with {token.text!r}")

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
        self.refuse_lost_exponent(token)
        self.at += 1
        digits = token.text.replace("{,}", "").replace(",", "")
        _, _, decimals = digits.partition(".")
        digits, places = self.thin_thousands(digits, bool(decimals)), len(decimals)
        cut = self.kind() == "dots" and places > 0
        if cut:
            self.at += 1
        if self.kind() == "word" and (self.peek() or token).glued and self.text().lower() in ORDINALS:
            raise UnreadableError("an ordinal is no quantity")
        return Num(Fraction(digits), places, False, False, "", cut)

    def refuse_lost_exponent(self, token: Token) -> None:
        """6 x 10-3: a power of ten whose exponent sign was lost."""
        sign, after = self.peek(1), self.peek(2)
        if token.text != "10" or sign is None or after is None or after.kind != "num":
            return
        before = self.tokens[self.at - 1].text if self.at else ""
        if sign.text == "-" and sign.glued and after.glued and before == "*":
            raise UnreadableError("a power of ten without its sign")

    def thin_thousands(self, digits: str, has_point: bool) -> str:
        r"""Joins 1\,000 (glued groups of three digits after a LaTeX thin space)."""
        while (
            not has_point
            and self.kind() == "num"
            and (self.peek() or Token("", "", 0, 0)).glued
            and len(self.text()) == 3
        ):
            digits += self.text()
            self.at += 1
        return digits

    def symbol(self, token: Token) -> Tree:
        self.at += 1
        name = token.text
        if self.text() == "_":
            name = f"{name}_{self.subscript()}"
        while self.text() in ("'", "′"):
            name, self.at = name + "'", self.at + 1
        if self.kind() == "open" and self.text() in ("(", "[") and (self.peek() or token).glued:
            return self.application(name)
        if name in ("C", "P") and self.kind() == "open":
            raise UnreadableError("an unknown function")
        return Sym(name)

    def named_figure(self, token: Token) -> Tree:
        r"""\angle ABC and \overline{AB} as symbols."""
        self.at += 1
        braced = self.text() == "{"
        self.at += braced
        letters = ""
        while self.kind() == "sym" and len(letters) < 4:
            letters += self.text()
            self.at += 1
            if letters.isupper() and len(letters) > 1:
                break
        if not letters or (braced and self.text() != "}"):
            raise UnreadableError("a figure without letters")
        self.at += braced
        return Sym(letters if token.text == "segment" else f"angle {letters}")

    def application(self, name: str) -> Tree:
        """f(x), P(A), C(5, 2): a product only when the name is no function name."""
        mark = self.at
        if name in ("C", "P") and self.pair_follows():
            self.at += 1
            top = self.expression()
            self.expect(",")
            bottom = self.expression()
            self.expect(")")
            return Node("binom" if name == "C" else "perm", (top, bottom))
        if name[0] in "fghpqPFGHQTENLSRAVCKuvr":
            inner = self.raw_bracket(mark)
            if name == "pi" and not (self.kind() in ("rel", "") and self.stands_alone(mark)):
                self.at = mark
                return Sym(name)
            return Sym(f"{name}({inner})")
        return Sym(name)

    def pair_follows(self) -> bool:
        return self.kind(1) == "num" and self.text(2) == "," and self.kind(3) == "num" and self.text(4) == ")"

    def raw_bracket(self, mark: int) -> str:
        depth = 0
        parts: list[str] = []
        for position in range(mark, min(self.end, mark + 40)):
            token = self.tokens[position]
            if token.kind == "open":
                depth += 1
            elif token.kind == "close":
                depth -= 1
                if depth == 0:
                    self.at = position + 1
                    return "".join(parts)
            if not (token.kind == "open" and depth == 1):
                parts.append(token.text)
        raise UnreadableError("a bracket stays open")

    def subscript(self) -> str:
        self.at += 1
        if self.text() != "{":
            token = self.peek()
            if token is None or token.kind not in ("num", "sym", "text", "word"):
                raise UnreadableError("an unreadable subscript")
            self.at += 1
            return token.text
        parts: list[str] = []
        self.at += 1
        while self.text() != "}":
            token = self.peek()
            if token is None or len(parts) > 12:
                raise UnreadableError("an unreadable subscript")
            parts.append(token.text)
            self.at += 1
        self.at += 1
        return "".join(parts)

    def group(self) -> Tree:
        """A LaTeX argument: {...} or one token."""
        if self.text() == "{":
            self.at += 1
            inner = self.expression()
            self.expect("}")
            return inner
        token = self.peek()
        if token and token.kind == "num":
            return self.number()
        return self.primary()

    def function(self, token: Token) -> Tree:
        self.at += 1
        name = token.text
        if name == "e":
            return self.euler_power()
        if name in ("frac", "binom"):
            return self.fraction(name)
        if name == "sqrt":
            return self.root()
        if name in _MANY:
            return Node(name, self.arguments())
        if name in ("floor", "ceil", "ceiling", "abs", "factorial"):
            arguments = self.arguments()
            if len(arguments) != 1:
                raise UnreadableError("one argument expected")
            return Node({"ceiling": "ceil", "factorial": "!"}.get(name, name), arguments)
        if name in _FUNCTIONS:
            return self.named(name)
        raise UnreadableError(f"unknown function {name}")

    def euler_power(self) -> Tree:
        """e^x as the exponential function."""
        self.expect("^")
        return Node("exp", (self.exponent(),))

    def fraction(self, name: str) -> Tree:
        token = self.peek()
        if token and token.kind == "num" and len(token.text) == 2 and token.text.isdigit():
            self.at += 1
            top, bottom = (Num(Fraction(int(digit))) for digit in token.text)
            return Node("/", (top, bottom)) if name == "frac" else Node("binom", (top, bottom))
        parts = (self.group(), self.group())
        return Node("/" if name == "frac" else "binom", parts)

    def root(self) -> Tree:
        if self.text() == "[":
            self.at += 1
            degree = self.expression()
            self.expect("]")
            return Node("root", (self.group(), degree))
        if self.text() == "{":
            return Node("sqrt", (self.group(),))
        return Node("sqrt", (self.primary(),))

    def named(self, name: str) -> Tree:
        power: Tree | None = None
        base: Tree | None = None
        following = self.peek()
        if following and following.kind == "num" and following.glued and self.text(1) == "(":
            raise UnreadableError("a function with a number in its name")
        if self.text() == "_":
            self.at += 1
            base = self.group()
        if self.text() == "^":
            self.at += 1
            power = self.group() if self.text() == "{" else self.exponent()
            if not (isinstance(power, Num) and power.value > 0):
                raise UnreadableError("an inverse function")
        argument = self.bare_argument() if self.text() not in ("(", "[", "{") else self.bracketed_argument()
        if name in ("log", "lg") and base is None:
            self.open.add("log")
        call = Node("log", (argument, base)) if base is not None else Node(name, (argument,))
        return Node("^", (call, power)) if power is not None else call

    def bare_argument(self) -> Tree:
        """sin 2x cos x: the argument ends before the next function."""
        self.in_argument = True
        try:
            return self.expression(24)
        finally:
            self.in_argument = False

    def bracketed_argument(self) -> Tree:
        token = self.peek()
        assert token is not None
        return self.bracket(token)

    def arguments(self) -> tuple[Tree, ...]:
        if self.text() not in ("(", "{"):
            raise UnreadableError("arguments are missing")
        close = ")" if self.text() == "(" else "}"
        self.at += 1
        items = [self.expression()]
        while self.text() == "," or (self.kind() == "sep" and self.text() == ";"):
            self.at += 1
            items.append(self.expression())
        self.expect(close)
        return tuple(items)

    def bars(self) -> Tree:
        self.at += 1
        inner = self.expression()
        self.expect("|")
        return Node("abs", (inner,))

    def bracket(self, token: Token) -> Tree:
        close = {"(": ")", "[": "]", "{": "}", "floor": "floor", "ceil": "ceil"}[token.text]
        self.at += 1
        inner = self.expression()
        if token.text == "(" and self.kind() in ("text", "word"):
            self.annotation()
        self.expect(close)
        return Node(token.text, (inner,)) if token.text in ("floor", "ceil") else inner
