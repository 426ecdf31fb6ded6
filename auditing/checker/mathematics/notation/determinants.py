r"""Determinants: \begin{vmatrix} a & b \\ c & d \end{vmatrix} as a d - b c."""

from __future__ import annotations

import re
from typing import NamedTuple

from auditing.checker.mathematics.bound.signs import SEPARATOR
from auditing.checker.mathematics.tree import Node, Tree

# how long one may be in the text, and how many rows it may have
LONGEST, MOST_ROWS = 400, 4
NAME = "determinant"
_BEGINS, _ENDS = "\\begin", "\\end{vmatrix}"
_ROW_END = re.compile(r"\\\\(?:\[[^\]]{0,8}\])?")


class Bars(NamedTuple):
    """A determinant as the text of one token (its name and what stands between the bars), and where it ends."""

    text: str
    end: int


def between_bars(text: str, at: int) -> Bars | None:
    """The determinant whose first cell begins at `at`; one whose end is far away stays a table."""
    end = text.find(_ENDS, at, at + LONGEST)
    if end < 0 or _BEGINS in text[at:end]:
        return None
    return Bars(SEPARATOR.join((NAME, "", "", "", text[at:end])), end + len(_ENDS))


def cells_of(body: str) -> list[list[str]] | None:
    r"""The rows of a square table as texts; None where it is none.

    >>> cells_of(r"1 & 2 \\ x & 4")
    [['1', '2'], ['x', '4']]
    """
    rows = [row for row in _ROW_END.split(body) if row.strip()]
    cells = [[cell.strip() for cell in row.split("&")] for row in rows]
    return cells if 0 < len(rows) <= MOST_ROWS and all(len(row) == len(rows) for row in cells) else None


def sum_of(terms: list[Tree]) -> Tree:
    """a + b + ..."""
    total = terms[0]
    for term in terms[1:]:
        total = Node("+", (total, term))
    return total


def determinant(rows: list[list[Tree]]) -> Tree:
    """Expansion along the first row."""
    if len(rows) == 1:
        return rows[0][0]
    terms = []
    for at, cell in enumerate(rows[0]):
        minor = [[*row[:at], *row[at + 1 :]] for row in rows[1:]]
        term: Tree = Node("*", (cell, determinant(minor)))
        terms.append(Node("neg", (term,)) if at % 2 else term)
    return sum_of(terms)
