"""Is an answer a value (a number, a choice, a date, a formula, a collection of such), or prose?

Rules can tell two values apart for certain. Two sentences that differ may still say the same, so about prose rules only
ever say "the same" or nothing.
"""

from __future__ import annotations

import re

from auditing.checker.answers.calendar import same_date, same_ratio, same_time
from auditing.checker.answers.extraction import final_answer
from auditing.checker.answers.notation import in_one_notation
from auditing.checker.answers.pieces import after_equals, collection_of, matrix_of, without_text_marks
from auditing.checker.answers.quantities import read_quantity, read_tree
from auditing.checker.answers.ranges import interval_of
from auditing.checker.answers.sameness import MAX_ANSWER, compare_answers
from auditing.checker.mathematics.grammar import UnreadableError

_CHOICE = re.compile(r"(?:option|choice)?[\s_]*(?:\(\s*)?[A-J]\s*(?:[).:](?:\s.*)?)?", re.IGNORECASE | re.DOTALL)
_TRUTH = frozenset("yes no true false correct incorrect".split())
# Letters that stand together and are no LaTeX command are a word, unless they name a function.
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_FUNCTIONS = frozenset("sin cos tan cot sec csc arcsin arccos arctan sqrt log ln exp pi infinity mod".split())
_MOST_ITEMS = 100


def is_value(*, text: str) -> bool:
    r"""Whether a final answer is a value that a rule can compare.

    >>> [is_value(text=text) for text in ("42 km", r"\frac{x}{2}", "(B)", "3, 4 and 5", "It rose, then fell")]
    [True, True, True, True, False]
    """
    answer = in_one_notation(text=final_answer(text=text)[:MAX_ANSWER]).strip()
    return bool(answer) and (_is_single(answer) or _is_collection(answer))


def tell_apart(*, first: str, second: str) -> bool | None:
    """True: the same answer. False: two values that differ. None: rules cannot tell, or an answer is missing.

    >>> tell_apart(first="12", second="13"), tell_apart(first="Gold, as ever", second="It is gold, of course")
    (False, None)
    """
    if not first.strip() or not second.strip():
        return None
    if compare_answers(first=first, second=second).same:
        return True
    return False if is_value(text=first) and is_value(text=second) else None


def _is_single(answer: str) -> bool:
    plain = without_text_marks(answer)
    if _CHOICE.fullmatch(plain) or plain.strip(". ").lower() in _TRUTH:
        return True
    # A rule that compares a text with itself and knows its kind has read it.
    if any(compare(answer, answer) is not None for compare in (same_time, same_date, same_ratio)):
        return True
    if read_quantity(after_equals(answer)) is not None or matrix_of(answer) is not None:
        return True
    return not _words_in(answer) and (_is_interval(answer) or _is_formula(answer))


def _is_interval(answer: str) -> bool:
    interval = interval_of(answer)
    return interval is not None and all(not end or _is_single(end) for end in interval[2:4])


def _is_formula(answer: str) -> bool:
    """Every side of an equation, or the expression, can be read as mathematics."""
    try:
        for side in answer.split("="):
            read_tree(side)
    except UnreadableError:
        return False
    return True


def _is_collection(answer: str) -> bool:
    collection = collection_of(answer)
    return (
        collection is not None
        and 1 < len(collection[1]) <= _MOST_ITEMS
        and all(_is_single(element) for element in collection[1] if element != answer)
    )


def _words_in(answer: str) -> bool:
    return any(word.lower() not in _FUNCTIONS for word in _WORD.findall(without_text_marks(answer)))
