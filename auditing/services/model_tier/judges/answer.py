"""A judge's answer: its JSON schema, the rules that a schema cannot express, and the value that comes out.

Reads and writes no table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from auditing.core.values import Choice
from auditing.core.voting.rationale import Criterion, ErrorType, Mark, Rationale
from auditing.services.model_tier.judges.injection import Sign
from auditing.services.model_tier.judges.shown import ShownContext
from hdag.chat.question import one_of
from hdag.chat.usage import Spent

__all__ = ["SCHEMA", "JudgeAnswer", "NoVote", "Turn", "check_answer", "contains_quote", "read_judgement"]

_NONE = "none"
# The order of the fields is the order in which a model writes them: the reason before the vote that it leads to.
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reason", "quotes", "criteria", "error_type", "origin", "vote", "confidence"],
    "properties": {
        "reason": {"type": "string", "minLength": 1, "maxLength": 4000},
        "quotes": {"type": "array", "maxItems": 8, "items": {"type": "string", "minLength": 1, "maxLength": 600}},
        "criteria": {
            "type": "object",
            "additionalProperties": False,
            "required": [str(criterion) for criterion in Criterion],
            "properties": {str(criterion): one_of(*map(str, Mark)) for criterion in Criterion},
        },
        "error_type": one_of(_NONE, *map(str, ErrorType)),
        "origin": one_of(_NONE, "local", "propagated"),
        "vote": one_of("pass", "fail", "abstain"),
        "confidence": {"type": "number", "minimum": 0.5, "maximum": 1},
    },
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One entry of the transcript that is kept with the vote and shown on its page."""

    speaker: str  # "rules", "data", "model", "tool"
    text: str
    tool: str = ""
    ok: bool = True


@dataclass(frozen=True, slots=True)
class JudgeAnswer:
    """What one model says about one segment. confidence = probability that this vote is right, .5 to 1."""

    vote: Choice
    criteria: Mapping[Criterion, Mark]
    error_type: ErrorType | None
    is_propagated: bool
    reason: str
    quotes: tuple[str, ...]
    confidence: float
    spent: Spent
    signs: tuple[Sign, ...] = ()
    transcript: tuple[Turn, ...] = ()
    model: str = ""
    family: str = ""
    from_cache: bool = False
    corrections: int = 0  # answers that went back before this one could be used

    @property
    def injection_suspected(self) -> bool:
        """The segment goes to a person as well."""
        return bool(self.signs)

    def rationale(self, *, reasoning: str) -> Rationale:
        """The rationale to seal; the first quote that stands in `reasoning` marks the place."""
        start, end = _place_of_quote(self.quotes, reasoning)
        return Rationale(
            reason=self.reason,
            criteria=dict(self.criteria),
            error_type=self.error_type,
            is_propagated=self.is_propagated,
            start=start,
            end=end,
        )


@dataclass(frozen=True, slots=True)
class NoVote:
    """The model gave no vote; its seat stays empty and is filled otherwise. Never counts as a pass."""

    reason: str
    failure: str
    spent: Spent
    signs: tuple[Sign, ...] = ()

    @property
    def injection_suspected(self) -> bool:
        """The segment goes to a person as well."""
        return bool(self.signs)


def _place_of_quote(quotes: tuple[str, ...], reasoning: str) -> tuple[int | None, int | None]:
    """Start and end of the first quote that stands in `reasoning`; others may be from the premises."""
    for quote in quotes:
        start = reasoning.find(quote)
        if start >= 0:
            return start, start + len(quote)
    return None, None


def contains_quote(*, text: str, quote: str) -> bool:
    """Whether `quote` stands in `text` word for word; runs of blanks count as one.

    >>> contains_quote(text="so  2 + 2\\n= 4", quote="2 + 2 = 4"), contains_quote(text="so 2 + 2", quote="2 + 3")
    (True, False)
    """
    wanted = " ".join(quote.split())
    return bool(wanted) and wanted in " ".join(text.split())


def check_answer(*, data: Mapping[str, Any], shown: ShownContext) -> tuple[str, ...]:
    """Violations that a schema cannot express, as sentences for the model."""
    vote, error_type, origin = data["vote"], data["error_type"], data["origin"]
    # Sentence -> whether it is broken.
    rules = {
        "a fail needs an error_type and an origin": vote == "fail" and _NONE in (error_type, origin),
        "a pass has error_type none and origin none": vote == "pass" and (error_type, origin) != (_NONE, _NONE),
        "a fail quotes the words that are wrong": vote == "fail" and not data["quotes"],
        "error_type propagated goes with origin propagated": error_type == "propagated" and origin != "propagated",
        "the reason must not be blank": not data["reason"].strip(),
    }
    violations = [sentence for sentence, broken in rules.items() if broken]
    # A model that invents its evidence is told so, and answers again.
    violations += [
        f"quote {n} does not occur in the data word for word"
        for n, quote in enumerate(data["quotes"], 1)
        if not contains_quote(text=shown.text, quote=quote)
    ]
    return tuple(violations)


def read_judgement(*, data: Mapping[str, Any], spent: Spent) -> JudgeAnswer:
    """The value of an answer that satisfies SCHEMA."""
    error_type = data["error_type"]
    return JudgeAnswer(
        vote=Choice(data["vote"]),
        criteria={Criterion(name): Mark(mark) for name, mark in data["criteria"].items()},
        error_type=None if error_type == _NONE else ErrorType(error_type),
        is_propagated=data["origin"] == "propagated",
        reason=data["reason"],
        quotes=tuple(data["quotes"]),
        confidence=float(data["confidence"]),
        spent=spent,
    )
