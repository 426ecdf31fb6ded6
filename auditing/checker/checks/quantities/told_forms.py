"""Phrases that compute with things that have a name: "12 boys and 15 girls, a total of 27", "4 boxes with 6 pens each".

What is counted may be anything, so nothing here accuses for certain; where another number may stand just as well ("3
eggs and 2 cups make 1 cake") only what holds is said.
"""

from __future__ import annotations

import re

from auditing.checker.checks.quantities.phrase_pieces import (
    CLOSE,
    ENDS,
    FREE,
    ITS,
    NOUNS,
    VALUE,
    Groups,
    number,
    of,
    phrase,
)
from auditing.checker.mathematics.tree import Node, Tree

_MONEY = rf"[$€£]?{VALUE}"
_OPENS = r"(?:\\\(\s?|\\(?=\$))?"
_RESULT = rf"{_OPENS}(?P<r>{_MONEY}){CLOSE}{ENDS}"
# $20 for the shirt
_FOR_IT = rf"(?:\sfor{NOUNS})?"
_ITEM = rf"[$€£]?{VALUE}{NOUNS}{_FOR_IT}"
_JOINT = r"(?:,\s(?:and\s|plus\s)?|\s(?:and|plus)\s(?:another\s)?|\s\+\s)"
_LISTED = rf"{FREE}(?P<list>{_ITEM}(?:{_JOINT}{_ITEM}){{1,6}})"
_NUMBERS = re.compile(rf"[$€£]?{VALUE}")
_A_TOTAL = r"(?:a\s)?(?:grand\s|combined\s)?(?:total|sum)\s(?:of|is|was)"
_TOTALS = (
    rf"(?:,\s|\s)?(?:(?:(?:for|giving|making|makes?|gives?|is|are|which is|which makes|which gives|so|with|we get"
    rf"|we have|"
    rf"that is)\s)?{_A_TOTAL}|totall?ing|totals|add(?:s|ing)? up to|(?:so\s)?the\stotal(?:{NOUNS})?\s(?:is|was)"
    rf"|sums? to)\s"
)
_MAKES = r"(?:,\s(?:which|that|this)\s|\s)(?:is|are|makes?|gives?|equals?|comes to|would be|totals)\s"
_LEAVES = (
    r"(?:,\s(?:which|that|this)\s|,?\s)(?:is|are|leaves?|gives?|equals?|makes?|leaving)\s"
    r"(?:us\s|him\s|her\s|them\s|with\s)?"
)
_GIVES = (
    r"(?:gave away|gives away|gave|gives|ate|eats|used|uses|sold|sells|lost|loses|spent|spends|removed|removes|broke|"
    r"donated|donates|threw away|discarded|discards|took away|takes away|paid|pays|drank|drinks)"
)
_IN_TOTAL = rf"{NOUNS}(?=\s(?:in total|in all|altogether|total|combined)\b)"


# 5 choices for the first digit and 4 for the second make 20
_CHOICES = re.compile(r"\b(?:choices?|options?|possibilit(?:y|ies)|ways?)\b", re.IGNORECASE)


def _sum(groups: Groups) -> Tree:
    """The numbers of a list; raises ValueError for money beside things, percentages and choices."""
    texts = _NUMBERS.findall(groups["list"] or "")
    signs = {text[0] in "$€£" for text in (*texts, groups["r"] or "0")}
    if len(signs) > 1 or "%" in (groups["list"] or ""):
        raise ValueError("amounts of two kinds")
    if _CHOICES.search(groups["list"] or ""):
        raise ValueError("choices that are multiplied")
    first, *others = map(number, texts)
    total: Tree = first
    for term in others:
        total = Node("+", (total, term))
    return total


def _signed(groups: Groups) -> Tree:
    signs = {"plus": "+", "minus": "-", "times": "*", "multiplied by": "*", "divided by": "/", "over": "/"}
    return Node(signs[(groups["sign"] or "").lower()], (number(groups["a"]), number(groups["b"])))


