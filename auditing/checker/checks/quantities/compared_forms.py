"""Phrases that say what a number is beside another: "24 is twice 12", "20% more than 50 is 60", "12 exceeds 10"."""

from __future__ import annotations

from fractions import Fraction

from auditing.checker.checks.quantities.phrase_pieces import (
    ANY,
    ENDS,
    FRACTION,
    ITS,
    NOUNS,
    PERCENT,
    VALUE,
    WORDED,
    Build,
    Groups,
    amount,
    claimed,
    number,
    of,
    phrase,
    tree_of,
    whole,
)
from auditing.checker.mathematics.tree import Node, Num, Tree

_IS = (
    r"(?:\s?=\s?|(?:,?\swhich)?\s(?:is|was|equals|would be|will be|represents|makes up)\s"
    r"(?:exactly\s|just\s|only\s|also\s|simply\s)?)"
)


_SHARE = rf"(?:{PERCENT}|{FRACTION})"


def _first(groups: Groups) -> Tree:
    return tree_of(groups["a"])


def _changed(sign: str) -> Build:
    """n * (1 + p)."""
    return lambda groups: Node("*", (number(groups["n"]), Node(sign, (whole(1), number(groups["p"])))))


def _times(factor: Fraction) -> Build:
    """A multiple of the group n: three quarters of it, twice it."""
    above, below = whole(factor.numerator), whole(factor.denominator)
    return lambda groups: Node("/", (Node("*", (above, tree_of(groups["n"]))), below))


def _beside_a_multiple(groups: Groups) -> Tree:
    name, sign = (groups["name"] or "").lower(), (groups["sign"] or "").lower()
    factor: Tree = Node("/", (whole(1), whole(2)))
    if not name.startswith("half"):
        factor = whole({"twice": 2, "double": 2, "triple": 3}[name]) if name else tree_of(groups["f"])
    sign = "+" if sign in ("more", "greater") else "-"
    return Node(sign, (Node("*", (factor, tree_of(groups["b"]))), tree_of(groups["a"])))


_NAMES = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "tenth": 10}
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3}
# the number once more, and no other that is paid instead
_OR = r",?\sor\s(?![^.\n]{0,60}\b(?:whichever|depending)\b)"
# "half" alone and "one-half of", "a third of", "two thirds of"
_MULTIPLES = {"twice": Fraction(2), "double": Fraction(2), "triple": Fraction(3), "half": Fraction(1, 2)} | {
    f"{count}{joint}{name}{plural} of": Fraction(value, below)
    for count, value in _COUNTS.items()
    for joint in (" ", "-")
    for name, below in _NAMES.items()
    for plural in ("", "s")
}
_MULTIPLES["half of"] = Fraction(1, 2)
_MULTIPLE = rf"(?P<many>{'|'.join(sorted(_MULTIPLES, key=len, reverse=True))})"


def _multiple(groups: Groups) -> Tree:
    return _times(_MULTIPLES[(groups["many"] or "half").lower()])(groups)


def _signed(groups: Groups) -> Tree:
    signs = {"sum": "+", "product": "*", "difference": "-", "quotient": "/"}
    return Node(signs[(groups["sign"] or "").lower()], (number(groups["a"]), number(groups["b"])))


def _apart(sign: str) -> Build:
    """4 more than 20, and 20% more than 20 as a share of the 20."""

    def build(groups: Groups) -> Tree:
        step, base = tree_of(groups["a"]), tree_of(groups["b"])
        if isinstance(step, Num) and step.percent:
            return Node("*", (base, Node(sign, (whole(1), step))))
        return Node(sign, (base, step))

    return build


