"""Sentences of a passage, and the words that make a statement no claim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditing.checker.reading.passages import Passage

# ["surge" ? "survival"] leaves open which of the two comes first
_SENTENCE = re.compile(r"(?:[^.!?\n]|\.(?=\S)|\?(?=\s[\"“])){1,3000}[.!?]*")
_HEDGED = re.compile(
    r"\b(?:if|suppos\w*|assum\w*|whether|would|could|might|maybe|perhaps|possib\w*|either|or|unless|try|trying|tried|"
    r"contradict\w*|contrary|impossible|wrong|incorrect\w*|false|untrue|imagine|hypothe\w*|cases?|scenario|except|"
    r"neither|nor|instead|says?|said|claims?|claimed|any|test\w*|check\w*|originally|can(?!['’]t)|violat\w*|conflict\w*|"
    r"according|ignor\w*|rather|only|otherwise|when|until|unknown|mistake\w*|let|let['’]s)\b|(?-i:\bmay\b)|\?|…|\.\.\.|[✗❌≠]",
    re.IGNORECASE,
)
# what is said behind these words rests on a supposition, for as long as nobody says that it is over
_SUPPOSES = re.compile(
    r"\b(?:suppose|supposing|assum\w+|case \w+|cases|scenario|what if|let['’]s (?:try|say|place|put|see|test)|imagine|"
    r"if we|possibilit\w+|option \d|attempt|contradict\w*|trial|hypothe\w*)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, and where it begins in its passage."""

    text: str
    start: int


def sentences_of(text: str) -> Iterator[Sentence]:
    """The sentences and lines of a text.

    >>> [sentence.text for sentence in sentences_of("Ben is 2.5 m tall. So he wins!")]
    ['Ben is 2.5 m tall.', ' So he wins!']
    """
    for match in _SENTENCE.finditer(text):
        yield Sentence(match.group(), match.start())


def is_hedged(text: str) -> bool:
    """Whether a sentence asks, supposes, reports or denies as a whole."""
    return bool(_HEDGED.search(text))


def supposes(passage: Passage) -> bool:
    """Whether a passage begins a case or a trial, on which what follows may rest."""
    return bool(_SUPPOSES.search(passage.text))
