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
    parts = [part.strip() for part in _RELATION.split(text)]
    inner = re.fullmatch(r"(?:\||\\lvert\s*)([a-z])(?:\||\\rvert)", parts[0]) if len(parts) == 2 else None
    if inner and signs[0] in ("<", "<="):
        parts, signs = [f"-({parts[1]})", inner[1], parts[1]], [signs[0], signs[0]]
    if len(signs) != 2 or signs[0][0] != signs[1][0] or not re.fullmatch(r"\\?[A-Za-z]\w*(?:\([a-z]\))?", parts[1]):
        return None
    if signs[0][0] == ">":
        parts, signs = parts[::-1], signs[::-1]
    return parts[1], "[" if "=" in signs[0] else "(", parts[0], parts[2], "]" if "=" in signs[1] else ")"


def _joined(text: str) -> str:
    """x > 3 and x < 5 as 3 < x < 5."""
    halves = re.split(r",?\s*\\?(?:\band\b|text\{\s*and\s*\})\s*", text)
    found = [relation_of(half.strip()) for half in halves] if len(halves) == 2 else []
    one, other = (found[0], found[1]) if len(found) == 2 else (None, None)
    if one is None or other is None or one[0] != other[0] or one[1][0] == other[1][0]:
        return text
    low, high = (one, other) if one[1][0] == ">" else (other, one)
    return f"{low[2]} {_ORDER[low[1]]} {low[0]} {high[1]} {high[2]}"


def relation_of(text: str) -> tuple[str, str, str] | None:
    """x < 3 and 3 > x in one form; the interval (3, infinity) as well."""
    signs = _RELATION.findall(text)
    if len(signs) == 1:
        left, right = (part.strip() for part in _RELATION.split(text))
        sign = _RELATIONS.get(signs[0], signs[0])
        return (left, sign, right) if read_quantity(left) is None else (right, _ORDER[sign], left)
    ends = re.fullmatch(r"([(\[])\s*([^,]+?)\s*,\s*([^,]+?)\s*([)\]])", text)
    if ends and ("infty" in ends[2] or "∞" in ends[2]):
        return "", "<=" if ends[4] == "]" else "<", ends[3]
    if ends and ("infty" in ends[3] or "∞" in ends[3]):
        return "", ">=" if ends[1] == "[" else ">", ends[2]
    return None
