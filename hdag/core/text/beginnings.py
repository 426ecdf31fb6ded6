"""Where a pattern can begin: at one of few signs, to which a search may run without trying it in between.

The engine does so by itself where a pattern starts with a plain class of signs, and tries it at every letter where it
starts with the edge of a word, with what must stand before it, or in any case of letters: most of ours do.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from typing import Any

_parse = importlib.import_module("re._parser").parse
# what re.IGNORECASE takes for these letters beside their two cases
_OTHER_CASES = {"i": "\u0130\u0131", "k": "\u212a", "s": "\u017f"}
_CLASSES = {"CATEGORY_DIGIT": r"\d", "CATEGORY_SPACE": r"\s"}
MOST_SIGNS = 60  # with more, nearly every letter is one of them
LONGEST_RANGE = 100


class UnknownError(Exception):
    """It may begin with signs that nobody listed."""


def gate_of(pattern: str, flags: int) -> re.Pattern[str] | None:
    r"""A pattern of one sign, found where and only where `pattern` begins; None where it may begin nearly anywhere.

    >>> gate = gate_of(r"\b(?:mod|base)\b", re.IGNORECASE)
    >>> gate.search("a model: 7 MOD 3").start(), gate.search("modest bases")
    (11, None)
    """
    try:
        signs, may_be_empty = _first(_parse(pattern, flags), flags)
    except UnknownError:
        return None
    if may_be_empty or len(signs) > MOST_SIGNS:
        return None
    letters = "".join(letter for letter, flag in (("i", re.I), ("m", re.M), ("s", re.S), ("x", re.X)) if flags & flag)
    try:
        return re.compile(f"[{''.join(sorted(signs))}](?<=(?{letters}:(?={pattern}))(?s:.))")
    except re.error:  # it refers to one of its groups, or begins with flags, and may not stand in another
        return None


def by_first_letter(words: str) -> str:
    """Words apart by bars, grouped by their first letters: in any case of letters the engine tries each of a list.

    The words may end in `?` and hold no bars of their own; which of two is found first, where both stand, may change.

    >>> by_first_letter("and|at|by|adds?")
    'a(?:nd|t|dds?)|by'
    """
    rests: dict[str, list[str]] = {}
    for word in words.split("|"):
        rests.setdefault(word[0], []).append(word[1:])
    return "|".join(letter + (rest[0] if len(rest) == 1 else f"(?:{'|'.join(rest)})") for letter, rest in rests.items())


def _first(items: Iterable[tuple[Any, Any]], flags: int) -> tuple[set[str], bool]:
    """The signs that a sequence of a parsed pattern can begin with, as they stand in a class; whether it may be empty.

    Raises UnknownError where they cannot be told.
    """
    signs: set[str] = set()
    for operation, argument in items:
        found, may_be_empty = _first_of(str(operation), argument, flags)
        signs |= found
        if not may_be_empty:
            return signs, False
    return signs, True


def _first_of(operation: str, argument: Any, flags: int) -> tuple[set[str], bool]:
    match operation:
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return set(), True
        case "LITERAL":
            return _cases(argument, flags), False
        case "IN":
            return set().union(*(_class(str(kind), value, flags) for kind, value in argument)), False
        case "SUBPATTERN":
            _, added, removed, inside = argument
            return _first(inside, (flags | added) & ~removed)
        case "ATOMIC_GROUP":
            return _first(argument, flags)
        case "BRANCH":
            branches = [_first(branch, flags) for branch in argument[1]]
            return set().union(*(signs for signs, _ in branches)), any(empty for _, empty in branches)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            fewest, _, repeated = argument
            signs, may_be_empty = _first(repeated, flags)
            return signs, may_be_empty or not fewest
    raise UnknownError(operation)


def _class(kind: str, value: Any, flags: int) -> set[str]:
    match kind:
        case "LITERAL":
            return _cases(value, flags)
        case "RANGE" if value[1] - value[0] < LONGEST_RANGE:
            return set().union(*(_cases(code, flags) for code in range(value[0], value[1] + 1)))
        case "CATEGORY" if str(value) in _CLASSES:
            return {_CLASSES[str(value)]}
    raise UnknownError(kind)


def _cases(code: int, flags: int) -> set[str]:
    letter = chr(code)
    if not flags & re.IGNORECASE or letter.lower() == letter.upper():
        return {re.escape(letter)}
    if not letter.isascii():
        raise UnknownError(letter)
    return {letter.lower(), letter.upper(), *_OTHER_CASES.get(letter.lower(), "")}
