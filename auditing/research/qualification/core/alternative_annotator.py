"""The alternative annotator test: may a model stand in for one of several people who judged the same items?

Each person is left out in turn. On every case, model and person are compared by how many of the others they agree with;
W_model = 1 where the model agrees with at least as many, W_person the peer way round. The model wins against the
person where a paired t-test rejects that it is worse by EPSILON or more, that is mean(W_person - W_model) >= EPSILON,
while the false discovery rate of all these tests is held at Q (Benjamini and Yekutieli). It passes where it wins
against half of the people at least. Source: Calderon, Reichart and Dror, ACL 2025, section 3; Benjamini and Yekutieli
2001.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["LEAST_ITEMS", "LEAST_PEOPLE", "AlternativeAnnotator", "Comparison", "find_test", "student_below"]

LEAST_PEOPLE, LEAST_ITEMS = 3, 30  # below, a t-test of shares says nothing: "not testable yet"
EPSILON = 0.15  # what a model's price is worth beside trained annotators (section 3.3: .2 for experts, .1 for a crowd)
Q = 0.05
_HALF = 0.5

Labels = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The model beside one person: items, how often each agrees with the others at least as well, and the test."""

    person: str
    items: int
    model: float  # share of items on which the model is as good or better
    human: float
    p: float
    wins: bool


@dataclass(frozen=True, slots=True)
class AlternativeAnnotator:
    """The outcome: winning rate (share of people that it wins against) and the mean advantage probability."""

    people: tuple[Comparison, ...]

    @property
    def winning_rate(self) -> float:
        """People that it wins against, of all."""
        return sum(person.wins for person in self.people) / len(self.people)

    @property
    def advantage(self) -> float:
        """Mean share of items on which the model agrees with the others at least as well as the person left out."""
        return sum(person.model for person in self.people) / len(self.people)

    @property
    def passes(self) -> bool:
        """Whether the model may stand in for a person."""
        return self.winning_rate >= _HALF


def find_test(*, people: Mapping[str, Labels], model: Labels, epsilon: float = EPSILON) -> AlternativeAnnotator | None:
    """The test on the items that the model and at least three people judged; None where it is not testable yet.

    people: label by case, by person. A person counts with LEAST_ITEMS of these items; LEAST_PEOPLE have to.

    >>> find_test(people={"a": {"1": "pass"}}, model={"1": "pass"}) is None
    True
    """
    judged = Counter(case for labels in people.values() for case in labels)
    # Fewer people on an item leave nobody to compare the model with once one of them is set aside.
    shared = {case for case, count in judged.items() if count >= LEAST_PEOPLE and case in model}
    sized = {name: [case for case in sorted(labels) if case in shared] for name, labels in people.items()}
    tested = {name: items for name, items in sized.items() if len(items) >= LEAST_ITEMS}
    if len(tested) < LEAST_PEOPLE:
        return None
    rows = [_compare(name, items, people, model, epsilon) for name, items in sorted(tested.items())]
    # One hypothesis a person, so that some would be rejected by chance alone: false discoveries are held together.
    rejected = _rejected([row.p for row in rows])
    return AlternativeAnnotator(
        tuple(
            Comparison(row.person, row.items, row.model, row.human, row.p, wins)
            for row, wins in zip(rows, rejected, strict=True)
        )
    )


def _compare(
    name: str, items: Sequence[str], people: Mapping[str, Labels], model: Labels, epsilon: float
) -> Comparison:
    """The paired test against one person; `wins` is set later, when all p-values are there."""
    model_wins, person_wins = [], []
    for case in items:
        others = [labels[case] for peer, labels in people.items() if peer != name and case in labels]
        by_model, by_person = others.count(model[case]), others.count(people[name][case])
        model_wins.append(by_model >= by_person)
        person_wins.append(by_person >= by_model)
    differences = [int(person) - int(mine) for person, mine in zip(person_wins, model_wins, strict=True)]
    count = len(items)
    return Comparison(
        person=name,
        items=count,
        model=sum(model_wins) / count,
        human=sum(person_wins) / count,
        p=_p_of(differences, epsilon),
        wins=False,
    )


def _p_of(differences: Sequence[int], epsilon: float) -> float:
    """P(T <= t) with t = (mean - epsilon) / (s / sqrt(n)) and n - 1 degrees of freedom."""
    count = len(differences)
    mean = sum(differences) / count
    variance = sum((difference - mean) ** 2 for difference in differences) / (count - 1)
    if variance == 0:  # every case says the same: nothing is left to chance
        return 0.0 if mean < epsilon else 1.0
    return student_below(t=(mean - epsilon) / math.sqrt(variance / count), freedom=count - 1)


def _rejected(values: Sequence[float]) -> list[bool]:
    """Benjamini and Yekutieli: the k smallest, for the largest k with p(k) <= k Q / (m (1 + 1/2 + ... + 1/m))."""
    many = len(values)
    harmonic = sum(1 / rank for rank in range(1, many + 1))
    ranked = sorted(values)
    passing = [rank for rank, p in enumerate(ranked, 1) if p <= rank * Q / (many * harmonic)]
    limit = ranked[passing[-1] - 1] if passing else -1.0
    return [p <= limit for p in values]


def student_below(*, t: float, freedom: int) -> float:
    """P(T <= t) of Student's distribution. Source: Abramowitz and Stegun 26.7.1, through the incomplete beta function.

    >>> round(student_below(t=-2.045, freedom=29), 3), student_below(t=0.0, freedom=5)
    (0.025, 0.5)
    """
    tail = _beta_share(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return tail if t < 0 else 1 - tail


def _beta_share(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction (NIST DLMF 8.17.22)."""
    if x in (0.0, 1.0):
        return x
    # The fraction converges fast on one side of the mean; the peer side is its complement.
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(b, a, 1 - x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_front) / a / _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """1 + d1/(1 + d2/(1 + ...)), evaluated from the inside out."""
    value = 1.0
    for m in range(200, 0, -1):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1))
        value = 1 + odd / (1 + even / value)
    return value
