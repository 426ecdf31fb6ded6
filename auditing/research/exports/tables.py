"""Tables of figures as CSV."""

import csv
import io
from collections.abc import Sequence

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from auditing.research.exports.formats.cells import write_cell
from auditing.research.exports.formats.columns import Column, Kind
from auditing.research.studies.instruments.runner import Cell, Table

_TEXT = Column("cell", Kind.TEXT, "")


def csv_text(*, table: Table, simulated: bool = False) -> str:
    """A table as CSV that no spreadsheet runs; all digits kept, each row of a simulated study says so."""
    text = io.StringIO()
    writer = csv.writer(text)
    marks = ["simulated"] if simulated else []
    writer.writerow([write_cell(str(column), _TEXT) for column in [*table.columns, *(["study"] if simulated else [])]])
    # A CSV file loses its page: rows of a simulated study carry the word themselves.
    writer.writerows([_cell(cell) for cell in [*row, *marks]] for row in table.rows)
    return text.getvalue()


def csv_answer(*, table: Table, name: str, simulated: bool = False) -> HttpResponse:
    """csv_text as a file to download."""
    answer = HttpResponse(csv_text(table=table, simulated=simulated), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, f"{name}.csv") or "attachment"
    return answer


def chosen_table(
    *, tables: Sequence[Table], asked: int | None, name: str, simulated: bool = False
) -> HttpResponse | None:
    """The CSV of the table that ?csv=<place from 1> asks for; None when it asks for none of them."""
    if asked is not None and 1 <= asked <= len(tables):
        return csv_answer(table=tables[asked - 1], name=f"{name}-{asked}", simulated=simulated)
    return None


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    return write_cell(cell, _TEXT) if isinstance(cell, str) else repr(cell)
