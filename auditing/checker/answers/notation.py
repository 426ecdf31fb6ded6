"""One notation for what people write in many: number words, currencies, percent, digit groups, empty sets."""

from __future__ import annotations

import re
from fractions import Fraction

from auditing.checker.mathematics.latex import math_dollars

# the English number words are spelled here alone; the checks cut off as many as they read
SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
UP_TO_TWELVE = SMALL[:13]
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
# by what they do to a number: ones and tens add, scales multiply, parts divide
_ONES = {word: value for value, word in enumerate(SMALL)}
_TENS = {word: 10 * value for value, word in enumerate(TENS, 2)}
_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12}
_PARTS = {
    word: value
    for value, words in (
        (2, "half halves"),
        (3, "third thirds"),
        (4, "quarter quarters fourth fourths"),
        (5, "fifth fifths"),
        (6, "sixth sixths"),
        (7, "seventh sevenths"),
        (8, "eighth eighths"),
        (9, "ninth ninths"),
        (10, "tenth tenths"),
    )
    for word in words.split()
}
_WORD_NUMBER = re.compile(rf"(?:(?:a|an|{'|'.join([*_ONES, *_TENS, *_SCALES, *_PARTS])}|and)\b[\s-]*)+", re.IGNORECASE)
_CURRENCIES = {"€": "euro", "£": "pound", "¥": "yen", "₹": "rupee"}
_EMPTY = re.compile(
    r"(?:there (?:are|is) )?(?:no|zero) (?:real |valid |such |possible )*(?:solutions?|roots?|values?|answers?)"
    r"|(?:the )?empty set|null set|\\emptyset|\\varnothing|∅|\\?\{\s*\\?\}",
    re.IGNORECASE,
)
_ENDLESS = re.compile(
    r"(?:there (?:are|is) )?(?:an )?infinite(?:ly many)?(?: number of)?(?: solutions?| values?| answers?)?"
    r"|infinitely many(?: solutions?)?",
    re.IGNORECASE,
)
# 5/0 and "DNE" are ways to write "undefined"
_NOWHERE = re.compile(
    r"\d+\s?/\s?0|undefined|not defined|does(?: not|n['’]t) exist|d\.?n\.?e\.?|indeterminate", re.IGNORECASE
)
_EVERYTHING = re.compile(
    r"(?:the set of )?(?:all|any)(?: the)? (?:real numbers|reals|real values)(?: of [a-z])?|\\mathbb\{R\}|ℝ"
    r"|\(\s*-\s*\\infty\s*,\s*\\infty\s*\)",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"(?:there is )?(?:not enough|insufficient) (?:information|data)(?: given)?|(?:it )?cannot be determined"
    r"|(?:the )?(?:answer )?can(?:not|['’]t) be determined(?: from .{0,40})?|undeterminable|indeterminable",
    re.IGNORECASE,
)
_PHRASES = (
    (_EMPTY, "no solution"),
    (_ENDLESS, "infinitely many"),
    (_NOWHERE, "undefined"),
    (_EVERYTHING, "all real numbers"),
    (_UNKNOWN, "cannot be determined"),
)
_ORDINAL = re.compile(rf"(?:(\d+)(?:st|nd|rd|th)|({'|'.join(ORDINALS)}))(?: place)?", re.IGNORECASE)
_ROUGHLY = re.compile(r"^(?:approximately|approx\.?|about|roughly|around|\\approx|≈|~)\s*", re.IGNORECASE)
_BUILT = re.compile(r"\\?\{\s*([a-z])(?:\s*\\in\s*\\mathbb\{\w\})?\s*(?:\\mid|\\vert|:|\|)\s*(.+?)\s*\\?\}")


def in_one_notation(*, text: str) -> str:
    r"""The answer with number words, percent words, currencies and digit groups in one form.

    >>> in_one_notation(text="fifty percent"), in_one_notation(text="€1 234 567"), in_one_notation(text="two thirds")
    ('50%', '1234567 euro', '2/3')
    """
    text = _plain_marks(text)
    for pattern, word in _PHRASES:
        if pattern.fullmatch(text.strip(" .")):
            return word
    # "third" as a whole answer is a place in a row; "two thirds" is handled with the number words below
    ordinal = _ORDINAL.fullmatch(text.strip(" ."))
    if ordinal:
        return ordinal[1] or str(ORDINALS.index(ordinal[2].lower()) + 1)
    text = _ROUGHLY.sub("", text)
    built = _BUILT.fullmatch(text)
    text = _numbers_in_digits(built[2] if built else text)
    # 1/2% is half a percent
    text = re.sub(r"^(\d+)\s?/\s?(\d+)\s?\\?%$", r"(\1/\2)/100", text)
    # H_2O is H2O
    text = re.sub(r"(?<=[A-Z)])_(\d+)(?=[A-Z(]|$)", r"\1", text) if "=" not in text else text
    text = re.sub(r"(?<=\d)\s?(?:percent\b|per cent\b|pct\b)", "%", text, flags=re.IGNORECASE)
    text = re.sub(r"(?<![\w.])\$?(\d+(?:\.\d+)?)k(?![\w^])", lambda m: _scaled(m[1], 1000), text)
    return text.strip()


