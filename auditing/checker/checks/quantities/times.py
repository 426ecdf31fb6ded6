"""Checker: times of day: "from 9:40 to 11:15 is 1 hour 35 minutes", "10:30 + 45 min = 11:15".

Two times that are apart by half a day look alike on a clock, so everything is computed modulo twelve hours; 10:30 may
be ten and a half minutes, too, and what is false in one of the two readings alone is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.quantities.amounts import Amount, in_base_units, known, one_of, read_amount
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.exactly.rounding import half_unit
from auditing.checker.mathematics.tree import Node, walk
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.formulas import formula, packed
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

NAME = "times of day"
HALF_DAY = 12 * 60
_TIME = r"(?P<{}>(?:[01]?\d|2[0-4]):[0-5]\d)(?!:|\d)(?:\s?[ap]\.?m\b\.?)?"
_EQUALS = r"\s*(?:=|,?\s?which is|\bis|\bequals|\bgives|\bmakes|\btakes|\blasts|\btotals)\s*"
# the amount is read behind or before what these find
_SPAN = Cue(
    rf"\b(?:from|between)\s+{_TIME.format('a')}\s+(?:to|and|until|till)\s+{_TIME.format('b')}{_EQUALS}(?=\d)", re.I
)
_SHIFT = Cue(rf"(?<![\w:.]){_TIME.format('a')}\s*(?P<sign>[-+−]|\bplus\b|\bminus\b)\s*(?=\d)")
_REACHED = re.compile(rf"\s*(?:=|\bis|\bgives|\bequals|\bmakes)\s*{_TIME.format('b')}")
_GOES_ON = re.compile(r"\s*(?:[-+*/×÷=]|\d|(?:and|plus|minus|or|to|of|per|more|less|short|each|after|before)\b)")
# hours that are not between the two times, and clocks that are not set alike
_BROKEN = any_of("""
    break* lunch pause* rest* zone* local gmt utc est pst pacific eastern daylight excluding without except*
    overlap* if suppose would not wrong about approximately roughly almost nearly pace lap* split*
""")


def check(script: Script) -> Iterator[Placed]:
    """Every span between two times, and every time that is reached from another."""
    texts = (script.problem, *script.passages)
    if not any(":" in passage.text for passage in script.passages) or any(_BROKEN.search(text.text) for text in texts):
        return
    for passage in script.passages:
        for match in _SPAN.finditer(passage.text):
            amount = read_amount(passage.text, match.end())
            if amount is not None and not _GOES_ON.match(passage.text, amount.end):
                yield from _judged(passage, (match.start(), amount.end), (match["a"], match["b"]), amount, "+")
        for match in _SHIFT.finditer(passage.text):
            amount = read_amount(passage.text, match.end())
            reached = _REACHED.match(passage.text, amount.end) if amount is not None else None
            if amount is not None and reached is not None and not _GOES_ON.match(passage.text, reached.end()):
                sign = "+" if match["sign"] in ("+", "plus") else "-"
                yield from _judged(passage, (match.start(), reached.end()), (match["a"], reached["b"]), amount, sign)


def _judged(
    passage: Passage, span: tuple[int, int], times: tuple[str, str], amount: Amount, sign: str
) -> Iterator[Placed]:
    minutes = _minutes(amount)
    if minutes is None:
        return
    start, end = (_value(time) for time in times)
    reached = start + minutes if sign == "+" else start - minutes
    gap = (reached - end) % HALF_DAY
    # "it is 2 hours" from 9:40 to 11:15 was rounded
    if min(gap, HALF_DAY - gap) < _unit(amount) / 2 and gap:
        return
    # 10:30 read as ten minutes and thirty seconds: a sixtieth of it
    is_false = gap and (start - end) / 60 + (minutes if sign == "+" else -minutes)
    if gap and not is_false:
        return
    chain = Chain([Side(None, span[0], span[0]), Side(None, span[0], span[1])], ["="], span[0], span[1])
    if gap and (context_doubt(passage.text, chain, 0) or about_the_text(passage, *span)):
        return
    sentence = _sentence(times, amount, sign, reached, passage.text)
    proof = {"kind": "clock", "times": list(times), "sign": sign, "amount": formula(amount.tree)}
    yield place(
        passage=passage,
        start=span[0],
        end=span[1],
        verdict=Verdict.REFUTED if gap else Verdict.VERIFIED,
        checker=NAME,
        rule="clock",
        sentence=sentence,
        details={"read": passage.text[span[0] : span[1]], "rule": "clock", **packed(proof)},
    )


def _sentence(times: tuple[str, str], amount: Amount, sign: str, reached: Fraction, text: str) -> str:
    clock = int(reached % (2 * HALF_DAY)) if reached.denominator == 1 else 0
    written = " ".join(text[amount.start : amount.end].split())
    return f"{times[0]} {sign} {written} is {clock // 60}:{clock % 60:02d}; the text says {times[1]}."


def _value(time: str) -> Fraction:
    hours, minutes = time.split(":")
    return Fraction(int(hours) * 60 + int(minutes))


def _unit(amount: Amount) -> Fraction:
    """Minutes in the unit of the last written digit."""
    unit = evaluate(in_base_units(one_of(amount.tree)))
    assert isinstance(unit, Fraction)
    return unit / 60 * 2 * half_unit(amount.last[0])


def _minutes(amount: Amount) -> Fraction | None:
    """The minutes of an amount of time written with exact numbers; None for any other."""
    is_time = all((known(unit) or ("",))[0] == "time" for unit in amount.units)
    is_rate = any(isinstance(tree, Node) and tree.op == "/" for tree in walk(amount.tree))
    if not is_time or is_rate or not amount.is_plain:
        return None
    try:
        seconds = evaluate(in_base_units(amount.tree))
    except IncalculableError:
        return None
    return seconds / 60 if isinstance(seconds, Fraction) and amount.last[0].decimals < 2 else None
