"""Phrases that name an operation or a figure: "5 factorial is 120", "a 3 by 4 rectangle has an area of 12"."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from auditing.checker.checks.quantities.number_words import NUMBER_WORDS
from auditing.checker.checks.quantities.phrase_pieces import (
    CLOSE,
    FRACTION,
    NOUNS,
    OPEN,
    VALUE,
    WHOLE,
    Build,
    Groups,
    amount,
    claimed,
    number,
    of,
    phrase,
    tree_of,
    values_of,
    whole,
)
from auditing.checker.mathematics.tree import Node, Tree

_IS = (
    r"(?:\s?=\s?|(?:,\swhich)?\s(?:is|equals|is equal to|would be|will be|gives|comes to|are)\s"
    r"(?:exactly\s|simply\s|also\s|just\s|then\s)?)"
)

_LIST = rf"{OPEN}(?<![\w.,/^*×÷:=+-])(?P<list>{VALUE}(?:,\s(?:and\s)?{VALUE}|\sand\s{VALUE}){{1,30}}){CLOSE}"


def _unary(sign: str) -> Build:
    return lambda groups: Node(sign, (tree_of(groups["a"]),))


def _listed(sign: str) -> Build:
    return lambda groups: Node(sign, tuple(values_of(groups["list"])))


def _product(groups: Groups) -> Tree:
    first, *others = values_of(groups["list"])
    product: Tree = first
    for factor in others:
        product = Node("*", (product, factor))
    return product


def _spread(groups: Groups) -> Tree:
    values = tuple(values_of(groups["list"]))
    return Node("-", (Node("max", values), Node("min", values)))


def _middle(groups: Groups) -> Tree:
    return Node("/", (Node("+", (number(groups["a"]), number(groups["b"]))), whole(2)))


def _rounded(towards: str) -> Build:
    """The number rounded in one direction, to as many decimals as are claimed."""

    def build(groups: Groups) -> Tree:
        step = Decimal(1).scaleb(-number(groups["r"]).decimals)
        digits = Decimal((groups["a"] or "").replace(",", "").replace("−", "-"))
        return number(str(digits.quantize(step, rounding=towards)))

    return build


def _chosen(sign: str) -> Build:
    return lambda groups: Node(sign, (number(groups["n"]), number(groups["k"])))


def _log(groups: Groups) -> Tree:
    return Node("log", (tree_of(groups["a"]), number(groups["b"])))


def _turned(groups: Groups) -> Tree:
    names = {"sine": "sin", "cosine": "cos", "tangent": "tan"}
    return Node(names[(groups["f"] or "").lower()], (Node("deg", (number(groups["a"]),)),))


OPERATIONS = (
    phrase("a factorial", "factorial", rf"{amount('a', what=WHOLE)}\sfactorial{_IS}{claimed()}", _unary("!")),
    phrase("a factorial", "factorial of", rf"\bfactorial of {amount('a', what=WHOLE)}{_IS}{claimed()}", _unary("!")),
    phrase(
        "a choice",
        " choose ",
        rf"{amount('n', what=WHOLE)}\schoose\s{amount('k', what=WHOLE)}{_IS}{claimed()}",
        _chosen("binom"),
    ),
    # the order may count, or one may be chosen twice
    phrase(
        "ways to choose",
        "ways to choose|ways to select|ways to pick|ways of choosing",
        rf"\b(?:number of )?ways (?:to|of) (?:choose|choosing|select|selecting|pick)\s(?:any\s)?"
        rf"{amount('k', what=WHOLE)}{NOUNS}\s"
        rf"(?:from|out of|of)\s"
        rf"(?:the\s|these\s|a group of\s|a set of\s)?{amount('n', what=WHOLE)}{NOUNS}{_IS}{claimed()}",
        _chosen("binom"),
        _chosen("perm"),
        lambda groups: Node("^", (number(groups["n"]), number(groups["k"]))),
        is_sure=False,
    ),
    phrase(
        "ways to arrange",
        "arrange|order |permut",
        rf"\b(?:(?:number of )?ways (?:to|of) (?:arrange|arranging|order|ordering|permute)|permutations of"
        rf"|arrangements of)\s(?:the"
        rf"\s|these\s)?"
        rf"{amount('a', what=WHOLE)}{NOUNS}(?:\sin a row|\sin a line)?{_IS}{claimed()}",
        _unary("!"),
        verifies_alone=True,
    ),
    phrase(
        "an absolute value",
        "absolute value of",
        rf"\babsolute value of\s{OPEN}[-−](?P<a>{VALUE}){CLOSE}{_IS}{claimed()}",
        lambda groups: Node("abs", (Node("neg", (number(groups["a"]),)),)),
    ),
    phrase(
        "a power",
        " power",
        rf"{amount('a')}\s(?:raised\s)?to (?:the\s)?(?:power(?: of)?\s)?(?:{amount('b', what=WHOLE)}|(?P<c>\d"
        rf"{{1,3}})(?:st|nd"
        rf"|rd|th)\spower){_IS}{claimed()}",
        lambda groups: Node("^", (number(groups["a"]), number(groups["b"] or groups["c"]))),
    ),
    phrase(
        "a logarithm",
        "log",
        rf"\blog(?:arithm)?(?:,)?\s(?:to the\s)?base[\s-]{amount('b', what=WHOLE)}\sof\s{amount('a')}{_IS}{claimed()}",
        _log,
    ),
    phrase(
        "a logarithm",
        "log",
        rf"\b(?<!base )(?:common\s)?log(?:arithm)? of\s{amount('a')}{_IS}{claimed()}",
        lambda groups: Node("log", (tree_of(groups["a"]), whole(10))),
        lambda groups: Node("ln", (tree_of(groups["a"]),)),
        is_sure=False,
    ),
    phrase(
        "a remainder",
        "remainder",
        rf"\bremainder\s(?:is|of)\s{amount('r', what=WHOLE)}\swhen\s{amount('a', what=WHOLE)}{NOUNS}\sis\sdivided"
        rf"\sby\s{amount('b', what=WHOLE)}",
        of("mod", "a", "b"),
        is_sure=False,
    ),
    phrase(
        "a remainder",
        "remainder",
        rf"{amount('a', what=WHOLE)}\sleaves\sa\sremainder\sof\s{amount('r', what=WHOLE)}\swhen\s(?:it is\s)?divided"
        rf"\sby\s{amount('b', what=WHOLE)}",
        of("mod", "a", "b"),
        is_sure=False,
    ),
    # 3.456 rounds to 3.46
    phrase(
        "a rounding",
        "round",
        rf"{amount('a')}{NOUNS}\s(?:rounds|rounded|is rounded)(?:\soff)?\sto\s(?:about\s)?{claimed()}",
        lambda groups: number(groups["a"]),
        verifies_alone=True,
        relation="≈",
    ),
    *(
        phrase(
            f"a rounding {direction}",
            f"round {direction}|rounds {direction}|rounded {direction}",
            rf"{amount('a')}{NOUNS}\s(?:rounds|rounded|is rounded)\s{direction}\sto\s{claimed()}",
            _rounded(towards),
            verifies_alone=True,
            is_proved=False,
        )
        for direction, towards in (("up", ROUND_CEILING), ("down", ROUND_FLOOR))
    ),
    phrase(
        "an angle beside",
        "complement|supplement",
        rf"\bcomplement of\s(?:an?\s)?{amount('a')}(?:\s?°|\sdegrees|[ -]degree angle)?{_IS}{amount('r')}",
        lambda groups: Node("-", (whole(90), number(groups["a"]))),
        is_sure=False,
    ),
    phrase(
        "an angle beside",
        "supplement",
        rf"\bsupplement of\s(?:an?\s)?{amount('a')}(?:\s?°|\sdegrees|[ -]degree angle)?{_IS}{amount('r')}",
        lambda groups: Node("-", (whole(180), number(groups["a"]))),
        is_sure=False,
    ),
    phrase(
        "a root",
        " root of",
        rf"\bsquare root of\s{amount('a', what=rf'(?:{VALUE}|{FRACTION})')}(?:\s?=|,?\s(?:which\s)?"
        rf"(?:is|equals|is equal to|gives|yields|makes)|(?:,|\sand)?\s(?:(?:we|I|you|to)\s)?(?:get|obtain|find)|"
        rf",\sgiving)\s?(?:approximately\s|about\s|roughly\s)?{claimed(what=rf'(?:{VALUE}|{FRACTION})')}",
        _unary("sqrt"),
        is_sure=False,
    ),
    phrase(
        "an angle's ratio",
        "sine|cosine|tangent",
        rf"\b(?<!inverse\s)(?P<f>sine|cosine|tangent)\sof\s{amount('a')}(?:\s?°|\sdegrees){_IS}"
        rf"{claimed(what=rf'(?:{VALUE}|{FRACTION})')}",
        _turned,
        is_sure=False,
    ),
    phrase(
        "the largest",
        "largest|greatest|maximum|highest|biggest|smallest|least|minimum|lowest",
        rf"\b(?:largest|greatest|maximum|highest|biggest)\s(?:number\s|value\s)?(?:of|among|from|between|in)\s"
        rf"(?:the numbers\s|the values\s)?{_LIST}{_IS}{claimed()}",
        _listed("max"),
        is_sure=False,
        picks=True,
    ),
    phrase(
        "the smallest",
        "smallest|minimum|lowest",
        rf"\b(?:smallest|minimum|lowest)\s(?:number\s|value\s)?(?:of|among|from|between|in)\s(?:the numbers\s"
        rf"|the values\s)?{_LIST}{_IS}{claimed()}",
        _listed("min"),
        is_sure=False,
        picks=True,
    ),
    phrase("a product", "product of", rf"\bproduct of\s{_LIST}{_IS}{claimed()}", _product, is_sure=False),
    phrase(
        "a range",
        "range of",
        rf"\brange of\s(?:the (?:numbers|values|data)\s)?{_LIST}{_IS}{claimed()}",
        _spread,
        is_sure=False,
    ),
    phrase(
        "the middle",
        "midpoint|halfway|midway|average",
        rf"\b(?:midpoint (?:of|between)|halfway between|midway between|average between)\s{amount('a')}\sand\s"
        rf"{amount('b')}{_IS}{claimed()}",
        _middle,
        is_sure=False,
    ),
    # 7 goes into 35 5 times; there are 5 sevens in 35
    phrase(
        "so many times",
        " into | in ",
        rf"{amount('b')}\s(?:goes|fits|divides|go|fit)\s(?:in)?to\s{amount('a')}\s(?:exactly\s|evenly\s)?(?P<r>"
        rf"{VALUE}|{NUMBER_WORDS})\stimes\b(?!\swith)",
        of("/", "a", "b"),
        lambda groups: Node("floor", (Node("/", (number(groups["a"]), number(groups["b"]))),)),
        is_sure=False,
    ),
)
