"""Checker: what is told of a sort of whole numbers: how many there are, their sum, product, mean, largest, smallest.

"There are 82 three-digit multiples of 11": the sort is enumerated, in each reading that its words leave open. Only a
sentence that speaks of the sort and of nothing else is read: "among these there are 3 primes below 10" is another sort.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.checks.number_sorts.nouns import sort_in
from auditing.checker.checks.number_sorts.sentences import (
    FORMS,
    LARGEST,
    goes_on,
    is_of_a_pool,
    speaks_of_more,
    terms_of,
)
from auditing.checker.checks.number_sorts.sorts import Reading, members, steps_to
from auditing.checker.checks.numbers.elementary import is_prime
from auditing.checker.findings import Verdict
from auditing.checker.proofs.number_sorts import of_number_sort
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import is_taken_back

NAME, RULE = "number sorts", "a sort of whole numbers"
# the numbers that are looked at for one text: some tenths of a second
MOST_STEPS_OF_A_TEXT, MOST_LISTED, LONGEST_PRODUCT, LONGEST_EXPONENT = 300_000, 60, 10**18, 64
# a sort without a test is often one that was told before: "there are 7 numbers between 2 and 15"
NEAR = 2
_DISTINCT = re.compile(r"\b(?:distinct|different|unique)\b", re.IGNORECASE)
# a value, or the members of a list
_Value = tuple[Fraction, ...]

# the divisors are ±1, ±3, ±5, ±15
_SIGNED = re.compile(r"\\pm\s?\d|±\s?\d|\bnegative\b|-1\b")


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is asked of the sort, what it comes to in each reading, and what is claimed, as written and as a value."""

    asks: str
    readings: Sequence[Reading]
    values: Sequence[_Value]
    terms: Sequence[str]
    claimed: _Value

    @property
    def unit(self) -> Fraction:
        """One in the last digit that is claimed."""
        return Fraction(1, 10 ** max(len(term.partition(".")[2]) for term in self.terms))

    @property
    def holds(self) -> bool:
        """Whether some reading comes to it, also rounded to its decimals."""
        return any(
            self.claimed == value or (self.unit < 1 and _rounded(value[0], self.unit) == self.claimed[0])
            for value in self.values
        )

    @property
    def is_elliptic(self) -> bool:
        """Whether a sort without a test of its own is told something that is far from it."""
        is_bare = not any(reading.tests for reading in self.readings)
        return is_bare and not any(abs(self.claimed[0] - value[0]) <= NEAR for value in self.values)

    @property
    def is_cut(self) -> bool:
        """Whether a mean may have lost its digits."""
        return self.asks == "mean" and any(abs(value[0] - self.claimed[0]) < self.unit for value in self.values)

    @property
    def counts_powers(self) -> bool:
        """ "There are 4 factors of 5" in a product, and "the prime factors of 36 are 2, 2, 3 and 3"."""
        numbers = {int(test[1]) for reading in self.readings for test in reading.tests if test[0] == "factor"}
        is_repeated = len(set(self.terms)) < len(self.terms)
        return bool(numbers) and (is_repeated or (self.asks == "count" and any(map(is_prime, numbers))))

    @property
    def counts_twice(self) -> bool:
        """8 divisors of 15: twice as many as are positive."""
        has_factors = any(test[0] == "factor" for reading in self.readings for test in reading.tests)
        return self.asks == "count" and has_factors and any(2 * value[0] == self.claimed[0] for value in self.values)

    @property
    def is_exponent(self) -> bool:
        """ "The highest power of 2 less than 50 is 5, since 2^5 = 32"."""
        bases = {int(test[1]) for reading in self.readings for test in reading.tests if test[0] == "power"}
        exponent = self.claimed[0]
        return exponent < LONGEST_EXPONENT and any((Fraction(base**exponent),) in self.values for base in bases)

    @property
    def is_of_a_tree(self) -> bool:
        """Factors without one and the number itself, as in a tree of factors: 15 is 3 times 5."""
        numbers = {test[1] for reading in self.readings for test in reading.tests if test[0] == "factor"}
        return any(set(value) - set(self.claimed) == {1, *numbers} for value in self.values)


