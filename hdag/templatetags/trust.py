"""Tags for all pages: `{% load trust %}`, then badges, fields, pagers, keys, formulas, trace text and graphs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.forms import BoundField
from django.http import QueryDict
from django.template import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from hdag.rendering import states
from hdag.rendering.charts.chart import Chart, number_text
from hdag.rendering.charts.drawing import draw, offer, rows_of
from hdag.rendering.glossary import read_glossary
from hdag.rendering.graph import Drawing
from hdag.rendering.maths import render_formula
from hdag.rendering.numbers import counted
from hdag.rendering.snippet import MOST_IN_A_LINE, render_snippet
from hdag.rendering.text import MOST_FORMULAS, render_source, render_text

register = template.Library()


@register.simple_tag
def glyph(name: str) -> SafeString:
    """A decorative 16 x 16 shape; the word beside it carries the meaning."""
    path = states.GLYPHS.get(name, states.GLYPHS["info"])
    return format_html('<svg class="glyph" viewBox="0 0 16 16" aria-hidden="true"><path d="{}"></path></svg>', path)


@register.simple_tag
def state_badge(state: object, word: str = "") -> SafeString:
    """A state by colour, shape and word: `{% state_badge segment.outcome %}`."""
    look = states.look_of(getattr(state, "value", state))
    return _badge(look, word or look.word)


@register.simple_tag
def level_badge(level: object) -> SafeString:
    """The level of a segment, by letter and word."""
    return _level(str(getattr(level, "value", level) or ""))


@register.simple_tag
def tier_badge(tier: object) -> SafeString:
    """The tier that examines a segment."""
    name = str(getattr(tier, "value", tier) or "")
    look = states.TIERS.get(name) or states.look_of(name)
    return _badge(look, look.word)


@lru_cache(maxsize=1024)
def _badge(look: states.Look, word: str) -> SafeString:
    """Rendered once a look: a page of 300 segments shows a thousand of them."""
    return render_to_string("components/badge.html", {"look": look, "word": word})


@lru_cache(maxsize=64)
def _level(name: str) -> SafeString:
    return render_to_string(
        "components/level_badge.html", {"name": name, "letter": states.LEVEL_LETTERS.get(name, "?")}
    )


@register.inclusion_tag("components/strip.html")
def progress_strip(stages: Iterable[object], current: object, side: str = "") -> dict[str, Any]:
    """The stages of an audit: done, current, ahead; `side` names an end outside them (failed, withdrawn).

    current: where it stands, or the last stage that it came to before such an end.
    """
    words = [str(getattr(stage, "value", stage)) for stage in stages]
    now = str(getattr(current, "value", current))
    # A stage that is none of them (failed, withdrawn) marks nothing as current; its word stands beside the strip.
    position = words.index(now) if now in words else -1
    steps = []
    for index, word in enumerate(words):
        state = "current" if index == position else "done" if index < position else "ahead"
        steps.append({"word": word.replace("_", " "), "kind": state})
    return {"steps": steps, "side": ("" if side == now else side) or ("" if position >= 0 else now)}


@register.inclusion_tag("components/field.html", takes_context=True)
def field(context: Context, bound: BoundField) -> dict[str, Any]:
    """A labelled form field with its help and errors tied to it for screen readers; a page opens on its first error."""
    described = [f"{bound.auto_id}_helptext"] if bound.help_text else []
    described += [f"{bound.auto_id}_error"] if bound.errors else []
    attrs: dict[str, str | bool] = {"aria-describedby": " ".join(described)} if described else {}
    attrs |= {"aria-invalid": "true"} if bound.errors else {}
    # A fragment that is swapped in while somebody types takes no focus away, nor does a form that nobody has sent.
    request = context.get("request")
    is_sent = getattr(request, "method", "") == "POST" and not getattr(request, "htmx", False)
    attrs |= {"autofocus": True} if is_sent and bound.name == next(iter(bound.form.errors), None) else {}
    input_type = getattr(bound.field.widget, "input_type", "")
    return {"bound": bound, "control": bound.as_widget(attrs=attrs), "kind": input_type}


@register.inclusion_tag("components/pager.html", takes_context=True)
def keyset_pager(context: Context, next: object = None, previous: object = None) -> dict[str, Any]:
    """Older and newer by cursor (`?after=`, `?before=`), keeping the rest of the address."""

    def address(name: str, cursor: object) -> str:
        query = context["request"].GET.copy() if "request" in context else QueryDict(mutable=True)
        # A page is bounded from one side only: both cursors together would give an empty one.
        query.pop("after", None)
        query.pop("before", None)
        query[name] = str(cursor)
        return "?" + query.urlencode()

    return {
        "next_url": address("after", next) if next else "",
        "previous_url": address("before", previous) if previous else "",
    }


@register.inclusion_tag("components/list_head.html", takes_context=True)
def list_head(context: Context, columns: Sequence[Any], sort: str) -> dict[str, Any]:
    """The head of a list: `{% list_head columns sort %}`, columns as accounts.listing has them."""
    query, path = context["request"].GET.copy(), context["request"].path
    query.pop("after", None)  # another order begins at its beginning
    heads = []
    for column in columns:
        name, order = column.name, {column.name: "ascending", f"-{column.name}": "descending"}.get(sort, "")
        query["sort"] = f"-{name}" if order == "ascending" else name
        heads.append((column, f"?{query.urlencode()}" if column.field else "", order))
    return {"heads": heads, "path": path}


@register.inclusion_tag("components/empty.html")
def empty_state(title: str, text: str = "", href: str = "", action: str = "") -> dict[str, str]:
    """What a list says when it is empty, and the one thing to do about it."""
    return {"title": title, "text": text, "href": href, "action": action}


@register.inclusion_tag("components/notice.html")
def notice(text: str, kind: str = "info") -> dict[str, Any]:
    """A sentence that matters now; kind is info, success, warning or error."""
    css, shape = {
        "success": ("pass", "pass"),
        "warning": ("hung", "hung"),
        "error": ("fail", "fail"),
        "danger": ("fail", "fail"),
    }.get(kind, ("active", "info"))
    return {
        "text": text,
        "css": f"is-{css}",
        "path": states.GLYPHS[shape],
        "role": "alert" if css == "fail" else "status",
    }


@register.simple_tag
def key(name: str) -> SafeString:
    """A key hint beside what it does; the sheet shows the same."""
    return format_html('<kbd class="key" aria-hidden="true">{}</kbd>', name)


@register.simple_tag
def maths(source: str, block: bool = False) -> SafeString:
    """One LaTeX formula, without its dollar signs, as MathML: `{% maths "x^2" %}`."""
    return mark_safe(render_formula(source=str(source), block=block).html)  # noqa: S308  built from an allow-list


@register.inclusion_tag("components/trace_text.html", takes_context=True)
def trace_text(
    context: Context, text: str, spans: Sequence[tuple[int, int]] = (), source: bool = True, name: str = ""
) -> dict[str, Any]:
    """Hostile text as safe HTML with its source beside it: `{% trace_text segment.content spans=marks %}`.

    All texts of one page share 200 formulas; `?formulas=all` asks for the rest. `name` tells panes apart.
    """
    # render_context lives for one rendering of one page: all its texts count against the same budget.
    # The stubs know only what Django itself keeps there.
    page: Any = context.render_context
    budget: dict[str, int] = page.setdefault("formulas", {"left": MOST_FORMULAS})
    request = context.get("request")
    wants_all = request is not None and request.GET.get("formulas") == "all"
    rendered = render_text(text=text or "", spans=spans, most_formulas=10**6 if wants_all else budget["left"])
    budget["left"] = max(0, budget["left"] - rendered.formulas)
    raw = mark_safe(render_source(text=text or "", spans=spans)) if source else ""  # noqa: S308  escaped there
    return {"shown": rendered, "html": mark_safe(rendered.html), "raw": raw, "name": name}  # noqa: S308


@register.simple_tag(takes_context=True)
def snippet(context: Context, text: str, most: int = 160) -> str:
    """The first words of a trace text for a line of a list, formulas drawn: `{% snippet line.content 160 %}`."""
    page: Any = context.render_context
    # A list of a thousand lines would be all formulas; what goes beyond the page's share stands as it was written.
    budget: dict[str, int] = page.setdefault("snippets", {"left": MOST_FORMULAS})
    rendered = render_snippet(text=text or "", most=most, most_formulas=min(MOST_IN_A_LINE, budget["left"]))
    budget["left"] = max(0, budget["left"] - rendered.formulas)
    return mark_safe(rendered.html)  # noqa: S308  escaped there


@register.inclusion_tag("components/graph.html")
def segment_graph(drawing: Drawing) -> dict[str, Any]:
    """The drawing that hdag.rendering.graph.draw made; the page loads js/graph.js beside it."""
    return {"drawing": drawing}


_CHART_FILES = (
    ("svg", "SVG"),
    ("png", "PNG"),
    ("dark.svg", "SVG, dark"),
    ("dark.png", "PNG, dark"),
    ("csv", "CSV"),
    ("vl.json", "Specification"),
)


@register.inclusion_tag("components/chart.html", takes_context=True)
def chart(context: Context, one: Chart) -> dict[str, Any]:
    """A chart of hdag.rendering.charts with its numbers; on a page of the server also its files."""
    request = context.get("request")
    shown = {"chart": one, "drawing": draw(chart=one), "rows": rows_of(chart=one)}
    # A report that is written into a file has no server to ask.
    if request is None:
        return shown
    digest, key = offer(chart=one, person=request.user.pk)
    # Once: a page has seven charts with six files each.
    stem = reverse("hdag:chart_file", args=[digest, key, "csv"]).removesuffix("csv")
    return shown | {"files": [(f"{stem}{kind}", words) for kind, words in _CHART_FILES]}


@register.filter
def figure(value: float) -> str:
    """A number as people read it, four digits: `{{ check.has|figure }}`."""
    return number_text(float(value))


register.filter("counted", counted)


@register.filter
def percent(value: float | None, digits: int = 0) -> str:
    """A share as a percentage: 0.125 -> 12 %; nothing for None."""
    return "" if value is None else f"{100 * float(value):.{digits}f} %"


@register.filter
def signed(value: int | None) -> str:
    """Points with their sign, by the typographer's minus: +3, −2, 0; nothing for None."""
    if value is None:
        return ""
    # The sign of zero would say that something was lost or won.
    return f"{value:+d}".replace("-", "−") if value else "0"


