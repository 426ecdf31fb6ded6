"""The lines of a batch: requests as they are sent, answers as they come back, in any order.

Source: developers.openai.com/api/docs/guides/batch (2026-11-23); a refused request is a response with its status and an
error in its body, only what never reached the model (batch_expired) stands in `error`
(github.com/artefactory/artefactual/pull/332, 2026-09-09).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["HALF", "MOST_BYTES", "MOST_LINES", "PATH", "Line", "read_lines", "request_line"]

PATH: Final = "/v1/chat/completions"
MOST_LINES, MOST_BYTES = 5_000, 50_000_000  # of one file; documented are 50,000 and 200 MB
HALF = "0.5"  # of the price of the same call made at once
_EXPIRED, _LOST = 408, 502  # what HTTP would have said


@dataclass(frozen=True, slots=True)
class Line:
    """One answer: the status that a call would have had, and the body that it would have returned."""

    status: int
    body: bytes


def request_line(*, name: str, body: Mapping[str, Any]) -> str:
    """One request. `name` comes back with its answer and tells nothing else.

    >>> request_line(name="a", body={"model": "m"})
    '{"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "m"}}'
    """
    return json.dumps({"custom_id": name, "method": "POST", "url": PATH, "body": dict(body)})


def read_lines(text: str) -> dict[str, Line]:
    """Answers by the names of their requests; a line that cannot be read is left out.

    >>> read_lines('{"custom_id": "a", "response": null, "error": {"code": "batch_expired"}}')
    {'a': Line(status=408, body=b'{"error": {"code": "batch_expired"}}')}
    """
    answers = {}
    # Not splitlines, which also cuts at signs that JSON may hold as they are, such as U+2028.
    for row in text.split("\n"):
        try:
            whole = json.loads(row)
            name, response = whole["custom_id"], whole.get("response")
            answers[name] = _read_response(response, whole.get("error")) if isinstance(name, str) else None
        # Half a line, or another shape: its question counts as unanswered.
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
    return {name: line for name, line in answers.items() if line is not None}


def _read_response(response: Any, error: Any) -> Line:
    if response is None:
        is_expired = isinstance(error, dict) and error.get("code") == "batch_expired"
        return Line(_EXPIRED if is_expired else _LOST, json.dumps({"error": error}).encode())
    return Line(int(response["status_code"]), json.dumps(response["body"]).encode())
