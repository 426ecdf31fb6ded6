"""Right sentences whose numbers are drawn at random: one or more for each form of words that the checks read.

They say what benchmarks/perturbed.py changes, where public sets hardly say anything of a kind. The result is computed
here, by Python alone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from statistics import median

EACH = 25


def said_lines(rng: random.Random) -> Iterator[tuple[str, str]]:
    """(kind, sentence), EACH of every kind."""
    for kind in sorted(KINDS):
        for _ in range(EACH):
            yield kind, KINDS[kind](rng)


def shown(value: Fraction | int, places: int = 4) -> str:
    """A decimal, exact or rounded to so many places."""
    exact = next((n for n in range(places + 1) if (value * 10**n).denominator == 1), places)
    scaled = round(value * 10**exact)
    text = str(abs(scaled)).rjust(exact + 1, "0")
    sign = "-" if scaled < 0 else ""
    return sign + (f"{text[:-exact]}.{text[-exact:]}" if exact else text)


def _whole(rng: random.Random, low: int = 2, high: int = 400) -> int:
    return rng.randint(low, high)


def _decimal(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(11, 9999), 10 ** rng.randint(1, 2))


def _number(rng: random.Random) -> Fraction:
    return Fraction(_whole(rng)) if rng.random() < 0.6 else _decimal(rng)


def _is(rng: random.Random) -> str:
    return rng.choice(("is", "equals", "is equal to"))


_SHARES = {"half": 2, "a third": 3, "a quarter": 4, "one fifth": 5, "a tenth": 10}
_TIMES = {"twice": 2, "double": 2, "triple": 3}


def _share(rng: random.Random) -> str:
    name = rng.choice(sorted(_SHARES))
    value = Fraction(_SHARES[name] * _whole(rng))
    return f"{name.capitalize()} of {shown(value)} {_is(rng)} {shown(value / _SHARES[name])}."


def _share_of_percent(rng: random.Random) -> str:
    name = rng.choice(sorted(_SHARES))
    value = Fraction(_SHARES[name] * rng.randint(2, 40), rng.choice((1, 10)))
    return f"{name.capitalize()} of {shown(value)}% {_is(rng)} {shown(value / _SHARES[name])}%."


def _uneven_share(rng: random.Random) -> str:
    name, value = rng.choice(sorted(_SHARES)), _number(rng)
    return f"{name.capitalize()} of {shown(value)} {_is(rng)} {shown(value / _SHARES[name], 2)}."


def _multiple(rng: random.Random) -> str:
    name, value, sign = rng.choice(sorted(_TIMES)), _number(rng), rng.choice(("", "%"))
    return f"{name.capitalize()} {shown(value)}{sign} {_is(rng)} {shown(value * _TIMES[name])}{sign}."


def _two(pattern: str, compute: Callable[[Fraction, Fraction], Fraction]) -> Callable[[random.Random], str]:
    def line(rng: random.Random) -> str:
        a, b = _number(rng), _number(rng)
        return f"{pattern.format(shown(a), shown(b))} {_is(rng)} {shown(compute(a, b), 3)}."

    return line


def _percentage(rng: random.Random) -> str:
    share, whole = Fraction(rng.randint(1, 99)), _number(rng)
    return f"{shown(share)}% of {shown(whole)} {_is(rng)} {shown(share * whole / 100, 3)}."


def _percent_of_percent(rng: random.Random) -> str:
    share, whole = Fraction(rng.randint(1, 99)), Fraction(rng.randint(1, 99))
    return f"{shown(share)}% of {shown(whole)}% {_is(rng)} {shown(share * whole / 100, 3)}%."


def _percent_sum(rng: random.Random) -> str:
    a, b = rng.randint(1, 60), rng.randint(1, 40)
    return rng.choice((f"{a}% + {b}% = {a + b}%.", f"{a}% plus {b}% is {a + b}%.", f"100% - {a}% = {100 - a}%."))


def _ratio_in_percent(rng: random.Random) -> str:
    top, bottom = _whole(rng, 1, 60), _whole(rng, 61, 400)
    places = rng.randint(0, 2)
    value = Fraction(100 * top, bottom)
    rounded = Fraction(round(value * 10**places), 10**places)
    return f"{top}/{bottom} = {float(rounded):.{places}f}%."


def _list_of(rng: random.Random) -> list[int]:
    return [_whole(rng, 2, 99) for _ in range(rng.randint(3, 5))]


def _listed(name: str, compute: Callable[[list[int]], Fraction]) -> Callable[[random.Random], str]:
    def line(rng: random.Random) -> str:
        values = _list_of(rng)
        text = ", ".join(map(str, values[:-1])) + f" and {values[-1]}"
        return f"The {name} of {text} is {shown(compute(values), 2)}."

    return line


def _remainder(rng: random.Random) -> str:
    a, b = _whole(rng, 50, 900), _whole(rng, 3, 30)
    return rng.choice(
        (
            f"The remainder when {a} is divided by {b} is {a % b}.",
            f"{a} divided by {b} leaves a remainder of {a % b}.",
            f"{a} = {b} * {a // b} + {a % b}.",
            rf"\({a} \equiv {a % b} \pmod{{{b}}}\).",
            f"{a} divided by {b} is {a // b} with a remainder of {a % b}.",
        )
    )


def _fact(rng: random.Random) -> str:
    a, b = _whole(rng, 2, 30), _whole(rng, 3, 30)
    return rng.choice(
        (f"{a * b} is divisible by {b}.", f"{a * b} is a multiple of {b}.", f"{a * a} is a perfect square.")
    )


def _digits(rng: random.Random) -> str:
    number, base, power = _whole(rng, 100, 99999), _whole(rng, 2, 19), _whole(rng, 5, 80)
    return rng.choice(
        (
            f"The sum of the digits of {number} is {sum(map(int, str(number)))}.",
            f"The units digit of {base}^{power} is {pow(base, power, 10)}.",
        )
    )


def _rounded(rng: random.Random) -> str:
    value = Fraction(rng.randint(1001, 99999), 100)
    return f"{shown(value)} rounded to the nearest integer is {math.floor(value + Fraction(1, 2))}."


def _spoken(rng: random.Random) -> str:
    a, b = _whole(rng), _whole(rng)
    return rng.choice((f"So {a} + {b} is {a + b}.", f"So {a} * {b} makes {a * b}.", f"Then {a + b} - {b} gives {a}."))


def _written(rng: random.Random) -> str:
    a, b, c = _whole(rng), _whole(rng), _whole(rng, 2, 30)
    return rng.choice(
        (
            f"{a} + {b} * {c} = {a + b * c}",
            rf"\(\frac{{{a * c}}}{{{c}}} = {a}\)",
            f"{a} * {b} = {a * b:,}",
            f"${a} * {c} = ${a * c}.00",
            f"{a}/{c} = {shown(Fraction(a, c), 3)}",
            f"{c}^3 = {c**3}",
            f"{a} - {b} = {a - b}",
            rf"\(\sqrt{{{a * a}}} = {a}\)",
            f"C({c}, 2) = {math.comb(c, 2)}",
            f"{a} > {a - c}",
        )
    )


def _scientific(rng: random.Random) -> str:
    a, power = _whole(rng, 11, 99), rng.randint(3, 9)
    return f"{a * 10**power} = {a / 10} * 10^{power + 1}"


def _symbols(rng: random.Random) -> str:
    a, b = _whole(rng, 2, 30), _whole(rng, 2, 30)
    return rng.choice(
        (
            rf"Expanding, \((x + {a})(x + {b}) = x^2 + {a + b}x + {a * b}\).",
            rf"\({a}x + {b}x = {a + b}x\).",
            rf"\(\frac{{d}}{{dx}}({a}x^3) = {3 * a}x^2\).",
        )
    )


def _converted(rng: random.Random) -> str:
    a = _whole(rng, 2, 40)
    return rng.choice((f"{a} hours = {a * 60} minutes.", f"{a} feet = {a * 12} inches.", f"{a} km = {a * 1000} m.",
                       f"{a} kg * 3 = {3 * a} kg."))  # fmt: skip


def _changed(rng: random.Random) -> str:
    a, share = _whole(rng, 2, 30) * 100, rng.randint(2, 60)
    return rng.choice(
        (
            f"From {a} to {a * (100 + share) // 100}, a {share}% increase.",
            f"{a} increased by {share}% is {a * (100 + share) // 100}.",
            f"{a} * (1 - {share}%) = {a * (100 - share) // 100}.",
        )
    )


def _deed(rng: random.Random) -> str:
    a, b = _whole(rng), _whole(rng, 2, 40)
    return rng.choice(
        (
            f"We divide {a * b} by {b} to get {a}.",
            f"Multiplying {a} by {b} gives {a * b}.",
            f"Adding {a} and {b}, we get {a + b}.",
            f"Subtract {b} from {a + b} to get {a}.",
            f"Squaring {b} gives {b * b}.",
            f"The square root of {b * b} is {b}.",
            f"The reciprocal of {b} is 1/{b}.",
            f"The last two digits of {b}^{a} are {pow(b, a, 100)}.",
        )
    )


def _beside(rng: random.Random) -> str:
    a, b, c = _whole(rng), _whole(rng), _whole(rng, 2, 30)
    return rng.choice(
        (
            f"There are {a + b} students ({a} + {b}) in all.",
            f"The point is ({a} + {b}, {a * c}/{c}) = ({a + b}, {a}).",
            f"The ratio is {a * c}:{b * c} or {a}:{b}.",
            f"{a} is congruent to {a % c} modulo {c}.",
            f"$({a} + {b}) * {c}$ simplifies to ${(a + b) * c}$.",
            f"He has {a + b}-{b} = <<{a + b}-{b}={a}>>{a} left.",
            f"{a * b} can be written as {a} * {b}.",
        )
    )


KINDS: dict[str, Callable[[random.Random], str]] = {
    "a share": _share,
    "a share of a percentage": _share_of_percent,
    "an uneven share": _uneven_share,
    "a multiple": _multiple,
    "a product": _two("{} times {}", lambda a, b: a * b),
    "a product of two": _two("The product of {} and {}", lambda a, b: a * b),
    "a sum": _two("{} plus {}", lambda a, b: a + b),
    "a difference": _two("{} minus {}", lambda a, b: a - b),
    "a quotient": _two("{} divided by {}", lambda a, b: a / b),
    "more than": _two("{} more than {}", lambda a, b: a + b),
    "less than": _two("{} less than {}", lambda a, b: b - a),
    "a percentage": _percentage,
    "a percentage of a percentage": _percent_of_percent,
    "percentages added": _percent_sum,
    "a ratio in percent": _ratio_in_percent,
    "a sum of a list": _listed("sum", lambda values: Fraction(sum(values))),
    "an average": _listed("average", lambda values: Fraction(sum(values), len(values))),
    "a median": _listed("median", lambda values: Fraction(median(values))),
    "a common divisor": _listed("GCD", lambda values: Fraction(math.gcd(*values))),
    "a common multiple": _listed("LCM", lambda values: Fraction(math.lcm(*values))),
    "a remainder": _remainder,
    "a fact": _fact,
    "digits": _digits,
    "rounded": _rounded,
    "spoken": _spoken,
    "written": _written,
    "scientific": _scientific,
    "symbols": _symbols,
    "converted": _converted,
    "a change": _changed,
    "a deed": _deed,
    "beside its result": _beside,
}
