"""Labels: the words in front of "= 42" that say what has this value."""

from __future__ import annotations

import re

from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.vocabulary import words
from auditing.checker.reading.passages import Passage

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?|[%$#]")
_NO_LABEL = re.compile(
    r"\d[ $]{1,4}[A-Za-z ]{1,40}$|[-+*/<>≥≤]\s?\\?[A-Za-z{}_\\]{1,40}\s?$|[(,]\s?[A-Za-z_.]{1,30}\s?=?$|\[\w{1,30}$"
)
# $\\text{Sum} = 3$: the dollar begins a formula, and is no word of the label
_DELIMITER = re.compile(r"\$(?=\s?\\?[A-Za-z{])")
_SCORE = re.compile(r"\d?\s?points?\b")
_FILLER = words("so therefore thus hence the a an of is are we have get then this that total's our")


def label_of(passage: Passage, chain: Chain, after: int, fewest: int = 2) -> str:
    """The words in front of "= ..." when the first side is nothing but words; they start behind `after`."""
    first = chain.sides[0]
    if first.tree is not None or chain.relations[0] not in ("=", "≈"):
        return ""
    # "5 apples = 16 pears" compares amounts, "y - \\hat{y} = 3" subtracts, "f(x, theta=5)" passes an argument,
    # "age > 60 = +2 points" scores
    if _NO_LABEL.search(passage.text[max(after, first.end - 120) : first.end]) or _SCORE.match(
        passage.text, chain.end - 1
    ):
        return ""
    marks = (". ", "\n", ": ", "; ", "! ", "\\[", "\\(", "$$")
    start = max(max(passage.text.rfind(mark, 0, first.end) + len(mark) - 1 for mark in marks), after)
    text = passage.text[max(start, first.start - 120) : first.end]
    label_words = [
        word for word in _WORD.findall(_DELIMITER.sub(" ", text.replace("\\text", " ")).lower()) if word not in _FILLER
    ]
    # labels of one word, such as "total", are used for many things; a label with digits ("step 3") names no quantity
    if not fewest <= len(label_words) <= 12 or any(word.isdigit() for word in label_words):
        return ""
    return " ".join(label_words)
