"""Other terms after a refusal: what the server's words name is left out or made smaller, one thing at a time.

Example: a request with max_tokens and a temperature is refused by a reasoning model, which names max_tokens; asked with
max_completion_tokens it names the temperature; asked without it answers. A probe stores such terms; this is for servers
that were never probed, or that changed since. The answer is checked as any other.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from hdag.chat.dialects import LIMIT_FIELDS, RESPONSES_LIMIT
from hdag.chat.endpoint import AnswerMode, EndpointSettings
from hdag.chat.replies.rejections import EFFORT_NAMES
from hdag.chat.replies.reply import Refusal

__all__ = ["MOST_CHANGES", "adapted_terms"]

MOST_CHANGES = 6  # of one question
_MORE_ROOM = 4  # times the tokens that thinking used up
_LEAST = 256  # tokens of an answer: fewer are no limit of a model but another number of its sentence
_LIMIT_NAMES = frozenset({"max_tokens", "max_completion_tokens", "max_output_tokens"})
_FORMAT_NAMES = frozenset({"response_format", "json_schema", "json_object", "schema", "grammar"})
# A word of the refusal, the setting that it is about, and the setting without what is refused.
_LEFT_OUT: tuple[tuple[str, str, Any], ...] = (
    ("temperature", "sends_temperature", False),
    ("logprobs", "gives_logprobs", False),
    *((name, "reasoning_effort", "") for name in EFFORT_NAMES),
    ("requested parameters", "extra_body", {}),
)
_NEXT_MODE = {AnswerMode.SCHEMA: AnswerMode.OBJECT, AnswerMode.OBJECT: AnswerMode.TEXT}


def adapted_terms(
    *, endpoint: EndpointSettings, refusal: Refusal, asked: int, tried: Collection[EndpointSettings]
) -> EndpointSettings | None:
    """The endpoint on the next terms that are worth a try; None where the refusal names nothing that can be changed.

    asked: tokens of the answer that the refused request allowed; tried: terms that were refused already.
    """
    # A limit that was too small has the right name: any other change would be refused in the same words.
    changes = _roomier(endpoint, asked) if refusal.wants_room else _changes(endpoint, refusal, asked)
    richer = (replace(endpoint, **change) for change in changes)
    return next((terms for terms in richer if terms not in tried), None)


def _changes(endpoint: EndpointSettings, refusal: Refusal, asked: int) -> Iterator[dict[str, Any]]:
    """What to change, the most telling words of the refusal first."""
    names = refusal.names
    if "v1/responses" in names:
        yield {"limit_field": RESPONSES_LIMIT}
    # A length that is too great is named like its field: the smaller number is tried before another field.
    yield from _smaller(endpoint, refusal, asked)
    if names & _LIMIT_NAMES and endpoint.limit_field in LIMIT_FIELDS:
        yield from ({"limit_field": name} for name in LIMIT_FIELDS)
    for name, field, without in _LEFT_OUT:
        if name in names and getattr(endpoint, field) != without:
            yield {field: without}
    # From the strictest form of an answer to the loosest: each step gives up a guarantee.
    if names & _FORMAT_NAMES and endpoint.answer_mode in _NEXT_MODE:
        yield {"answer_mode": _NEXT_MODE[endpoint.answer_mode]}
    if "system" in names and endpoint.takes_system:
        yield {"takes_system": False}


def _roomier(endpoint: EndpointSettings, asked: int) -> Iterator[dict[str, Any]]:
    """More tokens to think with, as far as model and context have any."""
    if asked < min(endpoint.most_tokens, endpoint.context_tokens):
        yield {"thinking_tokens": asked * _MORE_ROOM}


def _smaller(endpoint: EndpointSettings, refusal: Refusal, asked: int) -> Iterator[dict[str, Any]]:
    """Shorter answers: as the context leaves room, or the largest number named below what was asked for."""
    if refusal.context is not None:
        if refusal.context < endpoint.context_tokens:
            yield {"context_tokens": refusal.context}
        # Our count of the tokens sent is a guess: the server may count more.
        if asked >= 2 * _LEAST:
            yield {"most_tokens": asked // 2}
    elif refusal.names & _LIMIT_NAMES:
        # "from 1 (inclusive) to 8193 (exclusive)": one below a limit is below it in either reading.
        smaller = [number - number % 2 for number in refusal.numbers if _LEAST <= number < asked]
        if smaller:
            yield {"most_tokens": max(smaller)}
