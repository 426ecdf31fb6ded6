"""Checker: tables whose rows or columns have a total: the numbers above it, or before it, add up to it.

A column of prices or shares need not add up, and a total may be a product: so a column counts only where its heading
names no such thing, and a row only where the other rows of its table do add up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.claims import of_said
from auditing.checker.proofs.formulas import Formula
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "tables"
RULE = "table total"
MAX_ROWS, MAX_CELLS = 200, 30
_ROW = re.compile(r"^[ \t]*\|?([^|\n]*(?:\|[^|\n]*){1,30})\|?[ \t]*$", re.MULTILINE)
_RULER = re.compile(r"[\s|:-]+")
_NUMBER = re.compile(r"[\s*]*[$€£]?\s?(-?\d{1,3}(?:,\d{3})+(?:\.\d{1,9})?|-?\d{1,12}(?:\.\d{1,9})?)\s?[*\s]*")
_TOTAL = re.compile(r"[\s*]*(?:grand |sub)?(?:total|sum)s?[\s*:]*", re.IGNORECASE)
_NAMED = re.compile(r"total|\bsum", re.IGNORECASE)
# what does not add up down a column
_NOT_SUMMED = any_of(
    "average* mean median per price* rate* ratio share* percent* each unit* year* number cumulative running"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: its cells, and where it stands."""

    cells: tuple[str, ...]
    start: int
    end: int


def check(script: Script) -> Iterator[Placed]:
    """Every total row and total column of every table."""
    for passage in script.passages:
        if "|" in passage.text and _NAMED.search(passage.text):
            for rows in _tables(passage.text):
                yield from _columns(passage, rows)
                yield from _total_column(passage, rows)


def _tables(text: str) -> Iterator[list[Row]]:
    """Neighbouring lines with the same number of cells, rulers left out; the first is the heading."""
    rows: list[Row] = []
    end = -2
    for match in _ROW.finditer(text):
        cells = tuple(cell.strip() for cell in match[1].strip().strip("|").split("|"))
        # a line apart, or one of another width, begins another table
        if rows and (match.start() > end + 1 or len(cells) != len(rows[0].cells)):
            yield from [rows] if len(rows) > 2 else []
            rows = []
        end = match.end()
        if not _RULER.fullmatch(match[0]) and len(rows) < MAX_ROWS:
            rows.append(Row(cells, match.start(), match.end()))
    yield from [rows] if len(rows) > 2 else []


def _number(cell: str) -> Fraction | None:
    match = _NUMBER.fullmatch(cell)
    return Fraction(match[1].replace(",", "")) if match else None


def _columns(passage: Passage, rows: list[Row]) -> Iterator[Placed]:
    """The last row, when it is called a total, against what stands above it."""
    heading, *body, last = rows
    # A subtotal in the body would be counted twice, so a table with one is left alone.
    if not _TOTAL.fullmatch(last.cells[0]) or len(body) < 2 or any(_TOTAL.search(row.cells[0]) for row in body):
        return
    for column in range(1, len(heading.cells)):
        cells = tuple(row.cells[column] for row in body)
        is_summed = all(_number(cell) is not None for cell in (*cells, last.cells[column]))
        if is_summed and not _NOT_SUMMED.search(heading.cells[column]):
            texts = [passage.text[row.start : row.end] for row in body]
            yield _placed(passage, last, Addition(cells, last.cells[column]), texts)


def _total_column(passage: Passage, rows: list[Row]) -> Iterator[Placed]:
    """The last cell of each row, where its column is called a total and the other rows add up to theirs."""
    heading, *body = rows
    if not _TOTAL.fullmatch(heading.cells[-1]) or len(heading.cells) < 4:
        return
    full = [row for row in body if all(_number(cell) is not None for cell in row.cells[1:])]
    sums = [Addition(row.cells[1:-1], row.cells[-1]) for row in full]
    fitting = sum(addition.holds for addition in sums)
    # quantity, price and total make a product of every row
    if fitting >= 2 and fitting >= len(sums) - 1:
        for row, addition in zip(full, sums, strict=True):
            yield _placed(passage, row, addition, [])


@dataclass(frozen=True, slots=True)
class Addition:
    """Cells that hold numbers, and the cell that says what they come to."""

    cells: tuple[str, ...]
    total: str

    @property
    def gap(self) -> Fraction:
        """How far the cells are from their total."""
        return abs(sum((Fraction(_written(cell)) for cell in self.cells), Fraction(0)) - Fraction(_written(self.total)))

    @property
    def slack(self) -> Fraction:
        """How far they may be: half a unit of each cell's last digit; amounts of money were not rounded."""
        units = [_unit(cell) for cell in (*self.cells, self.total)]
        return Fraction(0) if set(units) <= {Fraction(0), Fraction(1, 100)} else sum(units, Fraction(0)) / 2

    @property
    def holds(self) -> bool:
        """Whether they add up."""
        return self.gap <= self.slack

    def proof(self, texts: Sequence[str]) -> dict[str, str]:
        """The sum as a formula; nothing where a rounding joins it to the total, or where it is long."""
        terms = [_written(cell) for cell in self.cells]
        if len(terms) > MAX_CELLS or 0 < self.gap <= max(self.slack, _unit(self.total)):
            return {}
        total: Formula = terms[0]
        for term in terms[1:]:
            total = ["+", total, term]
        return of_said([total], [_written(self.total)], texts=texts)


def _placed(passage: Passage, row: Row, addition: Addition, texts: Sequence[str]) -> Placed:
    terms, total = [_written(cell) for cell in addition.cells], _written(addition.total)
    computed = f"{float(sum(map(Fraction, terms))):g}"
    says = f"{' + '.join(terms)} is {computed}"
    return place(
        passage=passage,
        start=row.start,
        end=row.end,
        verdict=Verdict.VERIFIED if addition.holds else Verdict.REFUTED,
        checker=NAME,
        rule=RULE,
        sentence=f"{says}, as the table says." if addition.holds else f"{says}, not {total}.",
        details={
            "normal_form": f"{' + '.join(terms)} = {total}",
            "left": computed,
            "right": total,
            "rule": RULE,
            "evidence_latex": rf"\text{{{says}}}",
            **addition.proof(texts),
        },
    )


def _written(cell: str) -> str:
    match = _NUMBER.fullmatch(cell)
    return match[1].replace(",", "") if match else ""


def _unit(cell: str) -> Fraction:
    """The unit of the last written decimal, 0 of a whole number."""
    decimals = len(_written(cell).partition(".")[2])
    return Fraction(1, 10**decimals) if decimals else Fraction(0)
