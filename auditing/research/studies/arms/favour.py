"""How far a judge favours its own family: approval of own traces less approval of others', plain and at equal truth.

The paper's bias score confounds favour with skill: a family that solves more problems is rightly approved more often.
At equal truth right traces are compared with right ones and wrong with wrong ones.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from auditing.core.model_tier.families import FamilyBias, Judgement, family_bias
from auditing.research.studies.instruments.labelled import Record

__all__ = ["Favour", "Opinion", "as_judgements", "favour_of", "read_opinion", "spread_of"]


@dataclass(frozen=True, slots=True)
class Opinion:
    """One judge's word on one whole trace, with the families of judge and author and whether the trace is right."""

    auditor: str
    family: str
    author: str
    trace: str
    is_right: bool
    passed: bool


@dataclass(frozen=True, slots=True)
class Favour:
    """Own approval less others', with standard errors; None where a side was never judged."""

    bias: float | None
    error: float | None
    at_equal_truth: float | None
    equal_error: float | None


def favour_of(*, opinions: Sequence[Opinion]) -> Favour:
    """Of the opinions of one auditor.

    At equal truth: sum over right and wrong traces t of n_t / n * bias_t, n_t the own traces of that truth; the
    standard error is sqrt(sum of (n_t / n)^2 se_t^2).
    """
    plain = _own(opinions)
    if plain is None or plain.bias is None:
        return Favour(None, None, None, None)
    strata = [_own([opinion for opinion in opinions if opinion.is_right is truth]) for truth in (True, False)]
    usable = [stratum for stratum in strata if stratum is not None and stratum.own_count]
    own = sum(stratum.own_count for stratum in usable)
    if any(stratum.bias is None for stratum in usable):
        return Favour(plain.bias, plain.error, None, None)
    equal = sum(stratum.own_count / own * (stratum.bias or 0.0) for stratum in usable)
    error = sqrt(sum((stratum.own_count / own * (stratum.error or 0.0)) ** 2 for stratum in usable))
    return Favour(plain.bias, plain.error, equal, error)


def spread_of(*, rows: Iterable[tuple[str, bool, bool]]) -> float | None:
    """(author, is right, passed) -> most less least approved author at equal truth, the mean over right and wrong.

    >>> spread_of(rows=[("a", True, True), ("b", True, False), ("a", False, False), ("b", False, False)])
    0.5
    """
    passed: dict[bool, dict[str, list[bool]]] = {True: defaultdict(list), False: defaultdict(list)}
    for author, is_right, has_passed in rows:
        passed[is_right][author].append(has_passed)
    gaps = []
    for by_author in passed.values():
        shares = [sum(votes) / len(votes) for votes in by_author.values()]
        if len(shares) > 1:
            gaps.append(max(shares) - min(shares))
    return sum(gaps) / len(gaps) if gaps else None


def read_opinion(record: Record) -> Opinion:
    """A line of the vote file: judge, author, segment, passed, correct, and auditor where several are of one family.

    Raises KeyError, ValueError.
    """
    for name in ("passed", "correct"):
        if not isinstance(record[name], bool):
            raise ValueError(f"{name} is true or false")
    judge, trace = str(record["judge"]), str(record["segment"])
    is_right = record["passed"] == record["correct"]
    author = str(record["author"])
    return Opinion(str(record.get("auditor") or judge), judge, author, trace, is_right, record["passed"])


def as_judgements(opinions: Iterable[Opinion]) -> list[dict[str, Any]]:
    """The lines that `read_opinion` and the study `bias` read."""
    return [
        {
            "judge": opinion.family,
            "auditor": opinion.auditor,
            "author": opinion.author,
            "segment": opinion.trace,
            "passed": opinion.passed,
            "correct": opinion.passed == opinion.is_right,
        }
        for opinion in opinions
    ]


def _own(opinions: Sequence[Opinion]) -> FamilyBias | None:
    judgements = [Judgement(opinion.family, opinion.author, opinion.passed) for opinion in opinions]
    return next((bias for bias in family_bias(judgements=judgements)), None)
