"""The trace as checkers see it: passages in reading order, each with its equations read once."""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from auditing.checker.findings import Evidence, Finding, Grade, Verdict
from auditing.checker.mathematics.chains import Page, read_page
from auditing.checker.mathematics.tree import free_symbols
from auditing.checker.reading.long_blanks import FILL, without_long_blanks
from auditing.checker.reading.lost_breaks import with_lost_breaks
from auditing.checker.remembered import remembered
from hdag.core.text.cues import Cue
from hdag.core.values import Source, StepSpan, Trace

_Answer = TypeVar("_Answer")
MAX_PASSAGE, NEIGHBOUR = 40_000, 200
# a digit first, so that the search runs from digit to digit; then what may not stand before it
_NUMBER = re.compile(
    r"(\d(?<![\d.].)(?:\d{0,2}(?:,\d{3}){1,10}(?!\d)(?:\.\d{1,40})?|\d{0,39}(?:\.\d{1,40})?))(\s?\\?%|\spercent)?"
)
# Cyrillic, Hebrew, Arabic and the scripts of Asia; Latin and Greek letters may be symbols
_OTHER_LETTERS = re.compile(r"[\u0400-\u1cff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
FEWEST_LETTERS = 4
_WORD = re.compile(r"(?<![\\A-Za-z\u00c0-\u024f])[a-z\u00df-\u024f]{2,20}(?![A-Za-z\u00c0-\u024f])")
_ONLY_LETTERS = bytes(code if chr(code) in string.ascii_lowercase else ord(" ") for code in range(256))
LONGEST_WORD = 24
# words that hardly an English text does without, and that are none in the languages beside it
_ENGLISH = frozenset(
    """
    the of is and we this that which are with for then from each by it be have has if there to how many since get find
    therefore thus equals number value total would where what when they their its he she his her than more per
    """.split()
)
# with so few words nothing is said of the language; in English about every third word is one of these
FEWEST_WORDS, FEWEST_ENGLISH = 12, 0.05
_MODULAR = Cue(
    r"\b(?:modulo|mod|modular|binary|hexadecimal|octal)\b|\\p?mod\b|\\bmod|\\equiv|≡|"
    r"\bbase[ -](?:\$?\d|two|eight|ten|b\b)|\bclock (?:arithmetic|face)\b|[\dA-F][₂-₉](?![₀-₉])|\bGF\(|"
    r"\\mathbb\{F\}|\bfinite fields?\b|\btropical\b|\broots? of unity\b",
    re.IGNORECASE,
)
# Z_7, Z/7, F_5: apart, for "_" stands in most formulas
_RESIDUES = re.compile(r"[Zℤ]\}?(?:_|/\{?\d)|\bF_\{?\d")
_CONGRUENT = Cue(r"\bcongruen", re.IGNORECASE)
_FIGURE = re.compile(
    r"\b(?:triang|circ|square|rectang|polygon|hexagon|angle|segment|chord|arc|quadrilat|parallelog|trapez|rhomb|cube|"
    r"pyramid|prism|side|edge|face|shape|figure)|\\(?:triangle|angle|overline|cong)\b",
    re.IGNORECASE,
)


def speaks_of_congruences(text: str) -> bool:
    """Whether numbers are called congruent: triangles that are leave no remainders.

    >>> speaks_of_congruences("17 is congruent to 2"), speaks_of_congruences("two non-congruent triangles")
    (True, False)
    """
    return bool(_CONGRUENT.search(text)) and not _FIGURE.search(text)


def may_name_residues(text: str) -> bool:
    """Whether one of the signs stands in it that Z_7, Z/7 and F_5 begin with."""
    return "Z" in text or "ℤ" in text or "F_" in text


def may_be_modular(text: str) -> bool:
    """Whether any word or sign stands in a text without which no part of it speaks of remainders."""
    return may_name_residues(text) or _MODULAR.may_match(text) or _CONGRUENT.may_match(text)


# a set of them, for those of a text are then put together without a question for their hashes
@lru_cache(maxsize=4096)
def _values_of(written: str, percent: str) -> frozenset[Fraction]:
    value = Fraction(written.replace(",", ""))
    # 25% of 80 may be computed as 0.25 * 80 and as 25 * 80 / 100
    return frozenset((value, value / 100) if percent else (value,))


# a passage and the segment in the same place have one text
@lru_cache(maxsize=2048)
def numbers_of(text: str) -> frozenset[Fraction]:
    """The values of all numbers written in a text (percentages as both 25 and 0.25).

    >>> sorted(numbers_of("25% of 8"))
    [Fraction(1, 4), Fraction(8, 1), Fraction(25, 1)]
    """
    return frozenset[Fraction]().union(*itertools.starmap(_values_of, _NUMBER.findall(text[:MAX_PASSAGE])))


@dataclass
class Passage:
    """One input step, paragraph or answer: a span of one source."""

    source: Source
    start: int
    text: str
    step: int | None = None
    source_index: int = 0
    # the ends of the passages beside it, for a blank line parts a sentence from the formula that it speaks of
    before: str = ""
    behind: str = ""

    @remembered
    def page(self) -> Page:
        """Tokens and chains, read on first use."""
        return read_page(self.text[:MAX_PASSAGE])

    @remembered
    def numbers(self) -> frozenset[Fraction]:
        """The values of all numbers written in it (percentages as both 25 and 0.25)."""
        return numbers_of(self.text)

    @remembered
    def is_modular(self) -> bool:
        """Whether it speaks of remainders, congruences or other bases, where false equations may be true."""
        names_residues = may_name_residues(self.text) and _RESIDUES.search(self.text)
        return bool(names_residues or _MODULAR.search(self.text)) or speaks_of_congruences(self.text)

    @remembered
    def lower(self) -> str:
        """The text in lower case (same length is not promised)."""
        return self.text.lower()


@dataclass
class Script:
    """A whole trace: its problem and its passages."""

    trace: Trace
    problem: Passage
    passages: list[Passage] = field(default_factory=list)
    _answers: dict[Callable[[Script], Any], Any] = field(default_factory=dict, repr=False, compare=False)

    @remembered
    def is_in_another_script(self) -> bool:
        """Whether its words are written in letters of a language of which no word is known here.

        >>> script_of(Trace("Solve it.", thinking="如果 x = 2，那么 y = 3。")).is_in_another_script
        True
        """
        texts = (self.problem.text, *(passage.text for passage in self.passages))
        return sum(len(_OTHER_LETTERS.findall(text[:MAX_PASSAGE])) for text in texts) >= FEWEST_LETTERS

    @remembered
    def is_in_another_language(self) -> bool:
        """Whether no word of it is known here, in whatever letters it is written.

        >>> script_of(Trace("", thinking="Falls x = 2 ist, dann " + "gilt das auch hier " * 5)).is_in_another_language
        True
        """
        texts = (self.problem.text, *(passage.text for passage in self.passages))
        words = [word for text in texts for word in _WORD.findall(text[:MAX_PASSAGE])]
        known = sum(word in _ENGLISH for word in words)
        return self.is_in_another_script or (len(words) >= FEWEST_WORDS and known < FEWEST_ENGLISH * len(words))

    @remembered
    def text(self) -> str:
        """The texts of all passages, one behind the other."""
        return "\n".join(passage.text for passage in self.passages)

    def once(self, compute: Callable[[Script], _Answer]) -> _Answer:
        """What a function says of this script, computed at the first question: several checks ask the same."""
        if compute not in self._answers:
            self._answers[compute] = compute(self)
        return self._answers[compute]  # type: ignore[no-any-return]

    def near(self, cue: Cue) -> list[Passage]:
        """All passages, where what a cue cannot do without stands in some of them; otherwise none.

        >>> len(script_of(Trace("", "Half of it.\\n\\nTwice that.")).near(Cue("thrice")))
        0
        """
        return self.passages if cue.may_match(self.text) else []

    @remembered
    def everything(self) -> list[Passage]:
        """The problem and all passages."""
        return [self.problem, *self.passages]

    def anywhere_near(self, cue: Cue) -> list[Passage]:
        """The problem and all passages, where what a cue cannot do without stands in some of them; otherwise none."""
        return self.everything if cue.may_match(self.problem.text) or cue.may_match(self.text) else []

    @remembered
    def has_symbols(self) -> bool:
        """Whether a symbol stands on any side that was read: four word problems of five are numbers alone.

        >>> script_of(Trace("", "So 3 + 4 = 7.")).has_symbols, script_of(Trace("", "So x + 4 = 7.")).has_symbols
        (False, True)
        """
        chains = (chain for passage in self.everything for chain in passage.page.chains)
        return any(side.tree is not None and free_symbols(side.tree) for chain in chains for side in chain.sides)

    @remembered
    def is_modular(self) -> bool:
        """Whether the problem or a passage speaks of remainders or other bases."""
        return self.problem.is_modular or any(passage.is_modular for passage in self.passages)

    @remembered
    def lower(self) -> str:
        """The texts of all passages in lower case, one behind the other."""
        return "\n".join(passage.lower for passage in self.passages)

    @remembered
    def runs_of_letters(self) -> tuple[list[str], list[str]]:
        """What stands in `lower` between signs, digits and blanks, each once: words, and what is too long for one."""
        runs = set(self.lower.encode("ascii", "replace").translate(_ONLY_LETTERS).decode().split())
        return [run for run in runs if len(run) <= LONGEST_WORD], [run for run in runs if len(run) > LONGEST_WORD]

    @remembered
    def given(self) -> frozenset[Fraction]:
        """Every number written in the problem."""
        return numbers_in(self.problem)


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding at its place in a source text."""

    finding: Finding
    source: Source
    source_index: int
    start: int
    end: int


def numbers_in(passage: Passage) -> frozenset[Fraction]:
    """The values of all numbers written in a passage (percentages as both 25 and 0.25)."""
    return passage.numbers


def script_of(trace: Trace) -> Script:
    """Splits a trace into passages: its input steps where given, otherwise its paragraphs; then the answer."""
    trace = without_long_blanks(trace)
    script = Script(trace, Passage(Source.PROBLEM, 0, trace.problem))
    # without given steps, blank lines cut the text as its author did
    spans = trace.steps or tuple(_paragraphs(trace.thinking))
    for span in spans:
        text = with_lost_breaks(trace.thinking[span.start : span.end])
        script.passages.append(Passage(Source.THINKING, span.start, text, span.index if trace.steps else None))
    if trace.answer.strip():
        script.passages.append(Passage(Source.ANSWER, 0, trace.answer))
    for passage, following in itertools.pairwise(script.passages):
        passage.behind, following.before = following.text[:NEIGHBOUR], passage.text[-NEIGHBOUR:]
    # asked once of all their texts, where nearly always nothing stands, instead of each passage
    if not may_be_modular(script.text):
        for passage in script.passages:
            passage.is_modular = False
    return script


def _paragraphs(text: str) -> Iterator[StepSpan]:
    start = 0
    for index, block in enumerate(text.split("\n\n")):
        if block.strip().strip(FILL):
            yield StepSpan(index, start, start + len(block))
        # the two line breaks that split() has taken away
        start += len(block) + 2


def place(
    *,
    passage: Passage,
    start: int,
    end: int,
    verdict: Verdict,
    checker: str,
    rule: str,
    sentence: str,
    details: dict[str, str] | None = None,
    grade: Grade = Grade.CERTAIN,
) -> Placed:
    """A finding over text[start:end] of `passage`; the entry `proof` of the details becomes the finding's proof."""
    entries = dict(details or {})
    proof = entries.pop("proof", "")
    evidence = Evidence(
        checker=checker, rule=rule, read=passage.text[start:end][:500], sentence=sentence, details=entries
    )
    return Placed(
        Finding(verdict, evidence, grade, proof),
        passage.source,
        passage.source_index,
        passage.start + start,
        passage.start + end,
    )
