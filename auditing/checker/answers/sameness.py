"""Comparing two final answers: choices, numbers, sets, tuples, intervals, equations, expressions, words."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from auditing.checker.answers.calendar import same_date, same_ratio, same_time
from auditing.checker.answers.extraction import final_answer
from auditing.checker.answers.notation import in_one_notation
from auditing.checker.answers.pieces import after_equals, collection_of, matrix_of, nouns_of, without_text_marks
from auditing.checker.answers.quantities import Quantity, read_quantity, read_tree, same_quantity
from auditing.checker.answers.ranges import interval_of, relation_of
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.grammar import UnreadableError
from auditing.checker.mathematics.identity import agree_at_points, is_identity
from auditing.checker.mathematics.polynomial import Polynomial, difference, folded
from auditing.checker.mathematics.tree import Tree, free_symbols

MAX_ANSWER = 2_000
_CHOICE = re.compile(
    r"(?:(?:option|choice)[\s_]*)?(?:\(\s*([A-J])\s*\)|([A-J])\s*[).:])(?:\s+(.*))?", re.DOTALL | re.IGNORECASE
)
_LETTER = re.compile(r"(?:(?:option|choice)[\s_]*)?([A-J])", re.IGNORECASE)
# Beside the same number, these words turn its meaning round. An answer with one of each pair differs for certain.
_OPPOSITES = tuple(
    (frozenset(direction.split()), frozenset(reverse.split()))
    for direction, reverse in (
        ("increase increased rise gain profit", "decrease decreased fall loss"),
        ("north", "south"),
        ("east", "west"),
        ("above", "below"),
        ("before", "after"),
        ("more", "less fewer"),
        ("left", "right"),
        ("even", "odd"),
        ("clockwise", "counterclockwise anticlockwise"),
        ("maximum", "minimum"),
    )
)
_STATED = re.compile(r"\$?-?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?(?:\s?%)?(?:\s(?:square|cubic)?\s?[a-z]+)?")
_SENTENCE = re.compile(
    r"^(?:so|thus|therefore|hence|there|it|she|he|they|the|we|this|that|in total|[A-Z][a-z]+)\b.*\s", re.I
)
_TRUTH = {"yes": "true", "no": "false", "true": "true", "false": "false", "correct": "true", "incorrect": "false"}


@dataclass(frozen=True, slots=True)
class Match:
    """Whether two answers are the same, and by which rule that was found."""

    same: bool
    rule: str


def same_answer(*, first: str, second: str) -> bool:
    r"""Whether two final answers say the same.

    >>> same_answer(first=r"\frac{1}{2}", second="0.5"), same_answer(first="14.0", second="14.3")
    (True, False)
    """
    return compare_answers(first=first, second=second).same


def compare_answers(*, first: str, second: str) -> Match:
    """Compares two answers as written; each may be a whole solution that states its answer.

    A decimal equals an exact value that rounds to it when it has two decimals at least; two numbers written with the
    same number of decimals must be equal. A missing unit is no difference, another unit is converted.
    """
    a, b = (in_one_notation(text=final_answer(text=text)[:MAX_ANSWER]) for text in (first, second))
    if not a or not b:
        return Match(False, "an answer is missing")
    # before all rules: "20% increase" and "20% decrease" hold the same number
    if _oppose(a, b):
        return Match(False, "opposite words")
    if _words(a) == _words(b):
        return Match(True, "same text")
    for rule, compare in _RULES:
        same = compare(a, b)
        if same is not None:
            return Match(same, rule)
    return Match(False, "different text")


def _same_choice(a: str, b: str) -> bool | None:
    first, second = _choice(a), _choice(b)
    if first and second:
        return first[0] == second[0]
    for choice, plain in ((first, b), (second, a)):
        if choice and choice[1]:
            return compare_answers(first=choice[1], second=plain).same
    return None


def _choice(text: str) -> tuple[str, str] | None:
    """The letter of a choice and the text after it."""
    bare = without_text_marks(text)
    letter = _LETTER.fullmatch(bare)
    if letter:
        return letter[1].lower(), ""
    choice = _CHOICE.fullmatch(bare)
    return ((choice[1] or choice[2]).lower(), choice[3] or "") if choice else None


def _same_truth(a: str, b: str) -> bool | None:
    left, right = (_TRUTH.get(_words(text)) or _TRUTH.get(_words(text.split(",")[0])) for text in (a, b))
    return left == right if left and right else None


def _same_number(a: str, b: str) -> bool | None:
    left, right = read_quantity(after_equals(a)), read_quantity(after_equals(b))
    # "40" beside "She has 40 apples left"
    if (left is None) != (right is None):
        left, right = left or _value_of_label(a), right or _value_of_label(b)
    if left is not None and right is not None and _named_apart(a, b):
        return False
    if left is None or right is None:
        return None
    return same_quantity(left, right)


def _same_collection(a: str, b: str) -> bool | None:
    left, right = collection_of(a), collection_of(b)
    if left is None or right is None:
        return None
    if len(left[1]) != len(right[1]):
        return False
    if left[0] == right[0] == "ordered":
        return _brackets_agree(a, b) and all(
            same_answer(first=x, second=y) for x, y in zip(left[1], right[1], strict=True)
        )
    return _same_multiset(list(left[1]), list(right[1]))


def _brackets_agree(a: str, b: str) -> bool:
    marks = [(text.strip()[0], text.strip()[-1]) for text in (after_equals(a), after_equals(b))]
    return marks[0] == marks[1]


def _same_multiset(left: list[str], right: list[str]) -> bool:
    """The same items in any order; 3 apples and 2 oranges are told apart by their nouns."""
    left_nouns, right_nouns = nouns_of(left), nouns_of(right)
    # "3 apples and 2 oranges": equal numbers are told apart by what they count, where every element names it
    by_noun = (
        sorted(left_nouns) == sorted(right_nouns) and len(set(left_nouns)) == len(left) > 1 and "" not in left_nouns
    )
    unmatched = list(zip(right_nouns, right, strict=True))
    for noun, element in zip(left_nouns, left, strict=True):
        fitting = (
            pair
            for pair in unmatched
            if (pair[0] == noun or not by_noun) and same_answer(first=element, second=pair[1])
        )
        match = next(fitting, None)
        if match is None:
            return False
        unmatched.remove(match)
    return True


def _same_interval(a: str, b: str) -> bool | None:
    """2 < x < 5, |x - 1| < 3 and (2, 5): their ends and whether these belong."""
    left, right = interval_of(a), interval_of(b)
    if left is None or right is None or not (left[0] or right[0]):
        return None
    return left[1::3] == right[1::3] and all(
        same_answer(first=x, second=y) for x, y in zip(left[2:4], right[2:4], strict=True)
    )


def _same_relation(a: str, b: str) -> bool | None:
    left, right = relation_of(a), relation_of(b)
    if left is None or right is None:
        return None
    if left == right:
        return True
    named = not left[0] or not right[0] or same_answer(first=left[0], second=right[0])
    # the name may be missing: "x < 3" and (-infinity, 3)
    return named and left[1] == right[1] and same_answer(first=left[2], second=right[2])


def _same_equation(a: str, b: str) -> bool | None:
    left, right = _equation(a), _equation(b)
    if left is None or right is None:
        return None
    return _proportional(left, right)


def _equation(text: str) -> Polynomial | None:
    if text.count("=") != 1:
        return None
    try:
        left, right = (read_tree(side)[0] for side in text.split("="))
        return difference(left, right)
    except (UnreadableError, IncalculableError):
        return None


def _proportional(a: Polynomial, b: Polynomial) -> bool:
    if set(a) != set(b) or not a:
        return False
    # 2x + 2y = 4 and x + y = 2 are one equation: all coefficients have one ratio
    key = next(iter(a))
    ratio = a[key] / b[key]
    return all(a[name] == ratio * b[name] for name in a)


def _same_expression(a: str, b: str) -> bool | None:
    try:
        left, right = read_tree(after_equals(a))[0], read_tree(after_equals(b))[0]
    except UnreadableError:
        return None
    if free_symbols(left) | free_symbols(right) == {"i"}:
        return _same_complex(left, right)
    # proved equal, or at least equal wherever both can be computed
    return is_identity(left=left, right=right) or agree_at_points(left=left, right=right)


def _same_complex(left: Tree, right: Tree) -> bool | None:
    try:
        return not folded(difference(left, right))
    except IncalculableError:
        return None


def _same_matrix(a: str, b: str) -> bool | None:
    rows = [matrix_of(text) for text in (a, b)]
    if rows[0] is None or rows[1] is None:
        return _vector_as_tuple(a, b, rows)
    if [len(row) for row in rows[0]] != [len(row) for row in rows[1]]:
        return False
    pairs = zip(itertools.chain(*rows[0]), itertools.chain(*rows[1]), strict=True)
    return all(same_answer(first=x, second=y) for x, y in pairs)


def _vector_as_tuple(a: str, b: str, rows: list[list[list[str]] | None]) -> bool | None:
    """A column, or a row, beside the same numbers in round brackets."""
    vector, plain = (rows[0], b) if rows[0] is not None else (rows[1], a)
    items = collection_of(plain)
    if vector is None or items is None or items[0] != "ordered" or after_equals(plain)[:1] != "(":
        return None
    # A matrix of several rows and columns is no list of numbers, however it is read.
    if len(vector) > 1 and any(len(row) > 1 for row in vector):
        return None
    cells = list(itertools.chain(*vector))
    # Entry by entry: 1/2 in one and 0.5 in the other are the same vector.
    return len(cells) == len(items[1]) and all(
        same_answer(first=x, second=y) for x, y in zip(cells, items[1], strict=True)
    )


def _value_of_label(text: str) -> Quantity | None:
    """The 40 of "angle ABC = 40" and of "She has 40 apples left": the only number that is stated."""
    left, sign, right = text.rpartition("=")
    if sign and left.count("=") == 0 and re.search(r"[A-Za-z]", left):
        return read_quantity(right.strip())
    numbers = _STATED.findall(text)
    sentence = re.sub(r"\\text\{([^{}]*)\}", r"\1", text)
    if len(numbers) != 1 or not _SENTENCE.search(sentence):
        return None
    return read_quantity(numbers[0].strip().rstrip(".,")) if numbers else None


def _named_apart(a: str, b: str) -> bool:
    """x = 5 and y = 5 give values to different letters; 10_2 is asked for in its base, and 2 is not written in it."""
    if len({bool(re.search(r"\d_\{?\d", text)) for text in (a, b)}) > 1:
        return True
    names = [re.match(r"\s*([A-Za-z])\s*=", text) for text in (a, b)]
    return names[0] is not None and names[1] is not None and names[0][1].lower() != names[1][1].lower()


def _oppose(a: str, b: str) -> bool:
    """20% increase and 20% decrease."""
    left, right = set(re.findall(r"[a-z]+", a.lower())), set(re.findall(r"[a-z]+", b.lower()))
    return any((x & left and y & right) or (y & left and x & right) for x, y in _OPPOSITES)


def _words(text: str) -> str:
    text = re.sub(r"\b(?:the|a|an)\b", " ", without_text_marks(text).lower()) if len(text) > 2 else text.lower()
    return " ".join(re.sub(r"[^\w+\-*/^=<>%.,()\[\]{}\\|!±∓°€£¥:]", " ", text).split()).strip(". ")


# In this order: the more special form first, for a choice "(A) 5" also holds a number, and an interval is also a
# collection. A rule answers None when one of the answers is not of its kind.
_RULES = (
    ("choice", _same_choice),
    ("truth value", _same_truth),
    ("matrix", _same_matrix),
    ("interval", _same_interval),
    ("inequality", _same_relation),
    ("time", same_time),
    ("date", same_date),
    ("ratio", same_ratio),
    ("number", _same_number),
    ("collection", _same_collection),
    ("equation", _same_equation),
    ("expression", _same_expression),
)
