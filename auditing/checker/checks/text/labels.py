"""Labels: the words in front of "= 42" that say what has this value."""

from __future__ import annotations

import re
from fractions import Fraction

from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.vocabulary import any_of, words
from auditing.checker.reading.passages import Passage

# in a label: it may name another amount each time
CHANGES = any_of(
    "now new then after left remain* still more again next each per if updat* add* increas* decreas* revis* or"
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?|[%$#]")
_NO_LABEL = re.compile(
    r"\d[ $]{1,4}[A-Za-z ]{1,40}$|[-+*/<>≥≤]\s?\\?[A-Za-z{}_\\]{1,40}\s?$|"
    # "Therefore, total" passes nothing
    r"(?:\(|(?<!\b[Ss]o)(?<!\b[TtHh]hen)(?<!\b[Tt]hus)(?<!\b[Hh]ence)(?<!\b[Tt]herefore)(?<!\b[Ff]inally),)"
    r"\s?[A-Za-z_.]{1,30}\s?=?$|\[\w{1,30}$|\s[-−][A-Za-z][A-Za-z'’ ]{1,40}$"
)
# $\\text{Sum} = 3$: the dollar begins a formula, and is no word of the label
_DELIMITER = re.compile(r"\$(?=\s?\\?[A-Za-z{])")
_SCORE = re.compile(r"\d?\s?points?\b")
# an address in a run without blanks: a scheme, a host or a query
_ADDRESS = re.compile(r"://|\bwww\.|[?&]\w{1,30}=?$|\w\.(?:com|org|net|edu|gov|io|html?|php|aspx?)\b")
_LONGEST_ADDRESS = 300
_PLACES = words("page pages verse chapter url link id doi isbn address line")
# characters between two statements in which a word or a number of the change is looked for
_BETWEEN = 400
_TOLD_ANEW = re.compile(
    r"\b(?:but|however|instead|over-?count\w*|double-?count\w*|adjust\w*|correct\w*|"
    r"includ\w+|exclud\w+|account\w* for)\b",
    re.I,
)
_LATER = re.compile(
    r"(?:[^.;,\n]|[.,]\d){0,40}?\b(?:after|once|when|with|including|now|by then|later|(?:at|in) the end)\b",
    re.IGNORECASE,
)
_ROW = re.compile(r"[ \t]*(?:[-*•]|\d{1,2}[.)])\s[^\n:=]{1,40}:")
_AMOUNT = re.compile(r"(?<![\d.,])\d{1,9}(?:,\d{3}){0,3}(?:\.\d{1,6})?(?![\d,]|\.\d)")
_FILLER = words(
    "so therefore thus hence finally the a an of is are we have get then this that gives us find calculate total's our"
)


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
    if is_in_an_address(passage.text, first.end):
        return ""
    label_words = [
        word for word in _WORD.findall(_DELIMITER.sub(" ", text.replace("\\text", " ")).lower()) if word not in _FILLER
    ]
    # labels of one word, such as "total", are used for many things; a label with digits ("step 3") names no quantity
    if not fewest <= len(label_words) <= 12 or any(word.isdigit() for word in label_words):
        return ""
    # what one looks up stands on another page each time
    words_for_it = [word for word in label_words if word not in ("number", "no", "#")]
    return "" if words_for_it and words_for_it[-1] in _PLACES else " ".join(label_words)


def is_in_an_address(text: str, at: int) -> bool:
    """Whether the sign behind `at` is a part of an address: example.org/list?page=2 names a page.

    >>> is_in_an_address("see https://example.org/list?page=2", 33), is_in_an_address("total pages = 2", 11)
    (True, False)
    """
    blank = max(text.rfind(" ", max(0, at - _LONGEST_ADDRESS), at), text.rfind("\n", max(0, at - _LONGEST_ADDRESS), at))
    run = text[max(blank + 1, at - _LONGEST_ADDRESS) : at + 1]
    return bool(_ADDRESS.search(run))


def are_in_rows(text: str, earlier: int, later: int) -> bool:
    """Whether two places stand in two rows of a list, each of which begins with what it is about.

    >>> text = "- A: mass = 2, share = 0.7\\n- B: mass = 3, share = 0.1"
    >>> are_in_rows(text, 26, 40), are_in_rows("share = 0.7, share = 0.1", 11, 13)
    (True, False)
    """
    rows = [text.rfind("\n", 0, at) + 1 for at in (earlier, later)]
    return rows[0] != rows[1] and all(_ROW.match(text, row) for row in rows)


def is_told_anew(*, between: str, operands: set[Fraction], before: Fraction, value: Fraction | None) -> bool:
    """Whether a label is told anew: by a word of correction, from its earlier value, or from what stands between.

    operands: the numbers of the computation behind the second label.

    >>> is_told_anew(between="Tax = $4.", operands=set(), before=Fraction(40), value=Fraction(44))
    True
    """
    # number of ways = 120/2 = 60 takes the 120 up again
    if _TOLD_ANEW.search(between[:_BETWEEN]) or before in operands or value is None:
        return value is not None or before in operands
    # Total cost = $40. Tax = $4. Total cost = $44.
    amounts = {Fraction(match.replace(",", "")) for match in _AMOUNT.findall(between[:_BETWEEN])}
    return abs(value - before) in amounts


def is_later(text: str, start: int) -> bool:
    """Whether the words behind the value that begins at `start` make it that of another time: 9 once the bonus is in.

    >>> is_later("Total = 9 after the bonus.", 8), is_later("Total = 9.5 apples. Now they go.", 8)
    (True, False)
    """
    return bool(_LATER.match(text, start))
