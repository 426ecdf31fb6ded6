"""How one call to a server ended: a reply or a named failure."""

from dataclasses import dataclass, field
from typing import Any

from hdag.chat.answers import UnusableAnswerError
from hdag.chat.dialects import ANY_NAME
from hdag.chat.dialects.odds import TokenOdds, read_tokens
from hdag.chat.errors import Failure
from hdag.chat.thinking import read_content
from hdag.chat.usage import Usage
from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json

__all__ = ["Attempt", "Reply", "is_same_model", "read_reply", "read_usage"]

# Mistral, Google and gateways have names of their own.
_CUT_OFF = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
_FILTERED = frozenset({"content_filter", "safety", "prohibited_content", "recitation", "refusal"})


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
    tokens: tuple[TokenOdds, ...] = field(default=(), repr=False)  # with their odds, where the server gives them
    thinking: str = field(default="", repr=False)  # kept apart: shown to nobody, paid as tokens

    @property
    def is_cut_off(self) -> bool:
        """Whether the token limit ended it."""
        return self.finish in _CUT_OFF

    def usable_text(self) -> str:
        """The text. Raises UnusableAnswerError for a refusal, a tool call, an empty or a cut-off answer."""
        complaints = {
            "the answer was cut off at the token limit; be shorter": self.is_cut_off,
            "you called a tool, but there is none; answer in JSON": self.called_tool,
            "you declined to answer": self.refused,
            "a content filter withheld the answer": self.finish in _FILTERED,
            "the answer was empty": not self.text.strip(),
        }
        violations = tuple(sentence for sentence, holds in complaints.items() if holds)
        if violations:
            raise UnusableAnswerError(violations)
        return self.text


def read_reply(*, body: bytes, model: str, answers_as: str = "") -> Reply | Attempt:
    """The reply in the body of a 200 answer; anything that is not a chat completion by `model` is a failure.

    answers_as: another name that the answer may carry; ANY_NAME for whatever name.
    """
    try:
        whole = read_json(body, where="the server's answer")
        # A router passes on what went wrong behind it with status 200.
        if "choices" not in whole and "error" in whole:
            return Attempt(Failure.SERVER_ERROR, "the server answers with an error inside a success")
        choice = whole["choices"][0]
        message = choice["message"]
        text, thinking = read_content(message)
        named = whole.get("model") or ""
        reply = Reply(
            text=text,
            model=named,
            usage=read_usage(whole.get("usage")),
            finish=str(choice.get("finish_reason")).lower(),
            refused=bool(message.get("refusal")),
            called_tool=bool(message.get("tool_calls") or message.get("function_call")),
            tokens=read_tokens(choice),
            thinking=thinking,
        )
    # Any shape but the protocol's, wherever it breaks off, is one failure: nothing is guessed from half an answer.
    except (BadRecordError, KeyError, IndexError, TypeError, AttributeError):
        return Attempt(Failure.GARBAGE, "the server's answer is not a chat completion")
    if not isinstance(named, str):
        return Attempt(Failure.GARBAGE, "the server's answer is not a chat completion")
    if named and not is_same_model(asked=model, named=named, answers_as=answers_as):
        return Attempt(Failure.WRONG_MODEL, f"asked for {model[:80]}, another model answered")
    return reply


def is_same_model(*, asked: str, named: str, answers_as: str = "") -> bool:
    """Whether an answer by `named` is one by the model that was asked for.

    Servers add a date or a path; -latest stands for a version. Names of the server's own are in `answers_as`.

    >>> is_same_model(asked="small", named="small-2026-01-01"), is_same_model(asked="small", named="large")
    (True, False)
    >>> is_same_model(asked="small-latest", named="small-2511")
    True
    """
    # "org/small" for "small", "small-2026-01-01" for "small": only the last part counts, and one may go on.
    wanted, answered = _bare_name(asked), _bare_name(named)
    if answers_as == ANY_NAME or wanted == "auto" or answered == _bare_name(answers_as):
        return True
    return answered.startswith(wanted) or wanted.startswith(answered)


def _bare_name(name: str) -> str:
    return name.rsplit("/", 1)[-1].lower().removesuffix("-latest").removesuffix(":latest")


def read_usage(value: Any) -> Usage | None:
    """Tokens as the server counted them, in the forms that servers use; None without a usable count.

    Cached: cached_tokens in prompt_tokens_details or input_tokens_details, or beside them (Moonshot),
    prompt_cache_hit_tokens (DeepSeek), cache_read_input_tokens (Anthropic, whose input_tokens leaves them and
    cache_creation_input_tokens out). Thinking that some servers count in total_tokens alone (Gemini) is counted as
    tokens out: it is paid as such.
    """
    if not isinstance(value, dict):
        return None
    tokens_in = _count(value, "prompt_tokens", "input_tokens")
    tokens_out = _count(value, "completion_tokens", "output_tokens")
    # Without a usable count the client charges the whole reserve.
    if tokens_in is None or tokens_out is None:
        return None
    read = _count(value, "cache_read_input_tokens")
    if "prompt_tokens" not in value and read is not None:
        tokens_in += read + (_count(value, "cache_creation_input_tokens") or 0)
    cached = _count(_details(value, "prompt_tokens_details", "input_tokens_details"), "cached_tokens")
    others = _count(value, "prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens")
    cached = (others if cached is None else cached) or 0
    details = _details(value, "completion_tokens_details", "output_tokens_details")
    thinking = _count(details, "reasoning_tokens") or _count(value, "reasoning_tokens") or 0
    beside = max(0, (_count(value, "total_tokens") or 0) - tokens_in - tokens_out)
    return Usage(tokens_in, tokens_out + beside, min(cached, tokens_in), max(thinking, beside))


def _details(value: dict[str, Any], *names: str) -> dict[str, Any]:
    """The first of the fields that is an object."""
    return next((value[name] for name in names if isinstance(value.get(name), dict)), {})


def _count(value: dict[str, Any], *names: str) -> int | None:
    """The first of the fields that holds a count; type(), not isinstance: true is no count."""
    counts = (value.get(name) for name in names)
    return next((count for count in counts if type(count) is int and count >= 0), None)
