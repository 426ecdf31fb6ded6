"""Who holds what at the start of a problem, which pairs swap, and the state after each swap."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from auditing.checker.checks.logic.plainness import OF_SWAPS, is_plain, words_known
from auditing.checker.checks.logic.sentences import sentences_of

State = dict[str, str]
_SWAP_WORD = re.compile(r"\b(?:swap|switch|trade|trading|exchang)", re.IGNORECASE)
# things that change hands without a swap
_OTHER_MOVES = re.compile(
    r"\b(?:gives?|gave|passes|passed|takes?|took|steals?|stole|throws?|moves?|moved|rotate|shuffl\w*|except|unless|if|"
    r"undo\w*|revers\w*|again|back|twice|thrice|times|repeat\w*|pass(?:ing)?|move|give|take|steal|everyone|everybody|"
    r"both (?:swaps|trades)|refuse\w*|wants?|instead|almost|joins?|leaves?|draws?|drops?|loses?|eats?|next to|do not|"
    r"does not|did not|never|n['’]t|cancel\w*|half|all three|whoever|clockwise|neighbou?rs?|other)\b",
    re.IGNORECASE,
)
_NAME = r"(?:[Tt]he )?([A-Za-z][a-z]{1,20})"
_HOLDS = re.compile(
    rf"(?:^|[,;:.\n]|\b(?:and|that|start|beginning|initially|first))\s{{0,2}}(?:and )?{_NAME}"
    r"(?:['’]s (?:seat|book|ball|card|partner|gift|position|hat|chair|room) is| (?:has|holds|is holding|gets|owns|"
    r"is dancing with|is playing|plays|is on|is in|sits in|is at|brought|is paired with))\s"
    r"(?:a |an |the |seat )?([^,;.\n]{1,40}?)(?=,? and (?:the )?[A-Za-z][a-z]{1,20}"
    r"(?:['’]s| has| holds| is| gets| owns| plays| sits| b)|[,;.\n]|$)"
)
_SWAPS = re.compile(
    rf"{_NAME} and {_NAME} (?:then |now |also )?(?:swap|switch|trade|exchange)s?\b"
    rf"|{_NAME} (?:then |now |also )?(?:swap|switch|trade|exchange)s? (?:\w+ ){{0,2}}?with {_NAME}"
)
_NO_NAMES = frozenset(
    "and then they players people dancers pairs both each two first next finally everyone friends partner also".split()
)
# "is in front of Bea" holds nothing
_NO_THING = re.compile(r"(?:front|back|line|between|next|behind|left|right) ?(?:of|to|and|$)", re.IGNORECASE)
_AFTERWARDS = frozenset("following finds ending exactly before during later".split())
_FIRST = re.compile(r"\W*(?:first|initially|at first|to begin)\b", re.IGNORECASE)
_LAST = re.compile(r"\W*(?:last(?:ly)?|finally|at last|in the end)\b", re.IGNORECASE)
_COLLECTED = re.compile(
    r"\b(?:collects?|hands?|pull\w*|puts?|shuffl\w*|deals?|mix\w*|throws?|random\w*|pass(?:es)?|rotat\w*|steals?)\b"
)
_LAST_ASKED = re.compile(r"\b(?:at|in) the end\b[^.]*$", re.IGNORECASE)
_OTHER_ORDER = re.compile(
    r"\b(?:before (?:that|this|all|the|these|they|any|[A-Z]\w+)|earlier|previously|had (?:swapped|"
    r"switched|traded|exchanged)|"
    r"in (?:the )?revers\w+|do(?:es)? not (?:swap|switch|trade|exchange))\b"
)
MOST_SWAPS = 24


@dataclass(frozen=True, slots=True)
class Holdings:
    """The start, the swaps in their order, the sentences of the problem that say so, and the state after each swap."""

    start: tuple[tuple[str, str], ...]
    swaps: tuple[tuple[str, str], ...]
    texts: tuple[str, ...]
    states: tuple[State, ...]

    @classmethod
    def swapped(cls, start: State, swaps: Sequence[tuple[str, str]], texts: Sequence[str]) -> Holdings:
        """The swaps carried out one by one."""
        return cls(tuple(start.items()), tuple(swaps), tuple(texts), tuple(_states(start, swaps)))

    @property
    def holder_pattern(self) -> str:
        """An alternation of all holders."""
        return "|".join(re.escape(holder) for holder, _ in self.start)

    @property
    def initials(self) -> dict[str, str]:
        """Holders by their first letter, where no two have the same."""
        letters = {holder[0].upper(): holder for holder, _ in self.start}
        return letters if len(letters) == len(self.start) else {}


@lru_cache(maxsize=4)
def find_holdings(problem: str) -> Holdings | None:
    """The swaps of a problem; None where not every sentence about them could be read."""
    if len(problem) > 8_000 or not any(word in problem for word in ("swap", "switch", "trade", "exchange")):
        return None
    told = re.split(r"\bOptions\s?:|\n\s*\(?A[).]\s", problem)[0]
    sentences = [sentence.text for sentence in sentences_of(told) if "?" not in sentence.text]
    start: dict[str, str] = {}
    swaps: list[tuple[str, str]] = []
    texts: list[str] = []
    for sentence in sentences:
        pairs = _pairs_swapping(sentence)
        if pairs:
            swaps.extend(pairs)
            texts.append(sentence.strip())
        elif not swaps:
            held = [(name, thing.strip(" \"'“”‘’")) for name, thing in _HOLDS.findall(sentence)]
            held = [(name, thing) for name, thing in held if name.lower() not in _NO_NAMES]
            # whoever holds two things swaps one of them, and which one is not read
            if start.keys() & dict(held).keys():
                return None
            if held:
                start.update(held)
                texts.append(sentence.strip())
    if not _is_whole(start, swaps, sentences):
        return None
    return Holdings.swapped(_shortened(start), swaps, texts)


def _states(start: State, swaps: Sequence[tuple[str, str]]) -> Iterator[State]:
    """The state at the start and after each swap."""
    state = start
    yield state
    for first, second in swaps:
        state = {**state, first: state[second], second: state[first]}
        yield state


def _pairs_swapping(sentence: str) -> list[tuple[str, str]]:
    pairs = [(match[1] or match[3], match[2] or match[4]) for match in _SWAPS.finditer(sentence)]
    return [pair for pair in pairs if not {name.lower() for name in pair} & _NO_NAMES]


def _is_whole(start: dict[str, str], swaps: list[tuple[str, str]], sentences: list[str]) -> bool:
    """Whether each holder has one thing of its own, and each sentence about a move was read."""
    if not 2 <= len(start) <= 12 or not 0 < len(swaps) <= MOST_SWAPS or len(set(start.values())) != len(start):
        return False
    if not all(first in start and second in start and first != second for first, second in swaps):
        return False
    first_swap = next(index for index, sentence in enumerate(sentences) if _pairs_swapping(sentence))
    moves = sentences[first_swap:]
    # as many swaps as words that tell of one, and no other move
    words = sum(len(_SWAP_WORD.findall(sentence)) for sentence in moves)
    if any(_NO_THING.match(thing) for thing in start.values()):
        return False
    vocabulary = words_known(" ".join(sentences[:first_swap])) | OF_SWAPS
    # "the balls are collected": in new words things may change hands
    if not all(is_plain(sentence, vocabulary | _AFTERWARDS) for sentence in moves):
        return False
    if any(_COLLECTED.search(sentence) for sentence in sentences[:first_swap]):
        return False
    if any(_OTHER_MOVES.search(_LAST_ASKED.sub("", sentence)) for sentence in moves):
        return False
    swapping = [sentence for sentence in sentences if _pairs_swapping(sentence)]
    if any(map(_FIRST.match, swapping[1:])) or any(map(_LAST.match, swapping[:-1])):
        return False
    # an order of its own: what was swapped "before that" did not come last
    return words == len(swaps) and not any(_OTHER_ORDER.search(sentence) for sentence in sentences)


def _shortened(start: dict[str, str]) -> dict[str, str]:
    """yellow ball, blue ball -> yellow, blue: people leave out what all things are."""
    ends = {thing.split()[-1] for thing in start.values()}
    if len(ends) == 1 and all(len(thing.split()) > 1 for thing in start.values()):
        return {holder: " ".join(thing.split()[:-1]) for holder, thing in start.items()}
    return start
