"""An endpoint as a value: where a model is, what it costs, what it may see; its key is only ever looked up."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any, Protocol

from hdag.chat.errors import KeyUnavailableError
from hdag.chat.retries import Circuit
from hdag.chat.usage import FREE, Prices

__all__ = ["AnswerMode", "EndpointSettings", "EnvironmentKey", "HeldKey", "KeyProvider", "MaySee", "NoKey"]

# An admin who edits an endpoint must not be able to send any other secret of the environment to a server of his own.
_KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,50}_API_KEY\Z")


class MaySee(StrEnum):
    """How much of a trace an endpoint may be sent."""

    SEGMENTS = "segments only"
    TRACES = "whole traces"


class AnswerMode(StrEnum):
    """How a server is asked for JSON: by schema (strict), as any JSON object, or in words only."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    TEXT = "text"


class KeyProvider(Protocol):
    """Where a key comes from, at the moment of the call."""

    def get_key(self) -> str:
        """The key. Raises KeyUnavailableError."""
        ...


@dataclass(frozen=True, slots=True)
class EnvironmentKey:
    """A key in an environment variable whose name ends in _API_KEY (so that no other secret can be named)."""

    variable: str
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)

    def get_key(self) -> str:
        """The variable's value."""
        if not _KEY_NAME.match(self.variable):
            raise KeyUnavailableError(f"{self.variable[:60]} may not be read as a key: its name must end in _API_KEY")
        key = self.environ.get(self.variable, "").strip()
        if not key:
            raise KeyUnavailableError(f"the environment variable {self.variable} is empty")
        return key


@dataclass(frozen=True, slots=True)
class HeldKey:
    """A key held in memory, for example just unwrapped from the database; never printed."""

    key: str = field(repr=False)

    def get_key(self) -> str:
        """The key."""
        return self.key


@dataclass(frozen=True, slots=True)
class NoKey:
    """For servers that ask for none."""

    def get_key(self) -> str:
        """A word that stands where a key would."""
        return "none"


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Everything a client needs to know about one endpoint; the Endpoint row converts to it."""

    name: str
    base_url: str
    model: str
    key: KeyProvider = field(default_factory=NoKey, repr=False)
    family: str = ""
    prices: Prices = FREE
    max_concurrency: int = 4
    timeout_seconds: float = 60.0  # one attempt
    deadline_seconds: float = 100.0  # one question, retries and corrections included
    retries: int = 3  # after the first attempt
    daily_cap: Decimal = Decimal(10)
    account_cap: Decimal = Decimal(1)  # per account key that the caller names, for example one audit
    may_see: MaySee = MaySee.SEGMENTS
    answer_mode: AnswerMode = AnswerMode.SCHEMA
    limit_field: str = "max_tokens"  # or max_completion_tokens, or none
    sends_temperature: bool = True  # reasoning models refuse one
    takes_system: bool = True  # some chat templates have no such role
    gives_logprobs: bool = False  # of tokens: a yes or no then comes with its probability
    thinking_tokens: int = 0  # room beside the answer for a model that thinks before it
    most_tokens: int = 64_000  # of one answer, thinking included: servers refuse a higher limit
    reasoning_effort: str = ""
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    answers_as: str = ""  # a name beside `model` that answers may carry; * is any
    context_tokens: int = 32_000
    max_answer_bytes: int = 1_000_000
    circuit: Circuit = field(default_factory=Circuit)
