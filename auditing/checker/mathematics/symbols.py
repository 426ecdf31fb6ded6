"""Symbols of the grammar: letters with their primes and subscripts, functions at an argument, named figures, bars."""

from __future__ import annotations

from auditing.checker.mathematics.cursor import Cursor, UnreadableError
from auditing.checker.mathematics.notation.periods import repeating_decimal
from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.tree import Node, Sym, Tree, free_symbols, substitute

# digits of a decimal that repeats
MAX_REPEATING = 40


class Symbols(Cursor):
    """Operands that begin with a letter."""

    def expression(self, floor: int = 0) -> Tree:
        """An expression whose operators bind more tightly than `floor` (the parser knows how)."""
        raise NotImplementedError

    def group(self) -> Tree:
        """A LaTeX argument (the parser knows how)."""
        raise NotImplementedError

    def between(self, tree: Tree) -> Tree:
        r"""[x^2]_0^3, [x^2] from 0 to 3, [x^2] |[0, 3]: its value at the upper bound less that at the lower."""
        words = self.words_to_bounds()
        names = free_symbols(tree) if words or self.text() == "_" else frozenset()
        if len(names) != 1:
            return tree
        (name,) = names
        # of f(x) nothing is known at either bound
        if not name.isalpha():
            raise UnreadableError("bounds of a function")
        low, high = self.bounds_in_words(words) if words else self.bounds_below_and_above()
        return Node("-", (substitute(tree, {name: high}), substitute(tree, {name: low})))

    def words_to_bounds(self) -> int:
        """How many tokens stand between the bracket and the lower bound: from 0, (evaluated from 0, |[0."""
        ahead = int(self.text() == "(" and self.kind(1) == "word")
        ahead += self.text(ahead) == "evaluated"
        if self.text(ahead) == "from":
            return ahead + 1
        return 2 if self.text() in ("|", "∣") and self.text(1) == "[" else 0

    def bounds_in_words(self, words: int) -> tuple[Tree, Tree]:
        bracket = {"(": ")", "|": "]", "∣": "]"}.get(self.text(), "")
        self.at += words
        low = self.expression()
        self.expect("," if bracket == "]" else "to")
        high = self.expression()
        if bracket:
            self.expect(bracket)
        return low, high

    def bounds_below_and_above(self) -> tuple[Tree, Tree]:
        self.at += 1
        low = self.group()
        if self.text() != "^":
            raise UnreadableError("a bracket with one bound")
        self.at += 1
        return low, self.group()

    def symbol(self, token: Token) -> Tree:
        self.at += 1
        name = token.text
        if self.text() == "_":
            name = f"{name}_{self.subscript()}"
        # a[0]: an element of a list is a symbol of its own, and no product
        if self.text() == "[" and (self.peek() or token).glued and self.kind(1) == "num" and self.text(2) == "]":
            name, self.at = f"{name}[{self.text(1)}]", self.at + 3
        # f' and x' are names of their own: nothing is known of them from f and x
        while self.text() in ("'", "′"):
            name, self.at = name + "'", self.at + 1
        name += self.mark_above()
        if self.kind() == "open" and self.text() in ("(", "[") and (self.peek() or token).glued:
            return self.application(name)
        # "C (5, 2)" with a blank may be a choice or a product: unreadable rather than guessed
        if name in ("C", "P") and self.kind() == "open":
            raise UnreadableError("an unknown function")
        return Sym(name)

    def mark_above(self) -> str:
        r"""The star of P^* = 10 and the prime of y^{\prime}: marks of a name, and no exponents."""
        braced = self.text() == "^" and self.text(1) == "{"
        mark = self.text(1 + braced) if self.text() == "^" else ""
        end = 2 + 2 * braced
        is_closed = not braced or self.text(3) == "}"
        ends_there = self.kind(end) in ("rel", "sep", "math", "close", "")
        if mark not in ("*", "prime") or not is_closed or (mark == "*" and not ends_there):
            return ""
        self.at += end
        return "*" if mark == "*" else "'"

    def named_figure(self, token: Token) -> Tree:
        r"""\angle ABC and \overline{AB} as symbols."""
        self.at += 1
        braced = self.text() == "{"
        self.at += braced
        letters, first = "", self.at
        while self.kind() == "sym" and len(letters) < 4:
            letters += self.text()
            self.at += 1
            if letters.isupper() and len(letters) > 1:
                break
        # \angle without a name cannot be told from another one
        if not letters or (braced and self.text() != "}"):
            raise UnreadableError("a figure without letters")
        self.at += braced
        # a bar over one letter is a mean, a conjugate or a complement, and no letter
        if token.text == "segment" and self.at - braced - first == 1 and not letters.isupper():
            return Sym(f"bar {letters}")
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
        # Letters that usually name functions: f(3) becomes one symbol "f(3)", about which nothing is known but that
        # equal texts have equal values. With any other letter the bracket multiplies: a(b + c).
        if ("'" in name or name[0] in "fghpqPFGHQTENLSRAVCKuvr") and not (name in "ACKN" and self.is_coefficient(mark)):
            if name == "pi" and not self.counts_primes(mark):
                return Sym(name)
            inner = self.raw_bracket(mark)
            return Sym(f"{name}({inner})")
        # y(0) = 1 is a value of y where it stands alone before a relation; in 3 + y(2) the bracket multiplies
        if (
            len(name.rstrip("'").partition("_")[0]) == 1
            and self.kind(1) == "num"
            and self.text(2) == ")"
            and self.stands_alone(mark)
        ):
            inner = self.raw_bracket(mark)
            if self.kind() in ("rel", ""):
                return Sym(f"{name}({inner})")
            self.at = mark
        return Sym(name)

    def is_coefficient(self, mark: int) -> bool:
        """A(x - 2)^3: what is raised to a power is the bracket with a sum in it; so A(x + 1) beside it is a product."""
        name = self.tokens[mark - 1].text
        nearby = range(max(0, mark - 40), min(len(self.tokens) - 1, mark + 40))
        return any(self.tokens[at].text == name and self.is_raised(at + 1) for at in nearby)

    def is_raised(self, mark: int) -> bool:
        signs, depth = 0, 0
        for at in range(mark, min(len(self.tokens) - 1, mark + 16)):
            token = self.tokens[at]
            depth += {"open": 1, "close": -1}.get(token.kind, 0)
            if depth <= 0:
                return signs > 0 and at > mark and self.tokens[at + 1].text == "^" and token.kind == "close"
            signs += token.text in ("+", "-")
        return False

    def repeating(self) -> Tree | None:
        r"""0.1\overline{6} as the decimals that are written and those that repeat."""
        first, ahead = self.text(), 1
        if self.text(1) == "." and first.isdigit():
            first, ahead = f"{first}.", 2
        if self.has_bracketed_period(first):
            self.open.add("period")
            if self.reading.period:
                digits = self.text(2)
                self.at += 4
                return repeating_decimal(first, digits)
        bar, opening = self.peek(ahead), self.peek(ahead + 1)
        if bar is None or opening is None or bar.text != "segment" or opening.text != "{":
            return None
        digits = self.text(ahead + 2)
        is_read = "." in first and digits.isdigit() and self.text(ahead + 3) == "}"
        if not is_read or "," in first or len(first) + len(digits) > MAX_REPEATING:
            return None
        self.at += ahead + 4
        return repeating_decimal(first.rstrip("."), digits)

    def has_bracketed_period(self, first: str) -> bool:
        """0.1(6): what repeats, or a factor; 0.(6) is no product, and read before (notation/periods)."""
        opening, digits = self.peek(1), self.text(2)
        is_bracket = opening is not None and opening.text == "(" and opening.glued and self.text(3) == ")"
        is_decimal = "." in first and "," not in first
        return is_bracket and is_decimal and digits.isdigit() and len(first) + len(digits) <= MAX_REPEATING

    def pair_follows(self) -> bool:
        return self.kind(1) == "num" and self.text(2) == "," and self.kind(3) == "num" and self.text(4) == ")"

    def raw_bracket(self, mark: int) -> str:
        # the text of the argument names the value: f(x + 1) and f(1 + x) are two symbols, as far as anybody can tell
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
            # A subscript of a dozen signs is text that somebody forgot to close.
            if token is None or len(parts) > 12:
                raise UnreadableError("an unreadable subscript")
            parts.append(token.text)
            self.at += 1
        self.at += 1
        return "".join(parts)
