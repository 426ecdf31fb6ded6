"""Checker: the answer against the result of the thinking, and numbers that come from nowhere (evidence only)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.answers import compare_answers, final_answer
from auditing.checker.answers.notation import UP_TO_TWELVE
from auditing.checker.answers.quantities import read_quantity
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.tree import bare_number, literals, number_text, plain
from auditing.checker.mathematics.vocabulary import SCALE_WORDS, SCALES, STOP_WORDS
from auditing.checker.proofs.claims import of_said
from auditing.checker.proofs.formulas import formula
from auditing.checker.reading.passages import Passage, Placed, Script, numbers_in, place
from hdag.core.text.cues import Cue
from hdag.core.values import Source

NAME = "provenance"
MAX_KNOWN = 5_000
_STATED = Cue(r"\\boxed\{|####|\b(?:final )?answer\s*(?:is|:)", re.IGNORECASE)
_COUNTED = Cue(r"(?<![\d.,/$])(\d{1,9})\s+([A-Za-z]{3,30})\b")
_SPOKEN = {word: Fraction(value) for value, word in enumerate(UP_TO_TWELVE)}
_SPOKEN |= {
    "dozen": Fraction(12),  # "a dozen eggs" gives the number 12
    "half": Fraction(1, 2),
    "twice": Fraction(2),
    "double": Fraction(2),
    "triple": Fraction(3),
}
# numbers that nobody has to derive: days of a week, minutes of an hour, degrees of a circle
_EVERYDAY = frozenset(Fraction(n) for n in (0, 1, 2, 3, 4, 7, 10, 12, 24, 30, 52, 60, 90, 100, 180, 360, 365, 1000))


def check(script: Script) -> Iterator[Placed]:
    """The stated answer first, then the operands of every step."""
    yield from _answer(script)
    yield from _strangers(script)


def _answer(script: Script) -> Iterator[Placed]:
    """An answer that states another number than the thinking's last stated answer."""
    answer = next((passage for passage in script.passages if passage.source is Source.ANSWER), None)
    if answer is None:
        return
    stated = [
        passage
        for passage in script.near(_STATED)
        if passage.source is Source.THINKING and _STATED.search(passage.text)
    ]
    if not stated:
        yield from _unstated(script, answer)
        return
    concluded, answered = final_answer(text=stated[-1].text), final_answer(text=answer.text)
    # two numbers are compared; of two texts nobody can say for certain that they differ
    first, second = read_quantity(concluded), read_quantity(answered)
    if first is None or second is None:
        return
    comparison = compare_answers(first=concluded, second=answered)
    verdict = Verdict.VERIFIED if comparison.same else Verdict.REFUTED
    sentence = f"The thinking ends with {concluded}; the answer says {answered}."
    details = {"left": concluded, "right": answered, "rule": comparison.rule, "evidence_latex": rf"\text{{{sentence}}}"}
    if not (first.unit and second.unit and first.unit != second.unit):
        told = [match.start() for match in _STATED.finditer(stated[-1].text)][-1]
        line = stated[-1].text[told:].split("\n")[0]
        details |= of_said([formula(first.tree)], [formula(second.tree)], texts=[line])
    yield place(
        passage=answer,
        start=0,
        end=len(answer.text),
        verdict=verdict,
        checker=NAME,
        rule="answer and result",
        sentence=sentence,
        details=details,
    )


def _unstated(script: Script, answer: Passage) -> Iterator[Placed]:
    """An answer that is neither the result of the thinking's last equation nor any other number in it: a doubt."""
    thinking = [passage for passage in script.passages if passage.source is Source.THINKING]
    chains = [chain for passage in thinking for chain in passage.page.chains]
    result = bare_number(chains[-1].sides[-1].tree) if chains and chains[-1].sides[-1].tree is not None else None
    answered = final_answer(text=answer.text)
    # A word, a list or a formula as the answer is compared elsewhere: here a number meets a number.
    if result is None or read_quantity(answered) is None or not numbers_in(answer):
        return
    # An answer may quote the problem or an earlier line: only a number that stands nowhere is strange.
    written = set().union(script.given, *map(numbers_in, thinking))
    if compare_answers(first=number_text(result.value), second=answered).same or numbers_in(answer) & written:
        return
    sentence = f"The last result of the thinking is {number_text(result.value)}; the answer says {answered}."
    details = {
        "left": number_text(result.value),
        "right": answered,
        "rule": "answer and result",
        "evidence_latex": rf"\text{{{sentence}}}",
    }
    yield place(
        passage=answer,
        start=0,
        end=len(answer.text),
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule="answer and result",
        sentence=sentence,
        details=details,
        grade=Grade.LIKELY,
    )


def _strangers(script: Script) -> Iterator[Placed]:
    """Whole numbers computed with that neither the problem nor a step before gives: a weak signal, never a vote."""
    sources = set(script.given) | _EVERYDAY
    sources |= {_SPOKEN[word] for word in re.findall(r"[a-z]+", script.problem.text.lower()) if word in _SPOKEN}
    nouns = _counted_nouns(script.problem)
    for passage in script.passages:
        for chain in passage.page.chains:
            yield from _odd_ones(passage, chain, sources, nouns)
            if len(sources) < MAX_KNOWN:  # what this step has just worked out
                sources.update(
                    number.value for side in chain.sides[1:] if side.tree is not None for number in literals(side.tree)
                )
        if len(sources) < MAX_KNOWN:
            sources |= numbers_in(passage)


def _counted_nouns(problem: Passage) -> dict[str, str]:
    """The word behind a number of the problem -> the number, where the word follows no other number."""
    counted: dict[str, str] = {}
    for match in _COUNTED.finditer(problem.text):
        noun = match[2].lower()
        counted[noun] = match[1] if counted.get(noun, match[1]) == match[1] else ""
    return {noun: number for noun, number in counted.items() if number and noun not in STOP_WORDS | SCALE_WORDS}


def _odd_ones(passage: Passage, chain: Chain, sources: set[Fraction], nouns: dict[str, str]) -> Iterator[Placed]:
    """The first whole number of an expression that is not known; with the noun of a given number, a wrong copy."""
    first = chain.sides[0]
    if first.tree is None or bare_number(first.tree) is not None:
        return
    strangers = [number for number in literals(first.tree) if number.value not in sources]
    strangers = [number for number in strangers if number.value.denominator == 1]
    # the 6 of 10^6 is what "million" stands for
    if SCALES.keys() & set(passage.text[first.start : first.end].lower().split()):
        strangers = [number for number in strangers if number.value not in SCALES.values()]
    if strangers:
        noun = strangers[0].unit.split()[0] if strangers[0].unit else ""
        yield _stranger(
            passage, first.start, first.end, strangers[0].value, plain(first.tree), (nouns.get(noun, ""), noun)
        )


def _stranger(passage: Passage, start: int, end: int, value: Fraction, text: str, copied: tuple[str, str]) -> Placed:
    number, noun = copied
    sentence = f"{number_text(value)} in {text} stands neither in the problem nor in a step before."
    if number:
        sentence = f"The problem says {number} {noun}, not {number_text(value)}, which stands nowhere before."
    details = {"number": number_text(value), "rule": "number from nowhere", "evidence_latex": number_text(value)}
    return place(
        passage=passage,
        start=start,
        end=end,
        # a wrong copy is a doubt; a number that may be common knowledge is a note
        verdict=Verdict.REFUTED if number else Verdict.NOT_APPLICABLE,
        checker=NAME,
        rule="copied quantity" if number else "number from nowhere",
        sentence=sentence,
        details=details,
        grade=Grade.LIKELY if number else Grade.NOTE,
    )
