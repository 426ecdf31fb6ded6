"""Facts of shares and rates told in passing: what remains of 100 %, half of that, so many of each, hands of a clock."""

from __future__ import annotations

import re
from fractions import Fraction

from auditing.checker.checks.facts.fact_pieces import DECIMAL, FREE, STOP, WHOLE, Answer, numeral
from auditing.checker.checks.facts.plain_forms import PlainForm, plain_form
from auditing.checker.checks.facts.value_facts import number_of
from auditing.checker.checks.quantities.amounts import known
from auditing.checker.mathematics.tree import number_text

_TIME = r"(?:second|minute|hour|day|week)"
_SO = r"(?:,? (?:resulting in|for|giving|making|which makes|so there are|which gives)|:)"


def holds_or_silent(holds: bool, truth: str) -> Answer:
    """What other numbers may stand there as well is told where it holds."""
    return (True, truth) if holds else None


def _complement(match: re.Match[str]) -> Answer:
    """20% are removed, so 80% remain."""
    total = number_of(match["a"]) + number_of(match["r"])
    return holds_or_silent(total == 100, "together they are 100%.")


def _basis_points(match: re.Match[str]) -> Answer:
    points, claimed = number_of(match["a"]), number_of(match["r"])
    claimed = claimed / 100 if match["percent"] else claimed
    return claimed * 10_000 == points, f"{number_text(points)} basis points are {number_text(points / 10_000)}."


def _half_of_that(match: re.Match[str]) -> Answer:
    factor = Fraction(1, 2) if match["share"].lower() == "half" else Fraction(2)
    truth = number_of(match["a"]) * factor
    return holds_or_silent(number_of(match["r"]) == truth, f"it is {number_text(truth)}.")


def _other_rate(match: re.Match[str]) -> Answer:
    """0.5 degrees per minute, so 30 degrees per hour."""
    first, second = known(match["t"]), known(match["u"])
    if first is None or second is None or match["unit"].rstrip("s") != match["again"].rstrip("s"):
        return None
    truth = number_of(match["a"]) * second[1] / first[1]
    return holds_or_silent(number_of(match["r"]) == truth, f"it is {number_text(truth)}.")


def _each(match: re.Match[str]) -> Answer:
    """Each of the 4 amoebas splits into 2, resulting in a total of 8."""
    truth = number_of(match["a"]) * number_of(match["b"])
    return holds_or_silent(number_of(match["r"]) == truth, f"it is {number_text(truth)}.")


def _deed(match: re.Match[str]) -> Answer:
    """Multiply the daps per yap (0.57) by the yaps per bap (0.6): the result is approximately 0.342."""
    first, second = number_of(match["a"]), number_of(match["b"])
    is_division = match["deed"].lower().startswith("divi")
    if is_division and not second:
        return None
    truth = first / second if is_division else first * second
    unit = Fraction(1, 10 ** len(match["r"].partition(".")[2]))
    near = abs(truth - number_of(match["r"])) < unit if unit < 1 else truth == number_of(match["r"])
    return holds_or_silent(near, f"it is {number_text(truth)}.")


def _hands(match: re.Match[str]) -> Answer:
    """The angle between the hands at 6 o'clock is 180 degrees."""
    hour, minute = int(match["h"]) % 12, int(match["m"] or 0)
    angle = abs(Fraction(60 * hour - 11 * minute, 2)) % 360
    angles = {angle, 360 - angle}
    return number_of(match["r"]) in angles, f"it is {number_text(min(angles))} degrees."


SHARES: tuple[PlainForm, ...] = (
    plain_form(
        "what remains of all",
        "remain|left|rest|other|are not|against|don't|do not|off",
        rf"{FREE}(?P<a>{DECIMAL})\s?\\?%(?=[^.;:%\n]{{0,120}}%)(?:[^.;:%\d\n]|\d(?=\d|st|nd|rd|th)){{3,90}}"
        rf"(?<![\d.,])(?P<r>{DECIMAL})\s?\\?%(?![^.;\n]{{0,4}}\d)",
        _complement,
    ),
    plain_form(
        "basis points",
        "basis points|bps",
        rf"{FREE}(?P<a>{DECIMAL}) (?:bps|basis points) (?:is equal to|is|are|=|equals?) {numeral('r')}\s?"
        r"(?P<percent>%|percent)?(?![\d.,]*\d)",
        _basis_points,
    ),
    plain_form(
        "half of that",
        "half of that|half that|twice that|half of it|half of this",
        rf"{FREE}(?P<a>{DECIMAL})(?:[^.;\d\n]|\.(?!\s)){{1,80}}\b(?P<share>half|twice)(?: of)? (?:that|it|this)(?:,? "
        r"(?:which is|or)|:| is| =) "
        rf"{numeral('r')}{STOP}",
        _half_of_that,
    ),
    plain_form(
        "a rate in another time",
        " per ",
        rf"{FREE}{numeral('a')} (?P<unit>[a-z]{{3,12}}) per (?P<t>{_TIME}),? (?:so |and |then |thus )?"
        rf"(?:it|he|she|they) [a-z]{{3,9}} "
        rf"{numeral('r')} (?P<again>[a-z]{{3,12}}) (?:per|in an|in one|every|each|an) (?P<u>{_TIME})\b",
        _other_rate,
    ),
    plain_form(
        "so many of each",
        "each of",
        rf"\beach of (?:the |these |those |his |her |their )?{numeral('a', WHOLE)} [a-z]{{3,14}} [a-z]{{3,10}} "
        rf"(?:into |in )?{numeral('b', WHOLE)}"
        rf"(?: [a-z]{{2,12}}){{0,4}}{_SO} (?:a total of )?{numeral('r', WHOLE)}(?![\d.,]*\d)",
        _each,
    ),
    plain_form(
        "a deed with remarks",
        "multipl|divid",
        rf"\b(?P<deed>multiply|multiplying|divide|dividing)\b(?: [a-z'-]{{1,14}}){{0,9}} [($]?(?P<a>{DECIMAL})\)?"
        rf"(?: [a-z'-]{{1,14}}){{0,4}} by(?: [a-z'-]{{1,14}}){{0,9}} [($]?(?P<b>{DECIMAL})\)?(?:"
        rf" \(?[a-z'-]{{1,14}}\)?){{0,12}}"
        r"(?:,? which (?:is|equals|gives)|\. The (?:result|answer) is|,? we get|,? gives)(?: us)?(?:"
        r" approximately| about)? "
        rf"{numeral('r')}{STOP}",
        _deed,
    ),
    plain_form(
        "the hands of a clock",
        "angle between",
        r"\bangle between the (?:minute and hour |hour and minute )?hands? (?:of a clock )?at (?P<h>\d{1,2})(?::"
        r"(?P<m>\d\d)| o['’]clock)? is "
        rf"{numeral('r')}(?: degrees|°|\s?\^\\circ)",
        _hands,
    ),
)
