"""Answers that are inequalities or intervals, in one form."""

from __future__ import annotations

import re

from auditing.checker.answers.quantities import read_quantity

_ORDER = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_RELATION = re.compile(r"\\leq?(?![a-z])|\\geq?(?![a-z])|<=|>=|≤|≥|<|>")
_RELATIONS = {r"\le": "<=", r"\leq": "<=", r"\ge": ">=", r"\geq": ">=", "≤": "<=", "≥": ">="}


def interval_of(text: str) -> tuple[str, str, str, str, str] | None:
    """(name or nothing, opening bracket, low, high, closing bracket)."""
    text = re.sub(r"^[A-Za-z]\s*(?:\\in|∈)\s*", "", text)
    ends = re.fullmatch(r"([(\[])\s*([^,]+?)\s*,\s*([^,]+?)\s*([)\]])", text)
    if ends:
        return "", ends[1], ends[2], ends[3], ends[4]
    text = _joined(text)
    signs = [_RELATIONS.get(sign, sign) for sign in _RELATION.findall(text)]
    sides = [side.strip() for side in _RELATION.split(text)]
    absolute = re.fullmatch(r"(?:\||\\lvert\s*)([a-z])(?:\||\\rvert)", sides[0]) if len(sides) == 2 else None
    # |x| < 3 is -3 < x < 3
    if absolute and signs[0] in ("<", "<="):
        sides, signs = [f"-({sides[1]})", absolute[1], sides[1]], [signs[0], signs[0]]
    if len(signs) != 2 or signs[0][0] != signs[1][0] or not re.fullmatch(r"\\?[A-Za-z]\w*(?:\([a-z]\))?", sides[1]):
        return None
    # 5 > x > 2 is turned round
    if signs[0][0] == ">":
        sides, signs = sides[::-1], signs[::-1]
    return sides[1], "[" if "=" in signs[0] else "(", sides[0], sides[2], "]" if "=" in signs[1] else ")"


def _joined(text: str) -> str:
    """x > 3 and x < 5 as 3 < x < 5."""
    halves = re.split(r",?\s*\\?(?:\band\b|text\{\s*and\s*\})\s*", text)
    relations = [relation_of(half.strip()) for half in halves] if len(halves) == 2 else []
    first, second = (relations[0], relations[1]) if len(relations) == 2 else (None, None)
    if first is None or second is None or first[0] != second[0] or first[1][0] == second[1][0]:
        return text
    low, high = (first, second) if first[1][0] == ">" else (second, first)
    return f"{low[2]} {_ORDER[low[1]]} {low[0]} {high[1]} {high[2]}"


def relation_of(text: str) -> tuple[str, str, str] | None:
    """x < 3 and 3 > x in one form; the interval (3, infinity) as well."""
    signs = _RELATION.findall(text)
    if len(signs) == 1:
        left, right = (side.strip() for side in _RELATION.split(text))
        sign = _RELATIONS.get(signs[0], signs[0])
        # the side that is no number is the name
        return (left, sign, right) if read_quantity(left) is None else (right, _ORDER[sign], left)
    ends = re.fullmatch(r"([(\[])\s*([^,]+?)\s*,\s*([^,]+?)\s*([)\]])", text)
    # (-infinity, 3) is x < 3, for any name
    if ends and ("infty" in ends[2] or "∞" in ends[2]):
        return "", "<=" if ends[4] == "]" else "<", ends[3]
    if ends and ("infty" in ends[3] or "∞" in ends[3]):
        return "", ">=" if ends[1] == "[" else ">", ends[2]
    return None
