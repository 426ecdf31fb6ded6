"""Checker: what a step quotes or copies from the problem must match it, numbers exactly."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType

from auditing.checker.checks.text import copies
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import ONE, Polynomial, difference
from auditing.checker.mathematics.tree import free_symbols
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.claims import of_quotation
from auditing.checker.reading.passages import Passage, Placed, Script, numbers_in, place
from hdag.core.text.cues import Cue

NAME = "quotation"
_WORD = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?|[^\W\d_]+(?:['’][^\W\d_]+)?")
# the same in a text of ASCII, where the letters of a word can be named
_ASCII_WORD = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?|[A-Za-z]+(?:'[A-Za-z]+)?")
_QUOTED = Cue(r'["“]([^"“”\n]{15,400})["”]')
_ATTRIBUTED = any_of("problem question given states? says? said according statement told reads? original")
_CHANGED = any_of("""
    if instead suppose assume not change* wrong incorrect remaining left more less now after total subtract* add*
    mov* divid* multipl* complet* simplif* become* rewrit* substitut* expand*
""")
# words on either side of a number by which its place in the problem is recognised
BEFORE, AFTER = 3, 3
# words behind a number that recognise it without those before it
ALONE = 5
# numbers of earlier steps that are remembered
MAX_SEEN = 5_000


def check(script: Script) -> Iterator[Placed]:
    """Quotations in quotation marks; sentences copied with another number, equations with another coefficient."""
    words = _words(script.problem.text)
    givens = _contexts(words)
    # the word before a number tells most of them from the problem's
    heads = {around[BEFORE - 1] for around in givens}
    sides = _one_sided(words)
    seen = set(numbers_in(script.problem))
    equations = list(_equations(script.problem))
    is_quoted = _QUOTED.may_match(script.text)
    stated = copies.joined(words)
    beside = copies.beside_numbers(stated)
    for number, passage in enumerate(script.passages):
        if is_quoted:
            yield from _quoted(passage, script.problem.text, words)
        if givens or sides:
            written = _words(passage.text)
            numbers = [index for index, word in enumerate(written) if word[0].isdigit()]
            yield from _copied(passage, written, numbers, givens, heads)
            yield from _altered(passage, written, numbers, sides, seen)
            here = copies.joined(written)
            agreements = copies.told_otherwise(here, stated, beside)
            yield from _told_otherwise(passage, here, script.problem.text, stated, seen, agreements)
        seen |= numbers_in(passage) if len(seen) < MAX_SEEN else set()
        if number < 2 and equations:
            yield from _copied_equations(passage, equations)


def _words(text: str) -> list[str]:
    """The words and numbers of a text in lower case, 1,000 as 1000; where they stand is asked for a few (_span)."""
    # as one text, for a call a word costs more than finding it
    pattern = _ASCII_WORD if text.isascii() else _WORD
    return " ".join(pattern.findall(text)).replace(",", "").lower().split()


def _span(text: str, first: int, last: int) -> tuple[int, int]:
    """Where the first of some words of a text begins and the last ends, by their numbers."""
    places = _places(text)
    return places[first][0], places[last][1]


# many numbers of one text are asked for one after the other
@functools.lru_cache(maxsize=4)
def _places(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _WORD.finditer(text)]


def _quoted(passage: Passage, problem: str, words: list[str]) -> Iterator[Placed]:
    """A quotation attributed to the problem: the same words with other numbers are a misquotation."""
    for match in _QUOTED.finditer(passage.text):
        quote = _words(match[1])
        head = passage.text[max(0, match.start() - 100) : match.start()]
        if len(quote) < 5 or not _ATTRIBUTED.search(head):
            continue
        # every number becomes #: "3 red balls" and "4 red balls" have one shape, so the numbers are compared in place
        shape = [word if not word[0].isdigit() else "#" for word in words]
        pattern = [word if not word[0].isdigit() else "#" for word in quote]
        places = [i for i in range(len(shape) - len(pattern) + 1) if shape[i : i + len(pattern)] == pattern]
        texts = [words[i : i + len(pattern)] for i in places]
        if not texts:
            continue
        is_exact = quote in texts
        outcome = "matches the problem" if is_exact else f"the problem says: {' '.join(texts[0])}"
        sentence = f"The quotation is checked: {outcome}."
        spans = [_span(problem, i, i + len(pattern) - 1) for i in places]
        proof = of_quotation(match[1], [problem[start:end] for start, end in spans])
        yield _placed(passage, match.start(), match.end(), is_exact, sentence, "quotation", proof)


def _contexts(words: list[str]) -> dict[tuple[str, ...], set[str]]:
    """The words around each number of the problem -> the numbers that stand there."""
    numbers_by_context: dict[tuple[str, ...], set[str]] = {}
    for index in range(BEFORE, len(words) - AFTER):
        if words[index][0].isdigit():
            numbers_by_context.setdefault(_around(words, index), set()).add(words[index])
    return numbers_by_context


def _is_prose(text: str) -> bool:
    """Four words of three letters at least, and no formula."""
    letters = [word for word in _WORD.findall(text) if word.isalpha() and len(word) > 2]
    return len(letters) > 3 and not any(char in text for char in "\\^=+*")


def _around(words: list[str], index: int) -> tuple[str, ...]:
    return (*words[index - BEFORE : index], *words[index + 1 : index + 1 + AFTER])


def _copied(
    passage: Passage, words: list[str], numbers: list[int], givens: dict[tuple[str, ...], set[str]], heads: set[str]
) -> Iterator[Placed]:
    for index in numbers:
        if not BEFORE <= index < len(words) - AFTER or words[index - 1] not in heads:
            continue
        # Three words or so before and behind a number of the problem, met again around another number.
        expected = givens.get(_around(words, index))
        if expected is None:
            continue
        word = words[index]
        first, last = _span(passage.text, index - BEFORE, index + AFTER)
        if not _is_prose(passage.text[first:last]):
            continue
        # "If it were 12 instead of 10 ...": a number that is changed on purpose is no copying error.
        start, end = _span(passage.text, index, index)
        if word not in expected and _CHANGED.search(passage.text[max(0, start - 120) : end + 40]):
            continue
        sentence = (
            f"The problem says {' or '.join(sorted(expected))} here{'' if word in expected else f', not {word}'}."
        )
        yield _placed(passage, first, last, word in expected, sentence, "copied quantity")


def _one_sided(words: list[str]) -> dict[tuple[str, ...], str]:
    """The five words after a number of the problem -> that number, where they are its own."""
    number_before: dict[tuple[str, ...], str] = {}
    for index in range(len(words) - ALONE):
        if words[index][0].isdigit():
            after = tuple(words[index + 1 : index + 1 + ALONE])
            if sum(word.isalpha() and len(word) > 3 for word in after) > 2:
                # words that follow two numbers of the problem recognise neither
                number_before[after] = "" if after in number_before else words[index]
    return number_before


def _is_computed(text: str, start: int, value: Fraction, seen: set[Fraction]) -> bool:
    """Whether a number stands at the end of a computation, or is one of two numbers known before."""
    clause = re.split(r"[.;\n]\s", text[max(0, start - 80) : start])[-1]
    if re.search(r"[=*/×÷+]|\bx\b|-\s?\d|:\s*$", clause):
        return True
    earlier = sorted(seen)[:60]
    # two known numbers that give it by one operation
    return any(
        value in (a + b, a - b, b - a, a * b) or a == value * b or b == value * a for a in earlier for b in earlier
    )


def _altered(
    passage: Passage, words: list[str], numbers: list[int], sides: dict[tuple[str, ...], str], seen: set[Fraction]
) -> Iterator[Placed]:
    """A number from nowhere in front of five words that follow another number in the problem."""
    followers = {after[0] for after in sides}
    for index in numbers:
        if index >= len(words) - ALONE or words[index + 1] not in followers:
            continue
        word = words[index]
        expected = sides.get(tuple(words[index + 1 : index + 1 + ALONE]), "")
        if not expected or not word.replace(".", "").isdecimal():
            continue
        start, end = _span(passage.text, index, index + ALONE)
        if (
            Fraction(word) in seen
            or not _is_prose(passage.text[start:end])
            or _is_computed(passage.text, start, Fraction(word), seen)
        ):
            continue
        if _CHANGED.search(passage.text[max(0, start - 120) : end]):
            continue
        sentence = f"The problem says {expected} here, not {word}, which stands nowhere before."
        yield _placed(passage, start, end, False, sentence, "copied quantity")


def _told_otherwise(
    passage: Passage,
    here: copies.Words,
    problem: str,
    stated: copies.Words,
    seen: set[Fraction],
    agreements: Iterable[copies.Agreement],
) -> Iterator[Placed]:
    """A given with another number in words that are too many to tell of something else."""
    for at, (before, behind), rival in agreements:
        word = copies.value_of(here.words[at])
        if "/" in word + stated.words[rival] or copies.is_in_a_row(here, at, before, stated, rival):
            continue
        is_another = copies.is_beside_another(here, at, (before, behind), stated, rival)
        if is_another or copies.is_told(here, at, stated, rival):
            continue
        if copies.may_be_derived(here, at, stated, rival, seen):
            continue
        if not copies.is_too_long_for_chance(here, at, (before, behind), is_known=Fraction(word) in seen):
            continue
        first, last = _span(passage.text, here.places[at - before], here.places[at + behind])
        start, _ = _span(passage.text, here.places[at], here.places[at])
        if not _is_prose(passage.text[first:last]) or copies.is_changed(passage.text, start, last):
            continue
        there = _span(problem, stated.places[rival - before], stated.places[rival + behind])
        sentence = f"The problem says {stated.words[rival]} here, not {here.words[at]}."
        proof = of_quotation(passage.text[first:last], [problem[there[0] : there[1]]])
        yield _placed(passage, first, last, False, sentence, copies.RULE, proof)


def _equations(passage: Passage) -> Iterator[tuple[Polynomial, int, int]]:
    for chain in passage.page.chains:
        if len(chain.relations) != 1 or chain.relations[0] != "=":
            continue
        left, right = chain.sides
        if left.tree is None or right.tree is None or left.doubts or right.doubts:
            continue
        # 2 + 2 = 4 has no symbols that a copy could have changed; sums are checked elsewhere.
        if not free_symbols(left.tree) | free_symbols(right.tree):
            continue
        try:
            yield difference(left.tree, right.tree), chain.start, chain.end
        except IncalculableError:
            continue


def _copied_equations(passage: Passage, givens: list[tuple[Polynomial, int, int]]) -> Iterator[Placed]:
    for polynomial, start, end in _equations(passage):
        # short equations are alike by chance
        if len(polynomial) < 4 or any(original == polynomial for original, _, _ in givens):
            continue
        head = passage.text[max(0, start - 160) : start]
        if _CHANGED.search(head) or not _ATTRIBUTED.search(head):
            continue
        for original, _, _ in givens:
            difference_text = _one_coefficient_apart(original, polynomial)
            if difference_text:
                sentence = f"This equation differs from the problem's in one coefficient ({difference_text})."
                yield _placed(passage, start, end, False, sentence, "copied equation")
                break


def _one_coefficient_apart(original: Polynomial, copy: Polynomial) -> str:
    if set(original) != set(copy):
        return ""
    apart = [monomial for monomial in original if original[monomial] != copy[monomial]]
    if len(apart) != 1 or apart[0] == ONE:
        return ""
    return f"{original[apart[0]]} became {copy[apart[0]]}"


def _placed(
    passage: Passage,
    start: int,
    end: int,
    holds: bool,
    sentence: str,
    rule: str,
    proof: Mapping[str, str] = MappingProxyType({}),
) -> Placed:
    details = {"read": passage.text[start:end][:300], "rule": rule, "evidence_latex": rf"\text{{{sentence}}}", **proof}
    return place(
        passage=passage,
        start=start,
        end=end,
        checker=NAME,
        rule=rule,
        sentence=sentence,
        details=details,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        # Quotation marks say that it is a copy. Without them the same words may stand around another quantity ("36
        # scenes / 6 scenes a day"): a person has to look.
        grade=Grade.CERTAIN if rule == "quotation" else Grade.LIKELY,
    )