_BETWEEN = r"(?:(?:is|lies|falls)\s(?:indeed\s|strictly\s)?(?:in\s)?between)"
_ORDERS = {
    ">": r"(?:exceeds|is (?:more|higher) than|is above|surpasses)",
    "<": r"(?:is (?:fewer|lower) than|is below|is under)",
    ">=": r"(?:is at least|is no less than|is greater than or equal to)",
    "<=": r"(?:is at most|does not exceed|is no more than|is less than or equal to)",
}
ORDERS = (
    *(
        phrase(
            "an order in words",
            "exceed|than|above|below|under|at least|at most|surpass",
            rf"{amount('a', what=ANY)}{NOUNS}\s{words}\s(?:the\s)?{claimed(what=ANY)}",
            _first,
            is_sure=False,
            relation=sign,
        )
        for sign, words in _ORDERS.items()
    ),
    # 7 lies between 5 and 10: the nearest number of that range to 7 is 7
    phrase(
        "an order in words",
        "between",
        rf"{amount('r', what=ANY)}\s{_BETWEEN}\s{amount('a', what=ANY)}\sand\s{amount('b', what=ANY)}{ENDS}",
        lambda groups: Node("max", (tree_of(groups["a"]), Node("min", (tree_of(groups["r"]), tree_of(groups["b"]))))),
        is_sure=False,
    ),
)
BESIDE = (
    # 24 is twice 12, 24 is half of 48, 30 is three-quarters of 40
    phrase(
        "what a number is",
        "twice|double|triple|half|third|quarter|fourth|fifth|tenth",
        rf"{amount('r', what=ANY)}{NOUNS}{_IS}{_MULTIPLE}\s(?:the\s)?{amount('n', what=ANY)}{ENDS}",
        _multiple,
        is_sure=False,
    ),
    # 24 (twice 12), 5 (half of 10)
    phrase(
        "what a number is",
        "(twice|(double|(triple|(half|(one|(a |(two|(three",
        rf"{amount('r', what=ANY)}{NOUNS}\s\({_MULTIPLE}\s(?:the\s)?(?P<n>{VALUE})\s?\)",
        _multiple,
        verifies_alone=True,
    ),
    # two-thirds of 24 is 16, half of those 40 students is 20, twice seven is fourteen
    phrase(
        "a share of things",
        "twice|double|triple|half|third|quarter|fourth|fifth|tenth",
        rf"(?<![\w-])(?<!and a )(?<!and )(?<!\d )(?<!either )(?:{_MULTIPLE}|half)\s{ITS}"
        rf"{amount('n', what=WORDED)}{NOUNS}(?:{_IS}|{_OR}|,\sso\s)"
        rf"{claimed(what=WORDED)}",
        _multiple,
        is_sure=False,
    ),
    # 25% of the 40 students is 10, 2/3 of 12 apples, or 8
    phrase(
        "a share of things",
        "% of|percent of|/|frac",
        rf"{amount('a', what=_SHARE)}\sof\s{ITS}{amount('b', what=ANY)}{NOUNS}(?:{_IS}|{_OR}|,\sso\s)"
        rf"{claimed(what=WORDED)}",
        of("*", "a", "b"),
        is_sure=False,
    ),
    # 20 increased by 5 is 25, 20 reduced by 20% is 16
    phrase(
        "a change",
        " by ",
        rf"{amount('b', what=ANY)}{NOUNS}\s(?:increased|raised|up)\sby\s{amount('a', what=ANY)}{_IS}"
        rf"{claimed(what=ANY)}",
        _apart("+"),
        is_sure=False,
    ),
    phrase(
        "a change",
        " by ",
        rf"{amount('b', what=ANY)}{NOUNS}\s(?:decreased|reduced|lowered|down)\sby\s{amount('a', what=ANY)}{_IS}"
        rf"{claimed(what=ANY)}",
        _apart("-"),
        is_sure=False,
    ),
    phrase(
        "a difference",
        "differ by",
        rf"{amount('a')}\sand\s{amount('b')}\sdiffer\sby\s{claimed()}",
        lambda groups: Node("abs", (Node("-", (number(groups["a"]), number(groups["b"]))),)),
        is_sure=False,
    ),
    # the ratio of 12 to 18 is 2 to 3
    phrase(
        "a ratio",
        " to ",
        rf"{amount('a')}{NOUNS}\sto\s{amount('b')}{NOUNS}\s(?:is|reduces to|simplifies to"
        rf"|is the same as|equals)\s(?P<r>{VALUE}\s?:\s?{VALUE})"
        r"(?![\d:.]*\d)",
        of("/", "a", "b"),
        verifies_alone=True,
    ),
    phrase(
        "a ratio",
        " to ",
        rf"{amount('a')}{NOUNS}\sto\s{amount('b')}{NOUNS}\s(?:is|reduces to|simplifies to"
        rf"|is the same as|equals)\s{amount('r')}\sto\s"
        rf"{amount('s')}{ENDS}",
        lambda groups: Node("/", (Node("*", (number(groups["a"]), number(groups["s"]))), number(groups["b"]))),
        verifies_alone=True,
    ),
    # 10 years from 2015 is 2025
    phrase(
        "a year",
        " years ",
        rf"{amount('a')}\syears\s(?:from|after)\s{amount('b')}{_IS}{claimed()}",
        of("+", "a", "b"),
        is_sure=False,
    ),
    phrase(
        "a year",
        " years ",
        rf"{amount('a')}\syears\sbefore\s{amount('b')}{_IS}{claimed()}",
        of("-", "b", "a"),
        is_sure=False,
    ),
    # 24 is 3 times 8, 24 is 4 more than 20, 16 is 4 less than 20
    phrase(
        "what a number is",
        " times ",
        rf"{amount('r', what=ANY)}{NOUNS}{_IS}{amount('a', what=WORDED)}\stimes\s(?:the\s|as\s(?:many|much|large|big"
        rf"|long|old|high|great)\sas\s)?"
        rf"{amount('b', what=ANY)}{ENDS}",
        of("*", "a", "b"),
        is_sure=False,
    ),
    phrase(
        "what a number is",
        " more than | greater than | larger than | above ",
        rf"{amount('r', what=ANY)}{NOUNS}{_IS}{amount('a', what=ANY)}{NOUNS}\s(?:more|greater|larger|higher|older"
        rf"|longer|taller|heavier)\sthan\s"
        rf"(?:the\s)?{amount('b', what=ANY)}{ENDS}",
        _apart("+"),
        is_sure=False,
    ),
    phrase(
        "what a number is",
        " less than | fewer than | smaller than | lower than ",
        rf"{amount('r', what=ANY)}{NOUNS}{_IS}{amount('a', what=ANY)}{NOUNS}\s(?:less|fewer|smaller|lower|younger"
        rf"|shorter|lighter)\sthan\s"
        rf"(?:the\s)?{amount('b', what=ANY)}{ENDS}",
        _apart("-"),
        is_sure=False,
    ),
    # 7 less than 9 times 5 is 38, 3 more than twice 5 is 13
    phrase(
        "more or less than a multiple",
        " less than | fewer than | smaller than | more than | greater than ",
        rf"{amount('a', what=ANY)}{NOUNS}\s(?P<sign>less|fewer|smaller|more|greater)\sthan\s"
        rf"(?:(?P<name>twice|double|triple|half|half of)|{amount('f', what=WORDED)}\stimes)\s(?:the\s)?"
        rf"{amount('b', what=ANY)}{NOUNS}{_IS}{claimed(what=ANY)}",
        _beside_a_multiple,
        is_sure=False,
    ),
    # 24 is the sum of 10 and 14
    phrase(
        "what a number is",
        " the sum of | the product of | the difference | the quotient of ",
        rf"{amount('r')}{NOUNS}{_IS}the\s(?P<sign>sum|product|difference|quotient)\s(?:of|between)\s{amount('a')}"
        rf"\sand\s{amount('b')}{ENDS}(?!,?\sand\s\d)",
        _signed,
        is_sure=False,
    ),
    # 20% more than 50 is 60; a 20% discount on $50 is $10; a tip of 20% on $50 is $10
    phrase(
        "a percentage more",
        "% more than|% greater than|% higher than|percent more than",
        rf"{amount('p', what=PERCENT)}\s(?:more|greater|higher|larger)\sthan\s{amount('n')}{NOUNS}{_IS}{claimed()}",
        _changed("+"),
        is_sure=False,
    ),
    phrase(
        "a percentage less",
        "% less than|% lower than|% fewer than|% smaller than|percent less than",
        rf"{amount('p', what=PERCENT)}\s(?:less|fewer|lower|smaller)\sthan\s{amount('n')}{NOUNS}{_IS}{claimed()}",
        _changed("-"),
        is_sure=False,
    ),
    phrase(
        "a percentage of it",
        " on | tip| tax| discount|interest|commission",
        rf"{amount('p', what=PERCENT)}\s(?:[a-z]{{2,12}}\s){{0,2}}(?:discount|tip|tax|commission|interest|fee"
        rf"|surcharge|markup|deposit)\s(?:on|of|from|for)\s"
        rf"(?:the\s)?{amount('n')}{NOUNS}{_IS}{claimed()}",
        of("*", "p", "n"),
        is_sure=False,
    ),
)
