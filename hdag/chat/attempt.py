"""How one call to a server ended: a reply or a named failure."""

from dataclasses import dataclass
from typing import Any

from hdag.chat.answers import UnusableAnswerError
from hdag.chat.errors import Failure
from hdag.chat.usage import Usage
from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json

__all__ = ["Attempt", "Reply", "read_reply"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A call that failed. `sent`: the request may have reached the server, so it may have cost something."""

    failure: Failure
    reason: str
    sent: bool = True
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A well-formed chat completion; whether its text can be used is another question."""

    text: str
    model: str
    usage: Usage | None
    finish: str
    refused: bool = False
    called_tool: bool = False

    def usable_text(self) -> str:
        """The text. Raises UnusableAnswerError for a refusal, a tool call, an empty or a cut-off answer."""
        complaints = {
            "the answer was cut off at the token limit; be shorter": self.finish == "length",
            "you called a tool, but there is none; answer in JSON": self.called_tool,
            "you declined to answer": self.refused,
            "the answer was empty": not self.text.strip(),
        }
        violations = tuple(sentence for sentence, holds in complaints.items() if holds)
        if violations:
            raise UnusableAnswerError(violations)
        return self.text


def read_reply(*, body: bytes, model: str) -> Reply | Attempt:
    """The reply in the body of a 200 answer; anything that is not a chat completion by `model` is a failure."""
    try:
        whole = read_json(body, where="the server's answer")
        choice = whole["choices"][0]
        message = choice["message"]
        text, named = message.get("content"), whole.get("model", "")
        usage = _read_usage(whole.get("usage"))
        reply = Reply(
            text="" if text is None else text,
            model=named,
            usage=usage,
            finish=str(choice.get("finish_reason")),
            refused=bool(message.get("refusal")),
            called_tool=bool(message.get("tool_calls") or message.get("function_call")),
        )
    # Any shape but the protocol's, wherever it breaks off, is one failure: nothing is guessed from half an answer.
    except (BadRecordError, KeyError, IndexError, TypeError, AttributeError):
        return Attempt(Failure.GARBAGE, "the server's answer is not a chat completion")
    if not isinstance(reply.text, str) or not isinstance(named, str):
        return Attempt(Failure.GARBAGE, "the server's answer is not a chat completion")
    if named and not _same_model(asked=model, named=named):
        return Attempt(Failure.WRONG_MODEL, f"asked for {model[:80]}, another model answered")
    return reply


def _same_model(*, asked: str, named: str) -> bool:
    """Servers add a date or a path to the name that was asked for.

    >>> _same_model(asked="small", named="small-2026-01-01"), _same_model(asked="small", named="large")
    (True, False)
    """
    # "org/small" for "small", "small-2026-01-01" for "small": only the last part counts, and one may go on.
    wanted, answered = asked.rsplit("/", 1)[-1].lower(), named.rsplit("/", 1)[-1].lower()
    return answered.startswith(wanted) or wanted.startswith(answered)


def _read_usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    tokens_in, tokens_out = value.get("prompt_tokens"), value.get("completion_tokens")
    # type(), not isinstance: true is no count. Without a usable count the client charges the whole reserve.
    if type(tokens_in) is not int or type(tokens_out) is not int or min(tokens_in, tokens_out) < 0:
        return None
    return Usage(tokens_in, tokens_out)
