"""Phrases of interest: "$1,000 at 5% compounded monthly for 3 years grows to $1,161.47", "a perpetuity of $100 at 5%".

Sources: simple and compound interest, present value, annuities and perpetuities, loan payments: Brealey, Myers and
Allen, Principles of Corporate Finance, chapter 2; the effective rate: Regulation DD, 12 CFR 1030, appendix A.
"""

from __future__ import annotations

from auditing.checker.checks.quantities.phrase_pieces import (
    CLOSE,
    ENDS,
    FREE,
    VALUE,
    Build,
    Groups,
    number,
    phrase,
    whole,
)
from auditing.checker.mathematics.tree import Node, Tree

_MONEY = rf"\\?[$€£]?\s?{VALUE}"
_RESULT = rf"(?:approximately\s|about\s)?(?:\\\(\s?|\\(?=\$))?(?P<r>[$€£]?{VALUE}){CLOSE}{ENDS}"
_RATE = (
    rf"(?P<i>{VALUE}\s?(?:\\?%|percent\b))(?:\s(?:per year|per annum|a year|annual(?:ly)?|yearly|each year))?"
    r"(?:\s(?:annual\s|simple\s|compound\s)?(?:interest(?:\srate)?|rate(?:\sof interest)?|discount rate|APR))?"
)
_AT = (
    r",?\s(?:at|with|and)\s(?:an?\s|the\s)?(?:(?:annual|simple|yearly|nominal|discount|interest|compound)\s){0,3}"
    r"(?:rate\s)?(?:of\s(?:interest\s)?)?(?:of\s)?"
)
_YEARS = r"(?P<t>\d{1,2}(?![\d.,]*\d))\s(?:full\s)?years?"
_OFTEN = r"(?P<often>annually|yearly|semi-?annually|quarterly|monthly|weekly|daily)"
_FOR = r",?\s(?:for|over|after|in)\s"
_BECOMES = (
    r"(?:,?\s(?:it|this|which|and|the (?:account|investment|amount|balance))(?:\swill)?)?\s"
    r"(?:grows? to|becomes?|amounts? to|is worth|will be worth|is|gives|yields|accumulates to)\s(?:a total of\s)?"
)
_TIMES = {"annually": 1, "yearly": 1, "quarterly": 4, "monthly": 12, "weekly": 52, "daily": 365}


def _often(groups: Groups) -> int:
    """How many times a year interest is added; once where nothing is said."""
    return _TIMES.get((groups.get("often") or "annually").lower(), 2)


def _growth(groups: Groups) -> Tree:
    """(1 + i/m)^(m t)."""
    rate, periods, times = number(groups["i"]), number(groups["t"]), _often(groups)
    if times == 1:
        return Node("^", (Node("+", (whole(1), rate)), periods))
    base = Node("+", (whole(1), Node("/", (rate, whole(times)))))
    return Node("^", (base, Node("*", (whole(times), periods))))


def _simple(groups: Groups) -> Tree:
    return Node("*", (Node("*", (number(groups["p"]), number(groups["i"]))), number(groups["t"])))


def _simple_amount(groups: Groups) -> Tree:
    return Node("+", (number(groups["p"]), _simple(groups)))


def _compound(groups: Groups) -> Tree:
    return Node("*", (number(groups["p"]), _growth(groups)))


def _compound_interest(groups: Groups) -> Tree:
    return Node("-", (_compound(groups), number(groups["p"])))


def _present(groups: Groups) -> Tree:
    return Node("/", (number(groups["p"]), _growth(groups)))


def _annuity(*, is_future: bool) -> Build:
    """p ((1 + i)^t - 1) / i at its end, divided by (1 + i)^t at its start."""

    def build(groups: Groups) -> Tree:
        growth = _growth(groups)
        gained: Tree = Node("-", (growth, whole(1)))
        gained = gained if is_future else Node("/", (gained, growth))
        return Node("/", (Node("*", (number(groups["p"]), gained)), number(groups["i"])))

    return build


def _perpetuity(groups: Groups) -> Tree:
    return Node("/", (number(groups["p"]), number(groups["i"])))


def _loan(groups: Groups) -> Tree:
    """The payment of each month: p i/12 / (1 - (1 + i/12)^-(12 t))."""
    growth = _growth({**groups, "often": "monthly"})
    rate = Node("/", (number(groups["i"]), whole(12)))
    return Node("/", (Node("*", (Node("*", (number(groups["p"]), rate)), growth)), Node("-", (growth, whole(1)))))


def _effective(groups: Groups) -> Tree:
    return Node("-", (_growth({**groups, "t": "1"}), whole(1)))


