"""Formulas that have a name: what is computed from which quantities, and who published it. Data for named_formulas.py.

Every row: the name as a pattern, how many quantities it takes, the numbers that belong to the formula itself, and the
value. Several rows of one name are several published forms; any of them may be meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

# of pi an enclosure is not needed: both sides are compared with pi put in as this number
PI = Fraction(355, 113)


@dataclass(frozen=True, slots=True)
class NamedFormula:
    """One published form of a formula."""

    name: re.Pattern[str]
    quantities: int
    constants: frozenset[Fraction]
    compute: Callable[..., Fraction]
    written: str
    source: str


def _row(name: str, constants: str, compute: Callable[..., Fraction], written: str, source: str) -> NamedFormula:
    numbers = frozenset(map(Fraction, constants.split())) | {Fraction(1)}
    return NamedFormula(
        re.compile(rf"\b(?:{name})\b", re.IGNORECASE), compute.__code__.co_argcount, numbers, compute, written, source
    )


_WHO = "World Health Organization, Technical Report Series 894 (2000)"
_COCKCROFT = "Cockcroft and Gault, Nephron 16 (1976)"
_EUCLID = "Euclid, Elements; Archimedes, Measurement of a Circle, On the Sphere and Cylinder"
_BREALEY = "Brealey, Myers and Allen, Principles of Corporate Finance, chapter 2"
# periods of interest in a text; a longer power is no answer that anybody writes
_MOST_PERIODS = 480


def _growth(rate: Fraction, periods: Fraction) -> Fraction:
    """(1 + rate)^periods; raises ArithmeticError where the two are no rate and no count."""
    if periods.denominator != 1 or not 0 < periods <= _MOST_PERIODS or not 0 < rate < 1:
        raise ArithmeticError("no rate and periods")
    return (1 + rate) ** int(periods)


FORMULAS = (
    _row("body mass index|bmi", "2", lambda w, h: w / h**2, "weight / height^2", _WHO),
    _row("body mass index|bmi", "2 703", lambda w, h: 703 * w / h**2, "703 * pounds / inches^2", _WHO),
    _row(
        "mean arterial pressure|map",
        "2 3",
        lambda s, d: (s + 2 * d) / 3,
        "(systolic + 2 * diastolic) / 3",
        "Gauer, Handbook of Physiology (1960)",
    ),
    _row("anion gap", "", lambda na, cl, b: na - cl - b, "Na - (Cl + HCO3)", "Emmett and Narins, Medicine 56 (1977)"),
    _row("anion gap", "", lambda na, k, cl, b: na + k - cl - b, "Na + K - (Cl + HCO3)", "Emmett and Narins (1977)"),
    _row("ldl", "5", lambda t, h, g: t - h - g / 5, "total - HDL - triglycerides / 5", "Friedewald et al., 1972"),
    _row(
        "creatinine clearance|crcl",
        "140 72",
        lambda a, w, c: (140 - a) * w / (72 * c),
        "(140 - age) * weight / (72 * creatinine)",
        _COCKCROFT,
    ),
    _row(
        "creatinine clearance|crcl",
        "140 72 0.85",
        lambda a, w, c: Fraction(85, 100) * (140 - a) * w / (72 * c),
        "0.85 * (140 - age) * weight / (72 * creatinine)",
        _COCKCROFT,
    ),
    _row(
        "(?:serum |plasma )?osmolal?(?:ity|arity)",
        "2 18 2.8",
        lambda na, g, b: 2 * na + g / 18 + b * 10 / 28,
        "2 * Na + glucose / 18 + urea nitrogen / 2.8",
        "Dorwart and Chalmers, Clinical Chemistry 21 (1975)",
    ),
    _row(
        "corrected calcium",
        "0.8 4",
        lambda c, a: c + Fraction(8, 10) * (4 - a),
        "calcium + 0.8 * (4 - albumin)",
        "Payne et al., British Medical Journal 4 (1973)",
    ),
    _row("area of (?:the|a|this) triangle", "2 0.5", lambda b, h: b * h / 2, "base * height / 2", _EUCLID),
    _row("area of (?:the|a|this) circle", "2", lambda r: PI * r**2, "pi * radius^2", _EUCLID),
    _row("area of (?:the|a|this) circle", "2 4", lambda d: PI * d**2 / 4, "pi * diameter^2 / 4", _EUCLID),
    _row("volume of (?:the|a|this) cylinder", "2", lambda r, h: PI * r**2 * h, "pi * radius^2 * height", _EUCLID),
    _row("volume of (?:the|a|this) cone", "2 3", lambda r, h: PI * r**2 * h / 3, "pi * radius^2 * height / 3", _EUCLID),
    _row("volume of (?:the|a|this) sphere", "3 4", lambda r: 4 * PI * r**3 / 3, "4/3 * pi * radius^3", _EUCLID),
    _row("simple interest", "100", lambda p, i, t: p * i * t, "principal * rate * years", _BREALEY),
    _row(
        "future value|compound(?:ed)? amount|accumulated value|maturity value",
        "",
        lambda p, i, t: p * _growth(i, t),
        "principal * (1 + rate)^periods",
        _BREALEY,
    ),
    _row(
        "future value|compound(?:ed)? amount|accumulated value|maturity value",
        "2 4 12 52 365",
        lambda p, i, m, t: p * _growth(i / m, m * t),
        "principal * (1 + rate / m)^(m * years)",
        _BREALEY,
    ),
    _row(
        "future value|maturity value", "", lambda p, i, t: p * (1 + i * t), "principal * (1 + rate * years)", _BREALEY
    ),
    _row("present value", "", lambda f, i, t: f / _growth(i, t), "amount / (1 + rate)^periods", _BREALEY),
    _row(
        "present value",
        "",
        lambda c, i, t: c * (1 - 1 / _growth(i, t)) / i,
        "payment * (1 - (1 + rate)^-periods) / rate",
        _BREALEY,
    ),
    _row(
        "(?:monthly |loan |mortgage )payment",
        "12",
        lambda p, i, m, t: p * (i / m) / (1 - 1 / _growth(i / m, m * t)),
        "loan * rate / 12 / (1 - (1 + rate / 12)^-(12 * years))",
        _BREALEY,
    ),
    _row("value of (?:the|a|this) perpetuity", "", lambda c, i: c / i, "payment / rate", _BREALEY),
    _row("kinetic energy", "2 0.5", lambda m, v: m * v**2 / 2, "mass * speed^2 / 2", "Coriolis, 1829"),
)
