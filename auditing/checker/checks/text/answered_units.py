"""Checker: the unit of the answer against the unit that the question asks for: "How many minutes?", "2 hours"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.answers import final_answer
from auditing.checker.answers.measures import measure
from auditing.checker.findings import Grade, Verdict
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import takes_back
from hdag.core.values import Source

NAME = "answered units"
_STATED = re.compile(r"\\boxed\{|####|\b(?:final )?answer\s*(?:is|:)", re.IGNORECASE)
_ASKED = re.compile(
    r"\bhow many ([a-z]{1,15})\b|\bin ((?:square |cubic )?[a-z]{1,15})(?=,? (?:is|are|was|will|does|do|did)\b|\s?\?)",
    re.IGNORECASE,
)
_ANSWERED = re.compile(r"\$?\s?\d[\d,]*(?:\.\d+)?(?:/\d+)?\s?((?:square |cubic )?[A-Za-z]{1,15})\b\.?$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def check(script: Script) -> Iterator[Placed]:
    """An answer in another unit of the dimension that is asked for; a doubt, for both may be right."""
    asked = _asked(script.problem.text)
    stated = _stated(script)
    if not asked or stated is None:
        return
    answer = final_answer(text=stated.text)
    match = _ANSWERED.search(answer)
    unit = match[1].lower() if match else ""
    known, wanted = measure(unit) if unit else None, measure(asked)
    if known is None or wanted is None or known[0] != wanted[0] or known[1] == wanted[1]:
        return
    at = stated.text.rfind(answer)
    start, end = (at, at + len(answer)) if at >= 0 else (0, len(stated.text))
    sentence = f"The question asks for {asked}; the answer is given in {unit}."
    yield place(
        passage=stated,
        start=start,
        end=end,
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule="unit of the answer",
        sentence=sentence,
        details={
            "left": asked,
            "right": unit,
            "rule": "unit of the answer",
            "evidence_latex": rf"\text{{{sentence}}}",
        },
        grade=Grade.LIKELY,
    )


def _asked(problem: str) -> str:
    """The one unit that the last question names; empty where it names none, or several."""
    questions = [sentence for sentence in _SENTENCE.split(problem.strip()) if sentence.rstrip().endswith("?")]
    if not questions:
        return ""
    units = {(match[1] or match[2]).lower() for match in _ASKED.finditer(questions[-1])}
    named = {unit for unit in units if measure(unit) is not None}
    return named.pop() if len(named) == 1 else ""


def _stated(script: Script) -> Passage | None:
    """The answer, or else the last step that states one."""
    answers = [passage for passage in script.passages if passage.source is Source.ANSWER]
    steps = [passage for passage in script.passages if passage.source is Source.THINKING]
    stated = answers or [passage for passage in steps[-1:] if _STATED.search(passage.text)]
    return stated[-1] if stated and not takes_back(stated[-1].text) else None
