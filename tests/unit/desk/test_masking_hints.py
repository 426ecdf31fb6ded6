"""Every sign has a hint: texts are made after each pattern, and none that the pattern finds may go unsearched."""

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

from hdag.core.masking import hints
from hdag.core.masking.disguise import plain
from hdag.core.masking.signs import FINDS, SIGNS
from tests.tools.sweeping import sampled

parser: Any = import_module("re._parser")  # how Python itself takes a pattern apart
# What may have to stand before or behind a sign for it to be one.
BEFORE = ("", " ", "using ", "model ", "via ", "written by ", "OpenAI's ", "Meta's ", "\n")
BEHIND = ("", " ", ", I think", ", an AI model", ", made", " models", "\n")


class Writer:
    """Writes texts that a pattern describes, by chance; what it only looks at, before or behind, is left out."""

    def __init__(self, seed: int) -> None:
        """The same texts for the same seed."""
        self.chance = random.Random(seed)

    def write(self, parsed: Any) -> str:
        """One text after a parsed pattern."""
        return "".join(self._part(str(kind), value) for kind, value in parsed)

    def _part(self, kind: str, value: Any) -> str:
        parts: dict[str, Callable[[Any], str]] = {
            "LITERAL": chr,
            "NOT_LITERAL": lambda code: "x" if code != ord("x") else "y",
            "ANY": lambda _: "x",
            "IN": self._one_of,
            "BRANCH": lambda branch: self.write(self.chance.choice(branch[1])),
            "SUBPATTERN": lambda group: self.write(group[-1]),
            "MAX_REPEAT": self._repeated,
            "MIN_REPEAT": self._repeated,
        }
        return parts[kind](value) if kind in parts else ""  # AT, ASSERT, ASSERT_NOT take no room

    def _repeated(self, value: Any) -> str:
        least, most, part = value
        return "".join(self.write(part) for _ in range(self.chance.choice((least, min(int(most), least + 3)))))

    def _one_of(self, choices: Any) -> str:
        if str(choices[0][0]) == "NEGATE":
            refused = {text for choice in choices[1:] for text in self._all(*choice)}
            return self.chance.choice([letter for letter in "aZ0 -_+" if letter not in refused])
        return self.chance.choice([letter for choice in choices for letter in self._all(*choice)])

    def _all(self, kind: Any, value: Any) -> Iterator[str]:
        named = {"CATEGORY_WORD": "aZ7_", "CATEGORY_DIGIT": "0123456789", "CATEGORY_SPACE": " \n"}
        if str(kind) == "CATEGORY":
            yield from named[str(value)]
        elif str(kind) == "RANGE":
            yield from map(chr, {value[0], (value[0] + value[1]) // 2, value[1]})
        else:
            yield chr(value)


@pytest.mark.parametrize("texts", sampled([2, 8], one_in=2))
@pytest.mark.parametrize("number", range(len(SIGNS)))
def test_whatever_a_pattern_finds_has_a_hint(number: int, texts: int) -> None:
    """In the text as it was made and in other letters, alone and beside what a sign may need.

    As many texts are made for each of its characters: the longer it is, the more alternatives it has.
    """
    parsed, writer, found = parser.parse(SIGNS[number]), Writer(seed=number), 0
    for _ in range(texts * len(SIGNS[number])):
        made = writer.chance.choice(BEFORE) + writer.write(parsed) + writer.chance.choice(BEHIND)
        for text in (made, made.upper(), made.lower()):
            read = plain(text=text)[0]
            if FINDS.search(read):
                found += 1
                assert hints.may_hold_signs(read), f"{read!r} would not be searched"
    assert found > texts * len(SIGNS[number]) // 32, "hardly a text that was made holds a sign, so this shows nothing"


def test_everyday_mathematics_is_not_searched() -> None:
    """Otherwise every text would be searched, and the hints would only take time."""
    everyday = (
        "She eats 3 < 16 eggs, so that 16 - 3 - 4 = <<16-3-4=9>>9 are left; each is 2 dollars, she makes 9 * 2 = 18.",
        r"The system x + y = 3, x - y = 1 gives $x = 2$, $y = 1$ and $\sqrt{x^2 + y^2} = \sqrt{5}$ \[at most 2.237\].",
        "The patient is 45 years old; the human heart beats 70 times a minute, so a kit of 12 lasts for 2 days.",
        "Tell the users of this model that the response is 1,200.50, again.",
    )
    assert [text for text in everyday if hints.may_hold_signs(text)] == []
