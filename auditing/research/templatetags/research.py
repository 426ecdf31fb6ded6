"""How figures are written on research pages."""

from typing import Any

from django import template

from auditing.core.conduct import ConductStep
from auditing.core.voting.rationale import Criterion
from auditing.research.conduct.core.consequences import DONE
from auditing.research.studies.instruments.runner import Table
from hdag.rendering.states import word_of

register = template.Library()
MOST_CELLS = 30  # of a table that stands open
KEYS = {name: word_of(name) for name in ("llm", "human", "hung", *Criterion)}


@register.filter
def figure(cell: object) -> str:
    """A cell of a table for people: four digits, words for what is missing."""
    if cell is None or cell == "":
        return "–"
    # Keys of the data are words on a page; whatever else stands there (a domain, a model) keeps its name.
    return f"{cell:.4g}" if isinstance(cell, float) else KEYS.get(str(cell), str(cell))


@register.filter
def decided(step: str) -> str:
    """A decision about a reviewer, as pages say it of the person."""
    return DONE.get(ConductStep(step), step)


@register.filter
def heads(table: Table) -> list[tuple[str, bool]]:
    """The columns of a table, each with whether it holds numbers and is aligned to the right."""
    return list(zip(table.columns, _numeric(table), strict=True))


@register.filter
def lines(table: Table) -> list[list[tuple[object, bool, str]]]:
    """The rows of a table, each cell with whether its column is aligned to the right, and the column's name."""
    numeric = _numeric(table)
    return [list(zip(row, numeric, map(str, table.columns), strict=True)) for row in table.rows]


@register.filter
def is_long(table: Table) -> bool:
    """Whether a table is folded on a page: on a phone each of its cells is a line.

    >>> is_long(Table("t", ("a", "b"), [["x", 1]])), is_long(Table("t", ("a", "b"), [["x", 1]] * 40))
    (False, True)
    """
    return len(table.rows) * len(table.columns) > MOST_CELLS


def _numeric(table: Table) -> list[bool]:
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    return [
        # The first column names the rows and stays on the left, even when it holds numbers.
        index > 0
        and any(map(_is_number, cells))
        and all(cell is None or cell == "" or _is_number(cell) for cell in cells)
        for index, cells in enumerate(columns)
    ]


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


@register.filter
def wordlist(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


@register.simple_tag(takes_context=True)
def csv_address(context: Any, number: int) -> str:
    """This page's address with ?csv=<place>, filters kept."""
    query = context["request"].GET.copy()
    query["csv"] = str(number)
    return "?" + str(query.urlencode())
