"""Facts of spelling: how many letters a quoted word has, how often one stands in it, what it is backwards."""

from __future__ import annotations

import re

from auditing.checker.checks.facts.plain_forms import COUNT, PlainForm, count_of, plain_form

_WORD = (
    r"(?:\"(?P<w>[A-Za-z]{2,40})\"|“(?P<v>[A-Za-z]{2,40})”|'(?P<u>[A-Za-z]{2,40})'|"
    r"‘(?P<q>[A-Za-z]{2,40})’|`(?P<t>[A-Za-z]{2,40})`)"
)
_QUOTED = r"[\"“'‘`](?P<back>[A-Za-z]{2,40})[\"”'’`]"
_LETTER = r"(?:(?:the )?letter )?[\"“'‘]?(?P<letter>[A-Za-z])[\"”'’]?(?:['’]?s\b)?"
_ONCE = {"once": 1, "twice": 2}
_TIMES = rf"(?:(?P<n>{COUNT}) times?|(?P<once>once|twice))"


def _word(match: re.Match[str]) -> str:
    return next(match[name] for name in "wvuqt" if match[name])


def _length(match: re.Match[str]) -> tuple[bool, str] | None:
    letters = len(_word(match))
    return count_of(match["n"]) == letters, f"it has {letters}."


def _letters(match: re.Match[str]) -> tuple[bool, str] | None:
    groups = match.groupdict()
    once = (groups.get("once") or "").lower()
    times = _ONCE[once] if once else count_of(match["n"])
    count = _word(match).lower().count(match["letter"].lower())
    return times == count, f"it stands there {count} times."


def _backwards(match: re.Match[str]) -> tuple[bool, str] | None:
    backwards = _word(match)[::-1]
    return backwards.lower() == match["back"].lower(), f"it is {backwards}."


def _palindrome(match: re.Match[str]) -> tuple[bool, str] | None:
    word = _word(match).lower()
    return (word == word[::-1]) is (match["no"] is None), f"read backwards it is {word[::-1]}."


def _end(match: re.Match[str]) -> tuple[bool, str] | None:
    letter = _word(match)[0 if match["end"].lower() == "first" else -1].lower()
    return letter == match["letter"].lower(), f"it is {letter}."


SPELLINGS: tuple[PlainForm, ...] = (
    plain_form(
        "letters of a word",
        "letters|characters",
        rf"{_WORD} (?:has|contains|consists of|is made of) (?:exactly )?(?P<n>{COUNT}) (?:letters|characters)\b",
        _length,
    ),
    plain_form(
        "letters of a word",
        "length of|number of letters",
        rf"\b(?:length|number of letters) (?:of|in) (?:the (?:word|string) )?{_WORD} (?:is|=|equals) (?P<n>{COUNT})\b",
        _length,
    ),
    plain_form(
        "a letter in a word",
        " contains | has ",
        rf"{_WORD} (?:contains|has) (?:exactly )?(?P<n>{COUNT}) (?:letter )"
        rf"?[\"“'‘]?(?P<letter>[A-Za-z])[\"”'’]?['’]?s\b",
        _letters,
    ),
    plain_form(
        "a letter in a word",
        "there are ",
        rf"\bthere (?:are|is) (?P<n>{COUNT}) (?:letter )?[\"“'‘]?(?P<letter>[A-Za-z])[\"”'’]?['’]?s? "
        rf"in (?:the word )?{_WORD}",
        _letters,
    ),
    plain_form(
        "a letter in a word",
        "appears|occurs",
        rf"{_LETTER} (?:appears|occurs) (?:exactly )?{_TIMES} in (?:the word )?{_WORD}",
        _letters,
    ),
    plain_form(
        "a word backwards",
        "revers|backward",
        rf"{_WORD} (?:reversed|backwards?|spelled backwards?|read backwards?) (?:is|gives|becomes) {_QUOTED}",
        _backwards,
    ),
    plain_form("a palindrome", "palindrome", rf"{_WORD} is (?P<no>not )?a palindrome\b", _palindrome),
    plain_form(
        "a letter of a word",
        "letter of",
        rf"\bthe (?P<end>first|last) letter (?:of|in) (?:the word )?{_WORD} is (?:the letter )"
        rf"?[\"“'‘]?(?P<letter>[A-Za-z])\b",
        _end,
    ),
)
