"""Equations inside a step: the spans that become operations. One pass over tokens around relation signs, linear.

A span that says less than the text is worse than none ("cos 60 = 0.5" is not "60 = 0.5"): a side that something
outside the span could bind is cut off, and what then has no relation left is no operation.

1. Cut the text into lines with a relation sign. 2. Cut a line into runs of tokens that may be mathematics. 3. Trim a
run: loose operators and unbalanced brackets at its ends go. 4. Cut off the first and the last side where a word or mark
outside binds it. What is left with a value on both sides of a relation is an equation.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from hdag.core.spans import Span

# Each lexeme by its first matching row. A row begins with a class of signs, which the engine looks at before it tries
# the row, and ends with the empty group that names the kind; a kind that has several rows numbers them. "article" is
# "a" or "I" before a word: no symbol. "name" is a letter that stands alone: a symbol. "other" ends every run.
TOKEN = re.compile(
    r"[ \t&][ \t&]*(?P<blank>)"
    r"|\d(?:[\d,]*\d)?(?:\.\d+)?%?(?P<number>)|\.\d+%?(?P<number2>)"
    r"|[$€£](?:\d(?:[\d,]*\d)?(?:\.\d+)?|\.\d+)%?(?P<number3>)"
    r"|[=≈](?P<relation>)|\\approx\b(?P<relation2>)"
    r"|[-+*/×÷·^_−!](?P<operator>)|\\(?:times|cdot|div|pm)(?![A-Za-z])(?P<operator2>)"
    r"|[(\[{](?P<open>)|[)\]}](?P<close>)"
    r"|\\(?:text|mathrm|mbox|textbf|operatorname)\s?\{[^{}\n]{0,80}\}(?P<label>)"
    r"|\\(?:[A-Za-z]+|[%$,;!: ])(?P<command>)"
    r"|[aAI](?=[ \t][A-Za-z]{2})(?P<article>)"
    r"|[A-Za-z](?![A-Za-z'’])(?P<name>)"
    r"|[A-Za-z][A-Za-z]*(?P<word>)"
    r"|,(?P<comma>)"
    r"|.(?P<other>)",
    re.DOTALL,
)
KINDS = ("", *(name.rstrip("23") for name in TOKEN.groupindex))
RELATION = re.compile(r"[=≈]|\\approx\b")
# What a run may begin with, to which the search runs over prose: a lexeme of ALWAYS, but for blanks, which are trimmed.
BEGINS = re.compile(r"[$€£\d=≈*/×÷·^_−!+(\[{)\]}\\.-]|(?<![A-Za-z])[A-Za-z](?![A-Za-z'’])")
VALUES = frozenset(("number", "name"))
ALWAYS = frozenset(("number", "relation", "operator", "open", "close", "label", "command", "name", "blank"))
SOMETIMES = frozenset(("word", "comma"))  # a unit after a number, a comma inside brackets
BRACKETS = {"open": 1, "close": -1}
LOOSE = frozenset(("blank", "relation", "operator", "comma"))
# Words that bind the value after them: "twice 4 = 8", "sin 30 = 0.5", "Day 1 = ...".
BINDS_NEXT = frozenset(
    "of twice half double thrice triple times plus minus over by than less sin cos tan cot sec log ln exp sqrt root "
    "mod gcd lcm max min det day step case week year part equation problem question option answer figure page".split()
)
# Words that bind the value before them: "= 3 million", "= 2 mod 5", "= 5 squared".
BINDS_BEFORE = frozenset(
    "million billion thousand hundred dozen percent mod modulo times plus minus divided over squared cubed factorial "
    "choose hundredths tenths thousandths degrees remainder base r".split()
)
# Words that are no unit behind a number.
NO_UNIT = BINDS_BEFORE | frozenset("is so and or then the we if but which where when for in to from with are".split())
# Characters that may stand right before an equation, and those that bind when they stand right behind it.
CLEAN_BEFORE = frozenset(" \t\n\r([{$*\"'`~|>&,;“‘")
BINDS_AFTER = frozenset("!:^_'′’°/\\")
# A unit ends at an operator or a mark; a word behind it ("6 cakes each day") makes it prose.
UNIT_ENDS = re.compile(r"[ \t]{0,3}(?:[^A-Za-z0-9 \t(]|\Z)")
WORD_BEFORE = re.compile(r"([A-Za-z]+)[ \t]{0,3}$")
WORD_AFTER = re.compile(r"[ \t(]{0,3}([A-Za-z]+)")


class Lexeme(NamedTuple):
    """One lexeme of a run of mathematics: `kind` is the group of TOKEN that matched."""

    kind: str
    start: int
    end: int


_new = tuple.__new__  # a third of the time of Lexeme(...), of which a step has fifty


def find_equations(*, text: str, within: Span) -> list[Span]:
    """The maximal runs of mathematics that hold a relation between two valued sides.

    >>> text = "so 40 * 2 = $80 a day, and -3 + 4 = 1"
    >>> [s.slice(text) for s in find_equations(text=text, within=Span(0, len(text)))]
    ['40 * 2 = $80', '-3 + 4 = 1']
    """
    equations: list[Span] = []
    for line in _lines_with_relation(text, within):
        for run in _runs(text, line):
            _close(text, run, equations)
    return equations


def _runs(text: str, line: Span) -> Iterator[list[Lexeme]]:
    """The stretches of a line that may be mathematics and hold a relation."""
    at = line.start
    while begins := BEGINS.search(text, at, line.end):
        run: list[Lexeme] = []
        depth, relates = 0, False
        # one lexeme stands right behind the other, to the first that ends the run
        for match in TOKEN.finditer(text, begins.start(), line.end):
            kind, (start, at) = KINDS[match.lastindex or 0], match.span()
            if kind in ALWAYS:
                # Inside brackets commas belong to the run: "f(1, 2) = 3".
                depth = max(0, depth + BRACKETS[kind]) if kind in BRACKETS else depth
                relates = relates or kind == "relation"
                run.append(_new(Lexeme, (kind, start, at)))
            elif run and kind in SOMETIMES and _belongs(text, lexeme := _new(Lexeme, (kind, start, at)), run, depth):
                run.append(lexeme)
            else:
                break
        if relates:
            yield run


def _lines_with_relation(text: str, within: Span) -> list[Span]:
    """The lines (cut at line breaks) of `within` that hold a relation sign."""
    lines: list[Span] = []
    cursor = within.start
    while match := RELATION.search(text, cursor, within.end):
        start = max(text.rfind("\n", cursor, match.start()) + 1, cursor)
        stop = text.find("\n", match.end(), within.end)
        cursor = within.end if stop < 0 else stop
        lines.append(Span(start, cursor))
    return lines


def _belongs(text: str, token: Lexeme, run: list[Lexeme], depth: int) -> bool:
    return _is_unit(text, token, run) if token.kind == "word" else depth > 0


def _is_unit(text: str, token: Lexeme, run: list[Lexeme]) -> bool:
    """A word right after a number, as in "6 cakes * 12"; _trim drops it again at the end of a run without units."""
    last = next((before for before in reversed(run) if before.kind != "blank"), None)
    if last is None or last.kind != "number":
        return False
    word = text[token.start : token.end]
    if word == "of":
        return True  # "20% of 50" computes
    near = token.start - last.end <= 1
    return near and word.lower() not in NO_UNIT and UNIT_ENDS.match(text, token.end) is not None


def _close(text: str, run: list[Lexeme], equations: list[Span]) -> None:
    """Keep of `run` the sides that nothing outside binds, if a relation remains.

    "cos 60 = 0.5 = 1/2": "cos" binds 60, so the first side goes and "0.5 = 1/2" stays.
    """
    trimmed = _trim(text, run)
    tokens = _balanced(trimmed)
    # what is trimmed stays so where no bracket is cut off
    tokens = tokens if tokens is trimmed else _trim(text, tokens)
    sides = _relations(tokens)
    # The first side, up to the first relation; then the last side, behind the last relation.
    if sides and (not _valued(tokens[: sides[0]]) or _bound_before(text, tokens, sides[0])):
        tokens = _trim(text, _balanced(tokens[sides[0] + 1 :]))
        sides = _relations(tokens)
    if sides and (not _valued(tokens[sides[-1] + 1 :]) or _bound_after(text, tokens)):
        tokens = _trim(text, _balanced(tokens[: sides[-1]]))
        sides = _relations(tokens)
    if sides and _valued(tokens[: sides[0]]) and _valued(tokens[sides[-1] + 1 :]):
        equations.append(_with_delimiters(text, Span(tokens[0].start, tokens[-1].end)))


def _with_delimiters(text: str, span: Span) -> Span:
    """A formula that is all of its inline mathematics keeps its delimiters, so that it renders as it was written."""
    start, end = span.start, span.end
    # "$x = 2$" keeps both dollar signs; one more between them would be a price.
    if text.startswith("$", end) and "$" not in text[start + 1 : end]:
        if text[start] == "$":
            return Span(start, end + 1)
        if text[max(0, start - 1) : start] == "$":
            return Span(start - 1, end + 1)
    if text[max(0, start - 2) : start] == "\\(" and text.startswith("\\)", end):
        return Span(start - 2, end + 2)
    return span


def _relations(tokens: list[Lexeme]) -> list[int]:
    return [index for index, token in enumerate(tokens) if token.kind == "relation"]


def _valued(tokens: list[Lexeme]) -> bool:
    return any(token.kind in VALUES for token in tokens)


def _bound_before(text: str, tokens: list[Lexeme], first: int) -> bool:
    """Whether a word or mark before the run binds its first value ("cos 60 =", "Day 1 =", "ab^2 =")."""
    start = tokens[0].start
    if start and text[start - 1] not in CLEAN_BEFORE and text[max(0, start - 2) : start] != "<<":
        return True
    word = WORD_BEFORE.search(text, max(0, start - 24), start)
    if word is None:
        return False
    # Any word before a lone number may bind it ("room 12 = ..."); with an operator it is an expression of its own.
    lone = not any(token.kind == "operator" for token in tokens[:first]) and tokens[0].kind == "number"
    return lone or word.group(1).lower() in BINDS_NEXT


def _bound_after(text: str, tokens: list[Lexeme]) -> bool:
    """Whether a word or mark after the run binds its last value ("= 3 million", "= 2 (mod 5)", "= 60°")."""
    end = tokens[-1].end
    if end < len(text) and text[end] in BINDS_AFTER:
        # A backslash that ends the formula or the line binds nothing.
        return not text.startswith("\\", end) or text[end : end + 2] not in ("\\)", "\\]", "\\\\", "\\n")
    word = WORD_AFTER.match(text, end)
    return word is not None and word.group(1).lower() in BINDS_BEFORE


def _balanced(tokens: list[Lexeme]) -> list[Lexeme]:
    """`tokens` cut so that no bracket at its edges lacks its partner: ") = 3 + (4 - 1)" becomes "= 3 + (4 - 1)"."""
    if not any(token.kind in BRACKETS for token in tokens):
        return tokens
    opened: list[int] = []
    low, high = 0, len(tokens)
    relation = next((index for index, token in enumerate(tokens) if token.kind == "relation"), high)
    for index, token in enumerate(tokens):
        if token.kind == "open":
            opened.append(index)
        elif token.kind == "close" and opened:
            opened.pop()
        elif token.kind == "close":
            # A closer without opener: cut behind it on the first side, before it on a later one, to keep the relation.
            low, high = (index + 1, high) if index < relation else (low, min(high, index))
    for index in opened:
        low, high = (max(low, index + 1), high) if index < relation else (low, min(high, index))
    return tokens[low:high]


def _trim(text: str, tokens: list[Lexeme]) -> list[Lexeme]:
    """`tokens` without blanks, operators, relations, commas and (without other units) a last word at the ends."""
    low, high = 0, len(tokens)
    while low < high and tokens[low].kind in LOOSE and not _is_sign(text, tokens, low):
        low += 1
    # "6 cakes * 12 dollars = 72 dollars" keeps its last unit; "= 72 dollars" alone, in a run without others, drops it.
    has_unit = sum(token.kind == "word" for token in tokens) > 1
    loose = LOOSE if has_unit else LOOSE | {"word"}
    while high > low and tokens[high - 1].kind in loose:
        high -= 1
    return tokens[low:high]


def _is_sign(text: str, tokens: list[Lexeme], index: int) -> bool:
    """A minus that touches what follows it."""
    sign = text[tokens[index].start : tokens[index].end] in ("-", "−")
    return sign and index + 1 < len(tokens) and tokens[index + 1].kind not in LOOSE
