"""Phrases about whole numbers in a row, and between two: "the sum of the first 10 odd numbers is 100"."""

from __future__ import annotations

from auditing.checker.checks.quantities.phrase_pieces import (
    ENDS,
    OPEN,
    WHOLE,
    Build,
    Groups,
    amount,
    claimed,
    number,
    of,
    phrase,
    whole,
)
from auditing.checker.mathematics.tree import Node, Tree

_IS = (
    r"(?:\s?=\s?|(?:,\swhich)?\s(?:is|equals|is equal to|would be|will be|gives|comes to|are)\s"
    r"(?:exactly\s|simply\s|also\s|just\s|then\s)?)"
)
_BASE = r"_\{?(?P<x>\d{1,2})\}?"


def _first_wholes(groups: Groups) -> Tree:
    """1 + 2 + ... + n, of odd numbers n^2, of even ones n * (n + 1)."""
    n, kind = number(groups["n"]), (groups["kind"] or "").lower()
    if "odd" in kind:
        return Node("^", (n, whole(2)))
    product = Node("*", (n, Node("+", (n, whole(1)))))
    return product if "even" in kind else Node("/", (product, whole(2)))


def _span(groups: Groups) -> Tree:
    """How many whole numbers there are from a to b, both counted."""
    return Node("+", (Node("-", (number(groups["b"]), number(groups["a"]))), whole(1)))


def _between(step: int) -> Build:
    def build(groups: Groups) -> Tree:
        gap = Node("-", (number(groups["b"]), number(groups["a"])))
        return Node("-", (gap, whole(step))) if step else gap

    return build


def _sum_of_span(groups: Groups) -> Tree:
    ends = Node("+", (number(groups["a"]), number(groups["b"])))
    return Node("/", (Node("*", (ends, _span(groups))), whole(2)))


def _in_base(digits: str | None, base: str | None) -> Tree:
    """Horner's scheme over the digits; raises ValueError for a digit that the base does not have."""
    ground = int(base or "10")
    if not 2 <= ground <= 10 or any(int(digit) >= ground for digit in digits or ""):
        raise ValueError("no such digit")
    value: Tree = whole(0)
    for digit in digits or "":
        value = Node("+", (Node("*", (value, whole(ground))), whole(int(digit))))
    return value


def _same_base(groups: Groups) -> Tree:
    """What the digits of one base are worth, less what those of the other are, beside the number claimed."""
    first, second = _in_base(groups["a"], groups["b"]), _in_base(groups["r"], groups["c"])
    return Node("+", (Node("-", (first, second)), number(groups["r"])))


ROWS = (
    # the sum of the first 10 positive integers is 55
    phrase(
        "a sum of numbers in a row",
        "sum of the first",
        rf"\bsum of the first\s{amount('n', what=WHOLE)}\s(?P<kind>(?:positive\s|natural\s|consecutive\s|whole\s)?"
        rf"(?:odd\s|even\s)?(?:positive\s|natural\s)?"
        rf"(?:integers|numbers|naturals))(?!\sof){_IS}{claimed()}",
        _first_wholes,
        is_sure=False,
    ),
    phrase(
        "a sum of numbers in a row",
        "sum of ",
        rf"\bsum of (?:all\s)?(?:the\s)?(?:positive\s|consecutive\s)?(?:integers|numbers|whole numbers)\sfrom\s"
        rf"{amount('a', what=WHOLE)}\s(?:to|through)\s"
        rf"{amount('b', what=WHOLE)}(?:,?\sinclusive,?)?{_IS}{claimed()}",
        _sum_of_span,
        is_sure=False,
    ),
    phrase(
        "numbers in a row",
        " from | between ",
        rf"\b(?:there are|we have)\s{amount('r', what=WHOLE)}\s(?:positive\s|whole\s|different\s|possible\s)?"
        rf"(?:integers|numbers|values)\s(?:from|between)\s"
        rf"{amount('a', what=WHOLE)}\s(?:to|through|and)\s{amount('b', what=WHOLE)}{ENDS}(?!\s(?:that|which|with"
        rf"|divis|whose|are|not))",
        _span,
        _between(0),
        _between(1),
        verifies_alone=True,
    ),
    phrase(
        "numbers in a row",
        "there are ",
        rf"\bfrom\s{amount('a', what=WHOLE)}\s(?:to|through)\s{amount('b', what=WHOLE)}(?:,?\sinclusive)?,?"
        rf"\sthere are\s{amount('r', what=WHOLE)}\s"
        rf"(?:positive\s|whole\s)?(?:integers|numbers|values)\b(?!\s(?:that|which|with|divis|whose|are|not))",
        _span,
        verifies_alone=True,
    ),
    # 555_{10} = 4210_5: the digits are no numbers of the text, so the file cannot follow
    phrase(
        "a number in a base",
        "_",
        rf"{OPEN}(?<![\w.,^*/+-])(?P<a>\d{{1,12}}){_BASE.replace('<x>', '<b>')}\s?=\s?(?P<r>\d{{1,12}})"
        rf"{_BASE.replace('<x>', '<c>')}"
        r"(?!\s?[-+*/×÷]|\d)",
        _same_base,
        is_sure=False,
        is_proved=False,
    ),
    # the number of years between 1960 and 1987 is 27
    phrase(
        "years between",
        "years|days|months|hours",
        rf"\b(?:number of\s)?(?:years|days|months|hours|minutes)\s(?:between|from)\s{amount('a', what=WHOLE)}\s"
        rf"(?:and|to)\s{amount('b', what=WHOLE)}{_IS}{claimed()}",
        _between(0),
        _span,
        verifies_alone=True,
    ),
    # 19 and -4, so when I add them I get 15
    phrase(
        "the two of them",
        "add them|adding them|sum of them|add these|adding these|together",
        rf"{amount('a')}\sand\s{amount('b')}[^.\n\d]{{0,30}}?\b(?:add(?:ing)?\s(?:them|these|those|the two)"
        rf"|together)(?:\s(?:up|together|both))?,?\s(?:(?:I|we|you|to|they)\s)?"
        rf"(?:get|gives?|is|make|makes|are|obtain)\s(?:us\s|me\s)?{claimed()}",
        of("+", "a", "b"),
        verifies_alone=True,
    ),
    # the 3rd multiple of 12 is 36
    phrase(
        "a multiple by its place",
        "multiple of",
        rf"\b(?P<k>\d{{1,4}})(?:st|nd|rd|th)\s(?:positive\s)?multiple of\s{amount('n', what=WHOLE)}{_IS}"
        rf"{claimed(what=WHOLE)}",
        of("*", "k", "n"),
        is_sure=False,
    ),
)
