"""A Pratt parser from tokens to the whitelisted tree, with the readings that text leaves open.

Pratt (1973), "Top down operator precedence": every operator has a binding power, and `expression(floor)` reads on while
the next operator binds more tightly than `floor`. Where notation is ambiguous (is a/bc a/(b*c) or (a/b)*c?) the parser
notes the question in `self.open`; the caller may then read the text again under the other answer.
"""

from __future__ import annotations

from fractions import Fraction

from auditing.checker.mathematics.bound.series import dots_to, dots_without_end, terms_of
from auditing.checker.mathematics.cursor import MAX_DEPTH, Reading, UnreadableError
from auditing.checker.mathematics.evaluate import unrolled
from auditing.checker.mathematics.primaries import Primaries
from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, free_symbols

__all__ = ["Parser", "Reading", "UnreadableError", "parse_slice"]

# Binding powers. Between them lie 19 (after "of": 50% of 3 + 4 takes the product only), 22 (a sign in front), 24 (the
# argument of a function without brackets), 25 (a product without a sign, when it binds more tightly than "/").
_FACTORS = frozenset(("open", "sym", "func", "group", "num", "prefix", "big"))
_POWER = {"+": 10, "-": 10, "±": 10, "*": 20, "/": 20, "mod": 20, "^": 40}
_TEMPERATURES = frozenset("CFK")


