"""What stands in an address or a form field, read into a type: whatever cannot be read counts as not given.

A page narrows nothing by a number with thirty digits, a U+0000 or a word it does not know, and never fails by one.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import QueryDict

__all__ = [
    "BIGGEST",
    "DAY",
    "DECIMAL",
    "MOMENT",
    "WHOLE_NUMBER",
    "Spelling",
    "read_choice",
    "read_id",
    "read_number",
    "read_text",
    "read_texts",
]

BIGGEST = 2**63 - 1  # what a bigint column holds
_LONGEST = 200
_LONGEST_AGAIN = 60  # characters of a refused value that are said again


@dataclass(frozen=True, slots=True)
class Spelling:
    """The one way in which a number or a day is written in forms and in the API.

    int(), Decimal(), strptime and date.fromisoformat read more: 1_0 for ten, 1e1, digits of every script, week dates.
    """

    pattern: re.Pattern[str]
    words: str

    def refusal(self, value: str) -> str:
        """What whoever wrote `value` is told; empty where it is spelt well.

        >>> WHOLE_NUMBER.refusal("1_0"), DAY.refusal("2026-11-29")
        ("'1_0' is not a whole number in plain digits, such as 12.", '')
        """
        return "" if self.pattern.fullmatch(value.strip()) else f"{value[:_LONGEST_AGAIN]!r} is not {self.words}."


_DAY = r"\d{4}-\d{2}-\d{2}"
WHOLE_NUMBER = Spelling(re.compile(r"[+-]?\d+", re.ASCII), "a whole number in plain digits, such as 12")
DECIMAL = Spelling(re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)", re.ASCII), "a number in plain digits, such as 0.5")
DAY = Spelling(re.compile(_DAY, re.ASCII), "a day such as 2026-11-29")
MOMENT = Spelling(
    re.compile(_DAY + r"[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?", re.ASCII),
    "a day with its time, such as 2026-11-29T18:00",
)


def read_text(values: Mapping[str, Any], name: str, *, most: int = _LONGEST) -> str:
    """The text called `name`, without its outer blanks, at most `most` characters.

    >>> read_text({"q": " a\\x00b "}, "q")
    'ab'
    """
    # PostgreSQL stores no U+0000, and UTF-8 no lone surrogate; both can be typed into an address.
    text = str(values.get(name) or "").replace("\x00", "").encode("utf-8", "ignore").decode()
    return text.strip()[:most]


def read_texts(values: QueryDict, name: str, *, most: int = 20_000) -> list[str]:
    """The pieces of every value called `name`, cut at commas, semicolons and blanks: boxes that are ticked, or a text.

    >>> read_texts(QueryDict("who=a@x&who=b@x,+c@x"), "who")
    ['a@x', 'b@x', 'c@x']
    """
    texts = [read_text({name: value}, name, most=most) for value in values.getlist(name)]
    return [piece for text in texts for piece in re.split(r"[,;\s]+", text) if piece]


def read_number(values: Mapping[str, Any], name: str, *, least: int = 0, most: int = BIGGEST) -> int | None:
    """The whole number called `name` within its bounds, or None.

    >>> [read_number({"page": text}, "page", most=8) for text in ("7", "²", "9", "9" * 5_000)]
    [7, None, None, None]
    """
    digits = str(values.get(name) or "")
    # isdigit alone also takes "²" and the digits of other scripts; int() refuses texts of more than 4,300 digits.
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(BIGGEST))):
        return None
    number = int(digits)
    return number if least <= number <= most else None


def read_choice(values: Mapping[str, Any], name: str, choices: Collection[str], default: str = "") -> str:
    """The word called `name` if it is one of `choices`, else `default`.

    >>> read_choice({"theme": "pink"}, "theme", ("light", "dark"), "auto")
    'auto'
    """
    word = str(values.get(name) or "")
    return word if word in choices else default


def read_id(values: Mapping[str, Any], name: str) -> UUID | None:
    """The id called `name`, or None.

    >>> read_id({"campaign": "7"}, "campaign") is None
    True
    """
    try:
        return UUID(str(values.get(name) or ""))
    except ValueError:
        return None
