"""The SVG that Vega drew, made fit for a page: shapes and texts pass, by list; colours become variables."""

import re
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from hdag.rendering.charts.theme import variables

_SPACE = "{http://www.w3.org/2000/svg}"
_TAGS = frozenset("svg g path line rect text tspan circle".split())
_NUMBERS = re.compile(r"[-+\d.,eE\s%]*|none|normal|bold|italic|start|middle|end|round|butt|miter|transparent")
_PATH = re.compile(r"[-+\d.,eE\sMmLlHhVvCcSsQqTtAaZz]*")
_TRANSFORM = re.compile(r"(?:(?:translate|rotate|scale|matrix)\([-+\d.,eE\s]*\)\s*)*")
_COLOR = re.compile(r"#[0-9a-fA-F]{3,8}|none|transparent|currentColor|black|white")
_PLAIN = (
    "x y x1 y1 x2 y2 dx dy r cx cy width height viewBox opacity fill-opacity stroke-opacity stroke-width"
    " stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit text-anchor font-size"
    " font-weight font-style"
)
_ATTRIBUTES = {
    **dict.fromkeys(_PLAIN.split(), _NUMBERS),
    "d": _PATH,
    "transform": _TRANSFORM,
    "fill": _COLOR,
    "stroke": _COLOR,
}
_LONG = re.compile(r"-?\d+\.\d{2,}(?:e-?\d+)?")


class NotASvgError(ValueError):
    """What should be a drawing is none."""


def clean(*, source: str) -> str:
    """A new tree of listed elements and checked values; the lists hold no link, style, script or name of a resource.

    Words of a mark become its <title>, which browsers show under the pointer. Raises NotASvgError.
    """
    root = fromstring(source)  # noqa: S314  our own engine wrote it; no entity survives in the new tree
    if root.tag != f"{_SPACE}svg":
        raise NotASvgError(f"a {root.tag[:40]} where an svg belongs")
    new = _copy(root, None)
    # The frame that holds the drawing has a name; its pieces are seen together or not at all.
    new.set("aria-hidden", "true")
    new.set("focusable", "false")
    return tostring(new, encoding="unicode")


def _copy(old: Element, parent: Element | None) -> Element:
    tag = old.tag.removeprefix(_SPACE)
    new = Element(tag) if parent is None else SubElement(parent, tag)
    for name, value in old.attrib.items():
        # A closed list, for the drawing is ours but its words come from traces: an attribute not named here is dropped.
        pattern = _ATTRIBUTES.get(name)
        if pattern is not None and pattern.fullmatch(value):
            new.set(
                name, _short(variables().get(value, value)) if pattern is not _COLOR else variables().get(value, value)
            )
    words = old.get("aria-label", "")
    # A title is what a screen reader says of a mark, and what a pointer shows over it.
    if words and old.get("role") == "graphics-symbol" and tag != "text":
        SubElement(new, "title").text = words
    new.text = (new.text or "") + (old.text or "") if tag in ("text", "tspan") else None
    for child in old:
        if child.tag.removeprefix(_SPACE) in _TAGS and not _is_empty(child):
            _copy(child, new)
    return new


def _is_empty(element: Element) -> bool:
    """Groups of Vega's that hold nothing, and the transparent sheets behind them, which are a third of its elements."""
    return element.get("d") in ("M0,0h0v0h0Z", "") or (element.tag == f"{_SPACE}g" and not list(element))


def _short(value: str) -> str:
    """Coordinates to a tenth of a pixel: a curve of sixty points is half as long."""
    return _LONG.sub(lambda match: f"{float(match[0]):.1f}".removesuffix(".0"), value)
