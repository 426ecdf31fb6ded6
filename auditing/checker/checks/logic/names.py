"""Names of the objects that a problem lists, and texts in which each of them is one sign, at its old place."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_OBJECTS = 7
_NUMBERS = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_LIST = r"(?P<list>[A-Za-z][\w'’]{0,30}(?:,?[ ][A-Za-z][\w'’]{0,30}){2,40})"
_COUNTED = re.compile(
    rf"\b(?P<count>three|four|five|six|seven|[3-7])(?:\s\w+(?:-\w+)?){{1,3}}\s?(?::|,|-|–|—|\(|\snamed|\scalled)\s?{_LIST}",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?P<list>\b[A-Z]\w{0,20}(?:, [A-Z]\w{0,20}){1,5},? and [A-Z]\w{0,20}\b)(?=,? (?:are|is|were|each|all|sit|sat|"
    r"stand|stood|live|ran|finished|took|compet|particip|raced|join|wait|line))"
)
_SEPARATOR = re.compile(r",\s*(?:and\s+)?|\s+and\s+")
_ARTICLE = re.compile(r"^(?:the|an?|and)\s+", re.IGNORECASE)
# a sign of Unicode's private use stands for each object, a filler for the other letters of its name
FIRST, FILL = 0xE000, "\ue0ff"
NAME = rf"(?:(?:the|an?)\s)?([\ue000-\ue01f]){FILL}*"

_SIGN = re.compile("[\ue000-\ue01f]")
_PRONOUN = re.compile(
    r"\b(?:so|thus|therefore|hence|means|meaning|and)(?: that)?,? (it|they|he|she)"
    r"(?= (?:is|are|must|can|finished|came))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Names:
    """The objects in the order of the list, each by the shortest name that stands in every mention of it."""

    objects: tuple[str, ...]
    pattern: re.Pattern[str]

    def masked(self, text: str) -> str:
        """The text with a sign in place of each name; no place moves.

        >>> names = find_names("there are three books: a red book, a blue book, and a gray book.")
        >>> names.objects, len(names.masked("The red book is old."))
        (('red', 'blue', 'gray'), 20)
        """

        def sign(match: re.Match[str]) -> str:
            index = self.objects.index(match[1].lower())
            return chr(FIRST + index) + FILL * (len(match.group()) - 1)

        return self.pattern.sub(sign, text)

    def named(self, sign: str) -> str:
        """The object that a sign stands for."""
        return self.objects[ord(sign) - FIRST]


def with_pronouns(text: str) -> str:
    """A masked sentence in which "it" is the one object that the sentence named before: "X is third, so it is ..."."""
    match = _PRONOUN.search(text)
    if match is None:
        return text
    signs: set[str] = set(_SIGN.findall(text[: match.start(1)]))
    if len(signs) != 1:
        return text
    return text[: match.start(1)] + signs.pop() + FILL * (len(match[1]) - 1) + text[match.end(1) :]


def first_name(text: str) -> int:
    """Where the first name of a masked text stands."""
    match = _SIGN.search(text)
    return match.start() if match else 0


def find_names(problem: str) -> Names | None:
    """The objects that a problem counts and lists, or that it lists as people."""
    # "three birds" may come before "five houses": the first list with as many members as were counted
    for match in _COUNTED.finditer(problem):
        count = _NUMBERS.get(match["count"].lower()) or int(match["count"])
        members = _members(match["list"])[:count]
        if len(members) == count and _is_list(members):
            return _named(members)
    bare = _BARE.search(problem)
    members = _members(bare["list"]) if bare else []
    return _named(members) if 2 < len(members) <= MAX_OBJECTS and _is_list(members) else None


def _members(text: str) -> list[str]:
    members = [_ARTICLE.sub("", _ARTICLE.sub("", name.strip(" .,"))).strip() for name in _SEPARATOR.split(text)]
    # "Dora and Emil ran a race": a person is one word
    are_people = bool(members) and members[0][:1].isupper()
    return [(name.split()[0] if are_people else name).lower() for name in members if name]


def _is_list(members: list[str]) -> bool:
    return len(set(members)) == len(members) and all(len(name.split()) <= 3 and len(name) > 1 for name in members)


def _named(members: list[str]) -> Names | None:
    ends = {name.split()[-1] for name in members}
    # "a red book, a blue book": people say red and blue
    noun = ends.pop() if len(ends) == 1 and all(len(name.split()) > 1 for name in members) else ""
    shortest = tuple(_stem(name.removesuffix(f" {noun}")) for name in members)
    if len(set(shortest)) < len(shortest) or any(
        name != longer and name in longer.split() for name in shortest for longer in shortest
    ):
        return None
    longest_first = sorted(shortest, key=len, reverse=True)
    alternatives = "|".join(map(re.escape, longest_first))
    tail = rf"(?:\s{re.escape(noun)}s?)?" if noun else "(?:e?s)?"
    return Names(shortest, re.compile(rf"\b({alternatives}){tail}\b", re.IGNORECASE))


def _stem(name: str) -> str:
    """mangoes -> mango, plums -> plum: what singular and plural have in common."""
    return re.sub(r"(?<=[oxh])es$|(?<=[a-rt-z]{2})s$", "", name)
