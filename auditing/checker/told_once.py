"""One equality, one finding: of the checks that tell of the same numbers in the same place, the surest is heard.

"20% of $10 = $4" is a share of things, a percentage in words and a relation with a sign; each check reads forms that
the others do not, and these three read one claim.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from auditing.checker.findings import Grade, Verdict
from auditing.checker.reading.passages import Placed
from auditing.checker.registry import MAY_VERIFY, TELLS_NUMBERS
from hdag.core.values import Source

# from the first digit to the last; the words around them are no claim of their own: "40 miles", "a total of 40"
_NUMBERS = re.compile(r"\d(?:.*\d)?", re.DOTALL)
_BETWEEN = re.compile(r"[^\d.,]")
_SUREST_FIRST = tuple(Grade)
_Place = tuple[Source, int, int, int]


def told_once(*, placed: Sequence[Placed]) -> list[Placed]:
    """The findings without those whose numbers another check tells in the same place.

    Where two contradict each other, the one that reads more of the text is heard: in "the reciprocal of 4/5 is 4/5"
    the words "4/5 is 4/5" are a part.
    """
    by_place: dict[_Place, list[int]] = defaultdict(list)
    for number, candidate in enumerate(placed):
        if candidate.finding.evidence.checker in TELLS_NUMBERS:
            at = _place_of(candidate)
            if at is not None:
                by_place[at].append(number)
    silent: set[int] = set()
    for numbers in by_place.values():
        if len(numbers) > 1:
            silent.update(_silenced({number: placed[number] for number in numbers}))
    return [candidate for number, candidate in enumerate(placed) if number not in silent]


def _silenced(rivals: dict[int, Placed]) -> Iterator[int]:
    """Whoever reads less than a rival that says the contrary, and who says what a surer one says."""
    heard = [
        number
        for number, candidate in rivals.items()
        if not any(_is_part(candidate, rival) for rival in rivals.values())
    ]
    yield from set(rivals) - set(heard)
    for verdict in Verdict:
        alike = [number for number in heard if rivals[number].finding.verdict is verdict]
        yield from set(alike) - {min(alike, key=lambda number: _rank(rivals[number]), default=-1)}


def _is_part(placed: Placed, rival: Placed) -> bool:
    """Whether a rival with another verdict reads the same words and more of them."""
    is_within = rival.start <= placed.start and placed.end <= rival.end
    is_shorter = placed.end - placed.start < rival.end - rival.start
    return is_within and is_shorter and placed.finding.verdict is not rival.finding.verdict


def _place_of(placed: Placed) -> _Place | None:
    """Where the numbers of a finding begin and end; None where it tells of a single one."""
    numbers = _NUMBERS.search(placed.finding.evidence.read)
    if numbers is None or not _BETWEEN.search(numbers[0]):
        return None
    return placed.source, placed.source_index, placed.start + numbers.start(), placed.start + numbers.end()


def _rank(placed: Placed) -> tuple[int, bool, bool, int]:
    """The heard finding has the smallest."""
    finding = placed.finding
    name = finding.evidence.checker
    return _SUREST_FIRST.index(finding.grade), name not in MAY_VERIFY, not finding.proof, TELLS_NUMBERS[name]
