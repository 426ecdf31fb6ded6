"""The LaTeX subset: what each command becomes, where braces close, which dollars delimit mathematics."""

from __future__ import annotations

import re

from auditing.checker.mathematics.vocabulary import WORD_FUNCTIONS

COMMANDS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("times", "cdot", "ast", "star", "*"), ("op", "*")),
    "div": ("op", "/"),
    "pm": ("op", "±"),
    "mp": ("op", "∓"),
    "%": ("op", "%"),
    "circ": ("op", "°"),
    **dict.fromkeys(("le", "leq", "leqslant"), ("rel", "<=")),
    **dict.fromkeys(("ge", "geq", "geqslant"), ("rel", ">=")),
    "lt": ("rel", "<"),
    "gt": ("rel", ">"),
    **dict.fromkeys(("ne", "neq"), ("rel", "!=")),
    **dict.fromkeys(("approx", "simeq", "doteq"), ("rel", "≈")),
    "equiv": ("rel", "≡"),
    # similar, congruent, proportional: relations that nothing here can compute, so they end an expression
    **dict.fromkeys(("sim", "cong", "propto"), ("other", "")),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), ("func", "frac")),
    **dict.fromkeys(("binom", "dbinom", "tbinom"), ("func", "binom")),
    "sqrt": ("func", "sqrt"),
    **{
        name: ("func", name)
        for name in (
            "log",
            "ln",
            "sin",
            "cos",
            "tan",
            "cot",
            "sec",
            "csc",
            "exp",
            "gcd",
            "max",
            "min",
            "arcsin",
            "arccos",
            "arctan",
            "lg",
            "det",
            "lim",
        )
    },
    **dict.fromkeys(("ldots", "dots", "cdots", "dotsc", "dotsb", "dotsm"), ("dots", "...")),
    **dict.fromkeys(
        (
            "implies",
            "Rightarrow",
            "Longrightarrow",
            "to",
            "rightarrow",
            "iff",
            "Leftrightarrow",
            "longrightarrow",
            "Longleftrightarrow",
            "leadsto",
            "therefore",
        ),
        ("stop", "=>"),
    ),
    **dict.fromkeys(("bmod", "mod"), ("op", "mod")),
    "choose": ("word", "choose"),
    # a = b (mod m) is no equality of numbers; \bmod above is the operation
    "pmod": ("other", "pmod"),
    "lfloor": ("open", "floor"),
    "rfloor": ("close", "floor"),
    "lceil": ("open", "ceil"),
    "rceil": ("close", "ceil"),
    "lvert": ("bar", "|"),
    "rvert": ("bar", "|"),
    "vert": ("bar", "|"),
    "mid": ("other", "|"),
    "(": ("math", "("),
    ")": ("math", ")"),
    "[": ("math", "["),
    "]": ("math", "]"),
    "\\": ("nl", "\\\\"),
    "$": ("dollar", "$"),
    "{": ("other", "{"),
    "}": ("other", "}"),
    "quad": ("stop", " "),
    "qquad": ("stop", " "),
    "begin": ("env", "begin"),
    "end": ("env", "end"),
    "boxed": ("blank", ""),
    "fbox": ("blank", ""),
    **dict.fromkeys(("angle", "measuredangle"), ("prefix", "angle")),
    "overline": ("prefix", "segment"),
    "pi": ("sym", "pi"),
    "infty": ("other", "inf"),
    "&": ("other", "&"),
}
# spacing and sizes: nothing to compute
BLANK = frozenset(
    {
        ",",
        ";",
        "!",
        ":",
        " ",
        ">",
        "left",
        "right",
        "big",
        "Big",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "bigg",
        "Bigg",
        "displaystyle",
        "textstyle",
        "limits",
        "nolimits",
        "hspace",
        "phantom",
        "hline",
        "nonumber",
    }
)


def closing_brace(text: str, start: int, limit: int = 400) -> int:
    """Index just after the brace group that opens at `start`, or -1 when it does not close soon."""
    depth = 0
    for position in range(start, min(len(text), start + limit)):
        char = text[position]
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return position + 1
    return -1


_PLAIN_WORD = re.compile(r"(?<![\\A-Za-z0-9)}])[A-Za-z]{3,}")
_PRODUCT = re.compile(r"[a-d]{3,4}|[w-z]{3,4}|[p-t]{3,4}|[a-cx-z]{3,4}")  # abc, xyz: symbols, no word
_BRACED_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mbox)\s?\{[^{}]{0,200}\}")


def math_dollars(text: str) -> dict[int, str]:
    """Which dollar signs are mathematics delimiters: position -> "(" or ")". All others are money."""
    # Dollars are ambiguous: "$5 and $x + 1$" holds one price and one formula. Neighbouring dollars are paired from the
    # left wherever what stands between them can be a formula; a dollar that finds no partner is money.
    marks = [i for i, char in enumerate(text) if char == "$" and (i == 0 or text[i - 1] != "\\")]
    delimiters: dict[int, str] = {}
    at = 0
    while at + 1 < len(marks):
        left, right = marks[at], marks[at + 1]
        if right == left + 1:
            delimiters[left] = delimiters[right] = "$$"
            at += 2
            continue
        if _is_inline_math(text, left, right):
            delimiters[left], delimiters[right] = "(", ")"
            at += 2
        else:
            at += 1
    return delimiters


def _is_inline_math(text: str, left: int, right: int) -> bool:
    inner = text[left + 1 : right]
    if not inner or len(inner) > 1500 or inner[0].isspace() or inner[-1].isspace():
        return False
    # "$5 + $3": a digit right after the second dollar makes it the money sign of a price
    if right + 1 < len(text) and text[right + 1].isdigit():
        return False
    # "$5 + $": the text between two prices
    if inner[-1] in "+-*/=(" and "\\" not in inner:
        return False
    # a word of three letters or more that names no function and is no product of letters: prose between two prices
    bare = _BRACED_TEXT.sub("", inner)
    return all(
        word.lower() in WORD_FUNCTIONS or word.isupper() or _PRODUCT.fullmatch(word)
        for word in _PLAIN_WORD.findall(bare)
    )
