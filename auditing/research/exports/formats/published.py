"""The page docs/guides/export-schema.md, made from the data sets, so that what is published is what is written."""

import json

from auditing.research.exports.formats.columns import Dataset
from auditing.research.exports.formats.datasets import DATASETS

_INTRODUCTION = """# Export schema

Every data set has the same columns in the same order as JSONL, CSV, Parquet and a Hugging Face folder. Made by
`auditing/research/exports/formats/published.py`; a test compares this page with the code.

## Content hash

SHA-256 over UTF-8 lines, each ended by a line feed. The first line is the JSON array of the column names; then one line
a row with the JSON array of its values in column order, without spaces, non-ASCII characters as they are, times as
`2026-11-20T10:00:00.000000Z`, numbers in their shortest form that reads back equal. The hash is the same for every
format.

## CSV and formulas

A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`. So a text cell gets one leading apostrophe when it is
empty or begins with an apostrophe, one of these four (also in full width), a tab, a carriage return or a line feed. To
read it back, take one leading apostrophe from text columns; an empty cell is a missing value. Numbers stay as
they are.

    text = None if cell == "" else cell.removeprefix("'")

## Data sets
"""


def schema_page() -> str:
    """The whole page in Markdown."""
    return _INTRODUCTION + "".join(_section(dataset) for dataset in DATASETS.values())


def _section(dataset: Dataset) -> str:
    schema = json.dumps(dataset.json_schema(), indent=1)
    return f"\n### {dataset.name}\n\n{dataset.meaning}\n\n```json\n{schema}\n```\n"
