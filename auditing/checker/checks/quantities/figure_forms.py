"""Phrases about figures: "a 3 by 4 rectangle has an area of 12", "the perimeter of a square with side 5 is 20".

Sources: Euclid, Elements; Archimedes, Measurement of a Circle.
"""

from __future__ import annotations

from auditing.checker.checks.quantities.phrase_pieces import (
    ANY,
    CLOSE,
    NOUNS,
    OPEN,
    VALUE,
    Build,
    Groups,
    claimed,
    number,
    of,
    phrase,
    whole,
)
from auditing.checker.mathematics.tree import Node, Tree

_IS = (
    r"(?:\s?=\s?|(?:,\swhich)?\s(?:is|equals|is equal to|would be|will be|gives|comes to|are)\s"
    r"(?:exactly\s|simply\s|also\s|just\s|then\s)?)"
)
_PI = rf"(?P<r>{VALUE})\s?\*?\s?(?:\\pi|π|pi)\b"
_HAS = r"(?:,)?\s(?:is|has an?|with an?|will have an?|would have an?|equals|gives an?|,\sso the)\s"
_UNIT = r"(?:\s?(?:cm|mm|km|m|in|ft|inch(?:es)?|feet|foot|meters?|units?|yards?|miles?|centimeters?|kilometers?))?"
_BY = rf"(?P<a>{VALUE}){_UNIT}(?:\s(?:by|×|x)\s|-by-)(?P<b>{VALUE}){_UNIT}"
_SIDED = (
    r"(?:with|of|has|and|,)\s(?:an?\s|its\s)?(?:side|side length|sides|edge|edge length|sides of length|side lengths)\s"
    rf"(?:of\s(?:length\s)?|is\s|=\s|length\s)?(?P<a>{VALUE}){_UNIT}"
)
_BASE = (
    rf"(?:with|of)\s(?:an?\s)?(?:base|length)\s(?:of\s|=\s)?(?P<a>{VALUE}){_UNIT},?\s(?:and|with)\s(?:an?\s)?"
    rf"(?:height|width|altitude)"
    rf"\s(?:of\s|=\s)?(?P<b>{VALUE}){_UNIT}"
)


def _point(first: str, second: str) -> str:
    """Two groups for the coordinates of a point."""
    return rf"{OPEN}\(\s?(?P<{first}>-?{VALUE})\s?,\s?(?P<{second}>-?{VALUE})\s?\){CLOSE}"


_ITS_AREA = r"(?:has|having|will have|would have|so its|and its)\s(?:an?\s)?(?:total\s)?area\s(?:of\s|is\s|=\s)?"
_AREA = r"area\s(?:of\s|is\s|=\s)"


def _along(groups: Groups, start: str, end: str) -> Tree:
    return Node("-", (number(groups[end]), number(groups[start])))


def _twice_sum(groups: Groups) -> Tree:
    return Node("*", (whole(2), Node("+", (number(groups["a"]), number(groups["b"])))))


def _half_product(groups: Groups) -> Tree:
    return Node("/", (Node("*", (number(groups["a"]), number(groups["b"]))), whole(2)))


def _hypotenuse(groups: Groups) -> Tree:
    squares = [Node("^", (number(groups[name]), whole(2))) for name in "ab"]
    return Node("sqrt", (Node("+", (squares[0], squares[1])),))


def _powered(exponent: int, factor: int = 1) -> Build:
    def build(groups: Groups) -> Tree:
        power = Node("^", (number(groups["a"]), whole(exponent)))
        return Node("*", (whole(factor), power)) if factor > 1 else power

    return build


def _square_edges(groups: Groups) -> Tree:
    """A square has four sides; two and two, because the words name no four."""
    return Node("*", (whole(2), Node("*", (whole(2), number(groups["a"])))))


