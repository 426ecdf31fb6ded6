"""Text to tokens: prose, Unicode mathematics and the LaTeX subset, in one linear pass.

One regular expression (`MASTER`) cuts the text; a handler for each of its groups decides what a piece means. The hard
part is letters: "x" is a symbol, a times sign or a word, "a" an article or a symbol, "e" a letter or Euler's number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from auditing.checker.mathematics.bound.bounds import FULL_SIZE, LOWER
from auditing.checker.mathematics.bound.signs import NAMES, SEPARATOR, behind_bounds, read_sign
from auditing.checker.mathematics.latex import (
    BLANK,
    COMMANDS,
    PLAIN_COMMANDS,
    UNSEEN,
    closing_brace,
    environment_name,
    is_factorial,
    kind_of_text,
    math_dollars,
    may_count,
)
from auditing.checker.mathematics.notation.crosses import is_cross, is_modulus, is_quantity
from auditing.checker.mathematics.notation.determinants import between_bars
from auditing.checker.mathematics.vocabulary import (
    ARGUMENTS,
    E_VARIABLE,
    FORMULA,
    MASTER,
    OPS,
    PLAIN_LETTERS,
    POWERS,
    RELS,
    ROOTS,
    SET_OFF,
    SUPERSCRIPTS,
    TABLES,
    TEXT_COMMANDS,
    VULGAR,
    WORD_FUNCTIONS,
    WORD_OPS,
    are_factors,
    bold_marks,
    is_prose,
    log_base,
    may_multiply,
)

_new = tuple.__new__  # a third of the time of Token(...), of which a step has a hundred


class Token(NamedTuple):
    """One lexical unit. kind: num word sym func op rel open close group sep stop text other; big (bound/signs.py)."""

    kind: str
    text: str
    start: int
    end: int
    glued: bool = False  # no blank between this token and the one before it


class _Scanner:
    """Walks the text once and emits tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[Token] = []
        self.math = 0  # 1 between mathematics delimiters: there blanks mean nothing and letters are symbols
        self.table = 0  # depth of open tables and matrices: no chain stands in one, so its tokens become "other"
        self.skip_to = 0  # up to here a command has read ahead (its braces); what begins before is passed over
        self.dollars = math_dollars(text) if "$" in text else {}
        self.bold = bold_marks(text)
        self.glued = False

    def emit(self, kind: str, value: str, start: int, end: int) -> None:
        kind = "other" if self.table and kind not in ("env", "math") else kind
        self.out.append(_new(Token, (kind, value, start, end, self.glued)))
        self.glued = True

    def run(self) -> list[Token]:
        emit = self.emit
        for match in MASTER.finditer(self.text):
            start, end = match.span()
            if start < self.skip_to:
                continue
            kind, handler = _KINDS[match.lastindex or 0]
            value = match[0]
            if kind == "gap":
                self.glued = bool(self.math) and self.glued  # outside mathematics a blank separates: "3 1/2" is mixed
            elif kind == "word" and value in PLAIN_LETTERS:  # most words and letters are nothing but that
                emit("sym", value, start, end)
            elif kind == "word" and not (self.math or self.glued) and is_prose(value) and value not in NAMES:
                emit("word", value, start, end)
            elif handler:
                handler(self, value, start, end)
            else:
                emit(kind, value, start, end)
        return self.out

    def drawing(self, _value: str, start: int, _end: int) -> None:  # in Asymptote: nobody claims its mathematics
        self.skip_to = self.text.find("[/asy]", start) + 6 if "[/asy]" in self.text[start:] else len(self.text)

    def newline(self, value: str, start: int, end: int) -> None:
        self.glued = False
        self.emit("nl", value, start, end)
        self.glued = False

    def operator(self, value: str, start: int, end: int) -> None:
        if start in self.bold:
            return
        if value[-1] in SUPERSCRIPTS:
            self.emit("op", "^", start, end)  # x² becomes x ^ 2, and 10⁻³ becomes 10 ^ - 3, all at one place
            if value[0] == "⁻":
                self.emit("op", "-", start, end)
            self.emit("num", value.lstrip("⁻").translate(POWERS), start, end)
        else:
            self.emit(*(("func", ROOTS[value]) if value in ROOTS else ("op", OPS.get(value, value))), start, end)

    def vulgar(self, value: str, start: int, end: int) -> None:
        self.emit("func", "frac", start, end)  # ½ as \frac12, and 1½ as the mixed number 1\frac12
        self.emit("num", VULGAR[value], start, end)

    def relation(self, value: str, start: int, end: int) -> None:
        if value == "~" and self.math:  # a blank
            return
        if value == "=>":
            self.emit("stop", value, start, end)
        elif value == "!=" and is_factorial(self.text, start, self.math):
            self.emit("op", "!", start, start + 1)
            self.emit("rel", "=", start + 1, end)
        else:
            self.emit("rel", RELS.get(value, value), start, end)

    def dollar(self, value: str, start: int, end: int) -> None:
        mark = self.dollars.get(start)
        if mark and (mark == "$$" or len(value) == 1):
            self.math = int(mark == "(" or (mark == "$$" and not self.math))
            self.emit("math", mark, start, end)
        else:
            self.emit("dollar", "$", start, end)

    def word(self, value: str, start: int, end: int) -> None:
        sign = value.rstrip(LOWER) if value[-1] in LOWER else value
        index = value[len(sign) :].translate(FULL_SIZE)
        if len(sign) == 1 and sign.isascii() and index.isdigit():  # x₁ as x_1
            self.emit("sym", f"{sign}_{index}", start, end)
        elif sign not in NAMES or not self.big(sign, start, start + len(sign)):
            (self.plain_word if sign else self.lowered)(value, start, end)

    def plain_word(self, value: str, start: int, end: int) -> None:
        lower, text = value.lower(), self.text
        if "π" in value or (value[0] in "lL" and log_base(value)):
            self.letters(value, start)
        elif lower in WORD_OPS and not self.math:
            self.emit("rel" if lower == "equals" else "op", WORD_OPS[lower], start, end)
        elif len(value) == 1 or value == "pi" or (len(value) == 2 and value[0] == "Δ"):  # ΔP: one symbol
            self.letter(value, start, end)
        elif lower in WORD_FUNCTIONS and (lower != "min" or ARGUMENTS.match(text, end)):  # in mL/min: minutes
            self.emit("op" if lower == "mod" and is_modulus(text, end, self.out) else "func", lower, start, end)
        # AB or ABC in mathematics names a side or an angle; it is one symbol, never A * B
        elif self.math and value.isupper() and len(value) <= 4:
            self.emit("sym", value, start, end)
        # xy in mathematics and the xy of "3xy" are products of letters; "3km" is a number with its unit
        elif self.math or (self.touches_number() and may_multiply(value, text)) or are_factors(text, value, start, end):
            self.letters(value, start)
        else:
            self.emit("word", value, start, end)

    def lowered(self, value: str, start: int, end: int) -> None:
        """The small digits of [x²]₀³ as those of [x^2]_0^3, and of 101₂ as its base; anywhere else they are a name."""
        if self.out and self.out[-1].kind in ("close", "bar", "num"):
            self.emit("sep", "_", start, start)
            self.emit("num", value.translate(FULL_SIZE), start, end)
        else:
            self.emit("sym" if len(value) == 1 else "word", value, start, end)

    def touches_number(self) -> bool:
        return self.glued and bool(self.out) and self.out[-1].kind == "num"

    def letters(self, value: str, start: int) -> None:
        if base := log_base(value):
            for kind, text in (("func", "log"), ("sep", "_"), ("num", base)):
                self.emit(kind, text, start, start + len(value))
            return
        for offset, char in enumerate(value):
            self.emit("sym", "pi" if char == "π" else char, start + offset, start + offset + 1)

    def letter(self, value: str, start: int, end: int) -> None:
        # Step 1. "18 x $3", "(2 + 3) x 4", "3 boxes x 5": a cross between two quantities is a times sign.
        previous = self.out[-1] if self.out else None
        if value in "xX" and previous and is_quantity(previous.kind, previous.text):
            before = (previous.kind, previous.text)
            if is_cross(self.text, end, before, is_glued=self.glued, is_formula=bool(self.math)):
                self.emit("op", "*", start, end)
                return
        # Step 2. "a pen", "I have": an article or a pronoun.
        if not self.math and not self.glued and value in "aAI" and self.text[end : end + 2].strip()[:1].isalpha():
            self.emit("word", value, start, end)
            return
        # Step 3. Every other letter is a symbol; e^... is the exponential where e is no variable.
        is_euler = value == "e" and self.text[end : end + 2].lstrip()[:1] == "^" and not E_VARIABLE.search(self.text)
        self.emit("func" if is_euler else "sym", value, start, end)

    def command(self, value: str, start: int, end: int) -> None:
        name = value[1:]
        if name in PLAIN_COMMANDS:
            self.emit(*PLAIN_COMMANDS[name], start, end)
        elif (name in NAMES and self.big(name, start, end)) or self.sets_off(name, start, end):
            return
        elif name in TEXT_COMMANDS:
            self.text_group(name, start, end)
        elif name in BLANK:  # \, is a thin space: in 1\,000 the digits stay together, in 5\,cm the unit stands apart
            is_apart = name in ";: >" or (name == "," and self.text[end : end + 2].lstrip()[:1].isalpha())
            self.glued = self.glued and not is_apart
            if name in ("right", "left") and self.text[end : end + 1] == ".":
                self.skip_to = end + 1
        else:
            self.special(*COMMANDS.get(name, ("other", name)), start, end)

    def sets_off(self, name: str, start: int, end: int) -> bool:
        if name in UNSEEN:
            self.skip_to = max(end, closing_brace(self.text, end)) if self.text[end : end + 1] == "{" else end
            return True
        is_formula = name in SET_OFF and bool(FORMULA.match(self.text, end))
        if is_formula and self.touches_number():  # 25\\underline{6} marks a digit, and multiplies nothing
            self.emit("other", name, start, end)
        return is_formula

    def big(self, name: str, start: int, end: int) -> bool:
        """A sum, a product, an integral or a limit with its bounds, as one token."""
        sign = read_sign(self.text, NAMES[name], end)
        self.skip_to = sign.end if sign else max(self.skip_to, behind_bounds(self.text, end))
        if sign is not None:
            self.emit("big", SEPARATOR.join(sign[:-1]), start, sign.end)
        return sign is not None

    def other(self, value: str, start: int, end: int) -> None:
        if value not in NAMES or not self.big(value, start, end):
            self.emit("other", value, start, end)

    def special(self, kind: str, text: str, start: int, end: int) -> None:
        if kind == "math":
            self.math = 1 if text in "([" else 0
        if kind == "env":
            self.environment(text, start, end)
        elif text == " ":  # \quad separates two formulas of one line, as a semicolon does
            self.emit("sep", ";", start, end)
        elif kind != "blank":
            self.emit(kind, text, start, end)

    def environment(self, text: str, start: int, end: int) -> None:
        name = environment_name(self.text, end)
        self.skip_to = end + (len(name) + 2 if name else 0)
        if text == "begin" and name == "vmatrix" and (bars := between_bars(self.text, self.skip_to)):
            self.emit("big", bars.text, start, bars.end)
            self.skip_to = bars.end
        elif name.rstrip("*") in TABLES:
            self.table = max(0, self.table + (1 if text == "begin" else -1))
            self.emit("other", name, start, self.skip_to)
        else:
            self.math = 1 if text == "begin" else 0
            self.emit("math", "[" if text == "begin" else "]", start, self.skip_to)

    def text_group(self, name: str, start: int, end: int) -> None:
        at = next((at for at in range(end, len(self.text)) if self.text[at] != " "), end)
        close = closing_brace(self.text, at) if self.text[at : at + 1] == "{" else -1
        if close < 0:
            self.emit("other", name, start, end)
            return
        self.skip_to = close
        sort, value = kind_of_text(name, self.text[at + 1 : close - 1], self.text[close : close + 12])
        is_unit = name == "text" and sort == "sym" and bool(self.out) and may_count(self.out[-1].text, value)
        self.emit("text" if is_unit else sort, value, start, close)


_HANDLERS: dict[str, Callable[[_Scanner, str, int, int], None]] = {
    "drawing": _Scanner.drawing,
    "nl": _Scanner.newline,
    "op": _Scanner.operator,
    "vulgar": _Scanner.vulgar,
    "rel": _Scanner.relation,
    "dollar": _Scanner.dollar,
    "word": _Scanner.word,
    "cmd": _Scanner.command,
    **dict.fromkeys(("coded", "other"), _Scanner.other),
}
# of each group of the pattern: the kind that it names, and what handles it
_KINDS = [("", None), *((kind := name.rstrip("2345"), _HANDLERS.get(kind)) for name in MASTER.groupindex)]


def tokenize(text: str) -> list[Token]:
    """Tokens of `text` in order; never raises, cost linear in the text.

    >>> [t.text for t in tokenize("18 x $3 = $54")]
    ['18', '*', '$', '3', '=', '$', '54']
    """
    return _Scanner(text).run()
