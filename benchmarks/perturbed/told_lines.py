"""Sentences of named things, numbers beside each other, figures and interest, whose truth Python alone has computed."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction

PER_KIND = 12


def told_lines(rng: random.Random) -> Iterator[tuple[str, str]]:
    """(kind, sentence): PER_KIND of each kind."""
    for kind, make in KINDS.items():
        for _ in range(PER_KIND):
            yield kind, make(rng)


def _whole(rng: random.Random, low: int = 3, high: int = 90) -> int:
    return rng.randint(low, high)


def _total(rng: random.Random) -> str:
    a, b, c = _whole(rng), _whole(rng), _whole(rng)
    return rng.choice(
        (
            f"{a} boys and {b} girls, for a total of {a + b} children.",
            f"{a} red, {b} blue and {c} green caps, a total of {a + b + c}.",
            f"{a} apples and {b} pears make {a + b} fruits.",
            f"${a} for the shirt plus ${b} for the hat is ${a + b}.",
            f"There are {a + b} students, {a + b} students minus {a} boys leaves {b}.",
            f"{a} + {b} students is {a + b} students.",
        )
    )


def _each(rng: random.Random) -> str:
    a, b = _whole(rng), _whole(rng)
    return rng.choice(
        (
            f"{a} boxes with {b} pens each is {a * b} pens.",
            f"{a} shirts at ${b} each cost ${a * b}.",
            f"Each of the {a} boxes has {b} pens, so there are {a * b} pens.",
            f"{a} words per hour for {b} hours is {a * b} words.",
            f"At ${a} per pen, {b} pens cost ${a * b}.",
            f"Each box has {a} pens, so {b} boxes have {a * b} pens.",
        )
    )


def _left(rng: random.Random) -> str:
    a, b = _whole(rng, 50, 90), _whole(rng, 3, 40)
    return rng.choice(
        (
            f"He had {a} apples and gave away {b}, so he has {a - b} left.",
            f"{b} of the {a} apples are bad, leaving {a - b}.",
            f"${a * b} for {b} hours is ${a} per hour.",
        )
    )


def _share(rng: random.Random) -> str:
    a, b = _whole(rng, 1, 8), rng.choice((2, 4, 5, 8, 10, 20))
    share = Fraction(a, b)
    percent = share * 100
    written = str(percent.numerator) if percent.denominator == 1 else str(float(percent))
    return rng.choice(
        (
            f"It worked for {a * 3}/{b * 3} ({written}%) of them.",
            f"The chance is {a * 3} out of {b * 3}, or {share.numerator}/{share.denominator}."
            if share.denominator > 1
            else f"It worked for {a * 3}/{b * 3} ({written}%) of them.",
            f"{float(share)} as a percentage is {written}%.",
        )
    )


def _beside(rng: random.Random) -> str:
    a, b = _whole(rng), _whole(rng)
    return rng.choice(
        (
            f"{2 * a} is twice {a}.",
            f"{a} is half of {2 * a}.",
            f"{3 * a} is three-quarters of {4 * a}.",
            f"{a * b} is {a} times {b}.",
            f"{a + b} is {a} more than {b}.",
            f"{b} is {a} less than {a + b}.",
            f"{a + b} is the sum of {a} and {b}.",
            f"Two-thirds of {3 * a} is {2 * a}.",
            f"{a + b} exceeds {a}.",
            f"{a} lies between {a - 2} and {a + b}.",
            f"The ratio of {a * 2} to {b * 2} is {a}:{b}.",
        )
    )


def _percent(rng: random.Random) -> str:
    a, p = _whole(rng, 2, 40) * 100, rng.choice((5, 10, 15, 20, 25, 40))
    return rng.choice(
        (
            f"{p}% more than {a} is {a * (100 + p) // 100}.",
            f"{p}% less than {a} is {a * (100 - p) // 100}.",
            f"A {p}% discount on ${a} is ${a * p // 100}.",
            f"{p}% of the {a} students is {a * p // 100} students.",
            f"{a} increased by {p}% is {a * (100 + p) // 100}.",
        )
    )


def _operation(rng: random.Random) -> str:
    a, b = _whole(rng, 4, 9), _whole(rng, 2, 4)
    return rng.choice(
        (
            f"{a} factorial is {math.factorial(a)}.",
            f"The number of ways to choose {b} students from {a} is {math.comb(a, b)}.",
            f"{a} to the power of {b} is {a**b}.",
            f"The product of {a}, {b} and 5 is {a * b * 5}.",
            f"The sum of the first {a} positive integers is {a * (a + 1) // 2}.",
            f"There are {a * 3 - b + 1} integers from {b} to {a * 3}.",
            f"The largest of {a}, {b} and 25 is 25.",
            f"Halfway between {a} and {a + 2 * b} is {a + b}.",
            f"{a * 111}_{{10}} = {a * 111}_{{10}}",
        )
    )


def _figure(rng: random.Random) -> str:
    a, b = _whole(rng), _whole(rng)
    return rng.choice(
        (
            f"A {a} by {b} rectangle has an area of {a * b}.",
            f"The area of a square with side {a} is {a * a}.",
            f"The perimeter of a square with side {a} is {4 * a}.",
            f"A triangle with base {2 * a} and height {b} has an area of {a * b}.",
            f"The area of a circle with radius {a} is {a * a}π.",
        )
    )


def _scaled(rng: random.Random) -> str:
    a, b = _whole(rng, 11, 99), _whole(rng, 2, 9)
    return rng.choice(
        (
            f"${a / 10} million * {b} = ${a * b / 10} million",
            f"{a / 10} million is {a * 100_000:,}.",
            f"{a} hundred + {b} hundred = {a + b} hundred",
        )
    )


def _interest(rng: random.Random) -> str:
    p, i, t = _whole(rng, 2, 90) * 100, rng.randint(2, 12), rng.randint(2, 9)
    grown = float(p * Fraction(100 + i, 100) ** t)
    return rng.choice(
        (
            f"The simple interest on ${p:,} at {i}% for {t} years is ${float(Fraction(p * i * t, 100)):,.2f}.",
            f"${p:,} at {i}% compounded annually for {t} years grows to ${grown:,.2f}.",
            f"The present value of ${p:,} due in {t} years at {i}% is ${float(p / Fraction(100 + i, 100) ** t):,.2f}.",
            f"A perpetuity of ${p} at {i}% is worth ${float(Fraction(p * 100, i)):,.2f}.",
        )
    )


KINDS: dict[str, Callable[[random.Random], str]] = {
    "a total": _total,
    "so many of each": _each,
    "what is left": _left,
    "a share": _share,
    "a number beside another": _beside,
    "a percentage": _percent,
    "an operation": _operation,
    "a figure": _figure,
    "a word of scale": _scaled,
    "interest": _interest,
}
