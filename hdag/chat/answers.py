"""Reading a model's answer: strict JSON against a schema, every violation named so that it can be sent back."""

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json

__all__ = ["UnusableAnswerError", "read_answer"]

_MAX_VIOLATIONS = 8
_MAX_CHARACTERS = 400_000


class UnusableAnswerError(ValueError):
    """The answer does not keep to its schema."""

    def __init__(self, violations: tuple[str, ...]) -> None:
        """`violations` are sentences that name place and rule, never the model's own text."""
        self.violations = violations
        super().__init__("; ".join(violations))


def read_answer(*, text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The one JSON object that `text` consists of. Raises UnusableAnswerError naming each violation.

    A single Markdown code fence around the object is taken off; anything else around it is refused.

    >>> read_answer(text='{"vote": "pass"}', schema={"type": "object", "required": ["vote"]})
    {'vote': 'pass'}
    """
    # Before parsing: the time of a hostile answer is bounded by its length.
    if len(text) > _MAX_CHARACTERS:
        raise UnusableAnswerError((f"the answer has {len(text)} characters, the limit is {_MAX_CHARACTERS}",))
    try:
        value = read_json(_without_fence(text.strip()), where="the answer")
    except BadRecordError as error:
        raise UnusableAnswerError((str(error),)) from None
    if not isinstance(value, dict):
        raise UnusableAnswerError(("the answer must be one JSON object",))
    violations = tuple(_violations(value, schema))
    if violations:
        raise UnusableAnswerError(violations[:_MAX_VIOLATIONS])
    return value


def _without_fence(text: str) -> str:
    if not (text.startswith("```") and text.endswith("```") and "\n" in text):
        return text
    # Only a bare fence or one marked json: any other language mark says that the answer is no JSON.
    first, inner = text[:-3].split("\n", 1)
    return inner if first in {"```", "```json", "```JSON"} else text


def _violations(value: dict[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """Place and rule of each violation; rules, not values, so that hostile text is not echoed."""
    errors = sorted(Draft202012Validator(schema).iter_errors(value), key=lambda error: list(map(str, error.path)))
    return [
        f"at {'/'.join(map(str, error.path)) or 'the top'}: must satisfy {error.validator} = {error.validator_value!r}"[
            :300
        ]
        for error in errors
    ]