FIGURES = (
    phrase(
        "the area of a rectangle",
        "area",
        rf"\b{_BY}\s(?:rectangle|rectangular\s[a-z]{{3,12}}|room|garden|field|lot|grid|sheet|piece)?{NOUNS}{_HAS}"
        rf"{_AREA}{claimed()}",
        of("*", "a", "b"),
        is_sure=False,
    ),
    phrase(
        "the area of a rectangle",
        "area",
        rf"\barea of (?:the|a|this)\s(?:rectangle|parallelogram)\s{_BASE}{_IS}{claimed()}",
        of("*", "a", "b"),
        is_sure=False,
    ),
    phrase(
        "the area of a triangle",
        "area of",
        rf"\barea of (?:the|a|this)\s(?:right\s)?triangle\s{_BASE}{_IS}{claimed()}",
        _half_product,
        is_sure=False,
    ),
    phrase(
        "the perimeter of a rectangle",
        "perimeter of",
        rf"\bperimeter of (?:the|a|this)\s{_BY}\srectangle{_IS}{claimed()}",
        _twice_sum,
        is_sure=False,
    ),
    phrase(
        "the area of a square",
        "area of",
        rf"\barea of (?:the|a|this)\ssquare\s{_SIDED}{_IS}{claimed()}",
        _powered(2),
        is_sure=False,
    ),
    phrase(
        "the perimeter of a square",
        "perimeter of",
        rf"\bperimeter of (?:the|a|this)\ssquare\s{_SIDED}{_IS}{claimed()}",
        _square_edges,
        is_sure=False,
    ),
    phrase(
        "the volume of a cube",
        "volume of",
        rf"\bvolume of (?:the|a|this)\scube\s{_SIDED}{_IS}{claimed()}",
        _powered(3),
        is_sure=False,
    ),
    phrase(
        "a hypotenuse",
        "hypotenuse",
        rf"\blegs?\s(?:of\s)?(?:length(?:s)?\s)?(?:of\s)?(?P<a>{VALUE}){_UNIT}\sand\s(?P<b>{VALUE}){_UNIT},?\s(?:has"
        rf"|the|so the|is|with|and)\s(?:an?\s|the\s)?"
        rf"hypotenuse\s(?:of\s(?:length\s)?|is\s|=\s)?{claimed()}",
        _hypotenuse,
        is_sure=False,
    ),
    phrase(
        "the area of a circle",
        "area of",
        rf"\barea of (?:the|a|this)\scircle\s(?:with|of)\s(?:a\s)?radius\s(?:of\s|=\s)?(?P<a>{VALUE}){_UNIT}{_IS}"
        rf"{OPEN}{_PI}",
        _powered(2),
        is_sure=False,
    ),
    phrase(
        "a circumference",
        "circumference of",
        rf"\bcircumference of (?:the|a|this)\scircle\s(?:with|of)\s(?:a\s)?radius\s(?:of\s|=\s)?(?P<a>{VALUE})"
        rf"{_UNIT}{_IS}{OPEN}{_PI}",
        lambda groups: Node("*", (whole(2), number(groups["a"]))),
        is_sure=False,
    ),
    # a triangle with base 6 and height 4 has an area of 12
    phrase(
        "the area of a triangle",
        "triangle",
        rf"\btriangle\s{_BASE},?\s{_ITS_AREA}{claimed()}",
        _half_product,
        is_sure=False,
    ),
    phrase(
        "the area of a square", "square", rf"\bsquare\s{_SIDED},?\s{_ITS_AREA}{claimed()}", _powered(2), is_sure=False
    ),
    phrase(
        "the perimeter of a square",
        "square",
        rf"\bsquare\s{_SIDED},?\s{_ITS_AREA.replace('area', 'perimeter')}{claimed()}",
        _square_edges,
        is_sure=False,
    ),
    phrase(
        "the volume of a cube",
        "cube",
        rf"\bcube\s{_SIDED},?\s{_ITS_AREA.replace('area', 'volume')}{claimed()}",
        _powered(3),
        is_sure=False,
    ),
    phrase(
        "the area of a rectangle",
        "rectangle",
        rf"\brectangle\s(?:{_BASE}|(?:of\s|that is\s|with dimensions\s|measuring\s)?"
        rf"{_BY.replace('<a>', '<c>').replace('<b>', '<d>')}),?\s{_ITS_AREA}{claimed()}",
        lambda groups: Node("*", (number(groups["a"] or groups["c"]), number(groups["b"] or groups["d"]))),
        is_sure=False,
    ),
    phrase(
        "the area of a circle",
        "circle",
        rf"\bcircle\s(?:with|of)\s(?:a\s)?radius\s(?:of\s|=\s)?(?P<a>{VALUE}){_UNIT},?\s{_ITS_AREA}{OPEN}{_PI}",
        _powered(2),
        is_sure=False,
    ),
    # the slope of the line through (1, 2) and (3, 6) is 2
    phrase(
        "a slope",
        "slope",
        rf"\bslope (?:of|between)\s(?:the\s(?:line|segment)\s)?(?:(?:through|joining|connecting|between|containing)"
        rf"\s)?(?:the\spoints\s)?"
        rf"{_point('a', 'b')}\sand\s{_point('c', 'd')}{_IS}{claimed(what=ANY)}",
        lambda groups: Node("/", (_along(groups, "b", "d"), _along(groups, "a", "c"))),
        is_sure=False,
    ),
    phrase(
        "a distance",
        "distance",
        rf"\bdistance (?:between|from)\s(?:the\spoints\s)?{_point('a', 'b')}\s(?:and|to)\s"
        rf"{_point('c', 'd')}{_IS}{claimed(what=ANY)}",
        lambda groups: Node(
            "sqrt",
            (
                Node(
                    "+",
                    (
                        Node("^", (_along(groups, "a", "c"), whole(2))),
                        Node("^", (_along(groups, "b", "d"), whole(2))),
                    ),
                ),
            ),
        ),
        is_sure=False,
    ),
)
