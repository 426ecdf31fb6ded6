"""Pieces of the phrases: numbers as they are written, the words between them, and the trees that they come to.

Between two pieces no text can be cut in two ways, so that a long line of numbers and words is read in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.checks.quantities.number_words import NUMBER_WORDS, word_value
from auditing.checker.mathematics.tree import Node, Num, Tree
from auditing.checker.mathematics.vocabulary import GOES_ON, SCALES
from hdag.core.text.beginnings import by_first_letter
from hdag.core.text.cues import Cue

Groups = dict[str, str | None]
Build = Callable[[Groups], Tree]
VALUE = r"(?:\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,12})(?:\.\d{1,9})?"
WHOLE = r"(?:\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,12})(?![\d.,]*\d)"
FRACTION = r"(?:\d{1,9}\s?/\s?\d{1,9}(?![\d.,/]*\d)|\\[dt]?frac\s?\{\d{1,9}\}\s?\{\d{1,9}\})"
# a number that no sign or letter touches, and that is no part of a longer one
FREE = r"(?!(?<=\d\s)\d{1,3}/\d)(?<![\w.,/^*×÷:$√∛-])(?<![*+×÷^/-]\s)(?<!\d:\s)(?<!\d\s:\s)"
# around a number a formula may open and close: \(50\), $50$; a dollar before it may be money as well
OPEN, CLOSE = r"(?:\\\(\s?|\$)?", r"(?:\s?\\\)|\$(?!\d))?"
_ALONE = r"(?<![\w.,/^*×÷:=+{}\\√∛-])(?<![*+×÷^/=-]\s)(?<!\d:\s)"
SCALE = r"(?:thousand|million|billion|trillion)"
PERCENT = rf"{VALUE}\s?(?:\\?%|percent\b)"
# any number, in whichever way it is written
ANY = rf"(?:{PERCENT}|{FRACTION}|{VALUE}\s{SCALE}\b|\d{{1,6}}\s\d{{1,6}}/\d{{1,6}}|{VALUE}|\.\d{{1,9}})"
_MIXED = re.compile(r"(\d{1,6})\s(\d{1,6})/(\d{1,6})")
_FRACTION = re.compile(r"\\[dt]?frac\s?\{(\d+)\}\s?\{(\d+)\}")
WORDED = rf"(?:{ANY}|{NUMBER_WORDS})"
# his, those, all the: whose they are changes no number
ITS = (
    r"(?:(?:the|his|her|their|its|these|those|this|all|my|our|your|a total of|all of the|all the|remaining|first)\s)"
    r"{0,2}"
)
# a sign of its own, and no difference
_MINUS = r"(?:(?<!\d\s)(?<!\)\s)[-−](?=[\d.\\]))?"
# what may not follow the number that is claimed: it would be another number
ENDS = (
    r"(?![\d.,]*\d|\s?[-+*/×÷^:%=<>±]|\s?\\(?![).])|\s?percent\b|\s?(?:more|less|times|of|fewer|greater|or|to|dozen"
    r"|hundred|"
    r"thousand|million|billion|trillion|older|younger|higher|lower|larger|smaller|squared|cubed|plus|minus|mod|out|per|"
    r"each|and a|choose|factorial|pi)\b|"
    rf",?\s(?:{GOES_ON})|"
    r"\s?[x×]\s?[\d(]|[a-zA-Zπ]|!|\s?\(|\s[-+*/×÷]\s?\d|"
    r"(?:\s[a-z]{1,12}){1,2}\s?[*/×÷=+])"
)
SAYS = r"\s*(?:=|\b(?:is equal to|is exactly|is|are|equals|equal|makes|make|gives|give|comes to|yields|would be)\b)\s*"
# words that count something, and none that changes a value or joins two of them
_CHANGES = (
    r"and|or|plus|minus|times|is|are|was|were|will|would|be|makes?|gives?|equals?|totals?|leaves?|for|comes|adds?"
    r"|per|each|every|"
    r"apiece|half|third|quarter|fourth|fifth|tenth|twice|double|triple|more|less|fewer|than|not|no|nor|by|from|to"
    r"|percent|"
    r"percentage|dozens?|hundreds?|thousands?|millions?|billions?|trillions?|squared|cubed|choose|factorial|divided|"
    r"multiplied|if|but|so|then|with|without|because|since|while|when|at|over|out|between|another|other|least|most"
    r"|about|"
    r"equal|ratio|mod|modulo|which|that|in|until|through|versus|vs|pairs?|quarters?|doubled|tripled|halved"
)
NOUNS = rf"(?:[ ](?!(?:{by_first_letter(_CHANGES)})\b)[A-Za-z][a-z'’-]{{0,15}}){{0,4}}"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One form: what it is called, words one of which stands in the text, its pattern, and what it may come to.

    The group `r` is what is claimed, and each reading is made of the other groups.
    """

    rule: str
    words: tuple[str, ...]
    pattern: Cue
    readings: tuple[Build, ...]
    # whether its refutations decide; what people may mean otherwise is told as a doubt
    is_sure: bool = True
    # other numbers may stand there just as well: it says where it holds, and nothing where it does not
    verifies_alone: bool = False
    relation: str = "="
    # whether its formula holds nothing but numbers of the text, which the verifier's file asks for
    is_proved: bool = True
    # whether what is claimed is one of the numbers named, which no rounding makes another
    picks: bool = False

    @property
    def starts_with_a_number(self) -> bool:
        """Whether it can begin nowhere but at digits: then it is looked for nowhere else."""
        pattern = self.pattern.pattern
        words, end_of_first = pattern.find(NUMBER_WORDS), pattern.find(CLOSE)
        return pattern.startswith((OPEN, FREE)) and (words < 0 or 0 <= end_of_first < words)


