"""The computer tier's evidence arranged for a reader: equation, both sides with their values, why it holds or not."""

from collections.abc import Mapping
from dataclasses import dataclass

from auditing.core.values import Finding, Verdict
from auditing.selectors.opened_votes import VoteLine

RULES: Mapping[str, str] = {
    "equal": "Both sides have the same exact value.",
    "unequal": "Exact rational arithmetic gives two values, and no rounding of the written digits joins them.",
    "rounds to the last written digit": "The value rounds to the number as written: half a unit of its last digit is"
    " allowed.",
    "the digits before the ellipsis agree": "The ellipsis says that digits were cut off; those before it agree.",
    "equal to twenty digits": "The irrational value was enclosed in an interval narrower than 10⁻²⁰ around the number.",
    "order": "The two values were enclosed in exact intervals that do not overlap.",
    "not equal": "The two values were enclosed in exact intervals.",
    "not an identity": "Both sides were evaluated exactly at rational points where both are defined; they differ.",
    "inconsistent equations": "The equation was put beside those before it; together they have no solution.",
    "recomputed": "The recorded call was computed again from its arguments.",
    "same label, other value": "The same quantity was given another value before.",
}
FACTS: Mapping[str, str] = {
    "normal_form": "Read as",
    "before": "Said before",
    "against": "Against",
    "said": "Said",
    "computed": "Computed",
    "error": "What went wrong",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a relation: its formula where it was kept, and its value."""

    title: str
    formula: str
    value: str


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """One finding: formula of the whole relation, both sides, other facts, and the rule in plain words."""

    finding: Finding
    equation: str
    sides: tuple[Side, ...]
    facts: tuple[tuple[str, str], ...]
    rule: str
    tolerance: str
    place: tuple[tuple[int, int], ...]

    @property
    def is_refuted(self) -> bool:
        """Whether this finding is an accusation."""
        return self.finding.verdict is Verdict.REFUTED


def findings_of(*, vote: VoteLine) -> tuple[ShownFinding, ...]:
    """The findings of a computer vote, accusations first."""
    ordered = sorted(vote.rationale.evidence, key=lambda one: one.verdict is not Verdict.REFUTED)
    return tuple(arrange(finding=one) for one in ordered)


def arrange(*, finding: Finding) -> ShownFinding:
    """One finding for a reader; details that a checker did not give are left out."""
    evidence, details = finding.evidence, finding.evidence.details
    sides = tuple(
        Side(title, details.get(f"{name}_latex", ""), details[name])
        for name, title in (("left", "Left side"), ("right", "Right side"))
        if details.get(name)
    )
    return ShownFinding(
        finding=finding,
        equation=details.get("evidence_latex", ""),
        sides=sides,
        facts=tuple((title, details[name]) for name, title in FACTS.items() if details.get(name)),
        rule=RULES.get(evidence.rule, ""),
        tolerance=_tolerance(details.get("tolerance", "")),
        place=((evidence.start, evidence.end),) if evidence.end > evidence.start else (),
    )


def _tolerance(text: str) -> str:
    if not text:
        return ""
    return "none: both sides are exact" if text == "0" else f"{text} (half a unit of the last written digit)"
