"""Data sets leave the house: one schema each, four formats, one content hash.

Reads rows that it is given; writes files.
"""

from auditing.services.export.columns import Column, Dataset, ExportRefused, Kind, Row
from auditing.services.export.content import ContentHash, hash_rows
from auditing.services.export.datasets import DATASETS
from auditing.services.export.read import read_rows
from auditing.services.export.step_labels import Shape, write_records
from auditing.services.export.write import Format, Written, write_rows

__all__ = [
    "DATASETS",
    "Column",
    "ContentHash",
    "Dataset",
    "ExportRefused",
    "Format",
    "Kind",
    "Row",
    "Shape",
    "Written",
    "hash_rows",
    "read_rows",
    "write_records",
    "write_rows",
]