class Parser(Primaries):
    """One pass over a token slice."""

    def expression(self, floor: int = 0) -> Tree:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnreadableError("nested too deeply")
        # The heart of a Pratt parser: read one operand, then let each operator in turn swallow what stands to its
        # right. 2 + 3 * 4: "+" (10) reads its right side with floor 10, and there "*" (20) binds more tightly and
        # takes the 3.
        left = self.prefix()
        while True:
            step = self.infix(left, floor)
            if step is None:
                break
            left = step
        self.depth -= 1
        return left

    def infix(self, left: Tree, floor: int) -> Tree | None:
        token = self.peek()
        if token is None:
            return None
        if token.kind == "op":
            return self.operator(token.text, left, floor)
        if token.kind == "word" and token.text.lower() in ("of", "divided", "multiplied", "choose", "squared", "cubed"):
            return self.word_operator(token.text.lower(), left, floor)
        return self.implicit(left, floor)

    def operator(self, sign: str, left: Tree, floor: int) -> Tree | None:
        if sign in ("!", "°"):
            return self.postfix(sign, left)
        if sign == "%":
            return self.percent(left, floor)
        if sign == "^" and (degrees := self.degree_sign()):
            self.at += degrees
            return self.degrees(left)
        return self.binary(sign, left, floor)

    def binary(self, sign: str, left: Tree, floor: int) -> Tree | None:
        """What a sign between two operands makes of the left one; None where it binds too loosely or ends nothing."""
        power = _POWER.get(sign)
        # "<=" and not "<": 5 - 2 - 1 is (5 - 2) - 1
        if power is None or power <= floor:
            return None
        # a sign at the end of what can be read belongs to something else: "x + and"
        if not self.starts(1) and not (sign in "+-*" and self.kind(1) == "dots"):
            return None
        self.at += 1
        if self.kind() == "dots":
            return self.ellipsis(sign, left)
        if sign == "^":
            return self.raised(left)
        right = self.expression(power)
        # a/bc was read as a/(b*c); the other reading, (a/b)*c, is asked for by whoever needs both
        if sign == "/" and isinstance(right, Node) and right.op == "*" and self.reading.tight:
            self.open.add("tight")
        return Node(sign, (left, right))

    def raised(self, left: Tree) -> Tree:
        """10^(-7) m: the unit behind a power is kept with its base."""
        power = self.exponent()
        unit = self.annotation() if isinstance(left, Num) and not left.unit and self.kind() in ("text", "word") else ""
        base = left._replace(unit=unit) if isinstance(left, Num) and unit else left
        return Node("^", (base, power))

    def degree_sign(self) -> int:
        r"""How many tokens ^\circ or ^{\circ} takes, 0 when it is an exponent."""
        if self.text(1) == "°":
            return 2
        return 4 if self.text(1) == "{" and self.text(2) == "°" and self.text(3) == "}" else 0

    def postfix(self, sign: str, left: Tree) -> Tree | None:
        if sign == "!":
            token = self.peek()
            # "5!" is a factorial, "5 !" the end of an exclamation
            if token is None or not token.glued:
                return None
            self.at += 1
            if self.text() == "!":
                raise UnreadableError("a double factorial")
            return Node("!", (left,))
        self.at += 1
        return self.degrees(left)

    def degrees(self, left: Tree) -> Tree:
        """An angle; 20 °C is no angle times C but a temperature, whose unit ends the number as any unit does."""
        if isinstance(left, Num) and self.kind() == "sym" and self.text() in _TEMPERATURES:
            self.at += 1
            return left
        return Node("deg", (left,))

    def percent(self, left: Tree, floor: int) -> Tree | None:
        token = self.peek(1)
        if token and token.kind == "num" and isinstance(left, Num) and not (self.peek() or token).glued:
            # "17 % 5": a number on either side and a blank before the sign make it a remainder, as programmers write
            # it
            if floor >= 20:
                return None
            self.at += 1
            return Node("mod", (left, self.expression(20)))
        self.at += 1
        if isinstance(left, Num):
            return Num(left.value / 100, left.decimals, True, left.money, left.unit, left.cut)
        return Node("/", (left, Num(Fraction(100))))

    def exponent(self) -> Tree:
        """What a power sign raises to; powers associate to the right."""
        # 2^-3: the sign belongs to the exponent without brackets
        if self.text() == "-":
            self.at += 1
            return Node("neg", (self.exponent(),))
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnreadableError("nested too deeply")
        power = self.exponent_base()
        # 2^3^2 = 2^(3^2)
        if self.text() == "^" and not self.degree_sign():
            self.at += 1
            power = Node("^", (power, self.exponent()))
        self.depth -= 1
        return power

    def exponent_base(self) -> Tree:
        if self.kind() == "sym":
            self.at += 1
            return Sym(self.tokens[self.at - 1].text)
        return self.number() if self.kind() == "num" else self.primary()

    def word_operator(self, word: str, left: Tree, floor: int) -> Tree | None:
        if word in ("squared", "cubed"):
            self.at += 1
            return Node("^", (left, Num(Fraction(2 if word == "squared" else 3))))
        if word == "of":
            if floor >= 30 or not (_is_share(left) and self.starts(1)):
                return None
            self.at += 1
            # a product, but one that binds more loosely than any written sign of its rank: half of 3 * 4 is 1/2 * (3 *
            # 4)
            return Node("*", (left, self.expression(19)))
        if word == "choose":
            if floor >= 30 or not self.starts(1):
                return None
            self.at += 1
            return Node("binom", (left, self.expression(30)))
        if self.text(1).lower() != "by" or floor >= 20 or not self.starts(2):
            return None
        self.at += 2
        return Node("/" if word == "divided" else "*", (left, self.expression(20)))

    def starts(self, ahead: int) -> bool:
        """Whether an expression may start `ahead` tokens from here."""
        kind, text = self.kind(ahead), self.text(ahead)
        return kind in ("num", "sym", "func", "open", "dollar", "bar", "prefix", "big") or text in ("{", "-", "+", "±")

    def implicit(self, left: Tree, floor: int) -> Tree | None:
        token = self.peek()
        assert token is not None
        # A product without a sign: 2x, 3(x + 1), 2 3/4. It binds more tightly than "/" under the reading `tight`.
        power = 25 if self.reading.tight else 20
        if token.kind == "bar" and power > floor and not self.in_bars:
            return self.times_bars(left, power)
        if power <= floor or token.kind not in _FACTORS or token.text == "}":
            return None
        # 5C2 and 5P2 are choices and arrangements, not products
        if token.text in ("C", "P") and token.glued and isinstance(left, Num):
            selected = self.selection(left, token.text)
            if selected is not None:
                return selected
        if token.kind == "num" and not (isinstance(left, Node) and (left.op == "!" or self.closes_a_sum(token))):
            return self.mixed_plain(left, token)
        if token.text == "frac" and isinstance(left, Num) and left.value.denominator == 1:
            mixed = self.mixed_latex(left)
            if mixed is not None:
                return mixed
        return Node("*", (left, self.expression(power))) if self.is_factor(left, token) else None

    def is_factor(self, left: Tree, token: Token) -> bool:
        """Whether what follows multiplies `left` without a sign."""
        # sin 2x cos x: "cos" ends the argument of sin and does not multiply it
        if self.in_argument and token.kind in ("func", "open", "big"):
            return False
        if token.kind == "open":
            return self.bracket_is_factor(left, token)
        # 293 K: kelvin, not 293 times K
        if token.kind == "sym" and isinstance(left, Num) and self.is_unit_letter(token):
            return False
        return token.kind != "sym" or self.symbol_is_factor(left, token)

    def closes_a_sum(self, token: Token) -> bool:
        """(2 + 8)3: what is in the bracket is computed, so the number behind it is no mark."""
        return token.glued and self.tokens[self.at - 1].text == ")"

    def symbol_is_factor(self, left: Tree, token: Token) -> bool:
        following = self.peek(1)
        # "3 xboxes": the letter is the head of a word
        return not (following and following.kind == "word" and not token.glued and following.glued)

    def bracket_is_factor(self, left: Tree, token: Token) -> bool:
        following = self.peek(1)
        if following is None or token.text in ("floor", "ceil") or following.kind in ("word", "text"):
            return False
        # -23(2) (mod 47) names a modulus
        if following.text == "mod":
            return False
        # 0.15 (15%): the number once more
        if (
            following.kind == "num"
            and self.text(2) == "%"
            and (self.text(3) == ")" or self.kind(3) in ("text", "word"))
        ):
            return False
        # "= 8 (4 + 4)": the bracket explains the 8; read as a product it would be 64. "4 (y - 7)" is a product.
        before = self.tokens[self.at - 1] if self.at else token
        if not token.glued and (before.kind == "num" or before.text == "%"):
            self.open.add("aside")
            return isinstance(left, Num) and following.kind == "sym"
        return True

    def mixed_latex(self, left: Num) -> Tree | None:
        mark = self.at
        fraction = self.primary()
        parts = fraction.args if isinstance(fraction, Node) and fraction.op == "/" else ()
        if len(parts) == 2 and all(isinstance(number, Num) and number.value.denominator == 1 for number in parts):
            # 2\frac{3}{4} is 2 + 3/4 nearly always; the product is kept as the other reading
            self.open.add("mixed")
            return Node("+" if self.reading.mixed else "*", (left, fraction))
        self.at = mark
        return None

    def ellipsis(self, sign: str, left: Tree) -> Tree:
        self.at += 1
        if self.text() in ("+", "*", "-"):
            self.at += 1
        if not self.starts(0):
            series = dots_without_end(terms_of(left)) if sign in "+-" and self.kind() in ("rel", "math", "") else None
            if series is None:
                raise UnreadableError("an ellipsis without an end")
            return series
        # 1 + 2 + ... + n: the terms before the dots are `left`, evaluation finds their rule (evaluate._dots)
        last = self.expression(_POWER[sign])
        return dots_to(unrolled(left, sign), last, sign) or Node("dots" + sign, (left, last))


def _is_share(tree: Tree) -> bool:
    """Whether "of" after this means a product: 25% of, 1/2 of."""
    if isinstance(tree, Num):
        return tree.percent
    return isinstance(tree, Node) and tree.op == "/" and all(isinstance(arg, Num) for arg in tree.args)


def parse_slice(*, tokens: list[Token], start: int, end: int, reading: Reading | None = None) -> tuple[Tree, int]:
    """The longest expression that starts at token `start`, and the index just after it.

    Raises Unreadable when no expression starts there.
    """
    parser = Parser(tokens, start, end, reading or Reading())
    try:
        tree = parser.expression()
        # x^2 |_0^3: the bar takes in all that stands before it
        if parser.text() == "|" and parser.text(1) == "_" and len(free_symbols(tree)) == 1:
            parser.at += 1
            tree = parser.between(tree)
    except RecursionError as error:
        raise UnreadableError("nested too deeply") from error
    return tree, parser.at
