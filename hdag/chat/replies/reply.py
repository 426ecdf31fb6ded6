"""How one call to a server ended: a reply or a named failure."""

from dataclasses import dataclass, field

from hdag.chat.answers import UnusableAnswerError
from hdag.chat.dialects import ANY_NAME
from hdag.chat.dialects.odds import TokenOdds
from hdag.chat.errors import Failure
from hdag.chat.usage import Usage

__all__ = ["Attempt", "Refusal", "Reply", "is_same_model"]

# Mistral, Google, Anthropic and gateways have names of their own.
_CUT_OFF = frozenset({"length", "max_tokens", "model_length", "max_output_tokens", "model_context_window_exceeded"})
_FILTERED = frozenset(
    {
        "content_filter",
        "safety",
        "prohibited_content",
        "recitation",
        "refusal",
        "blocklist",
        "spii",
        "language",
        "guardrail_intervened",
        "sensitive",
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request was refused, as far as the server's words tell: fields of ours, numbers, tokens of a context.

    wants_room: the model thought until the limit, and the server refuses in place of answering nothing.
    """

    names: frozenset[str] = frozenset()
    numbers: tuple[int, ...] = ()
    context: int | None = None
    wants_room: bool = False


NOTHING_NAMED = Refusal()


@dataclass(frozen=True, slots=True)
class Attempt:
    """A call that failed. `sent`: the request may have reached the server, so it may have cost something."""

    failure: Failure
    reason: str
    sent: bool = True
    retry_after: float | None = None
    refusal: Refusal = NOTHING_NAMED


@dataclass(frozen=True, slots=True)
class Reply:
    """A well-formed answer of a server; whether its text can be used is another question."""

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

    @property
    def is_filtered(self) -> bool:
        """Whether a filter withheld it; Google's endpoint may add its own reason behind a colon."""
        return self.finish.split(":")[0].strip() in _FILTERED

    def usable_text(self) -> str:
        """The text. Raises UnusableAnswerError for a refusal, a tool call, an empty or a cut-off answer."""
        complaints = {
            "the answer was cut off at the token limit; be shorter": self.is_cut_off,
            "you called a tool, but there is none; answer in JSON": self.called_tool,
            "you declined to answer": self.refused,
            "a content filter withheld the answer": self.is_filtered,
            "the answer was empty": not self.text.strip(),
        }
        violations = tuple(sentence for sentence, holds in complaints.items() if holds)
        if violations:
            raise UnusableAnswerError(violations)
        return self.text


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