MONEY = (
    phrase(
        "simple interest",
        "simple interest",
        rf"\bsimple interest (?:earned\s|paid\s|due\s)?on\s(?P<p>{_MONEY}){_AT}{_RATE}{_FOR}{_YEARS}\s(?:is|equals"
        rf"|comes to|would be)\s{_RESULT}",
        _simple,
        is_sure=False,
    ),
    phrase(
        "simple interest",
        "simple interest",
        rf"{FREE}(?P<p>{_MONEY})(?:\s(?:invested|deposited|borrowed|lent))?{_AT}(?P<i>{VALUE}\s?\\?%)\s(?:annual"
        rf"\s)?simple interest{_FOR}{_YEARS}"
        rf"\s(?:earns|gives|yields|costs|accrues)\s(?:interest of\s)?{_RESULT}(?!\sin total)",
        _simple,
        is_sure=False,
    ),
    phrase(
        "simple interest",
        "simple interest",
        rf"{FREE}(?P<p>{_MONEY})(?:\s(?:invested|deposited|borrowed|lent))?{_AT}(?P<i>{VALUE}\s?\\?%)\s(?:annual"
        rf"\s)?simple interest{_FOR}{_YEARS}"
        rf"{_BECOMES}{_RESULT}",
        _simple_amount,
        is_sure=False,
    ),
    # $1,000 at 5% compounded monthly for 3 years grows to $1,161.47
    phrase(
        "compound interest",
        "compound",
        rf"{FREE}(?P<p>{_MONEY})(?:\s(?:invested|deposited|borrowed|placed|put)(?:\sin an? account)?)?{_AT}{_RATE},?"
        rf"\s(?:interest\s)?compounded\s{_OFTEN}{_FOR}{_YEARS}"
        rf"{_BECOMES}{_RESULT}",
        _compound,
        is_sure=False,
    ),
    phrase(
        "compound interest",
        "compound interest",
        rf"\bcompound interest (?:earned\s)?on\s(?P<p>{_MONEY}){_AT}{_RATE}(?:,?\scompounded\s{_OFTEN})?{_FOR}"
        rf"{_YEARS}\s(?:is|equals|comes to)\s{_RESULT}",
        _compound_interest,
        is_sure=False,
    ),
    phrase(
        "a present value",
        "present value of",
        rf"\bpresent value of\s(?P<p>{_MONEY})(?:\s(?:due|received|paid|payable|to be received))?\s(?:in\s{_YEARS}|"
        rf"{_YEARS.replace('<t>', '<u>')}\sfrom now)"
        rf"{_AT}{_RATE}(?:,?\scompounded\s{_OFTEN})?,?\s(?:is|equals|comes to)\s{_RESULT}",
        lambda groups: _present({**groups, "t": groups["t"] or groups["u"]}),
        is_sure=False,
    ),
    phrase(
        "a future value",
        "future value of",
        rf"\bfuture value of\s(?P<p>{_MONEY})(?:\s(?:invested|deposited))?{_AT}{_RATE}(?:,?\scompounded\s{_OFTEN})?"
        rf"{_FOR}{_YEARS},?\s(?:is|equals|comes to)\s{_RESULT}",
        _compound,
        is_sure=False,
    ),
    phrase(
        "an annuity",
        "present value of an",
        rf"\bpresent value of an\s(?:ordinary\s)?annuity of\s(?P<p>{_MONEY})\s(?:per year|a year|annually|each year)"
        rf"{_FOR}{_YEARS}{_AT}{_RATE},?\s(?:is|equals)\s{_RESULT}",
        _annuity(is_future=False),
        is_sure=False,
    ),
    phrase(
        "an annuity",
        "future value of an",
        rf"\bfuture value of an\s(?:ordinary\s)?annuity of\s(?P<p>{_MONEY})\s(?:per year|a year|annually|each year)"
        rf"{_FOR}{_YEARS}{_AT}{_RATE},?\s(?:is|equals)\s{_RESULT}",
        _annuity(is_future=True),
        is_sure=False,
    ),
    phrase(
        "a perpetuity",
        "perpetuity of",
        rf"\bperpetuity of\s(?P<p>{_MONEY})(?:\s(?:per year|a year|annually|each year))?{_AT}{_RATE},?\s(?:is worth"
        rf"|is|has a (?:present\s)?value of|equals)\s{_RESULT}",
        _perpetuity,
        is_sure=False,
    ),
    phrase(
        "a loan's payment",
        "monthly payment",
        rf"\bmonthly payment (?:on|of|for)\s(?:an?\s|the\s)?(?P<p>{_MONEY})(?:,?\s{_YEARS.replace('<t>', '<u>')})?\s"
        rf"(?:loan|mortgage){_AT}{_RATE}(?:{_FOR}{_YEARS})?,?\s"
        rf"(?:is|equals|comes to)\s{_RESULT}",
        lambda groups: _loan({**groups, "t": groups["t"] or groups["u"]}),
        is_sure=False,
    ),
    phrase(
        "an effective rate",
        "effective",
        rf"\beffective (?:annual\s)?(?:interest\s)?rate (?:of|for)\s(?P<i>{VALUE}\s?\\?%)\scompounded\s{_OFTEN}\s"
        rf"(?:is|equals)\s(?P<r>{VALUE}\s?\\?%)",
        _effective,
        is_sure=False,
    ),
)
