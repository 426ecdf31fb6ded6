"""The look of charts: colours read from tokens.css, dashes beside them, and the configuration that carries both.

A line is known by its dashes as well as by its colour. On pages the colours of the light look become the variables they
came from (`svg.clean`), so that one drawing follows the reader's choice; files carry the colours of one look.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings

_TOKEN = re.compile(r"--([a-z-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)")
TOKENS = ("surface", "ink", "ink-soft", "line", "line-strong", "accent", "hung", "undecided", "pass", "fail", "pending")
SERIES = ("accent", "hung", "undecided", "pass", "fail", "ink-soft")
DASHES: tuple[list[int], ...] = ([1, 0], [8, 4], [2, 4], [10, 3, 2, 3], [5, 2], [1, 3])
STATES = {"pass": "pass", "fail": "fail", "hung": "hung", "undecided": "undecided"}
TEXT, FONT = 12, "sans-serif"
SHADE = 0.45  # the darkest cell of a matrix: its words keep a contrast of 4.5 in either look


@lru_cache(maxsize=1)
def palette() -> dict[str, tuple[str, str]]:
    """Token -> (light, dark), from the one place where colours stand."""
    text = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
    pairs = {name: (light, dark) for name, light, dark in _TOKEN.findall(text)}
    return {name: pairs[name] for name in TOKENS}


@lru_cache(maxsize=1)
def variables() -> dict[str, str]:
    """Colour of the light look -> the variable that it stands for."""
    return {light: f"var(--{name})" for name, (light, _) in palette().items()}


def token(name: str) -> str:
    """The place of a colour in a shape, until a look is chosen.

    >>> token("accent")
    '$accent'
    """
    return f"${name}"


def painted(shape: Any, *, dark: bool) -> Any:
    """A shape with the colours of one look in the places of its tokens."""
    if isinstance(shape, Mapping):
        return {key: painted(value, dark=dark) for key, value in shape.items()}
    if isinstance(shape, list | tuple):
        return [painted(value, dark=dark) for value in shape]
    if isinstance(shape, str) and shape.startswith("$") and shape[1:] in palette():
        return palette()[shape[1:]][dark]
    return shape


@lru_cache(maxsize=4)
def config_of(*, dark: bool, background: bool = True) -> dict[str, Any]:
    """Vega-Lite's configuration in one look."""
    colors = {name: pair[dark] for name, pair in palette().items()}
    text = {"labelColor": colors["ink-soft"], "titleColor": colors["ink-soft"], "labelFont": FONT, "titleFont": FONT}
    sizes = {"labelFontSize": TEXT, "titleFontSize": TEXT, "titleFontWeight": "normal"}
    return {
        # A file is opened on paper of any colour; a page has its own.
        "background": colors["surface"] if background else None,
        # Readers' fonts may be wider than the one that the server measures with.
        "padding": {"left": 48, "right": 26, "top": 8, "bottom": 6},
        "font": FONT,
        "title": {"color": colors["ink"], "anchor": "start", "fontSize": TEXT + 2},
        "view": {"stroke": None},
        "axis": {**text, **sizes, "gridColor": colors["line"], "domainColor": colors["line-strong"], "tickSize": 0,
                 "labelPadding": 6, "labelLimit": 200, "labelSeparation": 10},
        "axisX": {"grid": False, "titleAnchor": "end", "labelFlush": False},
        "axisY": {"domain": False, "titleAngle": 0, "titleAnchor": "start", "titleAlign": "left", "titleY": -8},
        "legend": {**text, **sizes, "orient": "bottom", "direction": "vertical", "symbolSize": 500,
                   "symbolStrokeWidth": 2, "offset": 10, "labelLimit": 340, "title": None, "rowPadding": 3},
        "line": {"strokeWidth": 2, "strokeCap": "butt"},
        "text": {"color": colors["ink"], "fontSize": TEXT},
    }  # fmt: skip
