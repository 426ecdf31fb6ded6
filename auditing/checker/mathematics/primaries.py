"""The operands of the grammar: numbers, money, symbols, functions, brackets and LaTeX groups.

Each method reads one kind of operand at the cursor and moves behind it, or raises UnreadableError: what cannot be read
for certain is not read at all.
"""

from __future__ import annotations

from fractions import Fraction

from auditing.checker.mathematics.bound.antiderivatives import integral
from auditing.checker.mathematics.bound.series import sum_without_end
from auditing.checker.mathematics.bound.signs import DOWN, SEPARATOR, UP, is_infinite
from auditing.checker.mathematics.cursor import UnreadableError
from auditing.checker.mathematics.notation.determinants import NAME as DETERMINANT
from auditing.checker.mathematics.notation.determinants import cells_of, determinant
from auditing.checker.mathematics.notation.numerals import Numerals
from auditing.checker.mathematics.symbols import Symbols
from auditing.checker.mathematics.tokens import Token, tokenize
from auditing.checker.mathematics.tree import BINDING, Node, Num, Sym, Tree, free_symbols, walk
from auditing.checker.mathematics.vocabulary import words

_LOGARITHMS = frozenset(("log", "ln", "lg"))
_FUNCTIONS = words("log ln lg sin cos tan cot sec csc exp arcsin arccos arctan")
_DEGREES = {"sqrt": 2, "root3": 3, "root4": 4}
_MANY = words("gcd lcm max min")

_READERS = {"sym": "symbol", "func": "function", "prefix": "named_figure", "big": "big_sign"}
_PLAIN_READERS = {"dollar": "money", "bar": "bars"}


