"""What a claim stands in: other words than those of the problem may bring another order, part or time with them.

"From the sun, the order is Mercury, Venus, Earth" in a task of the alphabet, "the integers, sorted: 3, 7", "in the
mirror Cleo is first": what such words may be cannot be counted up, so that the words which change nothing are. A
claim beside any other word, in a frame, under a label or before its own denial is a doubt, never an accusation.
"""

from __future__ import annotations

import re
from functools import lru_cache

from auditing.checker.checks.logic.sentences import Sentence

_WORD = re.compile(r"(?<!['’A-Za-z])[A-Za-z]+(?:['’](?!s\b)[a-z]+)?")
# articles, copulas, conjunctions, what people say around a conclusion, places and comparisons
PLAIN = frozenset(
    "a an the this that these those it its they them their he his she her we our you your i one both each is are was "
    "were be been am have has having do does did must will get gets got and so then thus hence therefore thereby "
    "because since as for but while also too which who whose where what means meaning implies know known conclude "
    "conclusion concluded deduce see give given giving gives find now finally lastly here there already "
    "overall in on at "
    "of to with from by into up answer final correct right left true result solution option choice clear clearly "
    "obviously indeed consequently accordingly just exactly definitely directly immediately fact summary information "
    "clue clues condition conditions above us leaves leaving put puts place placed places come comes came coming go "
    "goes first second third fourth fifth sixth seventh eighth ninth tenth last one two three four five six seven "
    "eight nine ten middle position positions remaining spot spots seat seats order arrangement ranking line row "
    "full complete hasn't isn't aren't doesn't didn't can't cannot not no process elimination previously".split()
)
OF_PLACES = frozenset(
    "leftmost rightmost far end oldest eldest youngest newest older younger newer cheapest expensive cheaper less more "
    "least most fastest slowest faster slower taller shorter tallest shortest heavier lighter heaviest lightest larger "
    "bigger smaller largest biggest smallest than before after behind ahead front back top bottom "
    "highest lowest higher "
    "lower below under beneath next between adjacent immediately finished finishes finish ranks ranked sits sat lives "
    "lived live sit stands stand stood placed arrived costs cost won win wins any can only seating finishing running "
    "sitting standing either or neither nor somewhere different".split()
)
OF_SWAPS = frozenset(
    "swap swaps swapped swapping switch switches switched switching trade trades traded trading exchange exchanges "
    "exchanged exchanging holds hold holding has have after end ends ended start initial initially begin "
    "beginning state "
    "current currently still in the after all of very playing plays dancing partnered paired takes owns receives sits "
    "partner partners ball balls step conclusion finally another own new game dance song match event party".split()
)
_FRAME = re.compile(
    r"(?:^|[,;:(–—]|\b(?:so|and|but|then|that|because|since|as|know|hence|thus|therefore))[\s\W]{0,4}"
    r"(?:(?:among|amongst|of|between|within|without|with|for|during|under|until|to|into|"
    r"(?:in|on|at)(?! (?:conclusion|summary|fact|short|total|the (?:far |very )?(?:end|left|right|start|"
    r"beginning|final)\b))|"
    r"by(?! (?:process|elimination|the (?:clue|statement|condition)|clue|statement|condition))|"
    r"from(?! (?:this|these|that|it|here|clue|statement|condition|\W|\d|the (?:clue|statement|condition|given|above|"
    r"information|first|second|third|fourth|fifth|last|next)))|"
    r"had|were|should)\b)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\W{0,6}(?:(?:options?|choices?|statements?|claims?|conclusions?|hypothesis|propositions?|assertions?|premises?|"
    r"possibility|guess|q|question|user|student|task)\b[^:\n]{0,20}:|\(?[A-H]\)?[.):]\s)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"[\s\W]{0,6}(?:no\b|not\b|wait\b|but (?:that|this|wait)\b|hmm\b|oops\b|actually\b|wrong\b|incorrect\b|false\b|"
    r"impossible\b|contradict|(?:which|this|that|it)(?:['’]s| is| was| would| can| does| contradicts| violates| fails)?"
    r"(?:['’]t| not| be| a| clearly)* ?(?:wrong|incorrect|false|impossible|contradict|contradicts|violates|untrue|"
    r"mistake|error|not|right\?|correct\?)|[✗❌✘])",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:revers|mirror|backward|opposite|upside|flip|other (?:way|side|end|direction|order)|count|"
    # "second from the right" counts one place, "from the right" all that follow
    r"(?<![snrt][tdh]\s)from (?:the )?(?:right|bottom|back|end|last|top|front|behind)\b(?! to\b))",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^[^\n]{1,200}:\W{0,4}$", re.MULTILINE)


def words_of(text: str) -> frozenset[str]:
    """The words of a text, in lower case.

    >>> sorted(words_of("So Ann's order: A < b."))
    ['a', 'ann', 'b', 'order', 'so']
    """
    return frozenset(_WORD.findall(text.lower().replace("’", "'")))


@lru_cache(maxsize=8)
def words_known(problem: str) -> frozenset[str]:
    """The words that change nothing with those of a problem, each of these with its plural or singular."""
    words = words_of(problem[:8_000])
    return PLAIN | words | {word + "s" for word in words} | {word.removesuffix("s") for word in words}


def is_plain(text: str, vocabulary: frozenset[str]) -> bool:
    """Whether a text has no word that is not vocabulary."""
    return words_of(text) <= vocabulary


def is_framed(before: str) -> bool:
    """Whether the words before a claim say of what it is true: "among these three,", "in the second race"."""
    return bool(_FRAME.search(before))


def is_denied(behind: str) -> bool:
    """Whether the words behind a claim take it back: "This is wrong", "No: ...", "But that contradicts ..."."""
    return bool(_DENIED.match(behind))


def first_heading(text: str, vocabulary: frozenset[str]) -> int:
    """Where a heading ends under which other things may hold ("From the right:", "**Statement:**"); else the end."""
    for heading in _HEADING.finditer(text):
        line = heading.group()
        if not is_plain(line, vocabulary) or _FRAME.search(line) or _LABEL.match(line) or _TURNS.search(line):
            return heading.end()
    turn = _TURNS.search(text)
    return min(turn.start() if turn else len(text), len(text))


def is_set_apart(text: str, sentence: Sentence, before: str, vocabulary: frozenset[str]) -> bool:
    """Whether a claim of a passage stands beside strange words, behind a frame (in `before`), or is denied behind it.

    >>> vocabulary, text = words_known("Ann finished before Ben."), "Of both, Ann is last."
    >>> is_set_apart(text, Sentence(text, 0), "Of both, ", vocabulary)
    True
    """
    behind = text[sentence.start + len(sentence.text) :][:80]
    return bool(
        not is_plain(sentence.text, vocabulary) or is_framed(before) or _LABEL.match(before) or is_denied(behind)
    )
