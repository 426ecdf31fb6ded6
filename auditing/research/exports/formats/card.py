"""The data card of a Hugging Face folder."""

import json
from pathlib import Path
from string import Template

from auditing.research.exports.formats.columns import Dataset
from auditing.research.exports.formats.features import DTYPES

_CARD = Template("""---
pretty_name: "TRUST audit data: $name"
tags:
- process-supervision
- human-feedback
configs:
- config_name: $name
  default: true
  data_files:
  - split: train
    path: data/train-*.parquet
dataset_info:
- config_name: $name
  features:
$features
---

# $name

$meaning

$about

- Rows: $rows
- Content hash (SHA-256 over canonical rows, the same in JSONL, CSV and Parquet): `$digest`

## Columns

| column | kind | may be empty | meaning |
|---|---|---|---|
$table

## How to read it with care

- Auditors are pseudonyms; a pseudonym is stable within one export and says nothing about a person.
- `is_simulated` marks simulated reviewers, `is_imported` votes that were cast elsewhere and never sealed or paid.
  Leave both out before you state anything about human agreement.
- `is_gold` marks segments whose truth was known to the system beforehand. An outcome is what consensus found,
  not the truth.
""")


def write_card(*, folder: Path, dataset: Dataset, rows: int, digest: str, about: str) -> None:
    """Write README.md and content.json beside the shards."""
    features = "\n".join(f"  - name: {c.name}\n    dtype: {DTYPES[c.kind]}" for c in dataset.columns)
    table = "\n".join(
        f"| {c.name} | {c.kind} | {'yes' if c.optional else 'no'} | {c.meaning} |" for c in dataset.columns
    )
    # `datasets` knows no split of nothing: load_dataset says "corresponds to no data" of such a folder.
    empty = "" if rows else " It has no rows, so `datasets.load_dataset` refuses this folder; Parquet readers do not."
    card = _CARD.substitute(
        name=dataset.name,
        meaning=dataset.meaning,
        about=about + empty,
        features=features,
        rows=rows,
        digest=digest,
        table=table,
    )
    (folder / "README.md").write_text(card, encoding="utf-8")
    summary = {"dataset": dataset.name, "rows": rows, "content_hash": digest}
    (folder / "content.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
