"""The computer tier's findings arranged for a reader: equation, both sides with values, and the rule in plain words."""

from collections.abc import Mapping
from dataclasses import dataclass

from auditing.checker.findings import Finding, Verdict
from auditing.research.reports.selectors.opened_votes import VoteLine

RULES: Mapping[str, str] = {
    "equal": "Both sides have the same exact value.",
    "unequal": "Exact rational arithmetic gives two values, and no rounding of the written digits joins them.",
    "rounds to the last written digit": "The value rounds to the number as written: half a unit of its last digit is"
    " allowed.",
    "the digits before the ellipsis agree": "The ellipsis says that digits were cut off; those before it agree.",
    "equal to twenty digits": "What is irrational was enclosed in intervals narrower than 10⁻²⁰ around one number.",
    "equal to thirty digits": "Both irrational values were enclosed in intervals narrower than 10⁻³⁰, which overlap.",
    "congruence": "Both sides were computed exactly and divided by the modulus that stands behind them.",
    "a line that goes on": "The line begins with a sign of equality; it was put beside the end of the line before.",
    "table total": "The numbers of the row or column were added up and compared with its total.",
    "taken up": "The sentence takes up the expression before it; both were put side by side.",
    "below a heading": "The formula below the heading was put beside the one that it rewrites.",
    "one made into another": "The words make one formula of another; both were put side by side.",
    "a side multiplied out": "A side of the equation before it was multiplied out and compared.",
    "called an identity": "What is called an identity was evaluated at rational points; the sides differ there.",
    "follows at once": "One equation is said to follow from the other; they differ in a single term.",
    "differs by a number": "The difference of both sides was multiplied out exactly: it is a number other than zero.",
    "not equal": "The two values were enclosed in exact intervals.",
    "identity": "The difference of both sides was multiplied out exactly and is zero.",
    "like terms": "Both sides were multiplied out exactly; they differ in one term, so that they agree for zero alone.",
    "said and computed": "The words were read as a sign of equality; the computation was carried out exactly.",
    "said and simplified": "The words were read as a sign of equality; both expressions were computed.",
    "said twice": "The words say one value twice; both writings were computed.",
    "congruence in words": "Both numbers were divided by the modulus that is named; the remainders were compared.",
    "linear inequalities": "The lines were added up exactly by weights under which their symbols fall out.",
    "a published formula": "The expression was compared with the formula of that name, filled in every way.",
    "unit of the answer": "The unit that the question names was compared with that of the answer.",
    "not an identity": "Both sides were evaluated exactly at rational points where both are defined; they differ.",
    "inconsistent equations": "The equation was put beside those before it; together they have no solution.",
    "double precision": "The value rounds to the double that is written: a computer prints it so.",
    "recomputed": "The recorded call was computed again from its arguments.",
    "same label, other value": "The same quantity was given another value before.",
    "another result in the next line": "Both lines are about one quantity; each was computed.",
    "not the same equation": "One equation was rewritten as the next; the two do not have the same solutions.",
    "the same expression": "The expression that the problem gives has to keep its value until the answer.",
    "root gained": "The value was put into the equation, which it does not solve.",
    "root lost": "The equation was solved exactly; it has a solution that the step does not name.",
    "plus or minus": "Both signs were computed on either side.",
    "complex arithmetic": "Both sides were multiplied out with i² = −1.",
    "solutions of an inequality": "Both inequalities were solved exactly; their solutions were compared.",
    "derivative": "The derivative was formed by its rules and compared at exact rational points.",
    "conversion": "Both sides were brought to the same unit by exact factors.",
    "a p-value": "The p-value was computed again for every statistic that rounds to the one that is written.",
    "a balance of elements": "The atoms of each element were counted on both sides.",
    "a molar mass": "Standard atomic weights (IUPAC 2021), as often as each atom stands in the formula.",
    "a check digit": "The rule by which the last digit follows from the others was computed.",
    "components": "Each component of the vector or matrix was computed by itself.",
    "clock": "The time was added or taken away by the clock; half a day looks like nothing.",
    "calendar": "Computed with the Gregorian calendar.",
    "a deed of its own called wrong": "The step says of what it does that it is wrong, and does not take it back.",
    "its own result called wrong": "The step says of its result that it is wrong, and does not take it back.",
    "quotation": "The words were found in the problem; the numbers in them must be the same.",
    "copied quantity": "The same words stand around another number in the problem.",
    "answer and result": "The last answer that the thinking states was compared with the answer.",
    "number from nowhere": "A weak sign and no vote: it may be common knowledge, or worked out without being written.",
    "list of numbers": "The list was made anew and compared.",
    "a line of this step is refuted": "A line inside this step was refuted; the step rests on it.",
    "filled formula": "The formula that was stated in words was computed with the numbers put into it.",
    "division by zero": "The expression divides by zero, so no number equals it.",
    "an even root of a negative number": "No real number has this root.",
    "the logarithm of a number that is not positive": "No real number is this logarithm.",
    "sorting": "The list was put beside what is to be sorted, item by item.",
    "order": "The order was worked out from what is stated, and compared.",
    "stack": "The brackets before it were stacked one by one.",
    "next bracket": "The brackets before it were stacked one by one.",
    "swap": "The exchanges so far were carried out one by one.",
    "divisibility": "The division was carried out with whole numbers.",
}
BY_CHECKER: Mapping[tuple[str, str], str] = {
    ("arithmetic", "order"): "The two values were enclosed in exact intervals that do not overlap.",
}
# checkers of computations that are stated in words
WORD_CHECKERS = frozenset(("sayings", "facts", "counting", "alphabet", "phrases", "remainders", "plain facts"))
SAID_SIDES = ("Computed", "As written")
SAID = "The words name a computation; it was carried out exactly."
SIDES: Mapping[str, tuple[str, str]] = {
    "recomputed": ("Computed now", "Recorded"),
    "same label, other value": ("Said before", "Said here"),
    "another result in the next line": ("The line before", "This line"),
    "answer and result": ("The thinking", "The answer"),
    "conversion": ("Converted", "As written"),
    "filled formula": ("Computed", "As written"),
}
FACTS: Mapping[str, str] = {
    "normal_form": "Read as",
    "before": "Said before",
    "against": "Against",
    "said": "Said",
    "computed": "Computed",
    "doubt": "Why it is not sure",
    "error": "What went wrong",
}
HEADINGS = {Verdict.REFUTED: "This is false", Verdict.VERIFIED: "This holds"}


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
    def heading(self) -> str:
        """The verdict as a person says it; what decides nothing is a remark or a doubt."""
        if self.finding.doubts:
            return "This may be false"
        return HEADINGS.get(self.finding.verdict, "A remark, no verdict")

    @property
    def badge(self) -> str:
        """The state whose badge it wears: a doubt has decided nothing."""
        return "undecided" if self.finding.doubts else self.finding.verdict.value

    @property
    def has_formulas(self) -> bool:
        """Whether the formula of a side was kept."""
        return any(side.formula for side in self.sides)

    @property
    def is_refuted(self) -> bool:
        """Whether this finding is an accusation."""
        return self.finding.accuses


