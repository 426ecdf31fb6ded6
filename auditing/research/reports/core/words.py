"""Words of a verdict: where a segment stands, what a refutation says, how sure an outcome is."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from auditing.core.values import Outcome

MOST_WORDS = 240  # of a text that is quoted in a sentence
# Probability of being right, from which on a word is used; the number always stands beside it.
CONFIDENCE = ((0.99, "almost certain"), (0.95, "very likely"), (0.8, "likely"), (0.6, "more likely than not"))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a segment lies, as far as a reader is told."""

    id: str
    level: str
    source: str
    step: int | None  # index of the step as handed in, where the format has steps
    children: tuple[str, ...] = ()


def name_places(*, places: Iterable[Place]) -> dict[str, str]:
    """The place of every segment in a reader's words: steps count from 1, as handed in or else as they were cut.

    >>> step = Place("ST1", "step", "thinking", None, ("O1",))
    >>> name_places(places=[step, Place("O1", "operation", "thinking", None)])
    {'ST1': 'step 1', 'O1': 'step 1'}
    """
    listed = list(places)
    as_handed_in = any(segment.step is not None for segment in listed)
    names: dict[str, str] = {}
    steps = 0
    for segment in listed:
        if segment.source in ("problem", "answer"):
            names[segment.id] = f"the {segment.source}"
        elif segment.step is not None:
            names[segment.id] = f"step {segment.step + 1}"
        elif segment.level == "step" and not as_handed_in:
            steps += 1
            names[segment.id] = f"step {steps}"
        # A line is where its step is: parents stand before their children in reading order.
        for child in segment.children:
            names.setdefault(child, names.get(segment.id, segment.id))
        names.setdefault(segment.id, segment.id)
    return names


def accuse(*, read: str, details: Mapping[str, str], sentence: str) -> str:
    """What a refutation says to a reader: both values where there are two, else the checker's own sentence.

    >>> accuse(read="2 \\\\times 3 = 7", details={"rule": "unequal", "left": "6", "right": "7"}, sentence="")
    'It says 2 × 3 = 7; it is 6.'
    """
    left, right = details.get("left", ""), details.get("right", "")
    says = in_plain_signs(text=read).rstrip(" .")
    if details.get("rule") != "unequal" or not left or not right or len(says) > MOST_WORDS:
        return _ended(in_plain_signs(text=sentence))
    quoted = _drawn(read) if "\\" in says else says
    # Where the right side is a number as written, the left side's value is what it should have been.
    if says.endswith(right) or re.fullmatch(r"[-−]?[\d.,/ ]+", says.rpartition("=")[2].strip()):
        return _ended(f"It says {quoted}; it is {left}.")
    return _ended(f"It says {quoted}; the left side is {left}, the right side {right}.")


def _drawn(formula: str) -> str:
    """A formula with commands that no sign stands for, between the marks by which a page draws it."""
    bare = plain(re.sub(r"\\[()\[\]]|\$", " ", formula)).rstrip(" .,;")
    return rf"\({bare}\)"


def _ended(sentence: str) -> str:
    """A sentence whose last number has more digits than are shown: three dots, and no fourth."""
    return sentence.replace("...,", "…,").removesuffix("....") + "…" if sentence.endswith("....") else sentence


def in_plain_signs(*, text: str) -> str:
    r"""A formula's few commands as the signs that they stand for, for a sentence.

    >>> in_plain_signs(text=r"21.5 \times 15.4 = 321.1")
    '21.5 × 15.4 = 321.1'
    """
    signs = {r"\times": "×", r"\cdot": "·", r"\div": "÷", r"\left": "", r"\right": "", r"\,": " ", "$": "", "*": "×"}
    for command, sign in signs.items():
        text = text.replace(command, sign)
    text = re.sub(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)", text)
    return plain(text)


def confidence_words(*, outcome: str, probability: float | None, is_proved: bool = False) -> str:
    """How sure the outcome is, in words with the number. probability: that the reasoning holds.

    >>> confidence_words(outcome="fail", probability=0.03)
    'very likely: 97 % that it does not hold'
    """
    if outcome == Outcome.FAIL and is_proved:
        return "certain: an exact computation refutes it"
    if outcome not in (Outcome.PASS, Outcome.FAIL) or probability is None:
        return ""
    sure = probability if outcome == Outcome.PASS else 1 - probability
    words = next((words for least, words in CONFIDENCE if sure >= least), "uncertain")
    # Rounded down: 99.97 % is not 100 %, and nothing that was voted on is certain.
    percent = f"{int(sure * 1000) / 10:g} %"
    return f"{words}: {percent} that it {'holds' if outcome == Outcome.PASS else 'does not hold'}"


def shorten(*, text: str, most: int = MOST_WORDS) -> str:
    """The first words of a text.

    >>> shorten(text="one two three", most=9)
    'one two…'
    """
    line = plain(text)
    return line if len(line) <= most else line[: most - 1].rpartition(" ")[0] + "…"


def plain(text: str) -> str:
    """The text with single spaces."""
    return " ".join(text.split())
