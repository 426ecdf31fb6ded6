"""Reading a model's answer: one JSON object against a schema, every violation named so that it can be sent back.

Around the object a model may write a code fence or prose. Never is anything guessed: two objects, a broken one, or one
that the model only copied from what it was shown are no answer.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json

__all__ = ["UnusableAnswerError", "read_answer"]

_MAX_VIOLATIONS = 8
_MAX_CHARACTERS = 400_000
_BEGINS_OBJECT = re.compile(r'\{\s*"')


class UnusableAnswerError(ValueError):
    """The answer does not keep to its schema."""

    def __init__(self, violations: tuple[str, ...]) -> None:
        """`violations` are sentences that name place and rule, never the model's own text."""
        self.violations = violations
        super().__init__("; ".join(violations))


def read_answer(*, text: str, schema: Mapping[str, Any], shown: str = "") -> dict[str, Any]:
    """The one JSON object in `text`. Raises UnusableAnswerError naming each violation.

    shown: what the model was shown; an object among prose that stands in it is a quotation, not an answer.

    >>> read_answer(text='Here it is: {"vote": "pass"}', schema={"type": "object", "required": ["vote"]})
    {'vote': 'pass'}
    """
    # Before parsing: the time of a hostile answer is bounded by its length.
    if len(text) > _MAX_CHARACTERS:
        raise UnusableAnswerError((f"the answer has {len(text)} characters, the limit is {_MAX_CHARACTERS}",))
    value = _read_object(text.strip(), shown)
    violations = tuple(_violations(value, schema))
    if violations:
        raise UnusableAnswerError(violations[:_MAX_VIOLATIONS])
    return value


def _read_object(text: str, shown: str) -> dict[str, Any]:
    """The whole text as an object; else the only object among prose."""
    try:
        value = read_json(text, where="the answer")
    except BadRecordError as error:
        objects = list(dict.fromkeys(_objects_in(text)))
        if not objects:
            raise UnusableAnswerError((str(error),)) from None
        # A mind that thinks aloud may write a draft and its answer: which of them counts is not ours to say.
        if len(objects) > 1:
            raise UnusableAnswerError(("give one JSON object, not several",)) from None
        # In the data the object stands with its quotation marks escaped.
        if shown and (objects[0] in shown or json.dumps(objects[0], ensure_ascii=False)[1:-1] in shown):
            raise UnusableAnswerError(("answer with an object of your own, and nothing else",)) from None
        value = _reread(objects[0])
    if not isinstance(value, dict):
        raise UnusableAnswerError(("the answer must be one JSON object",))
    return value


def _reread(text: str) -> Any:
    """The object once more, strictly: no duplicate keys, no NaN."""
    try:
        return read_json(text, where="the answer")
    except BadRecordError as error:
        raise UnusableAnswerError((str(error),)) from None


def _objects_in(text: str) -> Iterator[str]:
    r"""The JSON objects among prose, as written; braces of formulas such as \frac{1}{2} are none.

    Raises UnusableAnswerError where one begins and never ends well: an answer that broke off is not replaced by
    another object.
    """
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            if _BEGINS_OBJECT.match(text, at):
                raise UnusableAnswerError(("the answer holds a broken JSON object",)) from None
            end = at + 1
        else:
            # An empty pair of braces is a formula's, not an answer's.
            if value:
                yield text[at:end]
        at = text.find("{", end)


def _violations(value: dict[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """Place and rule of each violation; rules, not values, so that hostile text is not echoed."""
    errors = sorted(Draft202012Validator(schema).iter_errors(value), key=lambda error: list(map(str, error.path)))
    return [
        f"at {'/'.join(map(str, error.path)) or 'the top'}: must satisfy {error.validator} = {error.validator_value!r}"[
            :300
        ]
        for error in errors
    ]