def _plain_marks(text: str) -> str:
    """Delimiters inside the text, digit groups, signs of currencies and of infinity."""
    # two dollars may be delimiters of a formula; one alone is money
    marks = math_dollars(text) if text.count("$") > 1 else {}
    text = "".join(char for at, char in enumerate(text) if at not in marks)
    text = text.replace("−", "-").replace("–", "-").replace("∞", r"\infty").replace("¢", " cents")
    text = re.sub(r"(?<![\\\w])\+?infinity\b", r"\\infty", text, flags=re.IGNORECASE)
    text = text.replace(r"\langle", "(").replace(r"\rangle", ")").replace("⟨", "(").replace("⟩", ")")
    text = re.sub(r"\\(?:ne|neq)\b|≠|!=", r" \\ne ", text)
    text = re.sub(r"_\{(\w)\}", r"_\1", text)
    text = re.sub(r"(?<!\\)\\ (?=\w)", " ", text)
    # digits in groups of three behind blanks or thin spaces, and nothing else that is a number
    if re.fullmatch(r"[^\d]{0,4}\d{1,3}(?:(?:\\,|\s)\d{3})+(?:\.\d+)?(?:\D.*)?", text):
        text = re.sub(r"(?<=\d)(?:\\,|\s)(?=\d{3}(?!\d))", "", text)
    for sign, name in _CURRENCIES.items():
        text = re.sub(rf"{sign}\s?(\d[\d,.]*)", rf"\1 {name}", text)
    return text


def _scaled(digits: str, factor: int) -> str:
    value = Fraction(digits) * factor
    return str(value) if value.denominator == 1 else digits


def _numbers_in_digits(text: str) -> str:
    """Number words at the start of an answer, in digits."""
    match = _WORD_NUMBER.match(text)
    if match is None:
        return text
    words = [word for word in re.split(r"[\s-]+", match.group().lower()) if word]
    while words and words[-1] in ("and", "a", "an"):
        words.pop()
    value = number_of(words)
    if value is None:
        return text
    after = text[match.end() :]
    return f"{value} {after}".strip() if after else str(value)


def number_of(words: list[str]) -> Fraction | None:
    """What number words say: three hundred and five, two thirds, a dozen, one and a half.

    >>> str(number_of("one and a half".split())), str(number_of("two thousand twenty one".split()))
    ('3/2', '2021')
    """
    # "two thirds" and "one and a half"
    if words and words[-1] in _PARTS:
        return _share(words)
    total = current = Fraction(0)
    seen = False
    for word in words:
        if word in _ONES or word in _TENS:
            current += _ONES.get(word, 0) + _TENS.get(word, 0)
        # "three hundred thousand": hundred multiplies what stands before it, thousand closes the group
        elif word in ("hundred", "dozen"):
            current = (current or Fraction(1)) * _SCALES[word]
        elif word in _SCALES:
            total, current = total + (current or Fraction(1)) * _SCALES[word], Fraction(0)
        elif word not in ("and", "a", "an"):
            return None
        seen = seen or word not in ("and", "a", "an")
    return total + current if seen else None


def _share(words: list[str]) -> Fraction | None:
    """half, a third, three quarters, two and a half."""
    fraction, before = Fraction(1, _PARTS[words[-1]]), words[:-1]
    # "two and a half": the last "and" separates the whole from the part
    if "and" in before:
        at = len(before) - 1 - before[::-1].index("and")
        whole = number_of(before[:at])
        top = number_of(before[at + 1 :]) if before[at + 1 :] not in ([], ["a"], ["an"]) else Fraction(1)
        return None if whole is None or top is None else whole + top * fraction
    top = number_of(before) if before not in ([], ["a"], ["an"]) else Fraction(1)
    return None if top is None else top * fraction
