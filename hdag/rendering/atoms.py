"""Finding what is not prose in a trace: code fences, inline code and formulas, each an exact span of the text.

One pass from left to right. A closing delimiter is looked for at most one formula's length ahead, so time is linear.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from hdag.rendering.latex import LONGEST

_ENVIRONMENTS = r"(?:equation|align|gather|multline|eqnarray|flalign|alignat|displaymath)\*?"
_AS_WRITTEN = r"tabular[*x]?|tikzpicture|verbatim|lstlisting|algorithm|algorithmic"
LONGEST_RAW = 20_000
# Whatever may begin an atom; the last alternative steps over escaped characters, so that "\$5" begins nothing.
_START = re.compile(
    rf"(?m:^[ \t]{{0,3}}(?P<fence>```|~~~))|(?P<code>`{{1,3}})|(?P<round>\\\()|(?P<square>\\\[)|(?P<double>\$\$)"
    rf"|(?P<dollar>\$)|\\begin\{{(?P<begin>{_ENVIRONMENTS})\}}|\\begin\{{(?P<raw>{_AS_WRITTEN})\}}|\\[\s\S]"
)
_TEXT_COMMAND = re.compile(r"\\(?:text\w*|mbox|mathrm|operatorname)\s*\{[^{}]*\}")
# two words beside each other, the first of three letters or more: "$5 and then $6" is no formula
_PROSE = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{3,}[ ,]+[A-Za-z]{2,}")
_COMMAND = re.compile(r"\\[A-Za-z]{2,}")
_DELIMITER = re.compile(r"\$|`|\\[()\[\]]|\\(?:begin|end)\{|^[ \t]*(?:[-*#]|\d+[.)])[ \t]", re.MULTILINE)
# an English word inside a candidate formula, function names apart
_WORD = re.compile(
    r"[^\W\d_]{3,}|\b(?:so|is|if|we|in|of|or|to|as|by|at|be|it|on|an|do|go|no|us|he|up|my)\b", re.IGNORECASE
)
_FUNCTIONS = frozenset("sin cos tan cot sec csc log exp det lim max min gcd lcm mod deg dim".split())
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


class AtomKind(StrEnum):
    """What a span of a trace is."""

    PROSE = "prose"
    FORMULA = "formula"
    DISPLAY = "display"
    CODE = "code"
    FENCE = "fence"


@dataclass(frozen=True, slots=True)
class Atom:
    """A span [start, end) of the text and, inside its delimiters, what it holds [inner, inner_end)."""

    kind: AtomKind
    start: int
    end: int
    inner: int
    inner_end: int


def find_atoms(*, text: str) -> Iterator[Atom]:
    """Yield code and formulas in reading order; what lies between them is prose.

    >>> [text[a.inner:a.inner_end] for text in ["It costs $5, or $6; but $x+1$."] for a in find_atoms(text=text)]
    ['x+1']
    """
    if _is_bare_formula(text):
        yield Atom(AtomKind.FORMULA, 0, len(text), 0, len(text))
        return
    at = 0
    while match := _START.search(text, at):
        atom = _read(text, match)
        if atom is None:
            # No atom begins here after all: go on behind the mark.
            at = match.end()
            continue
        yield atom
        at = atom.end


def _is_bare_formula(text: str) -> bool:
    r"""Whether a text is nothing but a formula that was cut out of its delimiters, as an operation often is.

    >>> [_is_bare_formula(one) for one in (r"x = \frac{1}{2}", r"so x = \frac12", r"$\frac12$", r"x = 1")]
    [True, False, False, False]
    """
    if len(text) > LONGEST or not _COMMAND.search(text) or _DELIMITER.search(text) or _BLANK_LINE.search(text.strip()):
        return False
    remainder = _COMMAND.sub(" ", _TEXT_COMMAND.sub(" ", text))
    return not any(word not in _FUNCTIONS for word in _WORD.findall(remainder))


def _read(text: str, match: re.Match[str]) -> Atom | None:
    """The atom that begins at `match`, or None when what looked like its beginning is not one."""
    name = match.lastgroup  # None for an escaped character such as "\$": no atom
    if name == "fence":
        return _fence(text, match)
    if name == "code":
        return _closed(text, match, match["code"], AtomKind.CODE)
    if name == "round":
        return _closed(text, match, r"\)", AtomKind.FORMULA)
    if name == "square":
        return _closed(text, match, r"\]", AtomKind.DISPLAY)
    if name == "double":
        return _closed(text, match, "$$", AtomKind.DISPLAY)
    if name == "dollar":
        return _dollar(text, match)
    if name == "raw":
        return _environment(text, match, match["raw"], AtomKind.FENCE, LONGEST_RAW)
    return _environment(text, match, match["begin"], AtomKind.DISPLAY, LONGEST) if name == "begin" else None


def _closed(text: str, match: re.Match[str], closer: str, kind: AtomKind) -> Atom | None:
    """The atom up to `closer`; None when there is none near enough, or a blank line before it."""
    start, inner = match.start(), match.end()
    close = text.find(closer, inner, inner + LONGEST + len(closer))
    if close <= inner or _BLANK_LINE.search(text, inner, close):
        return None
    return Atom(kind, start, close + len(closer), inner, close)


def _environment(text: str, match: re.Match[str], name: str, kind: AtomKind, longest: int) -> Atom | None:
    r"""From `\begin{name}` to `\end{name}`; both belong to the formula, so inner and outer span are the same."""
    closer = f"\\end{{{name}}}"
    close = text.find(closer, match.end(), match.end() + longest)
    if close < 0:
        return None
    end = close + len(closer)
    return Atom(kind, match.start(), end, match.start(), end)


def _fence(text: str, match: re.Match[str]) -> Atom | None:
    """A code fence; the line that opens it (with the language's name) and the one that closes it are not shown."""
    first_line = text.find("\n", match.end())
    if first_line < 0:
        return None
    close = text.find("\n" + match["fence"], first_line)
    if close < 0:
        # A fence that is never closed runs to the end, as in Markdown.
        return Atom(AtomKind.FENCE, match.start(), len(text), first_line + 1, len(text))
    line_end = text.find("\n", close + 1)
    end = len(text) if line_end < 0 else line_end
    return Atom(AtomKind.FENCE, match.start(), end, first_line + 1, max(first_line + 1, close))


def _dollar(text: str, match: re.Match[str]) -> Atom | None:
    """A pair of dollar signs is a formula unless it reads like two prices with words between them."""
    inner = match.end()
    close = _next_dollar(text, inner)
    if close <= inner or _is_loose_prose(text[inner:close]):
        return None
    # "costs $5 or $6": a digit behind the second sign makes it a price.
    if text[close + 1 : close + 2].isdigit() or _BLANK_LINE.search(text, inner, close):
        return None
    if _PROSE.search(_TEXT_COMMAND.sub("", text[inner:close])):
        return None
    return Atom(AtomKind.FORMULA, match.start(), close + 1, inner, close)


def _is_loose_prose(inside: str) -> bool:
    r"""Whether blanks stand at the signs and what lies between is no formula: "$ p$" is one, "$5 and $" is none.

    >>> [_is_loose_prose(inside) for inside in (" p", "q ", r" \frac{1}{2} ", "5 and ", " 5", " ", "x + 1")]
    [False, False, False, True, True, True, False]
    """
    core = inside.strip()
    if core == inside:
        return False
    if not core or core[0].isdigit() or "\n" in inside:
        return True
    words = _WORD.findall(_COMMAND.sub(" ", _TEXT_COMMAND.sub(" ", core)))
    return any(word not in _FUNCTIONS for word in words)


def _next_dollar(text: str, start: int) -> int:
    r"""The next dollar sign that no backslash escapes, or -1: in `$5\$ + x$` the last one closes."""
    close = text.find("$", start, start + LONGEST + 1)
    while close > 0 and text[close - 1] == "\\" and text[close - 2] != "\\":
        close = text.find("$", close + 1, start + LONGEST + 1)
    return close
