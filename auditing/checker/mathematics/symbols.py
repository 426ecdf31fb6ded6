"""Symbols of the grammar: letters with their primes and subscripts, functions at an argument, named figures."""

from __future__ import annotations

from auditing.checker.mathematics.cursor import Cursor, UnreadableError
from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.tree import Node, Sym, Tree


class Symbols(Cursor):
    """Operands that begin with a letter."""

    def expression(self, floor: int = 0) -> Tree:
        """An expression whose operators bind more tightly than `floor` (the parser knows how)."""
        raise NotImplementedError

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
        if self.kind() == "open" and self.text() in ("(", "[") and (self.peek() or token).glued:
            return self.application(name)
        # "C (5, 2)" with a blank may be a choice or a product: unreadable rather than guessed
        if name in ("C", "P") and self.kind() == "open":
            raise UnreadableError("an unknown function")
        return Sym(name)

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
        if name[0] in "fghpqPFGHQTENLSRAVCKuvr":
            inner = self.raw_bracket(mark)
            # π(10) = 4 counts primes where it stands alone before a relation; 2π(10) is a product
            if name == "pi" and not (self.kind() in ("rel", "") and self.stands_alone(mark)):
                self.at = mark
                return Sym(name)
            return Sym(f"{name}({inner})")
        # y(0) = 1 is a value of y where it stands alone before a relation; in 3 + y(2) the bracket multiplies
        if len(name.rstrip("'")) == 1 and self.kind(1) == "num" and self.text(2) == ")" and self.stands_alone(mark):
            inner = self.raw_bracket(mark)
            if self.kind() in ("rel", ""):
                return Sym(f"{name}({inner})")
            self.at = mark
        return Sym(name)

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
