"""Run by the throw-away environment of test_loading.py: `datasets` and `pandas` on every export, as the guide says.

Arguments: a folder with NAME.parquet, NAME.jsonl, NAME.csv and NAME_folder of each data set, and the record shapes as
SHAPE.jsonl. Prints JSON: by file, the first column in which a row is another than in Parquet, "" for none.
"""

import json
import os
import sys
from pathlib import Path

os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1")

import datasets
import pandas as pd
import pyarrow.parquet as pq
from datasets import Features, load_dataset

from auditing.research.exports.formats import DATASETS, Shape, features_of

datasets.disable_progress_bars()


def difference(truth, rows):
    """The first column in which two lists of rows differ."""
    for expected, row in zip(truth, rows, strict=True):
        for name, value in expected.items():
            if row[name] != value:
                return f"{name}: {value!r} is {row[name]!r}"
    return ""


def loaded(kind, path, name, **more):
    """By the generic reader with features, as the guide says."""
    named = {"features": Features.from_dict(features_of(name))} if kind == "json" else {}
    return load_dataset(kind, data_files=str(path), split="train", **named, **more)


def csv_rows(path, truth, name):
    """By pandas as the guide says, each kind as its column is."""
    texts = [field for field, kind in features_of(name).items() if kind["dtype"] == "string"]
    frame = pd.read_csv(path, dtype=dict.fromkeys(texts, "string"), keep_default_na=False, na_values=[""])
    frame[texts] = frame[texts].apply(lambda column: column.str.removeprefix("'"))
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{field: row[field] for field in texts} for row in rows], [{f: row[f] for f in texts} for row in truth]


def main():
    folder, result = Path(sys.argv[1]), {}
    for name in DATASETS:
        truth = pq.read_table(folder / f"{name}.parquet").to_pylist()
        tables = {
            "parquet": loaded("parquet", folder / f"{name}.parquet", name),
            "folder": load_dataset(str(folder / f"{name}_folder"), split="train"),
            "jsonl": loaded("json", folder / f"{name}.jsonl", name),
        }
        for form, table in tables.items():
            result[f"{name} {form}"] = difference(truth, table)
            assert table.features == Features.from_dict(features_of(name)), (name, form)
        rows, expected = csv_rows(folder / f"{name}.csv", truth, name)
        result[f"{name} csv"] = difference(expected, rows)
        frame = pd.read_parquet(folder / f"{name}.parquet").astype(object)
        result[f"{name} pandas"] = difference(truth, frame.where(frame.notna(), None).to_dict("records"))
    for shape in Shape:
        lines = [json.loads(line) for line in (folder / f"{shape}.jsonl").open(encoding="utf-8")]
        result[str(shape)] = difference(lines, loaded("json", folder / f"{shape}.jsonl", shape))
    guessed = "none"
    try:
        load_dataset("json", data_files=str(folder / "votes.jsonl"), split="train")
    except datasets.exceptions.DatasetGenerationError as error:
        guessed = str(error.__cause__)
    print("RESULT " + json.dumps({"differences": result, "guessed": guessed}))


main()
