"""Givens that a step tells with another number: "triple what he picked the day before" where the problem says double.

The same words stand around another number in a row that is too long for chance. A number may be written in digits or in
a word, and "three times" is one number, as "twice" is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.mathematics.vocabulary import words as words_in

RULE = "a given told otherwise"
# the values of words that are numbers of their own; the verifier's file has the same
VALUES = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12", "twice": "2", "double": "2", "thrice": "3", "triple": "3",
    "quadruple": "4",
}  # fmt: skip
# words that agree around a number: of one that stands nowhere before, and of one that does
FEWEST, FEWEST_OF_KNOWN = 6, 9
_HALF = FEWEST // 2
# numbers of a text that are looked at, and words to either side of one
MOST, LONGEST = 100, 20
# of them as many as these have four letters and more
FEWEST_LONG = 3
# so many words before a number hold what it is told of
OWN = 3
_CHANGED = any_of("""
    if instead suppose assum* not change* wrong* incorrect* mistake* another would could imagine rather
    similar* next also so thus therefore hence total altogether now left
""")
_TIMES = frozenset(("twice", "double", "thrice", "triple", "quadruple"))
# where these differ, another day or another row is told of
_IN_A_ROW = words_in("""
    monday tuesday wednesday thursday friday saturday sunday first second third fourth fifth last next other january
    february march april may june july august september october november december day week year month hour
""")


Neighbours = Set[tuple[str, ...]]
# a number, how many words agree before it and behind it, and the other number
Agreement = tuple[int, tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, "three times" as one, where each stands among all of them, and which are numbers."""

    words: list[str]
    places: Sequence[int]
    numbers: list[int]


def value_of(word: str) -> str:
    """The number that a word is, as digits; empty where it is none.

    >>> value_of("triple"), value_of("12"), value_of("apples")
    ('3', '12', '')
    """
    return word if word[:1].isdigit() else VALUES.get(word, "")


def joined(words: Sequence[str]) -> Words:
    """Words with "three times" as one number.

    >>> joined(["three", "times", "as"]).words
    ['three', 'as']
    """
    places: Sequence[int] = range(len(words))
    texts = list(words)
    if "times" in words:
        places = [at for at, word in enumerate(words) if not (word == "times" and at and value_of(words[at - 1]))]
        texts = [words[at] for at in places]
    # as one text, for a call a word costs more than finding it
    text = " ".join(texts)
    if "’" in text:
        texts = text.replace("’", "'").split(" ")
    return Words(texts, places, [at for at, word in enumerate(texts) if word in VALUES or word[0].isdigit()])


def beside_numbers(problem: Words) -> tuple[Neighbours, Neighbours]:
    """The words before and behind each number: what agrees in FEWEST words does in half of them on one side."""
    rivals = problem.numbers[:MOST]
    before = {tuple(problem.words[rival - _HALF : rival]) for rival in rivals if rival >= _HALF}
    return before, {tuple(problem.words[rival + 1 : rival + 1 + _HALF]) for rival in rivals}


def told_otherwise(here: Words, problem: Words, beside: tuple[Neighbours, Neighbours]) -> Iterator[Agreement]:
    """Numbers whose words stand around another number in the problem.

    Each with its place, how many words agree before it and behind it, and the place of the other number. beside: of the
    problem (beside_numbers), asked once for all steps; most numbers have nothing of it beside them.
    """
    before, behind = beside
    rivals = problem.numbers[:MOST]
    for at in here.numbers[:MOST]:
        ahead, after = here.words[max(0, at - _HALF) : at], here.words[at + 1 : at + 1 + _HALF]
        if tuple(ahead) not in before and tuple(after) not in behind:
            continue
        value = value_of(here.words[at])
        # the longest agreement counts; where as much agrees around the same number, it is told as it is
        ranked = [
            (sum(agreed), value_of(problem.words[rival]) == value, agreed, rival)
            for rival in rivals
            if sum(agreed := _agreement(here.words, at, problem.words, rival)) >= FEWEST
        ]
        if ranked and not (best := max(ranked))[1]:
            yield at, best[2], best[3]


def _agreement(here: list[str], at: int, two: list[str], rival: int) -> tuple[int, int]:
    """How many words agree before two places and behind them."""
    before, behind = 0, 0
    while before < min(at, rival, LONGEST) and here[at - 1 - before] == two[rival - 1 - before]:
        before += 1
    most = min(len(here) - at - 1, len(two) - rival - 1, LONGEST)
    while behind < most and here[at + 1 + behind] == two[rival + 1 + behind]:
        behind += 1
    return before, behind


def is_too_long_for_chance(here: Words, at: int, agreed: tuple[int, int], *, is_known: bool) -> bool:
    """Whether so many words around a number are the problem's that they tell of the same thing."""
    before, behind = agreed
    around = [*here.words[at - before : at], *here.words[at + 1 : at + 1 + behind]]
    is_long = len(around) >= (FEWEST_OF_KNOWN if is_known else FEWEST)
    return (
        is_long
        and behind > 0
        and before > 0
        and sum(len(word) > 3 and word.isalpha() for word in around) >= FEWEST_LONG
    )


def is_told(here: Words, at: int, problem: Words, rival: int) -> bool:
    """Whether the problem has this number, too, or the step has the problem's beside it: it may be of both.

    >>> is_told(joined(["rate", "15.3", "less", "rate", "15.2"]), 4, joined(["rate", "15.3"]), 1)
    True
    """
    values = {value_of(here.words[number]) for number in here.numbers if number != at}
    return here.words[at] in problem.words or value_of(problem.words[rival]) in values or "answer" in here.words


def is_in_a_row(here: Words, at: int, before: int, problem: Words, rival: int) -> bool:
    """Whether the words before those that agree tell of another day, or of another of several things."""
    # "Tuesday's harvest was": what is told of is among the words that agree
    if before >= OWN:
        return False
    first, second = here.words[: at - before][-2:], problem.words[: rival - before][-2:]
    return bool(set(first) & _IN_A_ROW) and set(first) & _IN_A_ROW != set(second) & _IN_A_ROW


def may_be_derived(here: Words, at: int, problem: Words, rival: int, seen: Set[Fraction]) -> bool:
    """Whether a number may be computed from the given one: a multiple or a part of it, or with another one added."""
    written, stated = here.words[at], problem.words[rival]
    # what is twice or triple of something is no amount
    if written in _TIMES or stated in _TIMES:
        return False
    value, expected = Fraction(value_of(written)), Fraction(value_of(stated))
    if not value or not expected:
        return True
    ratio = max(value, expected) / min(value, expected)
    return ratio.denominator == 1 or abs(value - expected) in seen


def is_beside_another(here: Words, at: int, agreed: tuple[int, int], problem: Words, rival: int) -> bool:
    """Whether the words that agree end at another number on either side: all amounts of a sentence may be others."""
    before, behind = agreed
    first = [*here.words[: at - before][-1:], *problem.words[: rival - before][-1:]]
    last = [*here.words[at + behind + 1 :][:1], *problem.words[rival + behind + 1 :][:1]]
    return any(map(value_of, (*first, *last)))


def is_changed(text: str, start: int, end: int) -> bool:
    """Whether the words around say that something is changed on purpose, or compute the number."""
    clause = re.split(r"[.;:]\s|\n", text[max(0, start - 120) : start])[-1]
    return bool(_CHANGED.search(clause) or re.search(r"[=*/×÷+]|-\s?\d", clause[-60:] + text[start:end]))
