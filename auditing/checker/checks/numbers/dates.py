"""Checker: weekdays of dates, leap years, days between dates, and hours between clock times.

A table of forms (`_FORMS`): a pattern for a claim in words, and a function that says whether it holds and what is true.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from auditing.checker.answers.calendar import MONTHS
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.formulas import packed
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "dates"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTH = "|".join(name.capitalize() for name in MONTHS)
_DAY = "|".join(name.capitalize() for name in _DAYS)
_DATE = rf"(?P<m{{0}}>{_MONTH})\s+(?P<d{{0}}>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y{{0}}>\d{{4}})"
_ISO = r"(?P<iso>\d{4}-\d{2}-\d{2})"


def _date(label: str) -> str:
    # not str.format: the pattern's own braces would be read as fields
    return _DATE.replace("{0}", label).replace("{{", "{").replace("}}", "}")


_WEEKDAY = Cue(rf"(?:{_date('a')}|{_ISO})\s+(?:is|was|falls on|fell on)\s+(?:a\s+)?(?P<day>{_DAY})\b")
_LEAP = Cue(r"\b(?P<year>[1-9]\d{3})\s+(?:is|was)\s+(?P<no>not\s+)?a leap year\b")
_SHIFT = Cue(
    rf"\b(?P<n>\d{{1,5}})\s+days\s+(?P<way>after|before|from)\s+{_date('a')}\s+(?:is|was)\s+"
    rf"(?:(?:{_DAY}),?\s+)?{_date('b')}"
)
_TIME = r"(?P<h{0}>\d{{1,2}})(?::(?P<m{0}>\d{{2}}))?\s*(?P<p{0}>[ap])\.?m\.?"
_CLOCK = Cue(
    rf"\bfrom\s+{_TIME.format(1)}\s+to\s+{_TIME.format(2)}\s*(?:,|is|=|equals)\s*(?:which is\s+)?"
    r"(?P<n>\d{1,3}(?:\.\d{1,2})?)\s+(?P<unit>hours?|minutes?)\b",
    re.IGNORECASE,
)
_DOUBT = any_of("if suppose assume not whether false wrong")


def check(script: Script) -> Iterator[Placed]:
    """All four forms; a date that does not exist is refuted as such."""
    forms = [form for form in _FORMS if form[0].may_match(script.text)]
    for passage in script.passages if forms else ():
        for pattern, judge in forms:
            for match in pattern.finditer(passage.text):
                answer = judge(match)
                head = passage.text[max(0, match.start() - 40) : match.start()]
                if answer is not None and (answer[0] or not _DOUBT.search(head)):
                    yield _placed(passage, match, *answer)


def _read(match: re.Match[str], label: str) -> datetime.date | None:
    groups = match.groupdict()
    if groups.get("iso") and label == "a":
        parts = [int(number) for number in groups["iso"].split("-")]
    else:
        parts = [int(groups[f"y{label}"]), MONTHS.index(groups[f"m{label}"].lower()) + 1, int(groups[f"d{label}"])]
    try:
        return datetime.date(*parts)
    except ValueError:
        return None


def _weekday(match: re.Match[str]) -> tuple[bool, str] | None:
    date = _read(match, "a")
    if date is None:
        return False, "This date does not exist."
    weekday = _DAYS[date.weekday()].capitalize()
    return weekday == match["day"], f"{date.isoformat()} is a {weekday}."


def _leap(match: re.Match[str]) -> tuple[bool, str] | None:
    year = int(match["year"])
    # the Gregorian rule; dates before 1582 are read by it as well, as datetime does
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return leap == (match["no"] is None), f"{year} is {'' if leap else 'not '}a leap year."


def _shift(match: re.Match[str]) -> tuple[bool, str] | None:
    start, end = _read(match, "a"), _read(match, "b")
    if start is None or end is None:
        return False, "One of these dates does not exist."
    days = int(match["n"]) * (-1 if match["way"] == "before" else 1)
    try:
        reached = start + datetime.timedelta(days=days)
    except OverflowError:
        return None
    return reached == end, f"{match['n']} days {match['way']} {start.isoformat()} is {reached.isoformat()}."


def _clock(match: re.Match[str]) -> tuple[bool, str] | None:
    start, end = (_minutes(match[f"h{i}"], match[f"m{i}"], match[f"p{i}"]) for i in (1, 2))
    if start is None or end is None:
        return None
    # from 11 pm to 2 am passes midnight
    minutes = (end - start) % (24 * 60)
    claimed = float(match["n"]) * (60 if match["unit"].lower().startswith("hour") else 1)
    # "2.33 hours" for 140 minutes: two decimals of an hour are just over half a minute fine
    return abs(claimed - minutes) < 0.6, f"It takes {minutes} minutes, {minutes / 60:.4g} hours."


def _minutes(hour: str, minute: str | None, half: str) -> int | None:
    h, m = int(hour), int(minute or 0)
    if not (1 <= h <= 12 and m < 60):
        return None
    # 12 am is midnight and 12 pm noon
    return (h % 12 + (12 if half.lower() == "p" else 0)) * 60 + m


_FORMS = ((_WEEKDAY, _weekday), (_LEAP, _leap), (_SHIFT, _shift), (_CLOCK, _clock))


def _proof(match: re.Match[str]) -> dict[str, str]:
    """The dates as numbers, and what is said of them; nothing for times of a clock."""
    groups = match.groupdict()
    if "year" in groups:
        return packed({"kind": "leap year", "year": int(groups["year"]), "denied": groups["no"] is not None})
    dates = [date.isoformat() for label in "ab" if f"y{label}" in groups and (date := _read(match, label))]
    labels = [label for label in "ab" if groups.get(f"y{label}")]
    missing = next((label for label in labels if _read(match, label) is None), None)
    if missing:
        parts = [int(groups[f"y{missing}"]), int(groups[f"d{missing}"])]
        return packed({"kind": "no day", "numbers": parts, "month": groups[f"m{missing}"]})
    if "day" in groups and dates:
        return packed({"kind": "weekday", "dates": dates, "day": groups["day"]})
    if "way" in groups and len(dates) == 2:
        days = int(groups["n"]) * (-1 if groups["way"] == "before" else 1)
        return packed({"kind": "days", "dates": dates, "days": days})
    return {}


def _placed(passage: Passage, match: re.Match[str], holds: bool, sentence: str) -> Placed:
    verdict = Verdict.VERIFIED if holds else Verdict.REFUTED
    details = {"read": match.group(), "rule": "calendar", "evidence_latex": rf"\text{{{sentence}}}", **_proof(match)}
    return place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        checker=NAME,
        rule="calendar",
        verdict=verdict,
        sentence=sentence,
        details=details,
    )
