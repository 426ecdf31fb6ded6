"""A question to a model and its answer, as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hdag.chat.usage import Spent

__all__ = ["Answer", "Message", "Question", "closed_object", "one_of"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation."""

    role: Literal["system", "user", "assistant"]
    content: str

    def as_json(self) -> dict[str, str]:
        """The protocol's form."""
        return {"role": self.role, "content": self.content}


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked and the JSON schema that the answer must satisfy.

    identity: what makes two questions the same for the cache, where the messages hold a random boundary; the messages
    themselves otherwise. check: violations that a schema cannot express, sent back to the model like the others.
    sample tells deliberate repetitions apart. longest_answer is in tokens.
    """

    purpose: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] = field(repr=False)
    identity: tuple[str, ...] = ()
    longest_answer: int = 1500
    temperature: float = 0.0
    sample: int = 0
    check: Callable[[dict[str, Any]], tuple[str, ...]] | None = field(default=None, repr=False, compare=False)
    weighs: str = ""  # a field whose words are wanted with their odds, where the server gives them

    @property
    def shown(self) -> str:
        """What the model reads as the user's words: an object that stands there is not its own."""
        return "\n".join(message.content for message in self.messages if message.role == "user")

    @property
    def words(self) -> tuple[str, ...]:
        """The words that the weighed field can hold."""
        return tuple(self.schema["properties"][self.weighs]["enum"]) if self.weighs else ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that satisfies its schema, and what it took."""

    data: dict[str, Any]
    text: str
    spent: Spent
    model: str = ""
    corrections: int = 0
    from_cache: bool = False
    odds: Mapping[str, float] = field(default_factory=dict)  # of the words of the field that the question weighs
    thinks: bool = False  # the model wrote thinking before it, marked or counted


def one_of(*words: str) -> dict[str, Any]:
    """The schema of one of these words; strict servers want its type beside the words.

    >>> one_of("yes", "no")
    {'type': 'string', 'enum': ['yes', 'no']}
    """
    return {"type": "string", "enum": list(words)}


def closed_object(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object that has exactly these properties.

    >>> closed_object({"n": {"type": "integer"}})["required"]
    ['n']
    """
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": dict(properties),
    }
