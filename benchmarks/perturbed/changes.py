"""One number of a line changed at random: what benchmarks/perturbed.py does to a line that was verified."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal


def changed(number: str, rng: random.Random) -> tuple[str, str]:
    """The name of a change, and the number with it; never the number as it was."""
    while True:
        kind = rng.choice(sorted(_CHANGES))
        other = _CHANGES[kind](number, rng)
        if any(char.isdigit() for char in other) and _value(other) != _value(number):
            return kind, other


def _value(number: str) -> Decimal:
    value = Decimal(number.replace(",", "").rstrip("%"))
    return value / 100 if number.endswith("%") else value


def _by(number: str, step: Decimal) -> str:
    places = len(number.rstrip("%").partition(".")[2])
    return f"{_digits(number) + step:{',' if ',' in number else ''}.{places}f}{number[len(number.rstrip('%')) :]}"


def _digits(number: str) -> Decimal:
    return Decimal(number.replace(",", "").rstrip("%"))


def _scaled(number: str, rng: random.Random) -> str:
    factor = rng.choice((Decimal(10), Decimal(100), Decimal("0.1"), Decimal("0.01")))
    sign = "%" if number.endswith("%") else ""
    text = f"{_digits(number) * factor:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + sign


def _last_digit(number: str, rng: random.Random) -> str:
    return _by(number, rng.choice((1, -1)) * Decimal(10) ** -len(number.rstrip("%").partition(".")[2]))


def _swapped(number: str, rng: random.Random) -> str:
    places = [at for at in range(len(number) - 1) if number[at : at + 2].isdigit() and number[at] != number[at + 1]]
    if not places:
        return ""
    at = rng.choice(places)
    return number[:at] + number[at + 1] + number[at] + number[at + 2 :]


_CHANGES: dict[str, Callable[[str, random.Random], str]] = {
    "by one": lambda number, rng: _by(number, Decimal(rng.choice((1, -1)))),
    "last digit": _last_digit,
    "a digit lost": lambda number, rng: number.rstrip("%")[:-1].rstrip(",.") + number[len(number.rstrip("%")) :],
    "digits swapped": _swapped,
    "power of ten": _scaled,
    "percent sign": lambda number, rng: number.rstrip("%") if number.endswith("%") else f"{number}%",
    "sign": lambda number, rng: f"-{number}",
}
