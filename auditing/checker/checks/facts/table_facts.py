"""Facts that a table settles: truth tables, calendars, orders and choices."""

from __future__ import annotations

import calendar
import datetime
import math
import re

from auditing.checker.checks.facts.plain_forms import COUNT, PlainForm, count_of, plain_form

_TRUTHS = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}
_SIGNS = {"and": "and", "∧": "and", "land": "and", "wedge": "and", "or": "or", "∨": "or", "lor": "or", "vee": "or",
          "xor": "xor", "⊕": "xor", "oplus": "xor", "→": "to", "to": "to", "implies": "to", "⟹": "to", "⇒": "to",
          "rightarrow": "to", "nand": "nand", "nor": "nor"}  # fmt: skip
_TRUTH = r"(?:[Tt]rue|[Ff]alse|TRUE|FALSE|T|F)"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_DAY = "|".join(_DAYS)
_MONTHS = [name.lower() for name in calendar.month_name if name]
_MONTH = "|".join(_MONTHS)


def _truth(match: re.Match[str]) -> tuple[bool, str] | None:
    a, b = _TRUTHS[match["a"].lower()], _TRUTHS[match["b"].lower()]
    table = {
        "and": a and b,
        "or": a or b,
        "xor": a is not b,
        "to": not a or b,
        "nand": not (a and b),
        "nor": not (a or b),
    }
    value = table[_SIGNS[match["sign"].lower().lstrip("\\")]]
    return value is _TRUTHS[match["r"].lower()], f"it is {'true' if value else 'false'}."


def _negation(match: re.Match[str]) -> tuple[bool, str] | None:
    value = not _TRUTHS[match["a"].lower()]
    return value is _TRUTHS[match["r"].lower()], f"it is {'true' if value else 'false'}."


def _weekday(match: re.Match[str]) -> tuple[bool, str] | None:
    steps = count_of(match["n"]) * (1 if match["side"].lower() in ("after", "from") else -1)
    day = _DAYS[(_DAYS.index(match["from"].lower()) + steps) % 7]
    return day == match["day"].lower(), f"it is {day.capitalize()}."


def _month(match: re.Match[str]) -> tuple[bool, str] | None:
    days = calendar.monthrange(int(match["year"]), _MONTHS.index(match["month"].lower()) + 1)[1]
    return int(match["n"]) == days, f"it has {days}."


def _between(match: re.Match[str]) -> tuple[bool, str] | None:
    """From March 3, 2024 to March 10, 2024 is 7 days; with both ends counted it is one more."""
    try:
        first, last = (
            datetime.date(int(match[f"y{at}"]), _MONTHS.index(match[f"m{at}"].lower()) + 1, int(match[f"d{at}"]))
            for at in "ab"
        )
    except ValueError:
        return None
    days = (last - first).days
    return int(match["n"]) in (days, days + 1), f"it is {days}."


def _orders(match: re.Match[str]) -> tuple[bool, str] | None:
    count = math.factorial(min(count_of(match["n"]), 20))
    return int(match["r"].replace(",", "")) == count, f"it is {count}."


def _choices(match: re.Match[str]) -> tuple[bool, str] | None:
    chosen, number = count_of(match["k"]), count_of(match["n"])
    if chosen > number or number > 60:
        return None
    count = math.comb(number, chosen)
    return int(match["r"].replace(",", "")) == count, f"it is {count}."


def _date(at: str) -> str:
    return rf"(?P<m{at}>{_MONTH}) (?P<d{at}>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y{at}>[12]\d{{3}})"


_WHOLE = r"\d{1,3}(?:,\d{3}){1,3}|\d{1,9}"
TABLED: tuple[PlainForm, ...] = (
    plain_form(
        "a truth table",
        "true|false|∧|∨|⊕|→|⇒|\\land|\\lor|\\to|\\oplus",
        rf"(?<![\w∧∨⊕→⇒¬]\s)(?<![\w¬(])(?P<a>{_TRUTH})\s(?P<sign>AND|and|OR|or|XOR|xor|NAND|NOR|"
        rf"IMPLIES|implies|[∧∨⊕→⇒⟹]|\\(?:land|lor|wedge|vee|oplus|to|implies|rightarrow))"
        rf"\s(?P<b>{_TRUTH})\s(?:=|≡|is|equals|evaluates to|gives|yields)\s(?P<r>{_TRUTH})(?!\w|"
        rf"\s(?:and|or|AND|OR|∧|∨))",
        _truth,
        in_any_case=False,
    ),
    plain_form(
        "a truth table",
        "1 and|0 and|1 or|0 or|1 xor|0 xor| nand | nor ",
        r"(?<![\w.]\s)(?<![\w.(])(?P<a>[01])\s(?P<sign>AND|OR|XOR|NAND|NOR)\s(?P<b>[01])\s(?:=|is|"
        r"equals|gives|->|→)\s(?P<r>[01])(?![\d.]|\s(?:AND|OR|XOR))",
        _truth,
        in_any_case=False,
    ),
    plain_form(
        "a truth table",
        "not true|not false|not t |not f |¬|neg",
        rf"(?<!\w\s)(?<![\w∧∨⊕→])(?:NOT\s|not\s|¬\s?|\\neg\s)(?P<a>{_TRUTH})\s(?:=|≡|is|equals|"
        rf"evaluates to)\s(?P<r>{_TRUTH})(?!\w)",
        _negation,
        in_any_case=False,
    ),
    plain_form(
        "a weekday",
        "days after|days before|days from",
        rf"\b(?P<n>{COUNT}) days (?P<side>after|before|from) (?P<from>{_DAY}) (?:is|was|will be|falls "
        rf"on)(?: a)? (?P<day>{_DAY})\b",
        _weekday,
    ),
    plain_form(
        "days of a month",
        "days in",
        rf"\bthere (?:are|were) (?P<n>\d{{1,2}}) days in (?P<month>{_MONTH}),? (?:of )"
        rf"?(?P<year>[12]\d{{3}})\b",
        _month,
    ),
    plain_form(
        "days between two dates",
        "from |between ",
        rf"\b(?:from|between) {_date('a')} (?:to|and|until|through) {_date('b')},? (?:is|are|there are|"
        rf"we have) (?P<n>\d{{1,6}}) days\b",
        _between,
    ),
    plain_form(
        "orders of things",
        "permutations|arrangements|orderings",
        rf"\bthere are (?P<r>{_WHOLE}) (?:possible |different |distinct )?(?:permutations|arrangements|"
        rf"orderings) of (?:the )?(?P<n>\d{{1,2}}|three|four|five|six|seven) (?:distinct |different )"
        rf"?(?:objects|items|people|elements|books|things|students)(?!\s(?:taken|in|around|at|with|"
        rf"where|such))",
        _orders,
    ),
    plain_form(
        "ways to choose",
        "ways to ",
        rf"\bthere are (?P<r>{_WHOLE}) (?:different |possible |distinct )?ways to (?:choose|select|"
        rf"pick) (?P<k>{COUNT})(?: (?!for|as|in)[a-z]{{3,12}})? (?:from|out of) (?:the |a group of |a "
        rf"set of )?(?P<n>{COUNT})(?!\s(?:with|in order|if|where))\b",
        _choices,
    ),
)
