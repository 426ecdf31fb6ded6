"""The first words of a hostile trace text on one line, for lists and captions: its formulas drawn, none cut in two."""

import re

from django.utils.html import escape

from hdag.rendering.text import RenderedText, render_text

MOST_IN_A_LINE = 4  # formulas
_FENCE = re.compile(r"```[^\n`]*\n?|~~~[^\n~]*\n?")
_SIGNS = re.compile(r"\$\$?|`|\\[()]")


def render_snippet(*, text: str, most: int, most_formulas: int = MOST_IN_A_LINE) -> RenderedText:
    """At most about `most` characters on one line, as safe HTML without any block.

    >>> render_snippet(text="So $x$ is", most=9).html[:31]
    '<span data-at="0">So </span><sp'
    """
    line = shorten(text=text, most=most)
    rendered = render_text(text=line, most_formulas=most_formulas)
    html = rendered.html.removeprefix("<p>").removesuffix("</p>")
    # A heading, a list or a displayed formula is a block, which a line cannot hold: it stands as it was written.
    if rendered.html.count("<p>") != 1 or not rendered.html.startswith("<p>") or not rendered.html.endswith("</p>"):
        return RenderedText(escape(line))
    return RenderedText(html, rendered.formulas)


def shorten(*, text: str, most: int) -> str:
    """The beginning of a text on one line, cut before a word and never within a formula; code before all else.

    >>> shorten(text="How often? $a + b$ times", most=17), shorten(text="```py\\nrun()\\n```", most=20)
    ('How often? …', 'run()')
    """
    prose, _, code = text.partition("```")
    line = " ".join((prose if prose.strip() else _FENCE.sub(" ", f"```{code}")).split())
    if len(line) <= most:
        return line
    words = line[: most + 1].rpartition(" ")[0] or line[:most]
    # An opening sign without its closing one would turn the rest of the list into a formula.
    opened = _open_at(words)
    words = words if opened is None else words[:opened]
    return f"{words.rstrip()} …"


def _open_at(line: str) -> int | None:
    """Where a formula or a piece of code begins that does not end on this line."""
    sign, begin = "", 0
    for match in _SIGNS.finditer(line):
        closes = r"\)" if sign == r"\(" else sign
        if not sign and match[0] != r"\)":
            sign, begin = match[0], match.start()
        elif match[0] == closes:
            sign = ""
    return begin if sign else None
