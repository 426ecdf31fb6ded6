"""Errors in wholes: a problem that states something else than its trace read, an answer that nothing came to.

Neither touches a step of the reasoning, so that the trace stays at one with itself. Whether the whole is wrong by it no
computer is certain of: an editor confirms each.
"""

import re
from collections.abc import Iterator

from auditing.checker.planting.perturbing import NUMBER, Change, Perturbed, other_unit, value_of, written

# A number that is a word of its own: no exponent, index or part of a name.
_GIVEN = re.compile(rf"(?<![\w.,^_{{\\]){NUMBER}(?![\w}}^]|[.,]\d)")
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
