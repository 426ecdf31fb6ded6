"""Errors in wholes: a problem that states or asks something else than its trace read or planned, an answer that nothing
came to.

None touches a step of the reasoning, so that the trace stays at one with itself. Whether the whole is wrong by it no
computer is certain of: an editor confirms each.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from auditing.checker.planting.perturbing import NUMBER, Change, Perturbed, choose, other_unit, value_of, written
from auditing.checker.planting.rehearsal import Whole
from auditing.checker.planting.rewriting import rewritten
from hdag.core.passages import PlanKind
from hdag.core.values import Source, Trace

# A number that is a word of its own: no exponent, index or part of a name.
_GIVEN = re.compile(rf"(?<![\w.,^_{{\\]){NUMBER}(?![\w}}^]|[.,]\d)")
# Words of a problem, and what in their place makes it another one: the plan answers what was asked before.
_OTHER_QUESTION = {
    "area": "perimeter",
    "perimeter": "area",
    "volume": "surface area",
    "radius": "diameter",
    "diameter": "radius",
    "sum": "product",
    "product": "sum",
    "maximum": "minimum",
    "minimum": "maximum",
    "largest": "smallest",
    "smallest": "largest",
    "greatest": "least",
    "least": "greatest",
    "even": "odd",
    "odd": "even",
    "mean": "median",
    "median": "mean",
    "increase": "decrease",
    "decrease": "increase",
    "profit": "cost",
    "left": "used up",
    "remaining": "used up",
    "before": "after",
    "after": "before",
    "half": "a third",
    "twice": "three times",
    "double": "triple",
    "triple": "double",
    "day": "week",
    "week": "month",
    "month": "year",
    "year": "month",
    "days": "weeks",
    "weeks": "months",
    "months": "years",
    "years": "months",
    "older": "younger",
    "younger": "older",
    "morning": "evening",
    "evening": "morning",
}
_ASKED_FOR = re.compile(rf"(?<![\w-])(?:{'|'.join(_OTHER_QUESTION)})(?![\w-])")
LEAST = 2  # below it a number is often a word: "one of them", "the 1st"


def misread_givens(*, problem: str, reading: str) -> list[Perturbed]:
    """Every change of one given of the problem that the reading names as it was: so it would be misread.

    reading: what the trace says of the problem.

    >>> [planted.new for planted in misread_givens(problem="12 hens lay eggs.", reading="Each of the 12 hens")]
    ['13', '11', '120']
    """
    stated, named = _GIVEN.findall(problem), set(_GIVEN.findall(reading))
    places = [match for match in _GIVEN.finditer(problem) if stated.count(match[0]) == 1 and match[0] in named]
    taken = {*stated, *named}
    return [
        Perturbed(Change.FAR_OFF if is_far else Change.COPIED_NUMBER, *match.span(), match[0], new)
        for match in places
        for new, is_far in _others(match[0], taken)
    ]


def other_questions(*, problem: str) -> list[Perturbed]:
    """Every change of one word of the problem that asks for something else, or relates its givens differently.

    Whether the plan is wrong by it is for an editor to say: a word may stand where nothing hangs on it.

    >>> [(planted.old, planted.new) for planted in other_questions(problem="What is the area of half of it?")]
    [('area', 'perimeter'), ('half', 'a third')]
    """
    words = _ASKED_FOR.findall(problem)
    return [
        Perturbed(Change.QUESTION, *match.span(), match[0], _OTHER_QUESTION[match[0]])
        for match in _ASKED_FOR.finditer(problem)
        if words.count(match[0]) == 1
    ]


def wrong_answers(*, text: str, reasoning: str, problem: str) -> list[Perturbed]:
    """Every change of the last number of a concluding text, which the reasoning came to, or of its unit.

    >>> [planted.new for planted in wrong_answers(text="It is 60.", reasoning="12 * 5 = 60", problem="")]
    ['61', '59', '600']
    """
    numbers = list(_GIVEN.finditer(text))
    reached = set(_GIVEN.findall(reasoning))
    if not numbers or numbers[-1][0] not in reached:
        return []
    last = numbers[-1]
    # Stated twice and changed once, it would not be another answer but none.
    if [number[0] for number in numbers].count(last[0]) > 1:
        return []
    taken = {*reached, *_GIVEN.findall(problem)}
    changes = [
        Perturbed(Change.FAR_OFF if is_far else Change.OFF_BY_ONE, *last.span(), last[0], new)
        for new, is_far in _others(last[0], taken)
    ]
    unit = other_unit(text=text, at=last.end(), problem=problem)
    return changes if unit is None else [*changes, unit]


def _others(number: str, taken: set[str]) -> Iterator[tuple[str, bool]]:
    """Numbers that could stand in the place of this one and stand nowhere else; whether each is far off."""
    value = value_of(number)
    if value < LEAST:
        return
    step = value_of(f"0.{'0' * (places - 1)}1" if (places := len(number.partition(".")[2])) else "1")
    for other in (value + step, value - step, value * 10):
        new = written(other, like=number)
        if new not in taken:
            yield new, other == value * 10


def error_in_whole(*, trace: Trace, kind: PlanKind, whole: Whole, rng: random.Random) -> Perturbed | None:
    """An error of that kind, by the draw of `rng`; where it stands in the text that holds it. None where none fits."""
    if kind is PlanKind.GOAL:
        return choose(options=misread_givens(problem=trace.problem, reading=whole.text), rng=rng)
    if kind is PlanKind.STRATEGY:
        return choose(options=other_questions(problem=trace.problem), rng=rng)
    span = whole.span
    reasoning = trace.thinking[: span.start] if span.source is Source.THINKING else trace.thinking
    planted = choose(options=wrong_answers(text=whole.text, reasoning=reasoning, problem=trace.problem), rng=rng)
    return planted and replace(planted, start=planted.start + span.start, end=planted.end + span.start)


def with_error(*, trace: Trace, kind: PlanKind, whole: Whole, error: Perturbed | None) -> Trace:
    """The trace as a decoy has it: an answer is changed itself, a reading and a plan by the problem that they meet."""
    if error is None:
        return trace
    source = whole.span.source if kind is PlanKind.ANSWER else Source.PROBLEM
    return rewritten(trace=trace, source=source, error=error)


def shows_error(*, whole: Whole, kind: PlanKind, error: Perturbed) -> bool:
    """Whether the changed trace, whose whole this is, is still cut so that the error can be seen in what is asked."""
    if kind is PlanKind.GOAL:
        return error.old in whole.text
    # The problem stands beside a plan.
    return kind is PlanKind.STRATEGY or whole.span.start <= error.start < whole.span.end
