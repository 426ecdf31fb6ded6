"""Claims of everyday sentences: what a suppression was for stays silent, a slip of the same form is refuted."""

import cProfile
import pstats

import pytest

from auditing.checker.checks.text import restatement
from auditing.checker.reading.passages import script_of
from hdag.readers.records import read_record
from tests.unit.checker.readings import is_doubted, is_refuted

# name: (what nobody is accused of, a slip of the same form)
PAIRS = {
    "hours and minutes": ("He drives 90 minutes * 2 = 3 hours.", "He earns $20 per hour * 10 hours = $100."),
    "a rate that is changed": (
        "This is 6 miles / 2 hours = 4.4 feet/second.",
        "This is 160 feet / 8 feet/second = 25.",
    ),
    "a prefix": ("2 mF * 5 V = 0.01 C", "She has 10 * 30 = 3000 candy bars."),
    "a prefix of mass": ("They weigh 0.5 * 3 = 1500 grams.", "They weigh 2200 + 1800 = 400 kgs."),
    "letters that are no unit": ("It is 3 V / 3000 = 1 mV", "He delivers 10 * 20 = 20 bags a day."),
    "a rate and tens": ("It is 5 g / 50 = 0.1 kg/L", "It is 1440 apples/hour * 5 hours = 72000 apples."),
    "seconds and metres": (
        "12 km in 10 minutes is 10 * 60 seconds = 12,000 meters.",
        "It takes 10 * 60 seconds = 700 seconds.",
    ),
    "a factor between units": ("We know 10 miles / 1 hour = 1, the rate.", "60 minutes / 2 minutes = 20"),
    "dollars and cents": ("He pays $2.50 * 2 = 500 cents.", "He pays 80 * 50 = 4500 cents."),
    "units of one system": ("(2 kW)(2 hours) = (2000 J/s)(7200 s)", "$12/hour * 5 hours = $70"),
    "a supposition": ("Were there 3 * 4 = 13 boxes, all would fit.", "There were 3 * 4 = 13 boxes."),
    "two units": ("It takes 5 * 15 = 1 hour 15 minutes.", "They produce 225 * 5 = 1100 cans in 5 hours."),
    "a lost factor": ("There are (300/3) * 2 = 100\nx 2 = 200 cows.", "There are (300/3) * 2 = 100 cows at 2 farms."),
    "rupees": ("A pen is 2/- = 2 each.", "6/-1 = -1"),
    "what is added to a product": ("We add 3 to 4 * 5 = 23.", "It sums up to 4 * 5 = 23."),
    "what something came to": ("Divide 60 by 3 * 10 = 2.", "The tip came to 60 * .30 = $20.00."),
    "what something grew by": ("The 50 has increased by 50 * 2 = 150.", "It has grown by 3 * 10 = 20 inches."),
    "two systems": ("It is 26 miles * 16 km/10 miles = 43 km.", "It is 4 km/hr * 4 hrs = 15 km."),
    "kilograms at a price": ("It is 5 kg * 2 = 10000 grams.", "He has 80 kg * $20/kg = $160 of fish."),
    "one exponent on the line": ("402 + 40 = 40 * 41", "2 + 25 = 34, and 25 + 19 = 51"),
    "an exponent beside a product": ("43 = 8 * 8", "He has 52 left because 100 - 75 = 52"),
    "a deed that is left out": ("Without the carry 27 + 15 = 32.", "Without the drink it was 7 + 3 = 6."),
    "a root of a bracket": (r"The square root of (81π/π) = 9.", "The sum of (81 + 9) = 91."),
    "a result that is taken back": ("3 + 5 = 9, so 3 + 5 = 8", "It is 54 / 3 = 17. 54 / 3 = 17, he says."),
    "tens of miles": ("12 * 5 = 5 feet", "He bikes 40 * 5 = 2000 miles."),
}


@pytest.mark.parametrize(("right", "wrong"), PAIRS.values(), ids=PAIRS)
def test_a_slip_is_refuted_and_what_may_be_meant_otherwise_is_not(right: str, wrong: str) -> None:
    assert is_refuted(wrong)
    assert not is_refuted(right)


def test_a_supposition_is_still_a_doubt() -> None:
    assert is_doubted("Were there 3 * 4 = 13 boxes, all would fit.")


# steps of a trace: (what nobody is accused of, a slip of the same form)
STEPS = {
    "a value computed in the next step": (("y = -6 - (-9)", "y = 3"), ("y = -6 - (-9)", "y = 15")),
    "a symbol with more values than are compared": (
        (*(f"y = {value} - 1" for value in range(20, 30)), "y = -6 - (-9)", "y = 15"),
        (*(f"y = {value} - 1" for value in range(20, 23)), "y = -6 - (-9)", "y = 15"),
    ),
    "two roots, line by line": (("x = 4 + 3", "x = 4 - 3", "x = 7", "x = 1"), ("x = 4 + 3", "x = 8")),
    "a finished fraction": (("x = 3/2", "x = -4"), ("x = 8/2", "x = -4")),
    "a value on the other side": (("10/4 = y", "2.5 = y"), ("10/124 = y", "12.4 = y")),
    "an expression computed in the next step": (
        ("68.5x = -2 - 1938.55", "68.5x = -1940.55"),
        ("68.5x = -2 - 1938.55", "68.5x = -1936.55"),
    ),
    "a fraction beside an expression": (("-53/3 = 3y/3", "-17.67 = 3y/3"), ("-53/3 = 3y/3", "17.67 = 3y/3")),
    "metres behind a number": (
        ("10x = 1800", "It is 1.8 km = 1800m", "3x = 540m"),
        ("10x = 1800", "m = 1", "3x = 530m"),
    ),
    "seconds in a label": (
        ("Distance in 27 seconds = 27x", "Distance in 17 seconds = 17y", "27x + 17y = 25(x + y)"),
        ("27 = 27x", "27x = 25"),
    ),
    "two labels in a line": (
        ("Length = 3x = 540, Breadth = 2x = 360", "Area = Length * Breadth = 540 * 360 = 194400"),
        ("Length = 540", "Breadth = 360", "Area = Length * Breadth = 550 * 360 = 198000"),
    ),
}


@pytest.mark.parametrize(("right", "wrong"), STEPS.values(), ids=STEPS)
def test_a_slip_between_steps_is_refuted_and_another_value_is_not(
    right: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    assert is_refuted(*wrong)
    assert not is_refuted(*right)


def calls_for(steps: int) -> int:
    """How many functions are called where every step computes the same letter anew; no clock, so no load changes it."""
    trace = read_record(
        {"id": "t", "problem": "Find x.", "steps": [f"x = {at % 7 + 2} - {at % 5 + 9}" for at in range(steps)]},
        where="test",
    )
    script = script_of(trace)
    profile = cProfile.Profile()
    profile.runcall(lambda: list(restatement.check(script)))
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]  # the stubs leave it out


def test_twice_as_many_steps_about_one_letter_take_twice_the_work() -> None:
    calls_for(20)  # patterns are made when they are used for the first time
    assert calls_for(400) < 2.5 * calls_for(200)
