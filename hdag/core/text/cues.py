"""Cues: patterns that are looked for only where a word stands without which they cannot match.

Most patterns of a long list match in few texts, and a search that begins at every letter costs twenty times as much as
asking whether "modulo" stands anywhere. The words are read off the pattern itself, so they cannot fall behind it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any

from hdag.core.text.beginnings import gate_of

_parse = importlib.import_module("re._parser").parse
_Words = tuple[tuple[str, ...], tuple[str, ...]]
# signs that stand in few texts
_MARKS = frozenset("<>[]{}\\^_|~#@$%&*=+")
SHORT_CLASS = 10
NOWHERE: Iterator[re.Match[str]] = iter(())


class Cue:
    """A pattern with `needs`: whatever it matches holds one of these, case folded, and one of `also`.

    The rarest words first; () when none is known.

    >>> Cue(r"\\b(?:mod(?:ulo)?|base \\d)\\b").needs
    ('mod', 'base ')
    >>> Cue(r"\\b(?:ate|eats) \\d+ of \\d+\\b").also
    (' of ',)
    >>> bool(Cue("modulo", re.IGNORECASE).search("7 is 1 MODULO 3")), Cue("modulo").search("7 is odd")
    (True, None)
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern, self.flags = pattern, flags
        self._words: _Words | None = None
        self._asked: _Words | None = None
        _MADE.append(self)

    @property
    def needs(self) -> tuple[str, ...]:
        """Words of which one stands in whatever it matches."""
        return (self._words or self._read())[0]

    @property
    def also(self) -> tuple[str, ...]:
        """Others of which one stands there as well."""
        return (self._words or self._read())[1]

    def _read(self) -> _Words:
        first, second = _rarest(_parse(self.pattern, self.flags))
        needs, also = self._words = tuple(_shortest(first)), tuple(_shortest(second))
        # "<" is found sooner than ten words behind it
        self._asked = (also, needs) if len(also) == 1 and also[0] in _MARKS else self._words
        return self._words

    def _order(self) -> _Words:
        """Needs and also, the quicker to find first."""
        self._read()
        assert self._asked is not None
        return self._asked

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        return re.compile(self.pattern, self.flags)

    @cached_property
    def gate(self) -> re.Pattern[str] | None:
        """What stands where it begins (gate_of)."""
        return gate_of(self.pattern, self.flags)

    @cached_property
    def looks_back(self) -> bool:
        """Whether what stands before it decides."""
        return "(?<=" in self.pattern

    def may_match(self, text: str) -> bool:
        """Whether the words that it cannot do without stand in the text."""
        first, second = self._asked or self._order()
        if not first:
            return True
        folded = _folded(text)
        # loops, for generators would cost as much as the search that they save
        for word in first:
            if word in folded:
                break
        else:
            return False
        if not second:
            return True
        for word in second:  # noqa: SIM110
            if word in folded:
                return True
        return False

    def last_beginning(self, text: str) -> int:
        """A place behind which no match begins: there none of the words stands that it cannot do without.

        >>> Cue(r"\\d+ percent").last_beginning("5 percent of 30 and 40")
        1
        """
        needs, also = self._words or self._read()
        folded = _folded(text)
        # a place in the one may be none in the other, and what stands before a match is no part of it
        if not needs or len(folded) != len(text) or self.looks_back:
            return len(text)
        last = max(map(folded.rfind, needs))
        return min(last, max(map(folded.rfind, also))) if also else last

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """As re.Pattern.search."""
        if not self.may_match(text):
            return None
        stop = len(text) if end is None else end
        gate = self.gate
        if gate is None:
            return self.compiled.search(text, start, stop)
        first = gate.search(text, start, stop)
        return self.compiled.match(text, first.start(), stop) if first else None

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
        """As re.Pattern.finditer."""
        if not self.may_match(text):
            return NOWHERE
        stop = len(text) if end is None else end
        gate = self.gate
        if gate is None:
            return self.compiled.finditer(text, start, stop)
        first = gate.search(text, start, stop)
        return self._from(first, gate, text, stop) if first else NOWHERE

    def _from(
        self, first: re.Match[str] | None, gate: re.Pattern[str], text: str, stop: int
    ) -> Iterator[re.Match[str]]:
        while first and (match := self.compiled.match(text, first.start(), stop)):
            yield match
            first = gate.search(text, match.end(), stop)

    def findall(self, text: str) -> list[Any]:
        """As re.Pattern.findall."""
        groups = self.compiled.groups
        if groups > 1:
            return [match.groups("") for match in self.finditer(text)]
        return [match[groups] or "" for match in self.finditer(text)]

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        """As re.Pattern.sub."""
        return self.compiled.sub(replacement, text) if self.may_match(text) else text

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """As re.Pattern.match, which looks at one place and needs no help."""
        return self.compiled.match(text, start)


# all of them, each made by a module that is imported for good
_MADE: list[Cue] = []


def prepare_all() -> None:
    """What cues make at their first use, once for all programs that are forked; a command makes what it needs."""
    for cue in _MADE:
        cue.may_match("")
        _ = cue.gate or cue.compiled


@lru_cache(maxsize=512)
def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    # re.IGNORECASE takes these letters for an i, and case folding does not
    return text.replace("İ", "i").replace("ı", "i").casefold()


def _rarest(items: Iterable[tuple[Any, Any]]) -> tuple[frozenset[str], frozenset[str]]:
    """The two best of the words that a parsed pattern cannot do without, of which neither follows from the other."""
    parts = sorted(_parts(items), key=_worth, reverse=True)
    first = parts[0] if parts else frozenset()
    # where every word of the first holds one of the second, the second says nothing new
    second = (part for part in parts if not all(any(word in longer for word in part) for longer in first))
    return first, next(second, frozenset())


def _needs(items: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """The best of the words that a sequence of a parsed pattern cannot do without: few and long; none: empty."""
    return max(_parts(items), key=_worth, default=frozenset())


def _parts(items: Iterable[tuple[Any, Any]]) -> list[frozenset[str]]:
    """All that a sequence cannot do without, in its order: of each the words of which one has to stand there."""
    parts: list[frozenset[str]] = []
    run = ""
    for operation, argument in items:
        letter = _letter(str(operation), argument)
        if letter:
            run += letter
            continue
        parts += _word(run), *_inside(str(operation), argument)
        run = ""
    return [part for part in (*parts, _word(run)) if part]


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


def _inside(operation: str, argument: Any) -> list[frozenset[str]]:
    match operation:
        case "SUBPATTERN" | "ASSERT":
            return _parts(argument[-1])
        case "ATOMIC_GROUP":
            return _parts(argument)
        case "IN":
            return [_letters(argument)]
        case "BRANCH":
            branches = [_needs(branch) for branch in argument[1]]
            return [frozenset().union(*branches)] if all(branches) else []
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            fewest, _, repeated = argument
            return _parts(repeated) if fewest else []
    return []


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
