"""Demotion: what the measured alarms of a rule allow its findings to be.

The table (alarms.py) counts, for each rule of each check, how often it refuted a step that people had labelled, and
how many of these steps were right when they were read again. A rule whose alarms are certainly more than .5 % of its
firings decides nothing: its findings are likely. So are those of a rule that nobody has counted. Nobody demotes by
hand, and nobody promotes.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

from auditing.checker.alarms import TABLE, UNFIRED
from auditing.checker.findings import Grade

# the share of firings that may be false accusations, and how sure the measurement must be that there are more
MOST_ALARMS = 0.005
CONFIDENCE = 0.90
# with fewer firings a rule is measured together with its family
FEWEST_FIRINGS = 200


@dataclass(frozen=True, slots=True)
class Measured:
    """One row: a rule of a check, its family, its firings on labelled steps, and how many of these were right."""

    checker: str
    rule: str
    family: str
    firings: int
    alarms: int


def lower_bound(*, alarms: int, firings: int, confidence: float = CONFIDENCE) -> float:
    """The share of alarms that is exceeded with this confidence (one-sided, exact binomial).

    Source: Clopper and Pearson, "The use of confidence or fiducial limits", Biometrika 26 (1934).

    >>> round(lower_bound(alarms=2, firings=20), 3)
    0.027
    """
    if alarms == 0:
        return 0.0
    # the smallest share under which so many alarms or more are no surprise: bisection, for the tail grows with it
    low, high = 0.0, 1.0
    for _ in range(50):
        share = (low + high) / 2
        below = sum(math.comb(firings, k) * share**k * (1 - share) ** (firings - k) for k in range(alarms))
        low, high = (share, high) if 1 - below < 1 - confidence else (low, share)
    return low


def read_table(*, text: str = TABLE) -> tuple[Measured, ...]:
    """The rows of a table of alarms: checker | rule | family | firings | alarms; without numbers, none of either.

    >>> read_table(text="units | conversion | words | 12 | 0")[0].firings
    12
    """
    rows = ([cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.strip())
    filled = ((*row, "0", "0")[:5] if len(row) == 3 else row for row in rows)
    return tuple(Measured(row[0], row[1], row[2], int(row[3]), int(row[4])) for row in filled)


def grades_of(*, table: tuple[Measured, ...]) -> dict[tuple[str, str], Grade]:
    """What each rule of the table may be at most."""
    grades: dict[tuple[str, str], Grade] = {}
    for row in table:
        # a rare rule borrows the firings of its family, or a single alarm would decide over it
        pool = (
            [row]
            if row.firings >= FEWEST_FIRINGS
            else [relative for relative in table if relative.family == row.family]
        )
        alarms, firings = sum(relative.alarms for relative in pool), sum(relative.firings for relative in pool)
        is_demoted = lower_bound(alarms=alarms, firings=firings) > MOST_ALARMS
        grades[row.checker, row.rule] = Grade.LIKELY if is_demoted else Grade.CERTAIN
    return grades


@functools.cache
def _measured() -> dict[tuple[str, str], Grade]:
    return grades_of(table=(*read_table(), *read_table(text=UNFIRED)))


def measured_grade(*, checker: str, rule: str) -> Grade:
    """The grade that the table allows; a rule that was never counted is likely at most.

    >>> measured_grade(checker="arithmetic", rule="a rule of tomorrow")
    <Grade.LIKELY: 'likely'>
    """
    return _measured().get((checker, rule), Grade.LIKELY)
