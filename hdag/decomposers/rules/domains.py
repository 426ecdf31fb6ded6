"""Domain templates: what the parts of a trace are called in each field, and how deep its tree goes.

Source: TRUST, limitations section (templates for common reasoning patterns, adaptive depth).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from hdag.core.levels import Level
from hdag.core.text.cues import Cue

READ = 4_000  # characters of the problem and of the thinking that tell the domain
# Other names under which providers hand in a domain.
ALIASES: Mapping[str, str] = {
    "math": "arithmetic",
    "maths": "arithmetic",
    "mathematics": "algebra",
    "school maths": "arithmetic",
    "competition maths": "algebra",
    "medical": "medicine",
    "clinical": "medicine",
    "legal": "law",
    "code": "programming",
    "economics": "finance",
    "business": "finance",
}


@dataclass(frozen=True, slots=True)
class Template:
    """Kinds of a domain: one for each level by default, and step kinds by cue, first match wins.

    `signs` are the words that tell the domain; None where it is the fallback (arithmetic).
    """

    kinds: Mapping[Level, str]
    steps: tuple[tuple[str, Cue], ...]
    signs: Cue | None

    def near(self, text: str) -> "Template":
        """The same without the cues that no step of `text` can hold."""
        return replace(self, steps=tuple((name, cue) for name, cue in self.steps if cue.may_match(text)))


def _template(strategy: str, tactic: str, operation: str, steps: Mapping[str, str], signs: str) -> Template:
    kinds = {
        Level.GOAL: "objective",
        Level.STRATEGY: strategy,
        Level.TACTIC: tactic,
        Level.STEP: "inference",
        Level.OPERATION: operation,
    }
    cues = tuple((name, Cue(rf"\b(?:{cue})", re.IGNORECASE)) for name, cue in steps.items())
    return Template(kinds, cues, Cue(rf"\b(?:{signs})\b", re.IGNORECASE) if signs else None)


TEMPLATES: Mapping[str, Template] = {
    "medicine": _template(
        "clinical reasoning",
        "differential",
        "calculation",
        {
            "presentation": r"present|patient|year[- ]old|history of|vital",
            "finding": r"exam|laborator|imaging|shows|elevated",
            "diagnosis": r"diagnos|consistent with|suggest|most likely",
            "management": r"treat|manage|administ|therap|next step",
        },
        r"patients?|diagnos\w{2,4}|symptoms?|treatment|clinical|year-old|disease|mg|syndrome",
    ),
    "law": _template(
        "legal analysis",
        "argument",
        "calculation",
        {
            "issue": r"issue|question (?:is|presented)",
            "rule": r"rule|statute|under the|section|precedent|law (?:states|provides)",
            "application": r"here|in this case|appl(?:y|ies|ying)",
            "holding": r"therefore|conclu|held|liable|guilty",
        },
        r"court|plaintiffs?|defendants?|statute|liable|liability|contract|negligence|tort|constitutional|jurisdiction",
    ),
    "finance": _template(
        "valuation",
        "formula",
        "calculation",
        {
            "inputs": r"given|inputs?|assum",
            "formula": r"formula|equation|defined as|is calculated",
            "result": r"therefore|thus|final",
        },
        r"interest rate|portfolio|dividends?|bonds?|stock|npv|present value|yield|cash flows?|revenue growth|shares",
    ),
    "programming": _template(
        "debugging",
        "hypothesis",
        "evaluation",
        {
            "symptom": r"error|fails?|bug|exception|traceback|expected",
            "localisation": r"line|function|variable|loop|index",
            "fix": r"fix|change|replace|patch|correct",
        },
        r"def|return|function|variables?|loops?|python|javascript|java|code|compile|array|runtime|null|exception",
    ),
    "algebra": _template(
        "proof technique",
        "algebraic manipulation",
        "calculation",
        {
            "definition": r"let|denote|define|suppose|assume",
            "case": r"case \d",
            "substitution": r"substitut|plug",
            "simplification": r"simplif|expand|factor|combin",
        },
        r"prove|polynomial|integers?|triangle|equation|function|modulo|probability|\\frac|\\sqrt|divisible|roots?",
    ),
    "arithmetic": _template(
        "solution plan",
        "quantity",
        "calculation",
        {"given": r"given|we know|the problem", "quantity": r"total|cost|number of|how many|each"},
        "",
    ),
}


def find_domain(*, named: str, problem: str, thinking: str) -> str:
    """The template's name: the named domain when known, else the one with most of its signs, else arithmetic.

    >>> find_domain(named="", problem="A 60-year-old patient presents with symptoms of a disease.", thinking="")
    'medicine'
    """
    name = ALIASES.get(named.strip().lower(), named.strip().lower())
    if name in TEMPLATES:
        return name
    text = f"{problem[:READ]}\n{thinking[:READ]}"
    # Different signs, not occurrences: a long text that repeats one word is no surer.
    counts = {
        key: len({sign.lower() for sign in template.signs.findall(text)})
        for key, template in TEMPLATES.items()
        if template.signs is not None
    }
    # Two different signs at least: one "code" or "treatment" is an everyday word.
    best = max(counts, key=lambda key: counts[key])
    return best if counts[best] >= 2 else "arithmetic"


def step_kind(*, template: Template, text: str) -> str:
    """What a step is called: the first kind whose cue stands near its start, else the template's default."""
    head = text[:160]
    return next((name for name, cue in template.steps if cue.search(head)), template.kinds[Level.STEP])
