"""The area of a figure by its vertices: "a square with vertices at (-1, 0), (0, 1), (1, 0), (0, -1) has area 4"."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.said.judging import NAME
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.tree import number_text
from auditing.checker.proofs.claims import of_said
from auditing.checker.proofs.formulas import Formula
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.text.cues import Cue

RULE = "an area by the vertices"
_NUMBER = r"[-−]?\d{1,6}(?:\.\d{1,4})?(?:/\d{1,4})?"
_POINT = rf"(?:\\\(|\$)?\(\s?{_NUMBER}\s?,\s?{_NUMBER}\s?\)(?:\\\)|\$)?"
_SHAPE = r"(?:triangle|square|rectangle|parallelogram|rhombus|quadrilateral|trapezoid|kite|diamond)"
_SAID = Cue(
    rf"\b{_SHAPE}\s(?:with|whose)\s(?:its\s)?vertices\s(?:are\s)?(?:at\s)?(?:the\spoints\s)?(?:[A-Z](?=\())?"
    rf"(?P<points>{_POINT}(?:,?\s?(?:and\s)?{_POINT}){{2,3}})(?:,\swhich|,\sand|\.\s(?:This|The)\s{_SHAPE}|\.\sIt)?\s"
    rf"(?:has\s(?:an\s|a\stotal\s)?area\s(?:of\s|equal\sto\s)?|is\sof\sarea\s)(?:\\\(|\$)?(?P<claimed>{_NUMBER})"
    r"(?![\d.,]*\d|/|\s?[-+*/^√]|\s?\\|\s?π|\s?pi|%|\w)",
)
_NUMBERS = re.compile(_NUMBER)
_Vertex = tuple[str, str]


def check(script: Script) -> Iterator[Placed]:
    """Every figure whose vertices and area one sentence or two tell."""
    for passage in script.near(_SAID):
        for match in _SAID.finditer(passage.text):
            numbers = [number.replace("−", "-") for number in _NUMBERS.findall(match["points"])]
            order = _around(list(zip(numbers[::2], numbers[1::2], strict=True)))
            if order and not about_the_text(passage, *match.span()):
                yield from _judged(passage, match, order)


def _around(vertices: list[_Vertex]) -> list[_Vertex]:
    """The vertices in the order in which they lie around the figure; nothing where one lies inside, or on a line."""
    orders = [[vertices[0], *later] for later in itertools.permutations(vertices[1:])]
    return next((order for order in orders if _turns_one_way(order)), [])


def _turns_one_way(order: list[_Vertex]) -> bool:
    """Whether the way around turns left at every vertex."""
    points = [(Fraction(x), Fraction(y)) for x, y in order]
    corners = zip(points, points[1:] + points[:1], points[2:] + points[:2], strict=True)
    return all((b[0] - a[0]) * (c[1] - b[1]) > (b[1] - a[1]) * (c[0] - b[0]) for a, b, c in corners)


def _judged(passage: Passage, match: re.Match[str], order: list[_Vertex]) -> Iterator[Placed]:
    """Half the sum of x y' - x' y around the figure (Gauss's area formula)."""
    pairs = list(zip(order, order[1:] + order[:1], strict=True))
    area = sum((Fraction(a[0]) * Fraction(b[1]) - Fraction(b[0]) * Fraction(a[1]) for a, b in pairs), Fraction(0)) / 2
    claimed = Fraction(match["claimed"].replace("−", "-"))
    if "." in match["claimed"] and area != claimed:
        return
    total: Formula = "0"
    for a, b in pairs:
        product, crossed = ["*", _formula(a[0]), _formula(b[1])], ["*", _formula(b[0]), _formula(a[1])]
        total = ["+", total, ["-", product, crossed]]
    holds = area == claimed
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule=RULE,
        sentence=f"The area of the figure with these vertices is {number_text(area)}.",
        details={
            "normal_form": f"{number_text(area)} = {match['claimed']}",
            "rule": RULE,
            "evidence_latex": rf"\text{{{RULE}: }} {number_text(area)}",
            **of_said([["/", total, "2"]], [_formula(match["claimed"])]),
        },
    )


def _formula(text: str) -> Formula:
    """-1/2 as a formula of a proof."""
    text = text.replace("−", "-")
    sign, digits = text.startswith("-"), text.removeprefix("-")
    above, _, below = digits.partition("/")
    value: Formula = ["/", above, below] if below else above
    return ["neg", value] if sign else value
