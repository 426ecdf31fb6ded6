"""Interventions by rules: a changed number, a flipped comparison or sign, a negation, cause and effect swapped.

Each rule changes what a segment claims and leaves the rest of its words alone; a rule that finds nothing to change
gives None rather than an empty intervention. Source: Ariadne, section 2.1; the rules are ours.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from auditing.research.causal.core.similarity import overlap, words


class InterventionKind(StrEnum):
    """The four types of the paper."""

    LOGIC_FLIP = "logic_flip"
    FACT_REVERSAL = "fact_reversal"
    PREMISE_NEGATION = "premise_negation"
    CAUSAL_REVERSAL = "causal_reversal"


@dataclass(frozen=True, slots=True)
class Intervention:
    """A segment as it was and as it is now; start/end is the changed span of the original, code points, half open."""

    kind: InterventionKind
    rule: str
    original: str
    changed: str
    start: int
    end: int
    old_number: Fraction | None = None
    new_number: Fraction | None = None


# "1,234.5" is one number; "x2", "2a", "\frac12" and the last digits of "3.14.15" are none.
NUMBER = re.compile(r"(?<![\w.\\])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
# Pairs that contradict each other, read in both directions.
_PAIRS = (
    ("<=", ">="),
    (r"\leq", r"\geq"),
    (r"\le", r"\ge"),
    ("≤", "≥"),
    ("<", ">"),
    (" + ", " - "),
    ("at least", "at most"),
    ("more than", "less than"),
    ("greater", "smaller"),
    ("higher", "lower"),
    ("above", "below"),
    ("before", "after"),
    ("increases", "decreases"),
    ("increase", "decrease"),
    ("increased", "decreased"),
    ("increasing", "decreasing"),
    ("rises", "falls"),
    ("rose", "fell"),
    ("positive", "negative"),
    ("even", "odd"),
    ("maximum", "minimum"),
    ("always", "never"),
    ("true", "false"),
    ("valid", "invalid"),
    ("gain", "loss"),
    ("add", "subtract"),
    ("adding", "subtracting"),
)
# Read in one direction only: "smaller" turns into "greater", and "none" into "all" would rarely give a sentence.
_ONE_WAY = {"larger": "smaller", "all": "none", r"\times": "+", " × ": " + ", " * ": " + "}
_OPPOSITE = _ONE_WAY | dict(_PAIRS) | {b: a for a, b in _PAIRS}
# Longest first, so that "<=" is not read as "<" and "increased" not as "increase";
# words need word boundaries ("gain" must not hit "again"), signs have none.
_FLIP = re.compile(
    "|".join(
        rf"\b{mark}\b" if mark.replace(" ", "").isalpha() else re.escape(mark)
        for mark in sorted(_OPPOSITE, key=len, reverse=True)
    )
)
_VERB = re.compile(r"\b(is|are|was|were|can|must|will|does|has|have|holds|follows|applies)\b( not\b)?")
_CAUSE = re.compile(r"\b(because|since)\b", re.IGNORECASE)
_EFFECT = re.compile(r",? (so|therefore|hence|thus) ", re.IGNORECASE)
# Words that may replace each other without changing the claim.
_SAME = {
    "Therefore": "Thus",
    "Thus": "Therefore",
    "Hence": "Therefore",
    "so": "hence",
    "So": "Hence",
    "gives": "yields",
    "We": "Here we",
    "This means": "In other words",
    "because": "since",
    "equals": "is equal to",
}
_PARAPHRASE = re.compile("|".join(rf"\b{mark}\b" for mark in sorted(_SAME, key=len, reverse=True)))


def number_of(text: str) -> Fraction:
    """The value of a number as NUMBER finds it."""
    return Fraction(text.replace(",", ""))


def format_number(value: Fraction, *, places: int = 0) -> str:
    """A value in plain digits: whole when it is whole and no places are asked for, else to max(places, 2) places."""
    if value.denominator == 1 and places == 0:
        return str(value.numerator)
    decimals = max(places, 2)
    # Integers, not floats: 0.1 + 0.2 must not show up in a trace as 0.30000000000000004.
    scaled = round(value * 10**decimals)
    sign, digits = "-" if scaled < 0 else "", str(abs(scaled)).rjust(decimals + 1, "0")
    return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}"


def _perturb_number(text: str, choice: int) -> Intervention | None:
    """The last number of the segment (its result, as a rule) moves by a tenth of itself, at least one last place."""
    numbers = list(NUMBER.finditer(text))
    if not numbers:
        return None
    # As a rule the last number is the result: in "12 * 24 = 288" it is 288.
    match = numbers[-1]
    places = len(match[0].partition(".")[2])
    old, unit = number_of(match[0]), Fraction(1, 10**places)
    # 288 moves by 29, 3.14 by 0.31, 4 by 1 (never by less than one unit of its last place). Even choices
    # go up, odd ones down; 2 and 3 move twice as far, and so on.
    step = max(unit, round(old / 10 / unit) * unit) * (1 + choice // 2)
    new = old - step if choice % 2 and old > step else old + step
    changed = text[: match.start()] + format_number(new, places=places) + text[match.end() :]
    # Read back from the text: rounding to the printed places may have moved the value.
    new_value = number_of(NUMBER.findall(changed)[len(numbers) - 1])
    kind = InterventionKind.FACT_REVERSAL
    return Intervention(kind, "perturb number", text, changed, match.start(), match.end(), old, new_value)


def _flip(text: str, choice: int) -> Intervention | None:
    matches = list(_FLIP.finditer(text))
    if not matches:
        return None
    match = matches[choice % len(matches)]
    changed = text[: match.start()] + _OPPOSITE[match[0]] + text[match.end() :]
    return Intervention(InterventionKind.LOGIC_FLIP, "flip", text, changed, match.start(), match.end())


def _negate(text: str, choice: int) -> Intervention | None:
    matches = list(_VERB.finditer(text))
    if not matches:
        return None
    match = matches[choice % len(matches)]
    # "is not" becomes "is": the negation of a negated claim takes the "not" away.
    verb = match[1] if match[2] else f"{match[1]} not"
    changed = text[: match.start()] + verb + text[match.end() :]
    return Intervention(InterventionKind.PREMISE_NEGATION, "negate", text, changed, match.start(), match.end())


def _swap_cause(text: str, choice: int) -> Intervention | None:
    """`A because B` becomes `B because A`; `A, so B` becomes `B, so A`; `Because A, B`: at its comma."""
    body = text.rstrip(" .\n")
    tail, kind = text[len(body) :], InterventionKind.CAUSAL_REVERSAL
    cause, effect = _CAUSE.search(body), _EFFECT.search(body)
    # Only the first comma can end the cause: "Because A, B, and C" becomes "Because B, and C, A".
    if cause and cause.start() == 0:
        first, comma, second = body[cause.end() :].partition(",")
        changed = f"{cause[0]} {second.strip()}, {first.strip()}{tail}" if comma else ""
    elif cause:
        changed = f"{body[cause.end() :].strip()} {cause[0]} {body[: cause.start()].strip(' ,')}{tail}"
    # "So B" without a cause before it has nothing to swap with.
    elif effect and effect.start() > 0:
        changed = f"{body[effect.end() :]}{effect[0]}{body[: effect.start()]}{tail}"
    else:
        return None
    return Intervention(kind, "swap cause and effect", text, changed, 0, len(text)) if changed else None


_RULES: dict[InterventionKind, Callable[[str, int], Intervention | None]] = {
    InterventionKind.FACT_REVERSAL: _perturb_number,
    InterventionKind.LOGIC_FLIP: _flip,
    InterventionKind.PREMISE_NEGATION: _negate,
    InterventionKind.CAUSAL_REVERSAL: _swap_cause,
}
# From the change that a rerun can follow best to the one that it can follow least: a new number runs through
# computations, while a negated sentence has to be understood.
_ADAPTIVE = (
    InterventionKind.FACT_REVERSAL,
    InterventionKind.LOGIC_FLIP,
    InterventionKind.CAUSAL_REVERSAL,
    InterventionKind.PREMISE_NEGATION,
)


def intervene(*, text: str, kind: InterventionKind, choice: int = 0) -> Intervention | None:
    """Change a segment by the rule of this kind; `choice` (from a seed) picks among the ways; None when none applies.

    >>> intervene(text="So 12 * 24 = 288.", kind=InterventionKind.FACT_REVERSAL).changed
    'So 12 * 24 = 317.'
    >>> intervene(text="It is even.", kind=InterventionKind.PREMISE_NEGATION).changed
    'It is not even.'
    """
    intervention = _RULES[kind](text, choice)
    return intervention if intervention and intervention.changed != text else None


def kinds_for(*, text: str) -> tuple[InterventionKind, ...]:
    """The types that a rule can carry out here, the adaptive choice first; draw from them for a random type.

    The order is number, comparison or sign, cause and effect, negation.
    """
    return tuple(candidate for candidate in _ADAPTIVE if intervene(text=text, kind=candidate))


def choose_kind(*, text: str) -> InterventionKind | None:
    """The adaptive type, None when no rule applies."""
    return next(iter(kinds_for(text=text)), None)


def first_substantive(*, texts: Sequence[str], longer_than: int = 10) -> int | None:
    """The paper's automatic choice: the first text longer than 10 characters. Ours is every segment that bears load.

    Source: Ariadne, section 5.1.
    """
    return next((index for index, text in enumerate(texts) if len(text.strip()) > longer_than), None)


def paraphrase(*, text: str) -> str:
    """A benign control: the same claim in other words; numbers, signs and formulas are untouched.

    >>> paraphrase(text="So the sum is 4.")
    'Hence the sum is 4.'
    """
    match = _PARAPHRASE.search(text)
    if match is None:
        return f"That is to say: {text}"
    return text[: match.start()] + _SAME[match[0]] + text[match.end() :]


def strength(*, intervention: Intervention) -> float:
    """1 - overlap of words, 0 to 1: how much of the segment the intervention replaced. The paper's strength is 1 - it.

    A change of signs alone, which no word shows, counts by characters.
    """
    before, after = intervention.original, intervention.changed
    # "a < b" and "a > b" have the same words; then characters between blanks are compared.
    by_words = 1 - overlap(words(before), words(after))
    return by_words or 1 - overlap(frozenset(before.split()), frozenset(after.split()))