def check(script: Script) -> Iterator[Placed]:
    """Every sentence of the forms in every passage."""
    forms = [form for form in FORMS if form.pattern.may_match(script.text)]
    steps = 0
    problem = script.problem.text
    for passage in script.passages if forms and not script.problem.is_modular else ():
        for form in forms:
            for match in form.pattern.finditer(passage.text):
                readings = sort_in(match["sort"])
                steps += sum(map(steps_to, readings))
                if (
                    not readings
                    or steps > MOST_STEPS_OF_A_TEXT
                    or (form.asks == "list" and goes_on(passage.text, match))
                ):
                    continue
                answer = _answer(form.asks, readings, match)
                if answer is not None and (
                    answer.holds or not is_of_a_pool(problem, passage.before, passage.text[: match.start()])
                ):
                    yield from _judged(passage, match, answer)


def _answer(asks: str, readings: Sequence[Reading], match: re.Match[str]) -> _Answer | None:
    if asks == "end":
        asks = "largest" if match["end"].lower() in LARGEST else "smallest"
    # "the number of prime factors of 12" may count the 2 twice
    counts_all = asks in ("count", "sum", "product", "mean") and not _DISTINCT.search(match["sort"])
    if counts_all and any({"prime", "factor"} <= {test[0] for test in reading.tests} for reading in readings):
        return None
    values = []
    for reading in readings:
        numbers = members(reading)
        value = _ASKED[asks](numbers) if numbers or (numbers is not None and asks == "count") else None
        if value is None or len(value) > MOST_LISTED:
            return None
        values.append(value)
    terms = terms_of(match["claimed"])
    claimed = sorted(map(Fraction, terms))
    return _Answer(asks, readings, values, terms, tuple(claimed) if asks == "list" else (sum(claimed, Fraction(0)),))


def _product(numbers: Sequence[int]) -> _Value | None:
    product = 1
    for number in numbers:
        product *= number
        if product > LONGEST_PRODUCT:
            return None
    return (Fraction(product),)


_ASKED: dict[str, Callable[[Sequence[int]], _Value | None]] = {
    "count": lambda numbers: (Fraction(len(numbers)),),
    "sum": lambda numbers: (Fraction(sum(numbers)),),
    "product": _product,
    "mean": lambda numbers: (Fraction(sum(numbers), len(numbers)),),
    "largest": lambda numbers: (Fraction(numbers[-1]),),
    "smallest": lambda numbers: (Fraction(numbers[0]),),
    "gap": lambda numbers: (Fraction(numbers[-1] - numbers[0]),),
    "list": lambda numbers: tuple(map(Fraction, numbers)),
}


def _rounded(value: Fraction, unit: Fraction) -> Fraction:
    return math.floor(value / unit + Fraction(1, 2)) * unit


def _judged(passage: Passage, match: re.Match[str], answer: _Answer) -> Iterator[Placed]:
    if not answer.holds and (
        (answer.is_cut or answer.is_elliptic or answer.counts_powers or answer.is_of_a_tree or answer.is_exponent)
        or speaks_of_more(passage.text, match)
        or (answer.counts_twice and _SIGNED.search(f"{passage.before}\n{passage.text[: match.end()]}"))
        or is_taken_back(passage.text, match.end())
    ):
        return
    sentence = " ".join(match.group().split())
    truth = " or ".join(dict.fromkeys(", ".join(map(str, value)) for value in answer.values))
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        checker=NAME,
        rule=RULE,
        verdict=Verdict.VERIFIED if answer.holds else Verdict.REFUTED,
        sentence=f"{sentence}: {'counted, ' if answer.holds else ''}it is {truth}.",
        details={
            "read": match.group(),
            "left": truth,
            "right": match["claimed"],
            "rule": RULE,
            "evidence_latex": rf"\text{{{answer.asks}: }} {truth}",
            **of_number_sort(answer.asks, answer.readings, answer.terms),
        },
    )
