"""Cues: patterns that are looked for only where a word stands without which they cannot match.

Most patterns of a long list match in few texts, and a search that begins at every letter costs twenty times as much as
asking whether "modulo" stands anywhere. The words are read off the pattern itself, so they cannot fall behind it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

_parse = importlib.import_module("re._parser").parse
# letters that re.IGNORECASE takes for an i, and that case folding does not
_DOTS = str.maketrans("İı", "ii")
SHORT_CLASS = 10
NOWHERE: Iterator[re.Match[str]] = iter(())


class Cue:
    """A pattern with `needs`: whatever it matches holds one of these, case folded; () when none is known.

    >>> Cue(r"\\b(?:mod(?:ulo)?|base \\d)\\b").needs
    ('mod', 'base ')
    >>> bool(Cue("modulo", re.IGNORECASE).search("7 is 1 MODULO 3")), Cue("modulo").search("7 is odd")
    (True, None)
    """

    __slots__ = ("compiled", "needs")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.compiled = re.compile(pattern, flags)
        self.needs = tuple(_shortest(_needs(_parse(pattern, flags))))

    def may_match(self, text: str) -> bool:
        """Whether one of its words stands in the text."""
        if not self.needs:
            return True
        folded = _folded(text)
        for word in self.needs:  # noqa: SIM110  a generator would cost as much as the search that it saves
            if word in folded:
                return True
        return False

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """As re.Pattern.search."""
        if not self.may_match(text):
            return None
        return self.compiled.search(text, start) if end is None else self.compiled.search(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
        """As re.Pattern.finditer."""
        if not self.may_match(text):
            return NOWHERE
        return self.compiled.finditer(text, start) if end is None else self.compiled.finditer(text, start, end)

    def findall(self, text: str) -> list[Any]:
        """As re.Pattern.findall."""
        return self.compiled.findall(text) if self.may_match(text) else []

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        """As re.Pattern.sub."""
        return self.compiled.sub(replacement, text) if self.may_match(text) else text

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """As re.Pattern.match, which looks at one place and needs no help."""
        return self.compiled.match(text, start)


@lru_cache(maxsize=512)
def _folded(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_DOTS).casefold()


def _needs(items: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """The best of the words that a sequence of a parsed pattern cannot do without: few and long; none: empty."""
    best: frozenset[str] = frozenset()
    run = ""
    for operation, argument in items:
        letter = _letter(str(operation), argument)
        if letter:
            run += letter
            continue
        best, run = _better(_better(best, _word(run)), _inside(str(operation), argument)), ""
    return _better(best, _word(run))


def _word(run: str) -> frozenset[str]:
    return frozenset((run,)) if run.strip() else frozenset()


def _letter(operation: str, argument: Any) -> str:
    """The one letter that stands there, case folded: x, [Xx]; otherwise nothing."""
    if operation == "LITERAL":
        return _folded(chr(argument))
    letters = _letters(argument) if operation == "IN" else frozenset()
    return next(iter(letters)) if len(letters) == 1 else ""


def _letters(kinds: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """The letters of a short class, case folded; empty when it holds others than it names."""
    codes: list[int] = []
    for kind, argument in kinds:
        match str(kind):
            case "LITERAL":
                codes.append(argument)
            case "RANGE" if argument[1] - argument[0] < SHORT_CLASS:
                codes.extend(range(argument[0], argument[1] + 1))
            case _:
                return frozenset()
    return frozenset(_folded(chr(code)) for code in codes) if len(codes) <= SHORT_CLASS else frozenset()


def _inside(operation: str, argument: Any) -> frozenset[str]:
    match operation:
        case "SUBPATTERN":
            return _needs(argument[-1])
        case "ATOMIC_GROUP":
            return _needs(argument)
        case "IN":
            return _letters(argument)
        case "BRANCH":
            branches = [_needs(branch) for branch in argument[1]]
            return frozenset().union(*branches) if all(branches) else frozenset()
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            fewest, _, repeated = argument
            return _needs(repeated) if fewest else frozenset()
    return frozenset()


def _better(first: frozenset[str], second: frozenset[str]) -> frozenset[str]:
    return max(first, second, key=_worth)


def _worth(words: frozenset[str]) -> tuple[int, int]:
    # a blank stands everywhere
    return min((len(word.strip()) for word in words), default=0), -len(words)


def _shortest(words: frozenset[str]) -> list[str]:
    """Without those that hold another: where "is equal" stands, "is" does too."""
    shortest: list[str] = []
    for word in sorted(words, key=lambda word: (len(word), word)):
        if not any(shorter in word for shorter in shortest):
            shortest.append(word)
    return shortest
