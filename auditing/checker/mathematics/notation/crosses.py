"""Words between two quantities that are signs: an x that multiplies, and mod behind a congruence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from auditing.checker.mathematics.vocabulary import APART, STOP_WORDS, X_VARIABLE

# how far behind its sign the modulus of a congruence may stand: 2 * 3 + 4 mod 7
MOST_TOKENS = 12


class Lexical(Protocol):
    """What is asked of a token (tokens.py, which asks the questions of this module)."""

    @property
    def kind(self) -> str:
        """num, rel, word and so on."""

    @property
    def text(self) -> str:
        """As it is written, or what it means."""


def is_quantity(sort: str, text: str) -> bool:
    """Whether a token of this sort and text ends what can be multiplied: 18, (2 + 3), 3 boxes, 5%, π."""
    return sort in ("num", "close", "word", "text") or text in ("%", "}", "pi")


def is_cross(text: str, end: int, before: tuple[str, str], *, is_glued: bool, is_formula: bool) -> bool:
    """Whether the x that ends at `end`, behind a token of this kind and text, multiplies.

    It does unless x is a variable of this text and stands glued to what follows: "2 x3" and "(3/2)x-5" stay symbols.
    """
    kind, word = before
    after_word = kind in ("word", "text")
    ahead = text[end : end + 8].lstrip(" \t\\$({" if after_word else " \t\\$({-")
    # "2 x - 18": a sign that stands apart ends the product of 2 and x, and is none of 18
    is_stopped = after_word and word.lower() in STOP_WORDS
    if is_stopped or APART.match(text, end) or (is_glued and text[end : end + 1] in ("-", "(")):
        return False
    spaced = not is_glued and text[end : end + 1].isspace()
    # x stands nowhere as a variable: "18 x $3" is a product
    x_free = not X_VARIABLE.search(text)
    if ahead[:1].isdigit() or (ahead[:1] == "." and ahead[1:2].isdigit()):
        return x_free or spaced or text[end : end + 1].isdigit()
    return x_free and spaced and kind in ("num", "word") and ahead[:1].isalpha() and not is_formula


def is_modulus(text: str, end: int, tokens: Sequence[Lexical]) -> bool:
    """Whether a "mod" that ends at `end`, behind these tokens, names the modulus of a congruence.

    "15 ≡ 3 mod 4"; "the 2 and 17 mod 5" takes a remainder of 17 alone, and is read by its words.
    """
    relations = (token.text for token in reversed(tokens[-MOST_TOKENS:]) if token.kind == "rel")
    return text[end : end + 2].strip().isdigit() and next(relations, "") == "≡"