def findings_of(*, vote: VoteLine) -> tuple[ShownFinding, ...]:
    """The findings of a computer vote, accusations first."""
    # False sorts before True, and the sort is stable: accusations first, then doubts, each in the checkers' order.
    ordered = sorted(
        vote.rationale.evidence, key=lambda finding: (not finding.accuses, finding.verdict is not Verdict.REFUTED)
    )
    return tuple(arrange(finding=finding) for finding in ordered)


def arrange(*, finding: Finding) -> ShownFinding:
    """One finding for a reader; details that a checker did not give are left out."""
    evidence, details = finding.evidence, finding.evidence.details
    titles = SIDES.get(evidence.rule, SAID_SIDES if evidence.checker == "sayings" else ("Left side", "Right side"))
    sides = tuple(
        Side(title, details.get(f"{name}_latex", ""), details[name])
        for name, title in zip(("left", "right"), titles, strict=True)
        if details.get(name)
    )
    return ShownFinding(
        finding=finding,
        equation=_equation(details.get("evidence_latex", "")),
        sides=sides,
        facts=tuple(
            (title, details[name])
            for name, title in FACTS.items()
            if details.get(name) not in (None, "", evidence.sentence)
        ),
        rule=rule_in_words(checker=evidence.checker, rule=evidence.rule),
        tolerance=_tolerance(details.get("tolerance", "")),
        place=((evidence.start, evidence.end),) if evidence.end > evidence.start else (),
    )


def rule_in_words(*, checker: str, rule: str) -> str:
    """How a checker came to its verdict, in a sentence for a reader."""
    return BY_CHECKER.get((checker, rule)) or RULES.get(rule) or (SAID if checker in WORD_CHECKERS else "")


def _equation(formula: str) -> str:
    """A formula; words alone would only repeat the sentence below it."""
    return "" if formula.startswith(r"\text{") else formula


def _tolerance(text: str) -> str:
    if not text:
        return ""
    return "none: both sides are exact" if text == "0" else f"{text} (half a unit of the last written digit)"