@cache
def _meanings() -> Mapping[str, str]:
    # An image without documents has pages without tooltips.
    path = settings.BASE_DIR / "docs" / "glossary.md"
    return read_glossary(text=path.read_text(encoding="utf-8")) if path.is_file() else {}


@register.inclusion_tag("components/term.html", takes_context=True)
def term(context: Context, word: str, shown: str = "") -> dict[str, Any]:
    """A word with its meaning from the glossary, on hover and focus: `{% term "seat" "Seats" %}`."""
    page: Any = context.render_context
    page["terms"] = page.get("terms", 0) + 1
    return {"shown": shown or word, "meaning": _meanings().get(word, ""), "number": page["terms"]}


@register.filter
def spaced(name: str) -> str:
    """A name of the code as words.

    >>> spaced("logical_consistency"), spaced("hung")
    ('logical consistency', 'no majority')
    """
    return states.word_of(name)


@register.filter
def reason(why: str) -> str:
    """Why a segment goes to its tier or on from it, as it is stored, with tiers and outcomes in words.

    >>> reason("factual accuracy; the llm tier is not available: human instead")
    'factual accuracy; the tier language model is not available: person instead'
    >>> reason("2 pass, 2 fail: hung at posterior 0.500")
    '2 pass, 2 fail: no majority at posterior 0.500'
    """
    why = re.sub(r"\bhung\b", states.word_of("hung"), why)
    why = re.sub(r"\bthe (computer|llm|human) tier\b", lambda match: f"the tier {states.word_of(match[1])}", why)
    return re.sub(r"(?<=: )(?:llm|human)\b", lambda match: states.word_of(match[0]), why)


@register.filter
def nth(values: Sequence[Any], index: int) -> Any:
    """The value at `index`, or nothing."""
    return values[index] if -len(values) <= index < len(values) else None
