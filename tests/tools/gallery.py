"""One page with every component, for tests that look at components in a browser; the product has no such address."""

from pathlib import Path

from django import forms
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path

from hdag.core.levels import Level
from hdag.core.relations import Relation
from hdag.core.values import Edge, Graph, Segment, Source
from hdag.rendering.graph import draw

TRACE = (
    r"""**Plan.** We want the roots of $x^2 - 5x + 6 = 0$, so that \(x_{1,2} = \frac{5 \pm \sqrt{25-24}}{2}\).

1. The discriminant is
\[
\Delta = b^2 - 4ac = \left(\frac{10}{2}\right)^2 - 24 = 1
\]
2. Therefore $x_1 = 3$ and $x_2 = 2$; it costs $5 or $6.

$$\begin{aligned} \sum_{k=1}^{n} k &= \frac{n(n+1)}{2} \\ \int_0^1 x\,dx &= \tfrac12 \end{aligned}$$

- A matrix $\begin{pmatrix}1 & 2\\ 3 & 4\end{pmatrix}$, a bar $\begin{vmatrix}a&b\\c&d\end{vmatrix}$,
  a strike $\frac{\cancel{3}x}{\cancel{3}}$
- An unreadable one $\foo{x}$ and a hidden """
    + "\u202eturn\u202c.\n\n```python\nassert 2 + 2 == 4\n```\n"
)
PAGE = Path(__file__).with_name("gallery.html").read_text(encoding="utf-8")


class Example(forms.Form):
    """One field of each kind."""

    reason = forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), help_text="Required for a fail.")
    domain = forms.ChoiceField(choices=[("law", "law"), ("maths", "maths")], required=False)
    sure = forms.BooleanField(label="I have read the guidelines", required=False)


def example_graph() -> Graph:
    """A goal, two strategies, steps and operations."""
    plan = [("G1", 0), ("S1", 1), ("S2", 1), ("T1", 2), ("ST1", 3), ("ST2", 3), ("ST3", 3), ("O1", 4), ("O2", 4)]
    levels = list(Level)
    segments = tuple(Segment(key, levels[at], f"Text of {key}", Source.THINKING, 0, 1) for key, at in plan)
    parts = [pair.split(">") for pair in "G1>S1 G1>S2 S1>T1 T1>ST1 T1>ST2 S2>ST3 ST2>O1 ST3>O2".split()]
    leans = [pair.split(">") for pair in "ST2>ST1 ST3>ST2 O2>O1".split()]
    edges = [Edge(a, b, Relation.DECOMPOSES_TO) for a, b in parts]
    edges += [Edge(a, b, Relation.DEPENDS_ON) for a, b in leans]
    return Graph(segments, (*edges, Edge("ST3", "ST1", Relation.CONTRADICTS)))


def show_gallery(request: HttpRequest) -> HttpResponse:
    """All components on one page."""
    names = ["pending", "pass", "pass", "undecided", "pass", "fail", "hung", "pass", "sealed"]
    graph = example_graph()
    states = dict(zip([segment.id for segment in graph.segments], names, strict=True))
    context = {
        "trace": TRACE,
        "spans": [(40, 45)],
        "states": [*dict.fromkeys(names), "abstain", "opened", "active", "recorded", "withdrawn"],
        "levels": [level.value for level in Level],
        "stages": ["submitted", "decomposed", "routed", "auditing", "decided", "settled", "recorded"],
        "form": Example({"reason": ""}),
        "drawing": draw(graph=graph, states=states, here="ST2"),
    }
    return HttpResponse(engines["django"].from_string(PAGE).render(context, request))


handler404 = "trustweb.middleware.failures.show_not_found"
urlpatterns = [path("gallery", show_gallery), path("", include("trustweb.urls"))]
