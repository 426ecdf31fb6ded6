"""What servers of the chat-completions protocol accept, as data: one dialect a family of servers.

A dialect is what an endpoint starts from; its row may override each entry, and a probe finds out what holds
(hdag/chat/probing). An unknown server starts from UNKNOWN.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urlsplit

from hdag.chat.endpoint import AnswerMode

__all__ = ["ANY_NAME", "LIMIT_FIELDS", "NO_BATCHES", "NO_LIMIT", "OPENAI_BATCHES", "RESPONSES_LIMIT", "Dialect"]

ANY_NAME = "*"  # the server answers under a name of its own: a deployment, a file, whatever a router chose
NO_LIMIT = "none"
LIMIT_FIELDS = ("max_tokens", "max_completion_tokens", NO_LIMIT)
# The limit's name in the Responses API: an endpoint whose limit has it is asked through that door, any other by chat.
RESPONSES_LIMIT = "max_output_tokens"
OPENAI_BATCHES, NO_BATCHES = "in OpenAI's form", "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What a family of servers accepts. `sources`: where each entry comes from, with the date it was read."""

    name: str
    title: str
    sources: tuple[str, ...]
    hosts: tuple[str, ...] = ()  # ends of the host names that it is for
    models: tuple[str, ...] = ()  # beginnings of the model names that it is for, * for any letters; none: all
    base_url: str = ""  # as documented; "" where the operator has one of his own
    key_variable: str = ""
    answer_mode: AnswerMode = AnswerMode.SCHEMA
    limit_field: str = "max_tokens"  # one of LIMIT_FIELDS, or RESPONSES_LIMIT
    sends_temperature: bool = True
    gives_logprobs: bool = False
    most_tokens: int = 64_000  # of one answer, thinking included
    thinking_tokens: int = 0  # room beside the answer, for models that think before it
    reasoning_effort: str = ""
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    answers_as: str = ""  # "": under the name that was asked for
    context_tokens: int = 32_000
    batches: str = NO_BATCHES  # the Batch API, and where that is documented

    @property
    def takes_batches(self) -> bool:
        """Whether its batches have the form that is spoken here; whoever asks an unknown server knows."""
        return self.name == "unknown" or self.batches.startswith(OPENAI_BATCHES)

    def is_for(self, *, base_url: str, model: str) -> bool:
        """Whether a server at `base_url` with `model` is of this family."""
        host = (urlsplit(base_url).hostname or "").lower()
        name = model.rsplit("/", 1)[-1].lower()
        at_host = any(host == end or host.endswith("." + end) for end in self.hosts)
        return at_host and (not self.models or any(fnmatchcase(name, f"{begin}*") for begin in self.models))
