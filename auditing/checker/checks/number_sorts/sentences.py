"""Forms of sentences that tell a number of a sort: how many there are, their sum, the largest of them.

In each match the group `sort` holds the words for the sort, `claimed` what is claimed of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from auditing.checker.answers.notation import UP_TO_TWELVE
from hdag.core.text.cues import Cue

LARGEST, SMALLEST = ("largest", "greatest", "biggest", "highest"), ("smallest", "least", "lowest")
NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,15})"
DECIMAL = rf"{NUMBER}(?:\.\d{{1,6}})?"
_OPEN, _CLOSE = r"(?:\\[(\[]|\$)?\s?(?:\\boxed\{)?\s?", r"\s?\}?\s?(?:\\[)\]]|\$)?"
_CLAIMED = rf"{_OPEN}(?P<claimed>{DECIMAL}(?:\s?\+\s?{NUMBER}){{0,40}}){_CLOSE}"
_SAYS = (
    r"\s(?:is|are|equals|is equal to|would be|will be|can be (?:expressed|written) as)"
    r"(?:\s(?:therefore|thus|then|simply|just|exactly|also))?(?=[\s:])\s?:?\s?"
)
_ITEM = rf"[$\\(]{{0,3}}{NUMBER}[$\\)]{{0,3}}"
# atomic: a list of numbers with commas in them could be parted in a million ways
_LISTED = rf"[\\({{$\[ ]{{0,4}}(?P<claimed>(?>{_ITEM}(?:(?:,\s?(?:and\s)?|\sand\s){_ITEM}){{1,40}}))[\\)}}$\] ]{{0,4}}"
_SORT = r"(?P<sort>[^.;:?!=+]{4,140}?)"
# behind the claim the sentence ends, or goes on with something else
_ENDS = (
    r"(?=[*\s]{0,3}(?:$|[.;\n](?!\d)|,\s(?!\d)|\((?:since|because|as|namely|i\.e)|"
    r"\s(?:and|so|since|because|as|which|but)\b))"
)
# behind a sort that ends a sentence: "and" and a comma may narrow it further
_SORT_ENDS = (
    r"(?=[*\s$\\)]{0,4}(?:$|[.;\n](?!\d)|:\s?[\\(\[{$]{0,3}\d|"
    r",?\s(?:so|since|because|hence|thus|therefore)\b))"
)
_ALL = r"(?:all\s)?(?:of\s)?(?:the\s)?"
_END = "|".join((*LARGEST, *SMALLEST))
# behind a list: "..." or what makes its last number a part of something else
_GOES_ON = re.compile(
    r"[\s$\\)]{0,4},?[\s$\\)(]{0,8}(?:\.\.|…|etc\b|and so\b|(?:and\s[\s$\\(]{0,4})?\d)|"
    r"[\s$)]{0,3},?[\s$(]{0,3}\\[a-z\\]"
)
_HEAD = 200
# in front of such a sentence nothing may stand that could narrow the sort
_PLAIN = re.compile(
    r"(?:[\s\W\d]|\b(?:step|first|second|third|finally|therefore|thus|hence|so|then|now|next|also|and|but|since|because|note|"
    r"that|we|can|see|know|find|have|conclude|cdot|times|this|it|means|follows|shows|gives|us|in|total|the|answer|is|recall|"
    r"remember|well|ok|okay|yes|right|to|begin|with|let|s|however|observe|clearly|of|course|as|count|counting|by|definition|"
    r"solution|fact)\b)*\Z",
    re.IGNORECASE,
)
# what the numbers are taken from: the sort is told of these alone, not of all whole numbers
_POOL = Cue(
    r"\{[\s\\$]{0,4}\d|\b(?:form(?:ed|s|ing)?|arrang\w{1,6}|among|these|those|sequence|set|in this (?:way|manner)|"
    r"following|using|digits?\s(?:from|of|in)|tiles?|cards?)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?](?:\s|$)|\n")


@dataclass(frozen=True, slots=True)
class Form:
    """A form of sentence: its pattern, and what of the members the number in it is."""

    asks: str
    pattern: Cue


def _form(asks: str, pattern: str) -> Form:
    return Form(asks, Cue(pattern, re.IGNORECASE))


FORMS = (
    _form("count", rf"\b(?:total\s)?number of {_ALL}{_SORT}{_SAYS}{_CLAIMED}{_ENDS}"),
    _form(
        "count",
        r"\b(?:there (?:are|is)|we have|which gives)\s(?:exactly\s|a total of\s|in total\s|therefore\s|thus\s)?"
        rf"{_OPEN}(?P<claimed>{NUMBER}|{'|'.join(UP_TO_TWELVE[1:])}){_CLOSE}\s{_SORT}{_SORT_ENDS}",
    ),
    _form("sum", rf"\b(?:sum|total) of {_ALL}{_SORT}{_SAYS}{_CLAIMED}{_ENDS}"),
    _form("product", rf"\bproduct of {_ALL}{_SORT}{_SAYS}{_CLAIMED}{_ENDS}"),
    _form("mean", rf"\b(?:average|(?:arithmetic\s)?mean)(?:\s\(\w+\))? of {_ALL}{_SORT}{_SAYS}{_CLAIMED}{_ENDS}"),
    _form("end", rf"\bthe (?P<end>{_END})\s{_SORT}{_SAYS}{_CLAIMED}{_ENDS}"),
    _form(
        "gap",
        rf"\b(?:positive\s)?difference between the (?P<end>{_END}) and (?:the )?(?:{_END})\s"
        rf"{_SORT}{_SAYS}{_CLAIMED}{_ENDS}",
    ),
    _form(
        "list",
        rf"\b(?:the|all)\s{_SORT}\sare(?:\s(?:therefore|thus|then|simply|just))?(?=[\s:])\s?:?\s?{_LISTED}{_ENDS}",
    ),
)


def terms_of(text: str) -> list[str]:
    """The numbers of what is claimed: the terms of a sum, the items of a list, one number in digits or in a word."""
    if text.lower() in UP_TO_TWELVE:
        return [str(UP_TO_TWELVE.index(text.lower()))]
    return [term.replace(",", "") for term in re.findall(DECIMAL, text)]


def goes_on(text: str, match: re.Match[str]) -> bool:
    """Whether a list does not end where it was read."""
    return bool(_GOES_ON.match(text, match.end("claimed")))


def speaks_of_more(text: str, match: re.Match[str]) -> bool:
    """Whether other words before it could narrow the sort or deny the claim."""
    head = _SENTENCE.split(text[max(0, match.start() - _HEAD) : match.start()])[-1]
    return not _PLAIN.match(head)


def is_of_a_pool(problem: str, before: str, head: str) -> bool:
    """Whether the numbers are those of a set, a list or some digits: in the problem, the step before or this one."""
    return any(_POOL.search(text) for text in (problem, before, head))
