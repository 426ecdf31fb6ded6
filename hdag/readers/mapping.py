"""Records of other people's data sets as audit records: which of their fields holds which of ours.

A path names a field: `question`, `meta.source`, `label.steps.*.text` (of every member), `turns.0.text` (of the first);
`a & b` joins two texts by a blank line, and `=school maths` is the same text for every record.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json
from hdag.readers.records import JOINT

OURS = ("id", "title", "problem", "thinking", "answer", "steps", "domain", "model", "reference_answer")
NO_MAPPING: Mapping[str, str] = MappingProxyType({})
MOST_COLUMNS = 60  # a record of more fields is not listed whole
# Field names as the published files have them; the first that fits a record is offered for it.
PRESETS: Mapping[str, Mapping[str, str]] = {
    "ProcessBench": {"id": "id", "problem": "problem", "steps": "steps", "model": "generator"},
    "MR-GSM8K": {
        "id": "uuid",
        "problem": "question",
        "steps": "model_output_steps",
        "reference_answer": "ground_truth_answer",
        "domain": "=school maths",
    },
    "MR-Ben": {
        "id": "Question_UUID",
        "problem": "Question & Options",
        "steps": "Model_Solution_Steps",
        "model": "Sampled_Model",
        "domain": "Subject",
        "reference_answer": "Ground_Truth_Answer",
    },
    "PRMBench": {"id": "idx", "problem": "modified_question", "steps": "modified_process"},
    "PARC": {
        "problem": "question",
        "steps": "steps",
        "answer": "model_answer",
        "reference_answer": "ground_truth_answer",
    },
    "StepVerify": {
        "title": "topic",
        "problem": "problem",
        "steps": "student_incorrect_solution",
        "reference_answer": "reference_solution",
    },
    "PRM800K": {
        "problem": "question.problem",
        "steps": "label.steps.*.completions.0.text",
        "reference_answer": "question.ground_truth_answer",
        "domain": "=competition maths",
    },
    "BIG-Bench Mistake": {"problem": "input", "steps": "steps", "answer": "answer", "reference_answer": "target"},
    "MMLU-Pro chains of thought": {
        "id": "question_id",
        "problem": "question & options",
        "thinking": "generated_text",
        "answer": "pred",
        "domain": "category",
        "reference_answer": "answer",
    },
    "GSM8K": {"problem": "question", "thinking": "answer", "domain": "=school maths"},
}


def rename(value: object, *, mapping: Mapping[str, str], where: str) -> object:
    """`value` as an audit record; without a mapping, or where it is no object, `value` itself.

    A field of ours that is not mapped keeps its own name, unless the mapping reads that name as another field.
    Raises BadRecordError for steps that look like a JSON list and are none.

    >>> rename({"question": "1+1?", "answer": "1+1=2"}, mapping=PRESETS["GSM8K"], where="line 1")
    {'problem': '1+1?', 'thinking': '1+1=2', 'domain': 'school maths'}
    """
    if not mapping or not isinstance(value, Mapping):
        return value
    # GSM8K's "answer" is our thinking: a field that the mapping reads as another is not ours by its name any more.
    taken = {source for path in mapping.values() for source in _joined(path)}
    record = {name: value[name] for name in OURS if name in value and name not in taken and name not in mapping}
    for name, path in mapping.items():
        content = _read(value, path, where) if name != "steps" else _steps(_at(value, path), where)
        if content is not None:
            record[name] = content
    return record


def suggest(value: object) -> str:
    """The preset all of whose fields this record has; "" for none.

    >>> suggest({"question": "1+1?", "answer": "1+1=2"}), suggest({"problem": "1+1?"})
    ('GSM8K', '')
    """
    for name, mapping in PRESETS.items():
        paths = [source for path in mapping.values() if not path.startswith("=") for source in _joined(path)]
        if isinstance(value, Mapping) and all(_at(value, path) is not None for path in paths):
            return name
    return ""


def columns_of(value: object) -> list[str]:
    """The paths of a record's fields, two deep.

    >>> columns_of({"q": "a", "meta": {"id": 1}, "turns": [{"text": "b"}]})
    ['q', 'meta.id', 'turns', 'turns.*.text']
    """
    paths: list[str] = []
    for name, content in value.items() if isinstance(value, Mapping) else ():
        # The first member speaks for a list: a mapping is a proposal that the preview shows before anything is stored.
        inner = content[0] if isinstance(content, list) and content else content
        if not isinstance(content, Mapping):
            paths.append(name)
        if isinstance(inner, Mapping):
            paths += [f"{name}.{'*.' if inner is not content else ''}{key}" for key in inner]
    return paths[:MOST_COLUMNS]


def _joined(path: str) -> list[str]:
    return [piece.strip() for piece in path.split(" & ")]


def _at(value: Any, path: str) -> Any:
    """What lies at a path of `value`; None where nothing does. A field whose own name has dots is found first."""
    # "meta.id" is a name of its own in some sets: tried before it is taken apart.
    if isinstance(value, Mapping) and path in value:
        return value[path]
    name, _, tail = path.partition(".")
    if name == "*" and isinstance(value, list):
        return [_at(member, tail) if tail else member for member in value]
    if isinstance(value, Mapping):
        inner = value.get(name)
    # isascii, because isdigit also takes superscripts, and six digits are no place in a record.
    elif isinstance(value, list) and name.isascii() and name.isdigit() and len(name) < 6 and int(name) < len(value):
        inner = value[int(name)]
    else:
        return None
    return _at(inner, tail) if tail else inner


def _read(value: Any, path: str, where: str) -> Any:
    """The text of a field: numbers as they are written, lists as paragraphs; what is no text the record's reader names.

    Example: a reference answer 18 is the text "18".
    """
    if path.startswith("="):
        return path[1:].strip()
    texts = [_text(_at(value, source)) for source in _joined(path)]
    if len(texts) == 1:
        return texts[0]
    if wrong := next((text for text in texts if text is not None and not isinstance(text, str)), None):
        raise BadRecordError(where=where, field=path, reason=f"holds {type(wrong).__name__}, and only texts are joined")
    return JOINT.join(text for text in texts if text)


def _text(content: Any) -> Any:
    if isinstance(content, bool):
        return content
    if isinstance(content, int | float):
        return json.dumps(content)
    if isinstance(content, list) and all(isinstance(member, str) for member in content):
        return JOINT.join(content)
    return content


def _steps(content: Any, where: str) -> Any:
    """Steps as a list: a text that holds a JSON list is read, any other text is cut at its line ends."""
    if not isinstance(content, str):
        return content
    if content.lstrip().startswith("["):
        return read_json(content, where=where)
    return [line for line in content.splitlines() if line.strip()]
