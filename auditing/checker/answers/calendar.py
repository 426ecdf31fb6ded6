"""Answers that are clock times, dates, or ratios; each comparison is None when it does not apply."""

from __future__ import annotations

import datetime
import re
from fractions import Fraction

_TIME = re.compile(r"(\d{1,2})(?::(\d{2}))?\s*(?:o['’]clock)?\s*(?:([ap])\.?\s?m\.?)?", re.IGNORECASE)
MONTHS = "january february march april may june july august september october november december".split()
_MONTH = r"(?P<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATES = (
    re.compile(rf"{_MONTH}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})", re.IGNORECASE),
    re.compile(rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+(?P<y>\d{{4}})", re.IGNORECASE),
)
_RATIO = re.compile(r"(\d+(?:\.\d+)?)((?:\s*(?::|\bto\b)\s*\d+(?:\.\d+)?)+)")


def same_time(first: str, second: str) -> bool | None:
    """3:00 pm and 15:00; a time without am or pm may be either half of the day. None when one is no time.

    >>> same_time("3:00 p.m.", "15:00"), same_time("3 pm", "3 am"), same_time("3", "3 pm")
    (True, False, None)
    """
    a, b = _time(first), _time(second)
    if a is None or b is None or not (a[1] or b[1]):
        return None
    if a[1] and b[1]:
        return a[0] == b[0]
    # "3:00" beside "3 pm" may be either half of the day; "15:00" says its half by its number
    unsaid, said_half = (a, b) if b[1] else (b, a)
    return said_half[0] in (unsaid[0], unsaid[0] + 12 * 60) if unsaid[0] < 13 * 60 else unsaid[0] == said_half[0]


def _time(text: str) -> tuple[int, bool] | None:
    """(minutes since midnight, whether the half of the day is said)."""
    named = {"noon": 720, "midnight": 0}.get(text.strip().lower())
    if named is not None:
        return named, True
    match = _TIME.fullmatch(text.strip())
    if match is None or not (match[2] or match[3]):
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    if hour > 23 or minute > 59 or (match[3] and not 1 <= hour <= 12):
        return None
    if match[3]:
        # 12 a.m. is midnight and 12 p.m. noon: the twelve counts as nought before the half of the day is added.
        hour = hour % 12 + (12 if match[3].lower() == "p" else 0)
    return hour * 60 + minute, bool(match[3])


def same_date(first: str, second: str) -> bool | None:
    """January 5, 2020 and 2020-01-05; None when one is no date."""
    a, b = _date(first), _date(second)
    return a == b if a and b else None


def _date(text: str) -> datetime.date | None:
    text = text.strip()
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            return datetime.date.fromisoformat(text)
        for pattern in _DATES:
            match = pattern.fullmatch(text)
            if match:
                month = next(i for i, name in enumerate(MONTHS, 1) if name.startswith(match["m"].lower()))
                return datetime.date(int(match["y"]), month, int(match["d"]))
    except ValueError:
        return None
    return None


def same_ratio(first: str, second: str) -> bool | None:
    """3:4 and 6:8, 3 to 4, and 3/4 for a ratio of two; None when neither is a ratio.

    >>> same_ratio("3:4", "6 to 8"), same_ratio("3:4", "4:3"), same_ratio("3", "4")
    (True, False, None)
    """
    a, b = _ratio(first), _ratio(second)
    if a is None or b is None or not (len(a) > 1 or len(b) > 1):
        return None
    # 3:4 = 6:8 by cross products, which need no division
    if len(a) > 1 and len(b) > 1:
        return len(a) == len(b) and all(x * b[0] == y * a[0] for x, y in zip(a, b, strict=True))
    pair, plain = (a, b) if len(a) > 1 else (b, a)
    return len(pair) == 2 and bool(pair[1]) and pair[0] / pair[1] == plain[0]


def _ratio(text: str) -> list[Fraction] | None:
    text = text.strip()
    if re.fullmatch(r"-?\d+(?:\.\d+)?(?:/\d*[1-9]\d*)?", text):
        return [Fraction(text)] if "/" in text or "." in text else None
    fraction = re.fullmatch(r"\\[dt]?frac\s*\{(\d+)\}\s*\{(\d*[1-9]\d*)\}", text)
    if fraction:
        return [Fraction(int(fraction[1]), int(fraction[2]))]
    if not _RATIO.fullmatch(text):
        return None
    return [Fraction(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]
