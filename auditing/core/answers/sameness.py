"""Comparing two final answers: choices, numbers, sets, tuples, intervals, equations, expressions, words."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from auditing.core.answers.extraction import clean, final_answer
from auditing.core.answers.quantities import read_quantity, read_tree, same_quantity
from auditing.core.mathematics.enclosure import Incalculable
from auditing.core.mathematics.grammar import Unreadable
from auditing.core.mathematics.identity import agree_at_points, is_identity
from auditing.core.mathematics.polynomial import Polynomial, difference

MAX_ANSWER = 2_000
_CHOICE = re.compile(
    r"(?:(?:option|choice)\s*)?(?:\(\s*([A-J])\s*\)|([A-J])\s*[).:])(?:\s+(.*))?", re.DOTALL | re.IGNORECASE
)
_LETTER = re.compile(r"(?:(?:option|choice)\s*)?([A-J])", re.IGNORECASE)
_ORDER = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_RELATION = re.compile(r"\\leq?(?![a-z])|\\geq?(?![a-z])|<=|>=|≤|≥|<|>")
_RELATIONS = {r"\le": "<=", r"\leq": "<=", r"\ge": ">=", r"\geq": ">=", "≤": "<=", "≥": ">="}
_TRUTH = {"yes": "true", "no": "false", "true": "true", "false": "false", "correct": "true", "incorrect": "false"}


@dataclass(frozen=True, slots=True)
class Match:
    """Whether two answers are the same, and by which rule that was found."""

    same: bool
    rule: str


def same_answer(*, one: str, other: str) -> bool:
    r"""Whether two final answers say the same.

    >>> same_answer(one=r"\frac{1}{2}", other="0.5"), same_answer(one="14.0", other="14.3")
    (True, False)
    """
    return compare_answers(one=one, other=other).same


def compare_answers(*, one: str, other: str) -> Match:
    """Compares two answers as written; each may be a whole solution that states its answer.

    A decimal equals an exact value that rounds to it when it has two decimals at least; two numbers written with the
    same number of decimals must be equal. A missing unit is no difference, another unit is converted.
    """
    a, b = final_answer(text=one)[:MAX_ANSWER], final_answer(text=other)[:MAX_ANSWER]
    if not a or not b:
        return Match(False, "an answer is missing")
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
            return compare_answers(one=choice[1], other=plain).same
    return None


def _choice(text: str) -> tuple[str, str] | None:
    """The letter of a choice and the text after it."""
    bare = _untexted(text)
    letter = _LETTER.fullmatch(bare)
    if letter:
        return letter[1].lower(), ""
    found = _CHOICE.fullmatch(bare)
    return ((found[1] or found[2]).lower(), found[3] or "") if found else None


def _same_truth(a: str, b: str) -> bool | None:
    one, other = _TRUTH.get(_words(a)), _TRUTH.get(_words(b))
    return one == other if one and other else None


def _same_number(a: str, b: str) -> bool | None:
    one, other = read_quantity(_after_equals(a)), read_quantity(_after_equals(b))
    if one is None or other is None:
        return None
    return same_quantity(one, other)


def _same_collection(a: str, b: str) -> bool | None:
    one, other = _collection(a), _collection(b)
    if one is None or other is None:
        return None
    if len(one[1]) != len(other[1]):
        return False
    if one[0] == other[0] == "ordered":
        return _brackets_agree(a, b) and all(same_answer(one=x, other=y) for x, y in zip(one[1], other[1], strict=True))
    return _same_multiset(list(one[1]), list(other[1]))


def _brackets_agree(a: str, b: str) -> bool:
    marks = [(text.strip()[0], text.strip()[-1]) for text in (_after_equals(a), _after_equals(b))]
    return marks[0] == marks[1]


def _same_multiset(one: list[str], other: list[str]) -> bool:
    for item in one:
        found = next((index for index, rival in enumerate(other) if same_answer(one=item, other=rival)), None)
        if found is None:
            return False
        other.pop(found)
    return True


def _collection(text: str) -> tuple[str, list[str]] | None:
    """("ordered" or "unordered", items): (1, 2), [1, 2), {1, 2}, "1, 2", "1 and 2", +-3, unions of intervals."""
    text = _after_equals(text.replace(r"\{", "{").replace(r"\}", "}").replace("±", r"\pm "))
    if r"\cup" in text or "∪" in text:
        return "unordered", [part.strip() for part in re.split(r"\\cup|∪", text)]
    if r"\pm" in text:
        return "unordered", [text.replace(r"\pm", ""), text.replace(r"\pm", "-")]
    if text[:1] == "{" and text[-1:] == "}":
        return "unordered", _split(text[1:-1])
    if text[:1] in "([" and text[-1:] in ")]" and len(_split(text[1:-1])) > 1 and _is_one_group(text):
        return "ordered", _split(text[1:-1])
    parts = _split(re.sub(r",?\s+(?:and|or)\s+|\\text\{\s*(?:and|or)\s*\}", ",", text))
    return ("unordered", parts) if len(parts) > 1 and not _is_thousands(text) else None


def _is_one_group(text: str) -> bool:
    depth = 0
    for position, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if depth == 0:
            return position == len(text) - 1
    return False


def _is_thousands(text: str) -> bool:
    return bool(re.fullmatch(r"[^\d]{0,3}\d{1,3}(?:,\d{3})+(?:\.\d+)?(?:\s.*)?", text))


def _split(text: str) -> list[str]:
    """Splits at commas and semicolons outside brackets; 1,000 stays whole without a blank after its comma."""
    parts, depth, start = [], 0, 0
    for position, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char in ",;" and depth == 0 and not re.match(r",\d{3}(?!\d)", text[position : position + 5]):
            parts.append(text[start:position])
            start = position + 1
    return [clean(part) for part in (*parts, text[start:])]


def _same_relation(a: str, b: str) -> bool | None:
    one, other = _relation(a), _relation(b)
    if one is None or other is None:
        return None
    if one == other:
        return True
    return same_answer(one=one[0], other=other[0]) and one[1] == other[1] and same_answer(one=one[2], other=other[2])


def _relation(text: str) -> tuple[str, str, str] | None:
    """x < 3 and 3 > x in one form; the interval (3, infinity) as well."""
    signs = _RELATION.findall(text)
    if len(signs) == 1:
        left, right = (part.strip() for part in _RELATION.split(text))
        sign = _RELATIONS.get(signs[0], signs[0])
        return (left, sign, right) if read_quantity(left) is None else (right, _ORDER[sign], left)
    ends = re.fullmatch(r"([(\[])\s*([^,]+?)\s*,\s*([^,]+?)\s*([)\]])", text)
    if ends and ("infty" in ends[2] or "∞" in ends[2]):
        return "x", "<=" if ends[4] == "]" else "<", ends[3]
    if ends and ("infty" in ends[3] or "∞" in ends[3]):
        return "x", ">=" if ends[1] == "[" else ">", ends[2]
    return None


def _same_equation(a: str, b: str) -> bool | None:
    one, other = _equation(a), _equation(b)
    if one is None or other is None:
        return None
    return _proportional(one, other)


def _equation(text: str) -> Polynomial | None:
    if text.count("=") != 1:
        return None
    try:
        left, right = (read_tree(part)[0] for part in text.split("="))
        return difference(left, right)
    except (Unreadable, Incalculable):
        return None


def _proportional(a: Polynomial, b: Polynomial) -> bool:
    if set(a) != set(b) or not a:
        return False
    key = next(iter(a))
    ratio = a[key] / b[key]
    return all(a[name] == ratio * b[name] for name in a)


def _same_expression(a: str, b: str) -> bool | None:
    try:
        one, other = read_tree(_after_equals(a))[0], read_tree(_after_equals(b))[0]
    except Unreadable:
        return None
    return is_identity(left=one, right=other) or agree_at_points(left=one, right=other)


def _same_matrix(a: str, b: str) -> bool | None:
    rows = [_matrix(text) for text in (a, b)]
    if rows[0] is None or rows[1] is None:
        return None
    if [len(row) for row in rows[0]] != [len(row) for row in rows[1]]:
        return False
    pairs = zip(itertools.chain(*rows[0]), itertools.chain(*rows[1]), strict=True)
    return all(same_answer(one=x, other=y) for x, y in pairs)


def _matrix(text: str) -> list[list[str]] | None:
    found = re.search(r"\\begin\{([pbvBV]?matrix)\}(.*?)\\end\{\1\}", text, re.DOTALL)
    if not found:
        return None
    return [[clean(cell) for cell in row.split("&")] for row in found[2].split(r"\\") if row.strip()]


def _after_equals(text: str) -> str:
    """x = 5 -> 5, where the left side is one symbol or a function of one."""
    left, sign, right = text.partition("=")
    if sign and "=" not in right and re.fullmatch(r"\s*\\?[A-Za-z]+(?:_\{?\w+\}?)?(?:\(\w+\))?\s*", left):
        return right.strip()
    return re.sub(r"^[A-Za-z]\s*(?:\\in|∈)\s*", "", text).strip()


def _untexted(text: str) -> str:
    return re.sub(r"\\(?:text|mathrm|textbf|mathbf|mbox)\s*\{([^{}]*)\}", r"\1", text).strip()


def _words(text: str) -> str:
    text = re.sub(r"\b(?:the|a|an)\b", " ", _untexted(text).lower()) if len(text) > 2 else text.lower()
    return " ".join(re.sub(r"[^\w+\-*/^=<>%.,()\[\]{}\\|!]", " ", text).split()).strip(". ")


_RULES = (
    ("choice", _same_choice), ("truth value", _same_truth), ("matrix", _same_matrix), ("inequality", _same_relation),
    ("number", _same_number), ("collection", _same_collection), ("equation", _same_equation),
    ("expression", _same_expression),
)  # fmt: skip
