"""Columns as the library `datasets` names them: without them it guesses the kind of a column from the first lines."""

from collections.abc import Mapping
from typing import Any

from auditing.research.exports.formats.columns import Kind
from auditing.research.exports.formats.datasets import DATASETS
from auditing.research.exports.formats.step_labels import Shape

__all__ = ["DTYPES", "features_of"]

DTYPES: Mapping[Kind, str] = {
    Kind.TEXT: "string",
    Kind.INTEGER: "int64",
    Kind.NUMBER: "float64",
    Kind.FLAG: "bool",
    Kind.TIME: "timestamp[us, tz=UTC]",
}


def _value(dtype: str) -> dict[str, str]:
    return {"_type": "Value", "dtype": dtype}


_TEXT, _INTEGER, _NUMBER, _FLAG = (_value(DTYPES[kind]) for kind in list(Kind)[:4])
_COMPLETION = {"text": _TEXT, "rating": _INTEGER, "flagged": _FLAG}
_SHAPES: Mapping[str, dict[str, Any]] = {
    Shape.PROCESSBENCH: {
        "id": _TEXT,
        "generator": _TEXT,
        "problem": _TEXT,
        "steps": [_TEXT],
        "final_answer_correct": _FLAG,
        "label": _INTEGER,
        "soft_labels": [_NUMBER],
    },
    Shape.PRM800K: {
        "labeler": _TEXT,
        "timestamp": _TEXT,
        "generation": _INTEGER,
        "is_quality_control_question": _FLAG,
        "is_initial_screening_question": _FLAG,
        "question": {
            "problem": _TEXT,
            "ground_truth_answer": _TEXT,
            "pre_generated_steps": [_TEXT],
            "pre_generated_answer": _TEXT,
            "pre_generated_verifier_score": _NUMBER,
        },
        "label": {
            "steps": [{"completions": [_COMPLETION], "human_completion": _COMPLETION, "chosen_completion": _INTEGER}],
            "total_time": _INTEGER,
            "finish_reason": _TEXT,
        },
    },
}


def features_of(name: str) -> dict[str, Any]:
    """What `datasets.Features.from_dict` takes for a data set or a record shape. Raises KeyError for another name.

    >>> features_of("reputation")["gold_votes"], features_of("processbench")["label"]
    ({'_type': 'Value', 'dtype': 'int64'}, {'_type': 'Value', 'dtype': 'int64'})
    """
    if name in _SHAPES:
        return dict(_SHAPES[name])
    return {column.name: _value(DTYPES[column.kind]) for column in DATASETS[name].columns}
