r"""Decorations: what sets a line off and says nothing of its numbers, blanked out so that every position stays.

Bullets and letters of a list, headings, cells of a table, ticks, italics, tags of HTML, marks behind a result, the
words in square brackets behind a number. What may be a sign of its own ("(2) 3 = 6", "|x| = 3", "3 + □ = 8") stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable

# a bullet, a heading, "1)", "(a)", "iv)" at the beginning of a line, with an expression or a word behind it
_BULLET = re.compile(
    r"^[ \t]*(?:[•‣▪◦●○∙·][ \t]*|#{1,6}[ \t]+|(?:\d{1,2}|\(?[a-h]|\(?[ivx]{1,4})\)[ \t]+)(?=[\d$\\A-Za-z(√*−-])",
    re.MULTILINE,
)
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|li|ul|ol|p|br|td|tr|th|span|div|code|mark|center|h[1-6])\s?/?>", re.IGNORECASE
)
_TICK = re.compile(r"(?<!`)`(?!`)")
# italics begin behind no operand and end before none; the sign itself first, here and below: the engine runs to it
_STARS = re.compile(
    r"\*(?:(?<=[=(:,;|>] .)|(?<=[=(:|].)|(?<=[A-Za-z] .)|(?<=^.))(?=[^\s*])(?P<inside>[^*\n]{1,120}(?<=[^\s*]))\*"
    r"(?=\s*(?:$|[.,;:)!?|\n]|[A-Za-z]))",
    re.MULTILINE,
)
_LINES = re.compile(r"(?<![\w\\}_])_{1,2}(?=[^\s_])(?P<inside>[^_\n]{1,120}(?<=[^\s_]))_{1,2}(?![\w{])")
# a row of a table: bars with blanks around them, and one at either end
_ROW = re.compile(r"^[ \t]*\|[ \t].{1,2000}[ \t]\|[ \t]*$", re.MULTILINE)
_BAR = re.compile(r"(?<![^\s])\|(?![^\s])")
_END = r"(?=[ \t]*(?:$|[.,;:]?\s*\n|[.,;:]\s))"
_FOOTNOTE = re.compile(rf"[*†‡ ](?<=\d.)(?:(?<=\*)(?!\*)|(?<=[†‡])[†‡]?|(?<=[ ])\[\d{{1,2}}\]){_END}", re.MULTILINE)
_TRAILING = re.compile(
    r"(?<=[\d)}$])[ \t]*(?:[\U0001F300-\U0001FAFF✓✔✅☑□■∎▢◻⬜]\ufe0f?|"
    r"\\(?:blacksquare|square|checkmark|Box|qed)\b){1,4}"
    r"(?=[ \t]*(?:$|\n))",
    re.MULTILINE,
)
# 5 [apples] + 6 [pears]
_REMARK = re.compile(r"\[(?<=[\d%][ ].)(?P<inside>[A-Za-z][A-Za-z ,'’-]{1,40})\]")
# 10 (from step 1): the number of a step, and no amount
_CITED = re.compile(
    r"\((?<=[\d%][ ].)(?:[A-Za-z]{2,12}[ ]){0,3}(?:step|part|line|eq|equation|question|case|day|"
    r"week|year|month|grade|class|room"
    r"|table|figure|box|round|page|item|level|phase|group|team|section|chapter|problem|period|"
    r"shift|trip|store|game|test"
    r"|quiz|exam|bag|row|column|floor|lane|stage)(?P<number>[ ]#?\d{1,3})\)",
    re.IGNORECASE,
)


def undecorated(text: str) -> str:
    """The text with blanks for its decorations, of the same length.

    >>> undecorated("• 3 * 4 = *12*"), undecorated("| sum | 3 + 4 = 7 |")
    ('  3 * 4 =  12 ', '; sum ; 3 + 4 = 7 ;')
    """
    for trigger, pattern, replaced in _STEPS:
        if trigger is None or (trigger in text if isinstance(trigger, str) else trigger(text)):
            text = pattern.sub(replaced, text)
    return text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _inside(match: re.Match[str]) -> str:
    """What is set off, with blanks for the marks around it."""
    start, end = match.start("inside") - match.start(), match.end() - match.end("inside")
    return " " * start + match["inside"] + " " * end


def _cells(match: re.Match[str]) -> str:
    return _BAR.sub(";", match.group())


def _in_brackets(match: re.Match[str]) -> str:
    return f"({match['inside']})"


def _without_its_number(match: re.Match[str]) -> str:
    """(from step 1) as (from stepss): a remark in words."""
    return f"{match.group()[: match.start('number') - match.start()]}{'s' * len(match['number'])})"


def _may_trail(text: str) -> bool:
    """Whether a text holds one of the marks of the end: none of them is in ASCII, but for the commands."""
    return not text.isascii() or ("\\" in text and any(name in text for name in ("square", "checkmark", "Box", "qed")))


def _may_note(text: str) -> bool:
    return "*" in text or "[" in text or "†" in text or "‡" in text


_STEPS: tuple[tuple[Callable[[str], bool] | str | None, re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    ("|", _ROW, _cells),
    (None, _BULLET, _blank),
    ("<", _TAG, _blank),
    ("`", _TICK, _blank),
    ("*", _STARS, _inside),
    ("_", _LINES, _inside),
    (_may_note, _FOOTNOTE, _blank),
    (_may_trail, _TRAILING, _blank),
    ("[", _REMARK, _in_brackets),
    ("(", _CITED, _without_its_number),
)
