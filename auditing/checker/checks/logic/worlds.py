"""The world of a problem: its objects, the rules that its statements give, and every order that fits them."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache

from auditing.checker.checks.logic.names import FIRST, Names, find_names
from auditing.checker.checks.logic.plainness import OF_PLACES, is_framed, is_plain, words_known
from auditing.checker.checks.logic.sentences import Sentence, is_hedged, sentences_of
from auditing.checker.checks.logic.statements import Rule, axes_of, statements_of

Order = tuple[str, ...]
# a text without all of these is no such problem: looked for one by one, because most traces are about something else
_WORDS = (
    "to the left|to the right|left of|right of|older than|younger than|newer than|expensive|cheaper|cost|taller than|"
    "shorter than|heavier than|lighter than|finished|ahead of|next to| above | below |fixed order|faster than|"
    "slower than|bigger than|larger than|smaller than| before | after | behind "
).split("|")
# orders with ends are read, and no two objects at one place
_OTHER_WORLD = re.compile(
    r"\b(?:circle|circular|round table|ties?|tied|same (?:age|height|price|weight|time|place)|two rows|opposite|facing|"
    r"swap\w*|trade\w*|exchange\w*|lie|lies|liar\w*|truth-?teller|knights?|knaves?|sometimes|exactly one of|at most|"
    r"at least|(?:second|next|another|other|previous|both|two|three|last|first) (?:races?|rounds?|laps?|"
    r"games?|years?|weeks?|"
    r"heats?|tests?|exams?|times?|days?|months?)|moves?|moved|leaves|joins?|joined|overtak\w*|overtook|"
    r"revers\w*|mirror\w*|"
    r"turns? around|used to|formerly|originally|yesterday|tomorrow|again|later on|if)\b",
    re.IGNORECASE,
)
_NO_TIES = re.compile(
    r"\b(?:(?:no|without(?: any)?) ties|no two [a-z ]{3,30} same (?:age|height|price|weight|time|place))\b", re.I
)
# what stands behind these words are answers to choose from, and what is asked
_ASKED = re.compile(r"\bOptions\s?:|\bAnswer [Cc]hoices\s?:|\bQ:|\bQuestion:|\n\s*\(?A[).]\s")
_DENIED = re.compile(r"\b(?:not|never|n['’]t) (?:true|the case|so|right|correct)\b", re.IGNORECASE)
MOST_ORDERS = 1_000


@dataclass(frozen=True, slots=True)
class World:
    """Objects by their signs, the rules about them with the sentences that they stand in, and the axis of all."""

    names: Names
    axis: str
    rules: tuple[Rule, ...]
    texts: tuple[str, ...]
    # every order that keeps all rules
    orders: tuple[Order, ...]

    def holds(self, rule: Rule) -> bool | None:
        """True where a rule holds in every order, False where it holds in none, None where that is open."""
        if rule[0] == "open":
            # nobody's choice is left where one object stands in every order
            return None if len({order[rule[1]] for order in self.orders}) > 1 else False
        fitting = {fits(order, rule) for order in self.orders}
        return fitting.pop() if len(fitting) == 1 else None

    def spelled(self, rule: Rule) -> Rule:
        """A rule with the names of its objects."""
        return [self._spelled(element) for element in rule]

    def _spelled(self, element: object) -> object:
        if isinstance(element, list):
            return self.spelled(element)
        return self.names.named(element) if isinstance(element, str) and ord(element[0]) >= FIRST else element


def fits(order: Order, rule: Rule) -> bool:
    """Whether an order keeps a rule; a place that it does not have is nobody's.

    >>> fits(("a", "b", "c"), ["right before", "a", "b"]), fits(("a", "b", "c"), ["not", ["at", "a", 0]])
    (True, False)
    """
    relation, *parts = rule
    if relation in ("not", "all", "any"):
        inner = [fits(order, element) for element in parts]
        return not inner[0] if relation == "not" else all(inner) if relation == "all" else any(inner)
    if relation == "at":
        return bool(0 <= parts[1] < len(order) and order[parts[1]] == parts[0])
    places = [order.index(name) for name in parts]
    if relation == "between":
        return min(places[1:]) < places[0] < max(places[1:])
    apart = places[1] - places[0]
    return apart > 0 if relation == "before" else apart == 1 if relation == "right before" else abs(apart) == 1


@lru_cache(maxsize=4)
def find_world(problem: str) -> World | None:
    """The world that a problem describes; None where its objects or their axis are not plain."""
    if len(problem) > 6_000 or not any(word in problem for word in _WORDS):
        return None
    names = find_names(problem)
    if names is None or _OTHER_WORLD.search(_NO_TIES.sub(" ", problem)):
        return None
    told = names.masked(_ASKED.split(problem)[0])
    sentences = [sentence for sentence in sentences_of(told) if not sentence.text.isspace()]
    axes = {axis for sentence in sentences if _says_so(sentence) for axis in axes_of(sentence.text)}
    if axes == {"race", "stack"} or axes == {"race", "row"}:
        axes = _told_apart(axes, problem)
    if len(axes) != 1:
        return None
    axis = axes.pop()
    size = len(names.objects)
    told_rules = _rules(told, sentences, problem, axis, size)
    if told_rules is None:
        return None
    rules, texts = told_rules
    signs = [chr(FIRST + index) for index in range(size)]
    orders = (
        [order for order in itertools.permutations(signs) if all(fits(order, rule) for rule in rules)] if rules else []
    )
    # no order left: a statement was misread; too many: the statements that could be read say too little
    return World(names, axis, tuple(rules), tuple(texts), tuple(orders)) if 0 < len(orders) <= MOST_ORDERS else None


def _says_so(sentence: Sentence) -> bool:
    return not is_hedged(sentence.text) and not _DENIED.search(sentence.text)


def _rules(
    told: str, sentences: list[Sentence], problem: str, axis: str, size: int
) -> tuple[list[Rule], list[str]] | None:
    """The rules with the sentences that give them; None where one of these may change what was so."""
    rules: list[Rule] = []
    texts: list[str] = []
    vocabulary: frozenset[str] = frozenset()
    for sentence in sentences:
        statements = list(statements_of(sentence.text, axis, size)) if _says_so(sentence) else []
        if not vocabulary and statements:
            vocabulary = words_known(told[: sentence.start]) | OF_PLACES
        # who leaves, moves or joins, a shelf that is turned: behind the first rule new words may change what was so
        if vocabulary and not is_plain(sentence.text, vocabulary) and "?" not in sentence.text:
            return None
        for statement in statements:
            # "in the first race, Ann finished before Ben": what else was so in another one is not read
            if is_framed(sentence.text[: statement.start]):
                return None
            rules.append(statement.rule)
            texts.append(problem[sentence.start : sentence.start + len(sentence.text)].strip())
    return rules, texts


def _told_apart(axes: set[str], problem: str) -> set[str]:
    """Who finished above others did so in a race; before and behind somebody may be said of a row."""
    if "row" in axes:
        return {"row"} if not re.search(r"\b(?:race|finish)", problem, re.IGNORECASE) else axes
    return {"race"} if re.search(r"\bfinish", problem, re.IGNORECASE) else {"stack"}
