"""The LaTeX subset: what each command becomes, where braces close, which dollars delimit mathematics."""

from __future__ import annotations

import re

from auditing.checker.mathematics.bound.signs import NAMES
from auditing.checker.mathematics.vocabulary import GREEK, NUMBER, OPS, UNIT_LETTERS, WORD_FUNCTIONS, WORD_OPS

COMMANDS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("times", "cdot", "ast", "*"), ("op", "*")),
    # nobody multiplies with a star: it is an operation that the text defines
    "star": ("other", "star"),
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
    **dict.fromkeys(("boxed", "fbox", "cancel", "bcancel", "xcancel"), ("blank", "")),
    "over": ("over", ""),
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
        "hline",
        "nonumber",
    }
)

# what they hold is a length or is not seen
UNSEEN = frozenset(
    ("hspace", "vspace", "phantom", "hphantom", "vphantom", "kern", "label", "tag", "color", "textcolor")
)
# commands that are one token wherever they stand
PLAIN_COMMANDS = {**COMMANDS, **{name: ("sym", name) for name in GREEK}}
for _name, (_kind, _text) in COMMANDS.items():
    if _kind in ("env", "blank", "math") or _text == " " or _name in BLANK or _name in NAMES:
        del PLAIN_COMMANDS[_name]
_PADDING = " ~\\,;\u00a0"
# functions whose names are set as text; \\text{sec} and \\text{min} are units
_COMPUTES = re.compile(r"[-–−+×*/(]\s?[-−]?\d")
_SET_SIGNS = frozenset("+-–−/×÷")
_SET_FUNCTIONS = frozenset(("sin", "cos", "tan", "cot", "ln", "log", "exp"))
_ARGUMENT = re.compile(r"\s?(?:\\left\s?)?[(\[{\d]")
_CONDITION = re.compile(r"(?:\b(?:if|while|assert|elif|return|for|where|and|or|not)\b|==|&&)[^\n]*$")


def kind_of_text(name: str, braced: str, after: str) -> tuple[str, str]:
    r"""What \text{...} and its like are by their content: a function, a letter, a number, a sign in words, or a word.

    >>> kind_of_text("text", "ln", "(2)"), kind_of_text("mathrm", "~km", ""), kind_of_text("operatorname", "cis", "(x)")
    (('func', 'ln'), ('text', 'km'), ('func', 'cis'))
    """
    # the spaces that set a unit off are none of its letters
    inner = braced.strip(_PADDING)
    lower = inner.lower()
    # "5\\text{ m}": what is set apart behind a number is a unit, and no symbol
    is_letter = len(inner) == 1 and inner.isalpha() and braced[:1] not in (" ", "~", "\\")
    if name in ("mathrm", "mathbf", "mathit", "operatorname") and lower in WORD_FUNCTIONS:
        return "func", lower
    # a bold letter is a vector or a matrix, whose products are none of numbers
    if name == "mathbf" and is_letter:
        return "other", inner
    # an estimate has a name of its own, as a mean has
    if name in ("mathrm", "mathit", "text", "hat") and is_letter:
        return "sym", f"hat {inner}" if name == "hat" else inner
    if _is_set_function(name, inner, after):
        return "func", inner
    if inner in _SET_SIGNS:
        return "op", OPS.get(inner, inner)
    if name == "textbf" and NUMBER.fullmatch(inner):
        return "num", inner
    if lower in WORD_OPS and lower != "equals":
        return "op", WORD_OPS[lower]
    # \text{(0 kJ)} and \text{ - 514} go on computing
    return ("other" if _COMPUTES.match(inner) else "text"), inner


def may_count(before: str, letter: str) -> bool:
    r"""Whether a letter set as text is a unit by what stands before it: 5\,\text{m}, 10^{-9}\,\text{g}."""
    return before[-1:].isdigit() or (before == "}" and letter in UNIT_LETTERS)


def _is_set_function(name: str, inner: str, after: str) -> bool:
    r"""Whether \text{ln}, or \operatorname{cis} before its argument, is a function by its name."""
    if name == "operatorname":
        return bool(_ARGUMENT.match(after))
    if inner in ("gcd", "lcm"):
        return after.lstrip()[:1] == "("
    return name in ("text", "textrm", "mathrm") and inner in _SET_FUNCTIONS


def is_factorial(text: str, start: int, math: int) -> bool:
    """Whether "!=" at `start` is a factorial and a sign of equality: 5!=120, and not "if n % 2 != 0"."""
    if text[start - 1 : start] not in tuple("0123456789)}") or text[start + 2 : start + 3] == "=":
        return False
    line = text[max(0, text.rfind("\n", 0, start) + 1, start - 120) : start]
    # between dollars nobody writes a program
    return bool(math) or not _CONDITION.search(line)


def environment_name(text: str, at: int) -> str:
    r"""The name behind \begin or \end, whose braces begin at `at`; empty where none stands there."""
    close = closing_brace(text, at, 40) if text[at : at + 1] == "{" else -1
    return text[at + 1 : close - 1] if close > 0 else ""


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
