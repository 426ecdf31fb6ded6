r"""Marks that set a formula and compute nothing, rewritten in place so that every position stays.

A brace above or below a sum, a negated relation, an index before a choice (_5C_2), the names of gcd and lcm set as
operators, 12 apples @ $2. What a single command means by itself stands in the tables of latex.py.
"""

from __future__ import annotations

import re

from auditing.checker.mathematics.latex import closing_brace

_NEGATED = re.compile(r"\\not\s?(=|<|>|\\in(?![A-Za-z]))")
_RELATIONS = {"=": "\\neq ", "<": "\\geq ", ">": "\\leq "}
_INDEXED = re.compile(
    r"(?:\{\}|(?<![\w})\]]))[_^](?:\{(?P<a>\d{1,3})\}|(?P<b>\d))\s?(?P<name>[CP])\s?_?"
    r"(?:\{(?P<c>\d{1,3})\}|(?P<d>\d))"
)
_SET_NAME = re.compile(
    r"\\(?:mathop|operatorname|mathrm|text|textrm)\*?\s?\{(?:\\(?:text|rm|mathrm)\s?\{?)?\s?"
    r"(gcd|lcm|GCD|LCM|GCF|HCF)\}{1,2}(?=\s|\\[,;!]|\\left|[(\[])"
)
_SPACED = re.compile(r"(?<=gcd|lcm)(?:\s|\\[,;!: ]|\\left(?![A-Za-z])){1,4}(?=[(\[])")
# 12 apples @ $0.50
_AT = re.compile(r"(?<=[A-Za-z] )@(?= ?[$£€]?\d[\d.,]*(?![\d.,]*/))")
# TeX takes one digit below: the logarithm of 8 to base 2
_LOG_OF = re.compile(r"\\log\s?_\s?(\d)(?=\d{1,9}(?![\d.,]\d|\s?[({\\A-Za-z]))")
_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
# 1/8th of 24, \frac{1}{8}th of 24
_SHARE = re.compile(
    r"(?<=\d/\d|/\d\d|\d\}\$|.\d\})(?:\^\{)?(?:st|nd|rd|ths?)\b\}?(?=\$? (?:of|the)\b|\s?(?:[=)]|\\\)))"
)
# V1 and V2: nobody writes a power of 0 or 1, so these are indices, and those of the same letter beside them, too
_FIRST = re.compile(r"(?<![\w\\^{.₀-₉])(?<![\d)] )[A-Za-z][01](?!\w|\.\d|[({])")
_OTHERS = re.compile(r"(?<![A-Za-z_\\^{.₀-₉])([A-Za-z])(\d)(?!\w|\.\d|[({])")
_BRACE = re.compile(r"\\(?:over|under)brace\s?(?=\{)")


def typeset(text: str) -> str:
    r"""The text without marks of its setting, of the same length.

    >>> typeset(r"\underbrace{2+2}_{\text{twice}} = 4"), typeset(r"_5C_2 \not= 11")
    ('           {2+2}                = 4', '5C_02 \\neq  11')
    """
    if "\\not" in text:
        text = _NEGATED.sub(_negated, text)
    if "C" in text or "P" in text:
        text = _INDEXED.sub(_indexed, text)
    if "0" in text or "1" in text:
        letters = {name[0] for name in _FIRST.findall(text)}
        text = _OTHERS.sub(lambda name: _lowered(name, letters), text) if letters else text
    if "/" in text or "frac" in text:
        text = _SHARE.sub(_blank, text)
    if "@" in text:
        text = _AT.sub("*", text)
    if "\\" not in text:
        return text
    if "\\log" in text:
        text = _LOG_OF.sub(lambda match: f"log{match[1].translate(_BELOW)}".rjust(len(match.group())), text)
    text = _SPACED.sub(_blank, _SET_NAME.sub(_named, text))
    return _without_braces(text) if "brace" in text else text


def _lowered(name: re.Match[str], letters: set[str]) -> str:
    return name[1] + (name[2].translate(_BELOW) if name[1] in letters else name[2])


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _negated(match: re.Match[str]) -> str:
    sign = _RELATIONS.get(match[1])
    return sign.ljust(len(match.group())) if sign and len(sign) - 1 <= len(match.group()) else match.group()


def _indexed(match: re.Match[str]) -> str:
    """_{10}C_{3} as 10C_000003: no blank may stand beside a dollar sign."""
    head = f"{match['a'] or match['b']}{match['name']}_"
    return head + (match["c"] or match["d"]).zfill(len(match.group()) - len(head))


def _named(match: re.Match[str]) -> str:
    name = {"gcf": "gcd", "hcf": "gcd"}.get(match[1].lower(), match[1].lower())
    return name.rjust(len(match.group()))


def _without_braces(text: str) -> str:
    """The group under a brace stays, the words beside the brace go."""
    at = 0
    pieces: list[str] = []
    for match in _BRACE.finditer(text):
        close = closing_brace(text, match.end())
        if close < 0 or match.start() < at:
            continue
        beside = re.compile(r"\s?[_^]\s?(?=\{)").match(text, close)
        end = closing_brace(text, beside.end()) if beside else close
        if end < 0:
            continue
        pieces += [text[at : match.start()], _blank(match), text[match.end() : close], " " * (end - close)]
        at = end
    return "".join([*pieces, text[at:]])
