"""Data sets as files for researchers: one schema each, four formats, one content hash.

Reads rows that it is given; writes files.
"""

from auditing.research.exports.formats.columns import Column, Dataset, ExportRefusedError, Kind, Row
from auditing.research.exports.formats.content import ContentHash, hash_rows
from auditing.research.exports.formats.datasets import DATASETS
from auditing.research.exports.formats.features import features_of
from auditing.research.exports.formats.read import read_rows
from auditing.research.exports.formats.step_labels import Shape, write_records
from auditing.research.exports.formats.write import Format, Written, write_rows

__all__ = [
    "DATASETS",
    "Column",
    "ContentHash",
    "Dataset",
    "ExportRefusedError",
    "Format",
    "Kind",
    "Row",
    "Shape",
    "Written",
    "features_of",
    "hash_rows",
    "read_rows",
    "write_records",
    "write_rows",
]
