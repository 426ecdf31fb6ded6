"""Columns of two whole numbers that may be numbers of choices: some write 7 over 4 in brackets as an array."""

from __future__ import annotations

import re

from auditing.checker.mathematics.vocabulary import any_of

_TABLE = re.compile(r"\\begin\{(?:pmatrix|array|smallmatrix|matrix)\}(?:\{[clr|]{1,6}\})?([^{}]{1,200})\\end\{")
_COLUMN = re.compile(r"\s*(\d[\d\s+-]{0,12})\\\\\s*(\d[\d\s+-]{0,12})")
# where one of these stands, a column is a vector
_VECTORS = any_of("""
    vectors? matri* points? lines? plane coordinate* span* basis linear* direction* displacement* transformation*
    norm magnitude dot_product cross_product orthogonal perpendicular
""")
_NAMES = re.compile(r"\\(?:mathbf|vec|bold|overrightarrow|times)(?![A-Za-z])")


def may_be_choices(text: str, start: int, end: int) -> bool:
    r"""Whether an equation in text[start:end] may be one of binomial coefficients: (7 4) = (7 3), each in two rows.

    >>> may_be_choices(r"\begin{pmatrix} 7 \\ 4 \end{pmatrix} = \begin{pmatrix} 7 \\ 3 \end{pmatrix}", 0, 79)
    True
    """
    columns = [_COLUMN.fullmatch(match[1]) for match in _TABLE.finditer(text, start, end)]
    is_one = bool(columns) and all(column is not None and _chooses(column[1], column[2]) for column in columns)
    return is_one and not _VECTORS.search(text) and not _NAMES.search(text)


def _chooses(above: str, below: str) -> bool:
    """Whether so many can be chosen; what is still to be computed may be anything."""
    return not (above.strip().isdigit() and below.strip().isdigit()) or int(above) >= int(below)
