"""Answers with several parts, and what stands before an equals sign: how a text falls into its pieces."""

from __future__ import annotations

import re

from auditing.checker.answers.extraction import clean
from auditing.checker.answers.quantities import read_quantity

_NAME = re.compile(r"\s*(?:\\?[A-Za-z]+(?:_\{?\w+\}?)?(?:\(\w+\))?|\([a-z](?:\s*,\s*[a-z]){1,5}\))\s*")


def collection_of(text: str) -> tuple[str, list[str]] | None:
    """("ordered" or "unordered", items): (1, 2), [1, 2), {1, 2}, "1, 2", "1 and 2", +-3, unions of intervals."""
    text = after_equals(text.replace(r"\{", "{").replace(r"\}", "}").replace("±", r"\pm "))
    if r"\cup" in text or "∪" in text:
        return "unordered", [interval.strip() for interval in re.split(r"\\cup|∪", text)]
    # 2 \pm 3 is the set of 2 + 3 and 2 - 3
    if r"\pm" in text:
        return "unordered", [re.sub(r"(?<=[\w})])\s*\\pm", "+", text).replace(r"\pm", ""), text.replace(r"\pm", "-")]
    if text[:1] == "{" and text[-1:] == "}":
        return "unordered", split_items(text[1:-1])
    # (1, 2) may be a point or an open interval: the order counts in both
    if text[:1] in "([" and text[-1:] in ")]" and len(split_items(text[1:-1])) > 1 and _is_one_group(text):
        return "ordered", split_items(text[1:-1])
    # what is left is a set written in words: "1 and 2", "x = 1 or x = 2"
    text = re.sub(r"\s+only$|^both\s+", "", without_text_marks(text) if "=" not in text else text, flags=re.IGNORECASE)
    elements = split_items(re.sub(r",?\s+(?:and|or)\s+|\\text\{\s*(?:and|or)\s*\}", ",", text))
    return ("unordered", elements) if len(elements) > 1 and not _is_thousands(text) else None


def _is_one_group(text: str) -> bool:
    depth = 0
    for position, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if depth == 0:
            # the first bracket must close at the very end: "(1, 2), (3, 4)" are two groups
            return position == len(text) - 1
    return False


def _is_thousands(text: str) -> bool:
    return bool(re.fullmatch(r"[^\d]{0,3}\d{1,3}(?:,\d{3})+(?:\.\d+)?(?:\s.*)?", text))


def split_items(text: str) -> list[str]:
    """Splits at commas and semicolons outside brackets; 1,000 stays whole without a blank after its comma."""
    elements, depth, start = [], 0, 0
    for position, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char in ",;" and depth == 0 and not re.match(r",\d{3}(?!\d)", text[position : position + 5]):
            elements.append(text[start:position])
            start = position + 1
    return [clean(element) for element in (*elements, text[start:])]


def matrix_of(text: str) -> list[list[str]] | None:
    """The cells of a LaTeX matrix, row by row; None when there is none."""
    environment = re.search(r"\\begin\{([pbvBV]?matrix)\}(.*?)\\end\{\1\}", text, re.DOTALL)
    if not environment:
        return None
    return [[clean(cell) for cell in row.split("&")] for row in environment[2].split(r"\\") if row.strip()]


def after_equals(text: str) -> str:
    """x = 5 -> 5, where the left side is one symbol or a function of one."""
    left, sign, right = text.partition("=")
    if sign and "=" not in right and _NAME.fullmatch(left):
        return right.strip()
    if sign and re.fullmatch(r"\s*[A-Za-z]\s*", right) and read_quantity(left) is not None:
        return left.strip()
    return re.sub(r"^[A-Za-z]\s*(?:\\in|∈)\s*", "", text).strip()


def without_text_marks(text: str) -> str:
    r"""\text{apples} as apples."""
    return re.sub(r"\\(?:text|mathrm|textbf|mathbf|mbox)\s*\{([^{}]*)\}", r"\1", text).strip()


def nouns_of(elements: list[str]) -> list[str]:
    """The letters of each item: 3 apples -> apples."""
    return [re.sub(r"[^a-z]+", "", element.lower()) for element in elements]
