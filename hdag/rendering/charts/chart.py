"""A chart: a Vega-Lite specification with its data inside, and the same numbers as a table. Pure data."""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any

from hdag.rendering.charts.theme import config_of, painted

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
MOST_ROWS = 5000  # a specification holds its data: more is a file, no chart
Cell = str | int | float | None
Shape = Mapping[str, Any]


class TooLargeError(ValueError):
    """More rows than a chart shows."""


# No slots: its digest is kept beside its fields, for a page asks for it more often than anybody makes a chart.
@dataclass(frozen=True, kw_only=True)
class Chart:
    """What is drawn, under which title, and the table of its numbers.

    shape: the Vega-Lite specification without schema, title and colours. words: one sentence for whoever cannot see it.
    """

    name: str
    title: str
    words: str
    shape: Shape
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        if len(self.rows) > MOST_ROWS:
            raise TooLargeError(f"{self.title}: {len(self.rows)} rows; a chart shows at most {MOST_ROWS}.")

    def specification(self, *, dark: bool = False, in_page: bool = False) -> dict[str, Any]:
        """The whole specification, as other programs read it; a page has its own title and background."""
        head = {} if in_page else {"title": self.title}
        look = {"config": config_of(dark=dark, background=not in_page), **painted(self.shape, dark=dark)}
        return {"$schema": SCHEMA, **head, "description": self.words, **look}

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that is drawn or listed: equal charts have equal digests."""
        whole = [self.title, self.words, self.shape, self.columns, self.rows, self.note, config_of(dark=False)]
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()

    def __hash__(self) -> int:
        return hash(self.digest)

    def csv_rows(self) -> list[list[str]]:
        """Heading and numbers with all their digits, for a CSV writer."""
        return [list(map(_harmless, self.columns)), *([_exact(cell) for cell in row] for row in self.rows)]

    def csv_text(self) -> str:
        """The numbers as a CSV file."""
        text = io.StringIO()
        csv.writer(text).writerows(self.csv_rows())
        return text.getvalue()


def number_text(value: float) -> str:
    """A number as people read it: four digits, powers of ten where they help.

    >>> number_text(0.7), number_text(1e-9), number_text(5017.0), number_text(-3.0)
    ('0.7', '1e-09', '5017', '-3')
    """
    if not isfinite(value):
        return ""
    return f"{value:.4g}" if abs(value) < 100_000 else f"{value:.3g}"


def finite(value: float | None) -> float | None:
    """A value that JSON can hold: what is not finite breaks a line and leaves its cell empty."""
    return value if value is not None and isfinite(value) else None


def ticks(*, count: int, values: Iterable[float | None]) -> dict[str, Any]:
    """The ticks of an axis: counts of things have none between whole numbers, there is no half audit.

    >>> ticks(count=5, values=[1, 3]), ticks(count=5, values=[0.5])
    ({'tickCount': 5, 'tickMinStep': 1}, {'tickCount': 5})
    """
    are_whole = all(value is None or float(value).is_integer() for value in values)
    return {"tickCount": count} | ({"tickMinStep": 1} if are_whole else {})


def scale_of(*, names: Sequence[str], looks: Sequence[Any]) -> dict[str, Any]:
    """A scale that gives the names their looks in order, and begins anew after the last.

    >>> scale_of(names=["a", "b", "c"], looks=[1, 2])
    {'domain': ['a', 'b', 'c'], 'range': [1, 2, 1]}
    """
    return {"domain": list(names), "range": [looks[position % len(looks)] for position in range(len(names))]}


def _exact(cell: Cell) -> str:
    if cell is None:
        return ""
    return _harmless(cell) if isinstance(cell, str) else repr(cell)


def _harmless(text: str) -> str:
    # A spreadsheet runs a cell that begins like a formula; a name of ours may come from a stranger's file.
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
