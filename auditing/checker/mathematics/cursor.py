"""The lowest layer of the parser: a position in the tokens, its caps, and the words that stand around quantities."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.tree import Num, Tree
from auditing.checker.mathematics.vocabulary import (
    GLUED_UNITS,
    RIGHT_DANGER,
    SCALE_WORDS,
    SHARES,
    STOP_WORDS,
    UNIT_LETTERS,
    WHOLES,
    words,
)

# caps far beyond what people write, so that no text can overflow Python's stack or make reading slow
MAX_DEPTH = 60
MAX_TOKENS = 1500
MAX_DIGITS = 300
# tokens of a label behind a value
MAX_LABEL = 12


# signs between the last value of a chain and the words for it, and those that say that it is done
_POINTERS = frozenset(("->", "-->", "→", "←", "leftarrow", "—", "#", "{", "_", "*", '"', "“", "'", "‘", "|"))
# a remark that begins with one of these goes on computing, or says the number again in another way
_COMPUTING = words(
    "divided multiplied less more half twice double triple or and if mod base rounded about approximately around "
    "nearly roughly say approx of by to squared cubed choose than is are was equals not each at per worth costing for"
)
_TICKS = frozenset(("✓", "✔", "✅", "☑", "checkmark", "■", "□"))


def labels_the_value_before(tokens: list[Token], after: int, end: int) -> bool:
    """= 30 → total, = 30 *apples*, = 30 ✓: words behind a sign that stands apart, and no number further on.

    >>> from auditing.checker.mathematics.tokens import tokenize
    >>> [labels_the_value_before(tokenize(text), 1, 9) for text in ("30 → total", "30 → 5 more", "30 * apples")]
    [True, False, False]
    """
    sign, words_behind = tokens[after], tokens[after + 1 : min(end, after + MAX_LABEL)]
    if sign.text in _TICKS:
        return not words_behind or words_behind[0].kind != "num"
    # 5 * apples multiplies, 5 *apples* sets off
    if (
        sign.text not in _POINTERS
        or sign.glued
        or (sign.text in ("*", "_") and not (words_behind and words_behind[0].glued))
    ):
        return False
    if not words_behind or words_behind[0].kind not in ("word", "text") or words_behind[0].text.lower() in RIGHT_DANGER:
        return False
    return all(token.kind in ("word", "text") or token.text in _POINTERS for token in words_behind)


# words that go on telling what is counted, and those of a grade
COUNTED_ON, ORDINAL_WORDS = words("not that who"), words("third fourth fifth sixth eighth tenth")
_GOES_ON = COUNTED_ON | {"of", "in"}


class UnreadableError(ValueError):
    """The text is no expression that the grammar knows."""


@dataclass(slots=True)
class Reading:
    """How open questions of notation are answered: a/bc, 2 3/4, log, sin 30, 8 (4+4), \\sum k + 1."""

    tight: bool = True  # implicit products bind tighter than a division sign
    mixed: bool = True  # 2\frac{3}{4} is a mixed number
    wide: bool = False  # a sum takes in all that follows: \\sum k + 1 adds the 1 each time
    inverse: bool = True  # sin^{-1} x is the angle whose sine is x, and not 1/sin x
    lost: bool = True  # 6 x 10-3 lost the sign of its power
    angle: bool = True  # sin pi/4 is the sine of pi/4
    period: bool = False  # 0.1(6) is 0.1666..., and no product
    raised: bool = False  # log (x)^2 is the logarithm of a square
    open: set[str] | None = None  # filled while parsing: which questions came up


class Cursor:
    """A position in a token slice, and how to step over annotations."""

    def __init__(self, tokens: list[Token], start: int, end: int, reading: Reading) -> None:
        self.tokens = tokens
        # index into `tokens`; a method moves it behind what it has read, or leaves it where it was
        self.at = start
        self.end = min(end, start + MAX_TOKENS)
        self.reading = reading
        self.depth = 0
        # inside an argument without brackets: in "sin x cos x" the next function ends it
        self.in_argument = False
        # between two bars, where the next one closes
        self.in_bars = False
        self.open = reading.open if reading.open is not None else set()
        # symbols that integrals around this text bind
        self.outer: frozenset[str] = frozenset()

    def peek(self, ahead: int = 0) -> Token | None:
        position = self.at + ahead
        return self.tokens[position] if position < self.end else None

    def kind(self, ahead: int = 0) -> str:
        position = self.at + ahead
        return self.tokens[position].kind if position < self.end else ""

    def text(self, ahead: int = 0) -> str:
        position = self.at + ahead
        return self.tokens[position].text if position < self.end else ""

    def counts_primes(self, mark: int) -> bool:
        """π(10) = 4 may; 2π(10), π(6)^2 and π(5 + 4) are products, and so is π(25) = 25π."""
        return (
            self.kind(1) in ("num", "sym")
            and self.text(2) == ")"
            and self.kind(3) in ("rel", "")
            and self.stands_alone(mark)
            and not any(token.text == "pi" for token in (*self.tokens[: max(0, mark - 1)], *self.tokens[mark + 1 :]))
        )

    def stands_alone(self, mark: int) -> bool:
        """Nothing before the name whose bracket opens at `mark` multiplies it."""
        # `mark` is the opening bracket: mark - 1 is the name, mark - 2 what stands before the name
        return mark < 2 or self.tokens[mark - 2].kind not in ("num", "op", "close", "sym")

    def check_ordinal(self) -> None:
        """Raises UnreadableError but for a result: she is in 4 + 3 = 7th place."""
        is_result = self.at > 1 and self.tokens[self.at - 2].kind == "rel"
        if not is_result or self.text(1).lower() not in ("place", "position", "spot", "floor"):
            raise UnreadableError("an ordinal is no quantity")
        self.at += 1

    def expect(self, text: str) -> None:
        if self.text() != text:
            raise UnreadableError(f"expected {text}")
        self.at += 1

    def percent(self, left: Tree, floor: int) -> Tree | None:
        """Reads a percent sign after `left` (the parser knows how)."""
        raise NotImplementedError

    def annotated(self, tree: Tree) -> Tree:
        """Skips "apples", "miles per hour", "(dollars)" after a quantity and keeps them as its unit."""
        token = self.peek()
        if token is None or token.kind not in ("word", "text", "sym", "op", "open", "group", "sep"):
            return tree
        if token.kind == "op" and token.text == "%" and isinstance(tree, Num):
            tree = self.percent(tree, 0) or tree
        # only a written number keeps its unit; "(2 + 3) apples" loses it, which costs no correctness
        unit = self.annotation()
        if unit and isinstance(tree, Num):
            return Num(tree.value, tree.decimals, tree.percent, tree.money, unit, tree.cut)
        return tree

    def annotation(self) -> str:
        """Consumes the annotation at the cursor when the expression can go on or end after it."""
        # Tried, then taken back: "5 apples + 3" goes on after the word, but in "5 apples cost 3" the number stands
        # alone and nothing may be consumed.
        mark = self.at
        words: list[str] = []
        while len(words) < 6:
            if words and self.takes_a_whole():
                self.at += 3
                break
            word = self.annotation_word(bool(words))
            if word is None:
                break
            words.append(word)
        if words and self.may_end_here():
            return " ".join(itertools.takewhile(lambda word: word not in _GOES_ON, words))
        self.at = mark
        return ""

    def annotation_word(self, has_words: bool) -> str | None:
        token, following = self.peek(), self.peek(1)
        if token is None or (not has_words and self.is_glued_product(token)):
            return None
        if token.kind == "word":
            lower = token.text.lower()
            if (
                # "5 and ...", "5 hundred", "5 divided by 2": these words end the quantity or change its value
                lower in STOP_WORDS
                or (lower in SCALE_WORDS and lower != "per" and not self.is_counted(lower))
                or lower in ("of", "divided", "multiplied")
            ) and not ((has_words or lower in COUNTED_ON) and self.goes_on_counting(lower)):
                return None
            self.at += 1
            return lower + self.joined_units() + self.unit_power()
        if token.kind == "text":
            self.at += 1
            return token.text.lower() + self.unit_power()
        if token.kind == "sym" and self.is_unit_letter(token):
            self.at += 1
            return token.text + self.unit_power()
        # 60 miles/hour is a unit, 60/5 is a division: what follows the slash decides
        if token.text == "/" and following:
            return self.unit_below(following, has_words)
        if token.text == "(" and following and following.kind in ("word", "text"):
            return self.aside()
        return None

    def takes_a_whole(self) -> bool:
        """24 hours in a day - 9 hours: what the unit is counted in is no number of its own."""
        names_one = self.text().lower() == "in" and self.text(1).lower() in ("a", "an", "one", "each")
        return names_one and self.text(2).lower() in WHOLES and self.kind(3) in ("op", "rel", "close")

    def is_glued_product(self, token: Token) -> bool:
        """(1/2)mv^2: letters that touch a bracket are symbols; (2)cm is a length."""
        is_behind_bracket = self.at > 0 and self.text(-1) == ")"
        return token.kind == "word" and token.glued and is_behind_bracket and token.text.lower() not in GLUED_UNITS

    def unit_below(self, following: Token, has_words: bool) -> str | None:
        """The unit after a slash: dreams/day, m/s^2."""
        if following.kind not in ("word", "text") and not (has_words and following.text in UNIT_LETTERS):
            return None
        if following.text.lower() in STOP_WORDS:
            return None
        self.at += 2
        return "/" + following.text.lower() + self.unit_power() + self.joined_units() + self.unit_power()

    def joined_units(self) -> str:
        """lb-mol, W/m-K: the units behind a hyphen that touches both."""
        joined = ""
        while (sign := self.peek()) and (unit := self.peek(1)) and sign.text == "-" and sign.glued and unit.glued:
            if unit.kind != "word" and unit.text not in UNIT_LETTERS:
                break
            joined += f"-{unit.text.lower()}"
            self.at += 2
        return joined

    def is_counted(self, word: str) -> bool:
        """4 quarters/year counts quarters, and is no 4 times 1/4; so are 12 points counted."""
        if word.startswith("quarter"):
            return self.text(1) == "/" and self.kind(2) == "word"
        is_grade = word in ORDINAL_WORDS and self.text(1).lower().startswith("grade")
        return (word == "points" or is_grade) and self.kind(-1) == "num"

    def goes_on_counting(self, word: str) -> bool:
        """20 bars of milk chocolate in each small box: what is counted, and where."""
        following, is_word = self.text(1).lower(), self.kind(1) == "word"
        if word == "in":
            return following in ("each", "every")
        # 12 not spiral shells, 15 that don't lay
        if word in COUNTED_ON:
            return is_word and not following.startswith("equal")
        return word == "of" and is_word and following not in STOP_WORDS and following not in SHARES

    def is_unit_letter(self, token: Token) -> bool:
        """293 K, 0.2 V: a unit behind a blank, no product."""
        before = self.tokens[self.at - 1] if self.at else None
        # "293 K" is a temperature, "293K" or "2m" beside other symbols may be a product
        return before is not None and before.kind == "num" and not token.glued and token.text in UNIT_LETTERS

    def unit_power(self) -> str:
        """The exponent of a unit: cm^2, m^{3}."""
        if self.text() != "^":
            return ""
        braced = self.text(1) == "{"
        ahead = 2 if braced else 1
        sign = "-" if self.text(ahead) == "-" else ""
        ahead += len(sign)
        power = self.text(ahead)
        if self.kind(ahead) != "num" or (braced and self.text(ahead + 1) != "}"):
            return ""
        self.at += ahead + 1 + braced
        return f"^{sign}{power}"

    def aside(self) -> str | None:
        """A short bracketed remark: (since ...), (dollars), (from 2-hole buttons); one of numbers begins in words."""
        first = self.text(1).lower()
        may_count = first not in _COMPUTING
        depth, before = 0, ""
        for position in range(self.at, min(self.end, self.at + 20)):
            token = self.tokens[position]
            depth += (token.kind == "open") - (token.kind == "close")
            if not depth:
                self.at = position + 1
                return "()"
            counts = token.kind == "num" or (token.text == "-" and token.glued and before != "close")
            # "the letters I and S", "for (1, 3)": a letter behind a word is a name, and multiplies nothing
            names = token.kind == "sym" and before in ("word", "sep") and first not in ("of", "per")
            if not (token.kind in ("word", "text", "sep", "open", "close") or names or (counts and may_count)):
                return None
            before = token.kind
        return None

    def may_end_here(self) -> bool:
        token = self.peek()
        if token is None:
            return True
        return (
            token.kind in ("op", "rel", "close", "nl", "math", "sep", "stop")
            or token.text == "}"
            or (token.kind == "word" and token.text.lower() in STOP_WORDS)
            or (token.text.lower() in ("divided", "multiplied") and self.text(1).lower() == "by")
        )
