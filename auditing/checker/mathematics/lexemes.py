"""Lexemes: the one pattern that cuts a text into pieces, and what signs that look different have in common."""

from __future__ import annotations

import re

MASTER = re.compile(
    # the first alternative that fits wins: 1,000 is one number, ... are dots, and 0x1F and dates compute nothing
    r"(?P<coded>0[xX][0-9A-Fa-f]+|0[bB][01]+\b|(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-]))"
    r"|(?P<num>\d+(?:\.\d+)?[eE][-+]?\d{1,3}(?![\w.])|\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d{1,3}(?:\{,\}\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<cmd>\\(?:[A-Za-z]+|.))"
    r"|(?P<vulgar>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])"
    r"|(?P<dollar>\${1,2}|[£€¥₹]|\b(?:USD|EUR|GBP|INR|CAD|AUD|CHF|JPY|CNY|SGD|HKD|Rs)\b(?=\s?\d))"
    r"|(?P<word>[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:['’][^\W\d_]+)?)"
    r"|(?P<gap>[ \t\u00a0\u2009\u202f]+)"
    r"|(?P<nl>[\r\n]+)"
    r"|(?P<dots>\.\.\.+|…|⋯)"
    r"|(?P<rel><=|>=|==|!=|=>|[=<>≤≥≠≈≡≅∼~])"
    r"|(?P<arrow>->|-->|[→⇒⟹⇔↔])"
    r"|(?P<op>\*\*|[³⁴]√|[∛∜]|[-+*/^!%°×·∙⋅÷−–∕√±∓]|⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<group>[{}])"
    r"|(?P<sep>[,;:.?&_])|(?P<bar>\|)|(?P<other>.)",
    re.DOTALL,
)

# many signs, one meaning: the parser knows only + - * / ^ ! % ° and ±
OPS = {"×": "*", "·": "*", "∙": "*", "⋅": "*", "÷": "/", "∕": "/", "−": "-", "–": "-", "**": "^"}
POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
SUPERSCRIPTS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
RELS = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "≅": "≈", "∼": "≈", "~": "≈"}
ROOTS = {"√": "sqrt", "³√": "root3", "∛": "root3", "⁴√": "root4", "∜": "root4"}
WORD_OPS = {"times": "*", "plus": "+", "minus": "-", "equals": "="}
# ½ as the digits of one half
VULGAR = {"½": "12", "⅓": "13", "⅔": "23", "¼": "14", "¾": "34", "⅕": "15", "⅖": "25", "⅗": "35", "⅘": "45", "⅙": "16",
          "⅚": "56", "⅛": "18", "⅜": "38", "⅝": "58", "⅞": "78"}  # fmt: skip
# **12** is set in bold, 2**12 is a power
_BOLD = re.compile(r"(?<![\w)\]}*])\*\*(?=[^\s*])[^*\n]{1,200}(?<=\S)\*\*(?![\w(*])")


def bold_marks(text: str) -> frozenset[int]:
    """Where signs stand that set a text in bold and multiply nothing.

    >>> sorted(bold_marks("3 * 4 = **12**"))
    [8, 12]
    """
    if "**" not in text:
        return frozenset()
    return frozenset(at for match in _BOLD.finditer(text) for at in (match.start(), match.end() - 2))
