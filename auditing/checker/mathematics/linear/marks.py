r"""Marks of a formula that the tokens do not know: names of vectors, tables, bars of a norm, proj, det and tr.

Each is blanked out for one sign of its own, in a text of the same length, so that the tokens of the rest stand where
they stood: "2 \mathbf{a} + \mathbf{b}" is "2 ?          + ?         ".
"""

from __future__ import annotations

import re
from typing import NamedTuple

MARK = "\ue000"
# a comma that the tokens would take for the one of a thousand
COMMA = "\ue001"
NAME, TABLE, NORM, NORM_OPENS, NORM_CLOSES, PROJECTION, DETERMINANT, TRACE = (
    "name",
    "table",
    "norm",
    "norm opens",
    "norm closes",
    "projection",
    "determinant",
    "trace",
)
# before the names of vectors, and those of matrices
ARROW, BOLD = "→", "■"
# characters of a table, rows and cells of it
LONGEST_TABLE, MOST_CELLS, LARGEST = 1_500, 36, 6
_LETTER = r"(?:[A-Za-z]'{0,3}|\\(?:imath|jmath|ell|alpha|beta|gamma|delta|lambda|mu|omega)(?![A-Za-z]))"
_STYLE = r"\\(?P<style>mathbf|bold|boldsymbol|bm|pmb|vec|overrightarrow)(?![A-Za-z])"
_BELOW = r"(?:\s?_\s?(?:\{\s?(?P<below>[A-Za-z0-9]{1,4})\s?\}|(?P<digit>[A-Za-z0-9])))?(?P<primes>'{1,3})?"
_NAME = re.compile(rf"{_STYLE}\s?(?:\{{\s?(?P<letters>{_LETTER}{{1,2}}|0)\s?\}}|(?P<bare>{_LETTER}|0)){_BELOW}")
# a hat over a bold letter, or a bold letter below an arrow
_NESTED = re.compile(
    r"\\(?P<style>mathbf|boldsymbol|bm|hat|vec)\s?\{\s?\\(?:hat|mathbf|boldsymbol|bm)\s?"
    rf"(?:\{{\s?(?P<letters>{_LETTER})\s?\}}|(?P<bare>{_LETTER}))\s?\}}{_BELOW}"
)
_HAT = re.compile(r"\\hat\s?(?:\{\s?)?(?P<letter>[ijk](?![A-Za-z])|\\[ij]math(?![A-Za-z]))\s?\}?")
_GRADIENT = re.compile(r"\\nabla\s?(?P<letter>[A-Za-z])(?![A-Za-z])")
_TABLE = re.compile(
    r"\\begin\{(?P<kind>[pbvBV]?(?:small)?matrix|array)\}(?:\s?\{[clr|\s@{}]{1,20}\})?"
    rf"(?P<inside>(?:(?!\\begin|\\end).){{1,{LONGEST_TABLE}}})\\end\{{(?P=kind)\}}",
    re.DOTALL,
)
_NORM = re.compile(
    r"(?P<left>\\left\s?|\\[bB]igg?l\s?)?(?P<right>\\right\s?|\\[bB]igg?r\s?)?"
    r"(?:(?P<opens>\\lVert)|(?P<closes>\\rVert)|\\\||\\Vert(?![A-Za-z]))"
)
_NAMED = re.compile(
    r"\\(?:operatorname|text|mathrm|mbox)\s?\{\s?(?P<word>[Pp]roj|[Tt]r|[Dd]et)\s?\}|\\(?P<command>proj|tr|det)(?![A-Za-z])"
)
_ANGLES = re.compile(r"\\left\s?\\langle|\\right\s?\\rangle|\\langle(?![A-Za-z])|\\rangle(?![A-Za-z])|[⟨⟩]")
_ROWS = re.compile(r"\\\\(?:\s?\[[^\]\n]{0,12}\])?|\\cr(?![A-Za-z])|\\n(?![A-Za-z])")
# a line break that was written out when the text was stored
_BREAK = re.compile(r"\\n(?![A-Za-z])")
_RULES = re.compile(r"\\hline|\\[dt]?frac\{\}\{\}")
_PIECE = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_APART = re.compile(r",\s|,\\|,~")
_WORDS = {"proj": PROJECTION, "tr": TRACE, "det": DETERMINANT}


class Mark(NamedTuple):
    """What stands at a place of a formula: its kind, the name or the sort of table, and the cells of the table."""

    kind: str
    text: str = ""
    cells: tuple[tuple[str, ...], ...] = ()


def marked(text: str) -> tuple[str, dict[int, Mark]]:
    r"""The text with a sign for each mark, as long as before, and the marks by their places.

    >>> marked(r"\mathbf{a} = 0")[1]
    {0: Mark(kind='name', text='→a', cells=())}
    """
    marks: dict[int, Mark] = {}

    def put(match: re.Match[str], mark: Mark) -> str:
        marks[match.start()] = mark
        return MARK.ljust(len(match.group()))

    text = _TABLE.sub(lambda match: put(match, _table(match)), text)
    for pattern in (_NESTED, _NAME):
        text = pattern.sub(lambda match: put(match, Mark(NAME, _name(match))), text)
    text = _HAT.sub(lambda match: put(match, Mark(NAME, ARROW + match["letter"].strip("\\")[0])), text)
    text = _GRADIENT.sub(lambda match: put(match, Mark(NAME, f"{ARROW}∇{match['letter']}")), text)
    text = _NAMED.sub(lambda match: put(match, Mark(_WORDS[(match["word"] or match["command"]).lower()])), text)
    text = _NORM.sub(lambda match: put(match, Mark(_norm(match))), text)
    text = _ANGLES.sub(lambda match: ("(" if "lang" in match[0] or match[0] == "⟨" else ")").ljust(len(match[0])), text)
    # a blank of LaTeX, and no sign of likeness
    text = _BREAK.sub("  ", text.replace("~", " "))
    if not _APART.search(text):
        text = _PIECE.sub(COMMA, text)
    return text, marks


def _name(match: re.Match[str]) -> str:
    """→a_1, →AB, and ■M for a bold capital, which is a matrix; a letter of the same sort without a style is another."""
    letters = (match["letters"] or match["bare"]).replace("\\imath", "i").replace("\\jmath", "j")
    below = match["below"] or match["digit"]
    is_matrix = match["style"] not in ("vec", "overrightarrow", "hat") and letters.isupper()
    hat = "^" if match["style"] == "hat" and letters not in ("i", "j", "k") else ""
    return f"{BOLD if is_matrix else ARROW}{letters}{hat}{'_' + below if below else ''}{match['primes'] or ''}"


def _norm(match: re.Match[str]) -> str:
    if match["left"] or match["opens"]:
        return NORM_OPENS
    return NORM_CLOSES if match["right"] or match["closes"] else NORM


def _table(match: re.Match[str]) -> Mark:
    lines = [line for line in _ROWS.split(_RULES.sub(" ", match["inside"])) if line.strip()]
    cells = tuple(tuple(cell.strip() for cell in line.split("&")) for line in lines)
    is_even = len({len(row) for row in cells}) == 1
    is_small = len(cells) <= LARGEST and sum(map(len, cells)) <= MOST_CELLS
    return Mark(TABLE, match["kind"], cells if is_even and is_small else ())
