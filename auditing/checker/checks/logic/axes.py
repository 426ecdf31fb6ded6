"""Axes on which objects are put in order: their comparisons, their ends, and the places counted from these."""

from __future__ import annotations

import re
from dataclasses import dataclass

from auditing.checker.answers.notation import ORDINALS, SMALL

_NUMERALS = "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split()
ORDINAL = "|".join([*ORDINALS, *_NUMERALS])
COUNTS = {word: number for number, word in enumerate(["no", *SMALL[1:7]])}


@dataclass(frozen=True, slots=True)
class Axis:
    """Places are counted from the objects that `start` names; `earlier` says that the subject stands before another."""

    name: str
    earlier: str
    later: str
    start: str
    end: str


AXES = (
    Axis(
        "row",
        r"(?:to the |on the )?left of|(?:further|farther) (?:to the )?left than",
        r"(?:to the |on the )?right of|(?:further|farther) (?:to the )?right than",
        "leftmost|far left(?: end| seat)?|left end",
        "rightmost|far right(?: end| seat)?|right end",
    ),
    Axis("age", "older than", "younger than|newer than", "oldest|eldest", "youngest|newest"),
    Axis(
        "price",
        "cheaper than|less expensive than|less than",
        "more expensive than|pricier than|costlier than|more than",
        "cheapest|least expensive",
        "most expensive|priciest|costliest",
    ),
    Axis(
        "race",
        "before|ahead of|in front of|earlier than|faster than|above",
        "after|behind|later than|slower than|below",
        "first|fastest",
        "last|slowest",
    ),
    Axis("stack", "above|higher than", "below|beneath|under|lower than", "top(?:most)?|highest", "bottom|lowest"),
    Axis("height", "taller than", "shorter than", "tallest", "shortest"),
    Axis("weight", "heavier than", "lighter than", "heaviest", "lightest"),
    Axis("size", "(?:larger|bigger) than", "smaller than", "largest|biggest", "smallest"),
)
# from which places are counted; alone these words say nothing: who "is left" may be the only one who remains
START_SIDES, END_SIDES = ("left", "front", "top"), ("right", "back", "bottom")
BY_NAME = {axis.name: axis for axis in AXES}


def number_of(ordinal: str) -> int:
    """The place that an ordinal names, from 0.

    >>> number_of("third"), number_of("2nd")
    (2, 1)
    """
    lowered = ordinal.lower()
    return (ORDINALS if lowered in ORDINALS else _NUMERALS).index(lowered)


def is_at_start(axis: Axis, text: str) -> bool:
    """Whether a word names the end from which places of the axis are counted."""
    lowered = text.lower().replace("-", " ")
    return lowered in START_SIDES or bool(re.fullmatch(axis.start, lowered))


def names_an_end(axis: Axis, text: str) -> bool:
    """Whether a word names one of the two ends."""
    lowered = text.lower().replace("-", " ")
    return lowered in START_SIDES + END_SIDES or bool(re.fullmatch(rf"{axis.start}|{axis.end}", lowered))
