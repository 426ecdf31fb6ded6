"""Facts of the calendar and the clock in words: years and days between dates, months later, spans of a clock."""

from __future__ import annotations

import datetime
import re

from auditing.checker.answers.calendar import MONTHS
from auditing.checker.checks.facts.fact_pieces import Answer
from auditing.checker.checks.facts.plain_forms import PlainForm, plain_form

_FREE = r"(?<![\w.,/^*×÷+-])"
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH = rf"(?:{'|'.join(MONTHS)})"


def _date(label: str) -> str:
    return rf"(?P<m{label}>{_MONTH})\s(?P<d{label}>\d{{1,2}})(?:st|nd|rd|th)?"


def _years(match: re.Match[str]) -> Answer:
    truth = abs(int(match["b"]) - int(match["a"]))
    # with both years counted
    return (
        None if int(match["n"]) == truth + 1 else (int(match["n"]) == truth, f"there are {truth} years between them.")
    )


def _day(match: re.Match[str], label: str) -> int | None:
    """The day of a year that is no leap year."""
    month, day = MONTHS.index(match[f"m{label}"].lower()), int(match[f"d{label}"])
    return (
        None if not 0 < day <= _DAYS[month] else (datetime.date(2001, month + 1, day) - datetime.date(2001, 1, 1)).days
    )


def _days_between(match: re.Match[str]) -> Answer:
    first, second = _day(match, "a"), _day(match, "b")
    if first is None or second is None:
        return None
    days = (second - first) % 365
    claimed = int(match["n"])
    is_before = (match.groupdict().get("way") or "").lower() == "before"
    days = (first - second) % 365 if is_before else days
    # a 29th of February may lie between, and the first day may be counted
    has_february = min(first, second) < 60 <= max(first, second) or (second < first) is not is_before
    slack = {days, days + 1} if has_february or "way" not in match.groupdict() else {days}
    return claimed in slack, f"there are {days} days."


def _months_later(match: re.Match[str]) -> Answer:
    first, second = (MONTHS.index(match[f"m{label}"].lower()) for label in "ab")
    if int(match["da"]) > 28:
        return None
    sign = -1 if (match.groupdict().get("sign") or "+") in "-−" else 1
    holds = (first + sign * int(match["n"])) % 12 == second and int(match["da"]) == int(match["db"])
    return holds, f"it is {MONTHS[(first + sign * int(match['n'])) % 12].capitalize()} {match['da']}."


def _clock_span(match: re.Match[str]) -> Answer:
    """1 hour 45 minutes (from 2:00 to 3:45)."""
    claimed = 60 * int(match["h"] or 0) + int(match["m"] or 0)
    start, end = (60 * int(hour) + int(minute) for hour, minute in (match[name].split(":") for name in ("a", "b")))
    minutes = (end - start) % 720
    # whole hours may leave minutes out
    is_open = match["m"] is None and claimed % 720 != minutes
    return None if is_open or not claimed else (claimed % 720 == minutes, f"they are {minutes} minutes apart.")


CALENDAR: tuple[PlainForm, ...] = (
    plain_form(
        "years between",
        "years",
        r"\bfrom (?P<a>1\d{3}|20\d\d) to (?P<b>1\d{3}|20\d\d),? (?:which is |that is |there are |is |it has been"
        r" )?(?P<n>\d{1,3}) "
        r"years\b(?! (?:old|later|before|ago))",
        _years,
    ),
    plain_form(
        "years between",
        "number of years between",
        r"(?<![\w.,-])(?P<n>\d{1,3}),? which is the number of years between (?P<a>1\d{3}|20\d\d) and "
        r"(?P<b>1\d{3}|20\d\d)\b",
        _years,
    ),
    plain_form(
        "days of a calendar",
        " days ",
        rf"{_FREE}(?P<n>\d{{1,3}}) days (?P<way>after|before|from) {_date('a')},? (?:which |that )?(?:is|was|falls"
        rf" on) {_date('b')}"
        r"\b(?!,? \d{4})",
        _days_between,
    ),
    plain_form(
        "days of a calendar",
        " days",
        rf"\b(?:from|between) {_date('a')} (?:to|and|until) {_date('b')}(?::|,| is| are| there are|, which is) "
        rf"(?P<n>\d{{1,3}}) days\b",
        _days_between,
    ),
    plain_form(
        "months of a calendar",
        " month",
        rf"\b{_date('b')} \({_date('a')}\s?(?P<sign>[-+−])\s?(?P<n>\d{{1,2}}) months?\)",
        _months_later,
    ),
    plain_form(
        "months of a calendar",
        " months later",
        rf"\b{_date('a')} and (?:is |was )?(?:due|matures|ends) (?P<n>\d{{1,2}}) months later, which is {_date('b')}\b",
        _months_later,
    ),
    plain_form(
        "a span of a clock",
        "(from ",
        r"\b(?:(?P<h>\d{1,2}) hours?)?(?: and)? ?(?:(?P<m>\d{1,3}) min(?:ute)?s?)? \(from (?P<a>\d{1,2}:\d\d)(?:"
        r" [ap]m)? to "
        r"(?P<b>\d{1,2}:\d\d)(?: [ap]m)?\)",
        _clock_span,
    ),
)
