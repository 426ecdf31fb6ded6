"""CSV cells that no spreadsheet runs as a formula, and the way back.

A text cell gets one leading apostrophe when it is empty, or begins with an apostrophe, = + - @ (also in full width), a
tab, a carriage return or a line feed. Reading takes one leading apostrophe away. An empty cell is a missing value. Only
text columns are touched: a negative integer stays a number.
"""

from collections.abc import Callable

from auditing.research.exports.formats.columns import Column, ExportRefusedError, Kind, Value, format_time, parse_time

# Spreadsheets take a leading apostrophe as "this is text" and do not show it.
GUARD = "'"
# OWASP, "CSV injection"; the full-width forms are read as formulas by some East Asian versions.
_DANGEROUS = ("'", "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def write_cell(value: Value, column: Column) -> str:
    """A value as the text of a CSV cell."""
    if value is None:
        return ""
    if column.kind is Kind.TEXT:
        text = str(value)
        # An empty text gets the guard too, otherwise it would read back as a missing value.
        return GUARD + text if not text or text.startswith(_DANGEROUS) else text
    if column.kind is Kind.TIME:
        return format_time(value)  # type: ignore[arg-type]
    return str(value).lower() if column.kind is Kind.FLAG else repr(value)


def read_cell(text: str, column: Column) -> Value:
    """The value that write_cell wrote. Raises ExportRefusedError when the cell is not of its column's kind."""
    if not text:
        return None
    try:
        return _READ[column.kind](text)
    except (ValueError, KeyError):
        raise ExportRefusedError(f"column {column.name}: {text[:40]!r} is not of the kind {column.kind}") from None


_READ: dict[Kind, Callable[[str], Value]] = {
    Kind.TEXT: lambda text: text.removeprefix(GUARD),
    Kind.INTEGER: int,
    Kind.NUMBER: float,
    Kind.FLAG: {"true": True, "false": False}.__getitem__,
    Kind.TIME: parse_time,
}
