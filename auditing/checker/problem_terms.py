"""What a problem says by itself: no step has to answer for it, and none is accused of taking it up.

"Which is right? A. 3 + 4 = 8 ..." is looked at option by option; "(π = 3)" makes 20π twice thirty; and where "-" means
"×" every line of the solution has other signs than ours.
"""

from __future__ import annotations

import re
from functools import lru_cache

from auditing.checker.findings import Evidence
from auditing.checker.reading.passages import MAX_PASSAGE, Placed
from hdag.core.text.cues import Cue
from hdag.core.values import Source, Trace

# marks that say nothing of what they stand around
_MARKS = re.compile(r"\\[()\[\],;:! ]|\\(?:left|right|displaystyle|text|mathrm)(?![A-Za-z])|[\s$*_{}~]+")
# a relation, or words about numbers: an order of names that the problem gives is no claim of it
_CLAIMS = re.compile(r"[=<>≤≥≠≈]|\\(?:leq?|geq?|neq?|approx)|\d(?:is|are)[a-z]")
# characters: less is a value, which anybody may come to
_SHORTEST = 4
_ROUND_PI = Cue(
    r"(?:\\pi|π|\bpi)\W{0,4}(?:=|\bis\b|\bas\b|\bto be\b|≈|\\approx)\W{0,4}(?:3|3\.1)(?![\d.]*\d)", re.IGNORECASE
)
_PI = re.compile(r"\bpi\b")
_SIGN = r"[\"'“‘`$\s\\(]{0,4}(?:[-+*/×÷−△○□◇⊕]|times|div)(?!\w)[\"'”’`$\s\\)]{0,4}"
_OTHER_SIGNS = Cue(
    rf"{_SIGN}(?:means?|stands?\sfor|denotes?|represents?|(?:is|are)\s(?:read\sas|replaced\s(?:by|with)|changed\s(?:in)?to)|"
    rf"becomes?)\s(?:{_SIGN}|(?:to\s)?(?:add|subtract|multiply|divide|plus|minus|addition|subtraction|"
    r"multiplication|division)\w*)"
    rf"|\b(?:inter|ex)chang(?:e|ed|ing)\s(?:the\s)?(?:signs?|operations?|symbols?)",
    re.IGNORECASE,
)


def is_of_the_problem(placed: Placed, trace: Trace) -> bool:
    """Whether an accused text is the problem's own, or is computed by signs and values that the problem gives."""
    problem = trace.problem[:MAX_PASSAGE]
    if placed.source is Source.PROBLEM or not problem:
        return False
    if _has_other_signs(problem) or (_has_round_pi(problem) and _PI.search(_formula(placed.finding.evidence))):
        return True
    text = {Source.THINKING: trace.thinking, Source.ANSWER: trace.answer}.get(placed.source, "")
    accused = _bare(text[placed.start : placed.end])
    return len(accused) >= _SHORTEST and bool(_CLAIMS.search(accused)) and accused in _bare(problem)


def _formula(evidence: Evidence) -> str:
    return f"{evidence.details.get('normal_form', '')} {evidence.sentence}"


@lru_cache(maxsize=64)
def _bare(text: str) -> str:
    return _MARKS.sub("", text).rstrip(".,;:")


@lru_cache(maxsize=64)
def _has_other_signs(problem: str) -> bool:
    return _OTHER_SIGNS.search(problem) is not None


@lru_cache(maxsize=64)
def _has_round_pi(problem: str) -> bool:
    return _ROUND_PI.search(problem) is not None
