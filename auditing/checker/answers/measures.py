"""Units of answers: what they measure, and how much of the dimension's base one of them is."""

from __future__ import annotations

import re
from fractions import Fraction

# dimension -> unit and factor to the first unit of its row, in turn. Currencies are dimensions of their own: no rate
# is known.
_TABLES = {
    "money": "dollar 1 usd 1 buck 1 cent 0.01 penny 0.01 pennie 0.01 quarter 0.25 dime 0.1 nickel 0.05",
    "euros": "euro 1 eur 1",
    "yen": "yen 1 jpy 1",
    "rupees": "rupee 1 inr 1",
    "time": "second 1 sec 1 s 1 minute 60 min 60 hour 3600 hr 3600 h 3600 day 86400 week 604800",
    "length": "m 1 meter 1 metre 1 cm 0.01 centimeter 0.01 centimetre 0.01 mm 0.001 millimeter 0.001 km 1000 "
    "kilometer 1000 kilometre 1000 inch 0.0254 inche 0.0254 in 0.0254 "
    "foot 0.3048 feet 0.3048 ft 0.3048 yard 0.9144 yd 0.9144 mile 1609.344 mi 1609.344",
    "mass": "g 1 gram 1 kg 1000 kilogram 1000 mg 0.001 milligram 0.001 pound 453.59237 lb 453.59237 "
    "ounce 28.349523125 oz 28.349523125 ton 907184.74 tonne 1000000",
    "volume": "l 1 liter 1 litre 1 ml 0.001 milliliter 0.001 millilitre 0.001 gallon 3.785411784 quart 0.946352946 "
    "pint 0.473176473 cup 0.2365882365 tablespoon 0.01478676478125 tbsp 0.01478676478125 "
    "teaspoon 0.00492892159375 tsp 0.00492892159375",
    "angle": "degree 1 deg 1 ° 1",
    "year": "year 1 yr 1 decade 10 century 100 month 1/12",
}
_UNITS: dict[str, tuple[str, Fraction]] = {}
for _dimension, _table in _TABLES.items():
    _parts = _table.split()
    _UNITS |= {name: (_dimension, Fraction(factor)) for name, factor in zip(_parts[::2], _parts[1::2], strict=True)}
_SHORT = {"mph": "mile/hour", "kph": "km/hour", "kmh": "km/hour", "fps": "foot/second"}
_POWERS = ((r"\b(?:square|sq)\.?\s+", 2), (r"\bcubic\s+", 3))
_RAISED = re.compile(r"([a-z]+)\s*(?:\^\s*\{?\s*([23])\s*\}?|\s(squared|cubed))")


def is_unit(word: str) -> bool:
    """Whether the tables know a word as a unit."""
    return word in _UNITS


def measure(unit: str) -> tuple[str, Fraction] | None:
    """(dimension, factor to its base) of a unit, or None when the tables do not know it.

    >>> measure("hours"), measure("km/h"), measure("square feet")[0]
    (('time', Fraction(3600, 1)), ('length/time', Fraction(5, 18)), 'length^2')
    """
    top, _, below = _SHORT.get(unit, unit).replace(" per ", "/").partition("/")
    above = _power(top.strip())
    if above is None or not below:
        return above
    under = _power(below.strip())
    return (f"{above[0]}/{under[0]}", above[1] / under[1]) if under else None


def _power(unit: str) -> tuple[str, Fraction] | None:
    for prefix, exponent in _POWERS:
        prefix_match = re.match(prefix, unit)
        if prefix_match:
            return _raised(unit[prefix_match.end() :], exponent)
    raised = _RAISED.match(unit)
    if raised:
        return _raised(raised[1], int(raised[2] or (2 if raised[3] == "squared" else 3)))
    return _single(unit)


def _raised(unit: str, exponent: int) -> tuple[str, Fraction] | None:
    base_unit = _single(unit)
    return (f"{base_unit[0]}^{exponent}", base_unit[1] ** exponent) if base_unit else None


def _single(unit: str) -> tuple[str, Fraction] | None:
    word = unit.split()[0].rstrip(".") if unit.split() else ""
    # plural and singular: "hours" and "hour"
    return _UNITS.get(word) or _UNITS.get(word.removesuffix("s"))
