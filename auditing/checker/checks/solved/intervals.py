"""Values that are listed of a letter, against the interval before: "2 < x < 6", then "the values of x are 2, 3"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from auditing.checker.checks.solved.placing import MOST, is_open, refuted
from auditing.checker.mathematics.compare import FAILS, compare
from auditing.checker.mathematics.tree import Num, Sym, Tree, free_symbols, literals, plain
from auditing.checker.proofs.claims import of_said
from auditing.checker.proofs.formulas import formula
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

RULE = "values in an interval"
_LISTED = Cue(
    r"\b(?:[Tt]he|[Aa]ll|[Oo]nly)\s(?:only\s)?(?:possible\s|integer\s|whole\s|integral\s)*values\s(?:of|for)\s\$?(?P<name>[a-z])\$?\s"
    r"(?:are|include):?\s(?:\\\(|\$)?(?P<items>-?\d{1,6}(?:\s?\$?,\s?(?:and\s)?\$?-?\d{1,6}){1,30}(?:,?\s\$?and\s\$?-?\d{1,6})?)"
    r"(?![\d.,/]*\d|\s?[-+*/^×%]|\s?\\|,?\s?(?:\.\.\.|…))"
)
# passages between an interval and the values in it
REACH = 2
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def check(script: Script) -> Iterator[Placed]:
    """Every list of values of a letter whose interval stands directly before it."""
    for number, passage in enumerate(script.near(_LISTED)):
        for match in islice(_LISTED.finditer(passage.text), MOST):
            bounds = _bounds_before(script, number, match)
            if bounds and not is_open(passage, match.start(), match.end()):
                yield from _judged(passage, match, bounds)


def _bounds_before(script: Script, number: int, match: re.Match[str]) -> list[tuple[str, Tree, str]]:
    """The signs and ends of the last interval of the letter, and the text that says it."""
    for passage in reversed(script.passages[max(0, number - REACH) : number + 1]):
        for chain in reversed(passage.page.chains):
            if passage is script.passages[number] and chain.start > match.start():
                continue
            # an interval with one end alone leaves the other to be meant
            if Sym(match["name"]) not in (side.tree for side in chain.sides):
                continue
            if (
                len(chain.sides) != 3
                or chain.sides[1].tree != Sym(match["name"])
                or not set(chain.relations) <= set(_TURNED)
            ):
                return []
            low, high = chain.sides[0], chain.sides[2]
            if low.tree is None or high.tree is None or low.doubts or high.doubts:
                return []
            ends = (low.tree, high.tree)
            if any(free_symbols(end) or any(number_read.unit for number_read in literals(end)) for end in ends):
                return []
            text = passage.text[chain.start : chain.end]
            return [(_TURNED[chain.relations[0]], low.tree, text), (chain.relations[1], high.tree, text)]
    return []


def _judged(passage: Passage, match: re.Match[str], bounds: list[tuple[str, Tree, str]]) -> Iterator[Placed]:
    for digits in re.findall(r"-?\d+", match["items"]):
        value = Num(Fraction(digits))
        for relation, end, text in bounds:
            if compare(left=value, right=end, relation=relation).state == FAILS:
                sentence = f"{digits} is not {relation} {plain(end)}."
                proof = of_said([digits], [formula(end)], relation, (text,))
                yield refuted(passage, match.span(), RULE, (value, end), sentence, (), proof)
                return