def phrase(
    rule: str,
    words: str,
    pattern: str,
    *readings: Build,
    is_sure: bool = True,
    verifies_alone: bool = False,
    relation: str = "=",
    is_proved: bool = True,
    picks: bool = False,
) -> Phrase:
    """A row: words apart by bars, the pattern in any case of letters."""
    compiled = Cue(pattern, re.IGNORECASE)
    return Phrase(
        rule, tuple(words.split("|")), compiled, readings, is_sure, verifies_alone, relation, is_proved, picks
    )


def amount(name: str, *, what: str = VALUE) -> str:
    """A group for a number that stands alone, in a formula of its own or with a sign of money."""
    return rf"{OPEN}{_ALONE}(?P<{name}>{_MINUS}{what}){CLOSE}"


def claimed(*, what: str = VALUE) -> str:
    """The group `r`: the number claimed, behind which no other number goes on."""
    return rf"{OPEN}(?P<r>{_MINUS}{what}){CLOSE}{ENDS}"


def tree_of(text: str | None) -> Tree:
    r"""A number as it is written: $1,200, 25 %, 3.50, 3/4, \frac{3}{4}, 2 1/2, 2.5 million, seventeen.

    Raises ValueError or KeyError for what is no number.

    >>> tree_of("2.5 million").args[0].value
    Fraction(5, 2)
    """
    digits = _FRACTION.sub(r"\1/\2", (text or "").strip()).replace("−", "-")
    digits, _, scale = digits.partition(" ") if digits.lower().endswith(tuple(SCALES)) else (digits, "", "")
    if scale:
        return Node("*", (number(digits), scale_of(scale)))
    if mixed := _MIXED.fullmatch(digits):
        return Node("+", (number(mixed[1]), Node("/", (number(mixed[2]), number(mixed[3])))))
    above, slash, below = digits.partition("/")
    return Node("/", (number(above), number(below))) if slash else number(digits)


def values_of(text: str | None) -> list[Num]:
    """The numbers of a list in words: 3, 4, and 5."""
    return [number(digits) for digits in re.findall(VALUE, text or "")]


def scale_of(word: str) -> Tree:
    """Million as 10^6."""
    return Node("^", (Num(Fraction(10)), Num(Fraction(SCALES[word.strip().lower()]))))


def number(text: str | None) -> Num:
    """A single number as it is written, in digits or in words."""
    digits = (text or "").strip().replace("−", "-")
    if digits and digits[0].isalpha():
        return Num(Fraction(word_value(digits)))
    percent = digits.endswith(("%", "percent"))
    money = digits[:1] in "$€£"
    digits = re.sub(r"[$€£,\s\\%]|percent", "", digits)
    value = Fraction(digits)
    return Num(value / 100 if percent else value, len(digits.partition(".")[2]), percent, money)


def of(sign: str, a: str, b: str) -> Build:
    """Two groups with a sign between them."""
    return lambda groups: Node(sign, (tree_of(groups[a]), tree_of(groups[b])))


def whole(value: int) -> Num:
    """A number that the words themselves stand for."""
    return Num(Fraction(value))