class Primaries(Symbols, Numerals):
    """Everything that can stand where an operand is expected."""

    def exponent(self) -> Tree:
        """What stands after a power sign (the parser knows how)."""
        raise NotImplementedError

    def prefix(self) -> Tree:
        text = self.text()
        if text in ("-", "±"):
            self.at += 1
            # 22: above a product and below a power, so -2 * 3 is (-2) * 3 and -2^2 is -(2^2)
            return Node("neg" if text == "-" else "±", (self.expression(22),))
        if text == "+":
            self.at += 1
            return self.expression(22)
        return self.annotated(self.primary())

    def primary(self) -> Tree:
        token = self.peek()
        if token is None:
            raise UnreadableError("the expression ends early")
        if token.text == "10" and self.has_lost_its_sign():
            self.open.add("lost")
            if self.reading.lost:
                self.at += 3
                return Node("^", (Num(Fraction(10)), Node("neg", (Num(Fraction(self.text(-1))),))))
        if token.kind == "num":
            return self.repeating() or self.scaled(self.based(self.number()))
        # two tables, because four of the readers want the token and two find everything at the cursor
        if reader := _READERS.get(token.kind):
            return getattr(self, reader)(token)  # type: ignore[no-any-return]
        if plain_reader := _PLAIN_READERS.get(token.kind):
            return self.scaled(getattr(self, plain_reader)())
        if token.kind == "open" or token.text == "{":
            return self.bracket(token)
        raise UnreadableError(f"no expression starts with {token.text!r}")

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
        if name in _DEGREES:
            return self.root(_DEGREES[name])
        if name in _MANY:
            return Node(name, self.arguments())
        # Written as functions of one number; their signs (bars, brackets, !) are read elsewhere into the same nodes.
        if name in ("floor", "ceil", "ceiling", "abs", "factorial"):
            operands = self.arguments()
            if len(operands) != 1:
                raise UnreadableError("one argument expected")
            return Node({"ceiling": "ceil", "factorial": "!"}.get(name, name), operands)
        if name in _FUNCTIONS:
            return self.named(name)
        raise UnreadableError(f"unknown function {name}")

    def euler_power(self) -> Tree:
        """e^x as the exponential function."""
        self.expect("^")
        return Node("exp", (self.exponent(),))

    def fraction(self, name: str) -> Tree:
        token = self.peek()
        # \frac12 is one half: TeX takes one digit for each argument where braces are missing
        if token and token.kind == "num" and len(token.text) == 2 and token.text.isdigit():
            self.at += 1
            top, bottom = (Num(Fraction(int(digit))) for digit in token.text)
            return Node("/", (top, bottom)) if name == "frac" else Node("binom", (top, bottom))
        parts = (self.group(), self.group())
        return Node("/" if name == "frac" else "binom", parts)

    def root(self, degree_of_sign: int) -> Tree:
        if degree_of_sign > 2:
            return Node("root", (self.primary(), Num(Fraction(degree_of_sign))))
        if self.text() == "[":
            self.at += 1
            degree = self.expression()
            self.expect("]")
            return Node("root", (self.group(), degree))
        return Node("sqrt", (self.primary(),))

    def named(self, name: str) -> Tree:
        power: Tree | None = None
        base = self.base_of(name)
        if self.text() == "^":
            name, power = self.power_of(name)
        # a bracket directly after the name is the whole argument: sin(x) + 1
        if self.text() in ("(", "[", "{"):
            argument = self.bracketed_argument()
        else:
            argument = self.bare_argument()
            if name in _LOGARITHMS and self.text() in ("sqrt", "frac"):
                raise UnreadableError("of 27 sqrt(3), one or both factors")
        # log (z/25)^3 is the logarithm of a cube, or the cube of a logarithm: both are read
        if name in _LOGARITHMS and self.text() == "^" and power is None:
            self.open.add("raised")
            if self.reading.raised:
                self.at += 1
                argument = Node("^", (argument, self.exponent()))
        # log without a base is decimal, natural or binary; whoever compares tries all of them (compare._settings)
        if name in ("log", "lg") and base is None:
            self.open.add("log")
        call = Node("log", (argument, base)) if base is not None else Node(name, (argument,))
        return Node("^", (call, power)) if power is not None else call

    def base_of(self, name: str) -> Tree | None:
        """The base of a logarithm; log10(x) and log2(x) name it as programs do, "sin2(x)" is not guessed."""
        base: Tree | None = None
        following = self.peek()
        if following and following.kind == "num" and following.glued and self.text(1) in ("(", "["):
            if name != "log" or following.text not in ("2", "10"):
                raise UnreadableError("a function with a number in its name")
            base = self.number()
        if self.text() == "_":
            self.at += 1
            is_bare, base = self.kind() == "num", self.group()
            behind = self.peek()
            is_touched = behind is not None and behind.glued and behind.text not in ("(", "[", "{")
            # TeX sets \log_28\sqrt{2} as the logarithm of 8 sqrt(2) to base 2, and nobody knows who knows it
            if is_bare and is_touched and isinstance(base, Num) and base.value > 10:
                raise UnreadableError("a base of more digits than TeX puts below")
        return base

    def power_of(self, name: str) -> tuple[str, Tree | None]:
        """sin^2 x is (sin x)^2; sin^{-1} x is the angle or 1/sin x, depending on who writes: both are read."""
        self.at += 1
        power = self.group() if self.text() == "{" else self.exponent()
        if name in ("sin", "cos", "tan") and power == Node("neg", (Num(Fraction(1)),)):
            self.open.add("inverse")
            return (f"arc{name}", None) if self.reading.inverse else (name, power)
        if not (isinstance(power, Num) and power.value > 0):
            raise UnreadableError("an inverse function")
        return name, power

    def bare_argument(self) -> Tree:
        """sin 2x cos x: the argument ends before the next function."""
        self.in_argument = True
        try:
            # 24: below a product without a sign (25), above every written one, so sin 2x is sin(2x) and sin x * 2 is
            # (sin x) * 2
            argument = self.expression(24)
        finally:
            self.in_argument = False
        # sin pi/4: nobody divides the sine of pi
        if Sym("pi") in walk(argument) and self.text() == "/" and self.kind(1) == "num":
            self.open.add("angle")
            if self.reading.angle:
                self.at += 1
                return Node("/", (argument, self.number()))
        return argument

    def bracketed_argument(self) -> Tree:
        token = self.peek()
        assert token is not None
        return self.bracket(token)

    def arguments(self) -> tuple[Tree, ...]:
        close = {"(": ")", "{": "}", "[": "]"}.get(self.text())
        if close is None:
            raise UnreadableError("arguments are missing")
        self.at += 1
        items = [self.expression()]
        while self.text() == "," or (self.kind() == "sep" and self.text() == ";"):
            self.at += 1
            items.append(self.expression())
        self.expect(close)
        return tuple(items)

    def bars(self) -> Tree:
        self.at += 1
        outer, self.in_bars = self.in_bars, True
        inner = self.expression()
        self.in_bars = outer
        self.expect("|")
        return Node("abs", (inner,))

    def times_bars(self, left: Tree, power: int) -> Tree | None:
        """2|x - 3|; the bar of 3 | 12, of P(A | B) or of x^2 |_0^3 opens nothing that another one closes."""
        mark, depth = self.at, self.depth
        try:
            return Node("*", (left, self.expression(power)))
        except UnreadableError:
            self.at, self.depth, self.in_bars = mark, depth, False
            return None

    def bracket(self, token: Token) -> Tree:
        close = {"(": ")", "[": "]", "{": "}", "floor": "floor", "ceil": "ceil", "⌊": "⌋", "⌈": "⌉"}[token.text]
        name = {"⌊": "floor", "⌈": "ceil"}.get(token.text, token.text)
        self.at += 1
        inner = self.expression()
        # (5 apples): the remark inside the bracket is stepped over
        if token.text == "(" and self.kind() in ("text", "word"):
            self.annotation()
        # {1 \over 6}
        if token.text == "{" and self.kind() == "over":
            self.at += 1
            inner = Node("/", (inner, self.expression()))
        self.expect(close)
        if token.text == "(" and isinstance(inner, Num) and self.text() == "_":
            return self.based(inner)
        return Node(name, (inner,)) if name in ("floor", "ceil") else self.between(inner)

    def big_sign(self, token: Token) -> Tree:
        """A sum, product, integral or limit that no free symbol stands in; any other stays unread."""
        name, symbol, low, high, inside = token.text.split(SEPARATOR)
        self.at += 1
        if name == DETERMINANT:
            return self.determinant(inside)
        body = self.closed(inside, self.outer | {symbol}) if inside else self.summand()
        # a sum of sums of sums takes minutes to add up
        if any(isinstance(tree, Node) and tree.op in BINDING for tree in walk(body)):
            raise UnreadableError("a sign inside another one")
        if name == "sum" and is_infinite(high):
            closed = sum_without_end(body=body, symbol=symbol, low=self.closed(low))
            if closed is None:
                raise UnreadableError("a sum without an end")
            return closed
        bounds = [Sym(low) if low in (UP, DOWN) else self.closed(low), *([self.closed(high)] if high else [])]
        # a_k and f(k) are not what k is put into; in ∫ ∫ x y dy dx the inner one knows x as well
        outside = frozenset.union(*map(free_symbols, bounds)) | free_symbols(body) - {symbol}
        if outside - self.outer - {UP, DOWN}:
            raise UnreadableError("a sign with free symbols")
        if name == "integral":
            return self.integral(symbol, bounds[0], bounds[-1], body)
        return Node(name, (Sym(symbol), *bounds, body))

    def summand(self) -> Tree:
        """A sum ends before the next plus, or takes in all that follows: both are read."""
        body = self.expression(0 if self.reading.wide else 10)
        if self.text() in ("+", "-"):
            self.open.add("wide")
        return body

    def determinant(self, body: str) -> Tree:
        cells = cells_of(body)
        if cells is None:
            raise UnreadableError("a table that is not square")
        return determinant([[self.closed(cell) for cell in row] for row in cells])

    def integral(self, symbol: str, low: Tree, high: Tree, body: Tree) -> Tree:
        whole = integral(body=body, symbol=symbol, low=low, high=high, is_inner=bool(self.outer))
        if whole is None:
            raise UnreadableError("an inner integral without a rule")
        return whole

    def closed(self, text: str, outer: frozenset[str] = frozenset()) -> Tree:
        """A whole text as one expression, in which the symbols of `outer` are bound; raises UnreadableError."""
        tokens = tokenize("\\(" + text)[1:]
        parser = type(self)(tokens, 0, len(tokens), self.reading)
        parser.outer = outer
        tree = parser.expression()
        if parser.at != len(tokens):
            raise UnreadableError("the bounds of a sign go on")
        return tree
