"""Phrases that gather things from several places or people: "20 from the morning and 35 from the afternoon gives 55".

Between the numbers stands whose they are or where they come from; another number may stand there just as well, so these
forms say where they hold and nothing where they do not.
"""

from __future__ import annotations

import re

from auditing.checker.checks.quantities.phrase_pieces import CLOSE, ENDS, FREE, VALUE, Groups, number, of, phrase
from auditing.checker.mathematics.tree import Node, Tree

_MONEY = rf"[$€£]?{VALUE}"
_NUMBERS = re.compile(_MONEY)
# words of no amount of their own
_WORD = (
    r"(?:(?!(?:and|plus|minus|times|with|make|makes|give|gives|is|are|equals|total|so|or|half|"
    r"twice|double|dozen|hundred|thousand|"
    r"million|percent|more|less|fewer|than|each|every|per|by|cost|costs|cover|covers)\b)[A-Za-z][A-Za-z'’.-]{0,15})"
)
_WORDS, _FEW = rf"(?:\s{_WORD}){{0,6}}", rf"(?:{_WORD}\s){{0,3}}"
_JOINT = r"(?:,\s(?:and\s)?|\s(?:and|plus|together with|with|as well as)\s|\s\+\s)"
_ITEM = rf"{_MONEY}{_WORDS}"
_LIST = rf"{FREE}(?P<list>{_ITEM}(?:{_JOINT}{_FEW}{_ITEM}){{1,6}})"
_SO = (
    r"(?:,|:|;)?\s(?:(?:which|that|this)\s)?(?:makes?|gives?|is|are|or|i\.e\.,?|so|equals?|"
    r"totals?|comes to|adds up to|that is|"
    r"for a total of|namely)\s(?:a total of\s|altogether\s|in all\s|a\s|only\s)?"
)
_IN_ALL = rf"(?::|,|;)\s(?:so\s)?(?P<r>{_MONEY}){CLOSE}(?={_WORDS}\s(?:in total|in all|altogether|total|combined)\b)"
_RESULT = rf"(?P<r>{_MONEY}){CLOSE}{ENDS}"


def _sum(groups: Groups) -> Tree:
    """The numbers of a list; raises ValueError where some are money and some are not."""
    texts = _NUMBERS.findall(groups["list"] or "")
    if len({text[0] in "$€£" for text in (*texts, groups["r"] or "0")}) > 1:
        raise ValueError("amounts of two kinds")
    total: Tree = number(texts[0])
    for text in texts[1:]:
        total = Node("+", (total, number(text)))
    return total


GATHERED = (
    # her 6 books together with his 9 books make 15 books
    phrase(
        "things gathered",
        " plus | together with | make | makes | gives | give | totals |i.e.|namely|comes to|adds up to",
        rf"{_LIST}{_SO}{_RESULT}",
        _sum,
        verifies_alone=True,
    ),
    # Tom has 12, Jerry has 15: 27 in total
    phrase(
        "things gathered", "in total|in all|altogether|combined| total", rf"{_LIST}{_IN_ALL}", _sum, verifies_alone=True
    ),
    # at $4 each, 7 tickets cost $28
    phrase(
        "so many of each",
        "at ",
        rf"\bat\s(?P<a>{_MONEY})\s(?:each|apiece|a piece|per\s[a-z]{{2,12}}),?\s(?:the\s|all\s)?(?P<b>{VALUE}){_WORDS}"
        rf"\s(?:costs?|is|are|makes?|comes? to)\s{_RESULT}",
        of("*", "a", "b"),
        verifies_alone=True,
    ),
    # driving 60 mph for 3 hours covers 180 miles
    phrase(
        "a rate carried on",
        " for ",
        rf"{FREE}(?P<a>{VALUE})\s(?:mph|km/h|kph|m/s|ft/s|miles per hour)\sfor\s(?P<b>{VALUE})\s(?:hours?|seconds?|h|s)"
        rf"(?:,\s[a-z]{{2,6}})?\s(?:covers?|is|gives?|travels?|goes|makes?)\s{_RESULT}",
        of("*", "a", "b"),
        verifies_alone=True,
    ),
    # since 3 pens cost $6, one pen costs $2
    phrase(
        "one of several",
        " cost",
        rf"{FREE}(?P<b>{VALUE})\s[a-z]{{2,12}}\scosts?\s(?P<a>{_MONEY}),\s(?:so\s)?(?:one|each|a)"
        rf"(?:\s(?:of them|[a-z]{{2,12}}))?"
        rf"\s(?:must\s)?costs?\s{_RESULT}",
        of("/", "a", "b"),
        verifies_alone=True,
    ),
    # she has 27 left after giving away 8 of her 35
    phrase(
        "what is left",
        " left after ",
        rf"{FREE}(?P<r>{_MONEY}){_WORDS}\sleft after\s{_FEW}(?P<b>{_MONEY})\s(?:out\s)"
        rf"?of\s{_FEW}(?P<a>{_MONEY})(?![\d.,]*\d)",
        of("-", "a", "b"),
        verifies_alone=True,
    ),
)
