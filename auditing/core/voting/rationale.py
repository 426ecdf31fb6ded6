"""The rationale of a vote as one canonical JSON text: reason, criteria, error type, marked span, evidence.

Its digest is part of the sealed vote, so everything in it is bound by the commitment.
"""

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from auditing.checker.findings import Evidence, Finding, Grade, Verdict
from auditing.core.errors import CoreError
from hdag.core.values import fields_of

MAX_REASON = 10_000


class Criterion(StrEnum):
    """What a vote judges separately. Source: TRUST, appendix."""

    LOGIC = "logical_consistency"
    MATHS = "mathematical_accuracy"
    COMPLETENESS = "completeness"
    CLARITY = "clarity"
    FAITHFULNESS = "faithfulness_to_context"
    HARMLESSNESS = "harmlessness"


class Mark(StrEnum):
    """An auditor's answer on one criterion."""

    YES = "yes"
    NO = "no"
    NOT_APPLICABLE = "na"


class ErrorType(StrEnum):
    """Why a segment fails."""

    UNGROUNDED = "ungrounded"
    INVALID_DERIVATION = "invalid_derivation"
    PROPAGATED = "propagated"
    CALCULATION = "calculation"
    FACTUAL = "factual"
    UNCLEAR = "unclear"
    UNSAFE = "unsafe"


# What is asked of a segment whatever the vote says, by its level, or by its kind where it is a unit.
_FITTING = {
    "goal": (Criterion.FAITHFULNESS, Criterion.CLARITY),
    "strategy": (Criterion.LOGIC, Criterion.COMPLETENESS),
    "tactic": (Criterion.LOGIC, Criterion.COMPLETENESS),
    "operation": (Criterion.LOGIC, Criterion.MATHS),
    "answer": (Criterion.FAITHFULNESS, Criterion.COMPLETENESS),
}


def fitting_criteria(*, kind: str, text: str) -> frozenset[Criterion]:
    """The criteria of a segment's level (or a unit's kind): those of calculation only where its text has numbers.

    >>> sorted(fitting_criteria(kind="step", text="So x = 4."))
    [<Criterion.LOGIC: 'logical_consistency'>, <Criterion.MATHS: 'mathematical_accuracy'>]
    >>> sorted(fitting_criteria(kind="Goal", text="Find x."))
    [<Criterion.CLARITY: 'clarity'>, <Criterion.FAITHFULNESS: 'faithfulness_to_context'>]
    """
    numbers = {Criterion.MATHS} if any(letter.isdigit() for letter in text) else set()
    return frozenset(_FITTING.get(kind.lower()) or {Criterion.LOGIC, *(numbers or {Criterion.FAITHFULNESS})})


class BadRationaleError(CoreError):
    """The rationale of this vote cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rationale:
    """Why an auditor votes so. start, end: the marked span of the current reasoning in code points, half open."""

    reason: str = ""
    criteria: dict[Criterion, Mark] = field(default_factory=dict)
    error_type: ErrorType | None = None
    is_propagated: bool = False  # the error comes from a premise; this step itself follows
    start: int | None = None
    end: int | None = None
    evidence: tuple[Finding, ...] = ()
    checker: str = ""  # the version of the checkers that found the evidence; empty in votes from before there was one

    @property
    def error_words(self) -> str:
        """The kind of error as people read it, or ""."""
        return str(self.error_type or "").replace("_", " ")


def write(*, rationale: Rationale) -> str:
    """The canonical text: keys sorted, no blanks, absent fields left out; equal rationales have equal digests."""
    fields: dict[str, Any] = {
        "reason": rationale.reason,
        "criteria": {str(key): str(value) for key, value in rationale.criteria.items()},
    }
    if rationale.error_type is not None:
        fields["error_type"] = str(rationale.error_type)
    if rationale.is_propagated:
        fields["propagated"] = True
    if rationale.start is not None and rationale.end is not None:
        fields["start"], fields["end"] = rationale.start, rationale.end
    if rationale.evidence:
        fields["evidence"] = [
            # a certain finding says nothing of its grade: so did all of them before there were grades
            {"verdict": str(finding.verdict), **fields_of(finding.evidence)}
            | ({} if finding.grade is Grade.CERTAIN else {"grade": str(finding.grade)})
            # the whole proof, so that its digest is bound with everything else here
            | ({"proof": finding.proof} if finding.proof else {})
            for finding in rationale.evidence
        ]
    if rationale.checker:
        fields["checker"] = rationale.checker
    return json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def read(*, text: str) -> Rationale:
    """The rationale of its text. Raises BadRationaleError naming the field.

    >>> read(text='{"reason":"fine","criteria":{"clarity":"yes"}}').criteria
    {<Criterion.CLARITY: 'clarity'>: <Mark.YES: 'yes'>}
    """
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRationaleError(f"the rationale is not JSON ({error})") from error
    if not isinstance(fields, dict) or not isinstance(fields.get("reason", ""), str):
        raise BadRationaleError("the rationale must be an object whose reason is a text")
    # JSON's \ud800 becomes half of a pair, which UTF-8 cannot hold: no digest, no page.
    if any("\ud800" <= letter <= "\udfff" for letter in fields.get("reason", "")):
        raise BadRationaleError("the reason holds half a character (a lone surrogate), which no page can show")
    if len(fields.get("reason", "")) > MAX_REASON:
        raise BadRationaleError(f"the reason has more than {MAX_REASON} characters")
    try:
        return Rationale(
            reason=fields.get("reason", ""),
            criteria={Criterion(key): Mark(value) for key, value in dict(fields.get("criteria", {})).items()},
            error_type=ErrorType(fields["error_type"]) if fields.get("error_type") else None,
            is_propagated=fields.get("propagated") is True,
            start=_offset(fields, "start"),
            end=_offset(fields, "end"),
            evidence=tuple(_finding(finding) for finding in fields.get("evidence", ())),
            checker=_text(fields, "checker"),
        )
    except (ValueError, TypeError, KeyError) as error:
        raise BadRationaleError(f"the rationale cannot be read: {error}") from error


def _offset(fields: dict[str, Any], name: str) -> int | None:
    """A whole number of at least 0, or None. Raises ValueError."""
    value = fields.get(name)
    if value is not None and (type(value) is not int or value < 0):
        raise ValueError(f"{name} must be a whole number")
    return value


def _text(fields: dict[str, Any], name: str) -> str:
    """A text, empty where it is missing. Raises ValueError."""
    value = fields.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text")
    return value


def _finding(fields: dict[str, Any]) -> Finding:
    details = {key: value for key, value in fields.items() if key not in ("verdict", "grade", "proof")}
    grade = Grade(fields.get("grade", Grade.CERTAIN))
    return Finding(Verdict(fields["verdict"]), Evidence(**details), grade, _text(fields, "proof"))