TOLD = (
    # 12 boys and 15 girls, for a total of 27 students
    phrase("a total", "total|add|sum", rf"{_LISTED}{_TOTALS}{_RESULT}", _sum, is_sure=False),
    # 3 red and 4 blue marbles make 7 marbles; 2 eggs and 3 cups make 1 cake
    phrase(
        "things together",
        " and | plus |, ",
        rf"{_LISTED}{_MAKES}{_RESULT}",
        _sum,
        verifies_alone=True,
    ),
    # there are 12 boys and 15 girls, so 27 students in total
    phrase(
        "a total",
        "in total|in all|altogether|combined| total",
        rf"{_LISTED},?\s(?:so|thus|therefore|hence|making|giving|which (?:is|makes|gives)|for|that is|is|are|makes?)\s"
        rf"(?:(?:there|they|we|he|she|it|you|I)\s(?:are|is|have|has|had|were|was|will be)\s)?{_RESULT}{_IN_TOTAL}",
        _sum,
        is_sure=False,
    ),
    # 30 students minus 12 boys leaves 18 girls; $20 plus the $15 for the hat is $35
    phrase(
        "things with a sign in words",
        " plus | minus | times | multiplied by | divided by ",
        rf"{FREE}(?P<a>{_MONEY})(?!\s(?:plus|minus|times|multiplied|divided)\s[$\d][\d.,]*\s(?:is|equals)){NOUNS}"
        rf"{_FOR_IT}\s"
        rf"(?P<sign>plus|minus|times|multiplied by|divided by)\s(?:the\s|another\s|an additional\s)?(?P<b>{_MONEY})"
        rf"{NOUNS}{_FOR_IT}"
        rf"(?:\s(?:per|each|a|an)\s[a-z]{{1,12}}|\s(?:each|apiece))?{_LEAVES}{_RESULT}",
        _signed,
        is_sure=False,
    ),
    # 4 boxes with 6 pens each is 24 pens; 3 shirts at $15 each cost $45
    phrase(
        "so many of each",
        " each| apiece| every",
        rf"{FREE}(?P<a>{VALUE}){NOUNS}\s(?:with|at|of|holding|containing|costing|having|for|worth|,)\s(?P<b>"
        rf"{_MONEY}){NOUNS}"
        rf"\s(?:each|apiece|in each|per (?:person|one|item|piece|each))"
        rf"(?:,\s(?:that|this|which|so|for|giving|making|it|the)|\s(?:so|for|giving|making))?{NOUNS}"
        rf"(?:\s(?:is|are|makes?|gives?|costs?|equals|comes to|will cost|would cost|totals|a total of))?\s"
        rf"(?:a total of\s)?{_RESULT}",
        of("*", "a", "b"),
        is_sure=False,
    ),
    # each of the 4 boxes has 6 pens, so there are 24 pens
    phrase(
        "so many of each",
        "each of ",
        rf"\beach of (?:the\s|his\s|her\s|their\s|these\s)?(?P<a>{VALUE}){NOUNS}\s(?P<b>{_MONEY}){NOUNS},?\s"
        rf"(?:so|for|giving|making|and|which makes|which is|that is|that makes){NOUNS}\s?(?:is\s|are\s|a total of"
        rf"\s)?{_RESULT}",
        of("*", "a", "b"),
        is_sure=False,
    ),
    # 60 miles per hour for 3 hours is 180 miles: the word below is the word that is counted
    phrase(
        "a rate carried on",
        " per | a | an | each | every |/",
        rf"{FREE}(?P<a>{_MONEY}){NOUNS}(?:\s(?:per|a|an|each|every)\s|/)(?P<unit>[a-z]{{3,12}}?)s?,?\s"
        rf"(?:for|times|over|during|multiplied by|in|×|x|\*)\s(?:the\s)?(?P<b>{VALUE})(?:\s(?:full|whole|total"
        rf"|more))?\s(?P=unit)s?"
        rf"(?:,\s(?:which|that|this|so)|\s(?:so|for))?{NOUNS}(?:\s(?:is|are|makes?|gives?|equals|=|comes to|totals"
        rf"|for a total of))\s"
        rf"(?:a total of\s)?{_RESULT}",
        of("*", "a", "b"),
        is_sure=False,
    ),
    # 3 hours at 60 miles per hour is 180 miles
    phrase(
        "a rate carried on",
        " per | a | an | each | every |/",
        rf"{FREE}(?P<b>{VALUE})\s(?P<unit>[a-z]{{3,12}}?)s?\s(?:at|of|with|×|times)\s(?:a rate of\s)?(?P<a>{_MONEY})"
        rf"{NOUNS}"
        rf"(?:\s(?:per|a|an|each|every)\s|/)(?P=unit)(?:,\s(?:which|that|this|so|the)|\s(?:so|for))?{NOUNS}"
        rf"(?:\s(?:is|are|makes?|gives?|equals|=|comes to|totals|costs?|earns?|for a total of))\s(?:a total of\s)?"
        rf"{_RESULT}",
        of("*", "a", "b"),
        is_sure=False,
    ),
    # 12 cookies shared among 4 children is 3 each; $120 over 4 hours is $30 per hour
    phrase(
        "shared out",
        "among|between|divided| split|over | by | for | in ",
        rf"{FREE}(?P<a>{_MONEY}){NOUNS}\s(?:shared|divided|split|distributed|spread)\s(?:equally\s|evenly\s)?"
        rf"(?:among|between|by|over|into|across)\s"
        rf"(?:the\s)?(?P<b>{VALUE}){NOUNS}{_LEAVES}{_OPENS}(?P<r>{_MONEY}){CLOSE}(?![\d.,]*\d|{NOUNS}\sleft)",
        of("/", "a", "b"),
        verifies_alone=True,
    ),
    # $120 for 4 hours is $30 per hour: the word below is the word that was counted
    phrase(
        "a rate",
        " per | an | a ",
        rf"{FREE}(?P<a>{_MONEY}){NOUNS}\s(?:for|in|over|per|every|by|divided by|/)\s(?:the\s)?(?P<b>{VALUE})\s"
        rf"(?P<unit>[a-z]{{3,12}}?)s?"
        rf"(?:,\s(?:which|that|this|so|or)|\s(?:so|or))?(?:\s(?:is|are|equals|=|gives|works out to|comes to"
        rf"|we get))?(?:\s(?:a rate of))?\s"
        rf"{_OPENS}(?P<r>{_MONEY}){CLOSE}{NOUNS}(?:\s(?:per|a|an|each)\s|/)(?P=unit)\b",
        of("/", "a", "b"),
        is_sure=False,
    ),
    # of 30 students 12 are boys: 18 remain; taken away
    phrase(
        "what is left",
        "leav| left|remain",
        rf"{FREE}(?P<b>{_MONEY}){NOUNS}\s(?:from|out of|of)\s(?:the\s|his\s|her\s|their\s|a total of\s|all\s)?"
        rf"(?:original\s|initial\s|total\s)?"
        rf"(?P<a>{_MONEY}){NOUNS},?\s(?:and\s|which\s|this\s|that\s|so\s|we\s|he\s|she\s|they\s|there\s|it\s){{0,2}}"
        rf"(?:leaves?|leaving|(?:are|is|have|has|will be)\s(?:left with\s)?)\s?(?:us\s|him\s|her\s|them\s|with\s"
        rf"|only\s){{0,3}}"
        rf"{_RESULT}",
        of("-", "a", "b"),
        verifies_alone=True,
    ),
    # he had 20 apples and gave away 5, so he has 15 left
    phrase(
        "what is left",
        "leaving| left|has |have |are |is ",
        rf"{FREE}(?P<a>{_MONEY}){NOUNS},?\s(?:(?:and|but|then)\s)?(?:(?:he|she|they|it|we|you|I)\s)?(?:then\s)?"
        rf"{_GIVES}\s(?P<b>{_MONEY}){NOUNS},?\s"
        rf"(?:leaving|which leaves|(?:so|and|then)\s(?:(?:he|she|they|it|we|you|I|there)\s)?(?:now\s)?(?:has|have"
        rf"|had|are|is|were|will have))\s"
        rf"(?:(?:him|her|them|us|you|me|with|only|now|just)\s){{0,2}}{_RESULT}",
        of("-", "a", "b"),
        verifies_alone=True,
    ),
    # 5 of the 20 apples are bad, leaving 15
    phrase(
        "what is left",
        "leav| left|remain",
        rf"{FREE}(?P<b>{_MONEY}){NOUNS}\s(?:out\s)?of\s{ITS}(?P<a>{_MONEY}){NOUNS}(?:\s(?:are|were|is|was|have been"
        rf"|have)(?:\s[a-z]{{2,12}}){{1,3}})?,?\s"
        rf"(?:leaving|which leaves|so)\s(?:(?:him|her|them|us|with|only)\s){{0,2}}{_RESULT}",
        of("-", "a", "b"),
        verifies_alone=True,
    ),
    # at $2 per pen, 7 pens cost $14; with 12 pens per box, 5 boxes hold 60
    phrase(
        "so many of each",
        "at |with ",
        rf"\b(?:at|with)\s(?P<a>{_MONEY}){NOUNS}\s(?:(?:per|a|an|for each|for every|in each|in every)\s"
        rf"(?P<unit>[a-z]{{2,15}}?)|each|apiece),?\s"
        rf"(?:the\s|all\s)?(?P<b>{VALUE})\s(?(unit)(?P=unit)(?:s|es)?)\b{NOUNS}\s(?:costs?|is|are|hold|contain|have"
        rf"|would cost|will cost|makes?|earns?|gives?)\s"
        rf"(?:a total of\s)?{_RESULT}",
        of("*", "a", "b"),
        is_sure=False,
    ),
    # each box has 12 pens, so 5 boxes have 60 pens
    phrase(
        "so many of each",
        "each |every |one ",
        rf"\b(?:each|every|one|a|an)\s(?P<unit>[a-z]{{2,15}})\s(?:[a-z]{{2,12}}\s)?(?:has|holds|contains|costs"
        rf"|is worth|weighs|gets|needs|takes|uses|makes|produces|lays|eats)\s"
        rf"(?P<a>{_MONEY}){NOUNS},?\s(?:so|then|and|therefore|thus|which means)\s(?:the\s|all\s|those\s|that\s)?"
        rf"(?P<b>{VALUE})\s(?P=unit)(?:s|es)?\s"
        rf"(?:will\s|would\s)?(?:have|hold|contain|cost|are worth|weigh|get|need|take|use|make|produce|lay|eat)\s"
        rf"(?:a total of\s)?{_RESULT}",
        of("*", "a", "b"),
        is_sure=False,
    ),
    # 12 pens in each of 5 boxes is 60 pens; 5 rows of 12 seats is 60 seats
    phrase(
        "so many of each",
        " each of | of ",
        rf"{FREE}(?P<a>{_MONEY}){NOUNS}\s(?:(?:in|for|on|to|from)\s(?:each|all|every one) of|(?:rows|groups|sets"
        rf"|boxes|bags|packs|pairs|stacks|teams|columns|trays|shelves) of)\s"
        rf"{ITS}(?P<b>{VALUE}){NOUNS}\s(?:is|are|makes?|gives?|comes to|equals)\s(?:a total of\s)?{_RESULT}",
        of("*", "a", "b"),
        is_sure=False,
    ),
)
