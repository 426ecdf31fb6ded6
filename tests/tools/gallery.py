"""One page with every component, for tests that look at components in a browser; the product has no such address."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path

from hdag.core.levels import Level
from hdag.core.relations import Relation
from hdag.core.values import Edge, Graph, Segment, Source
from hdag.rendering.graph import draw

TRACE = r"""**Plan.** We want the roots of $x^2 - 5x + 6 = 0$, so that \(x_{1,2} = \frac{5 \pm \sqrt{25-24}}{2}\).

1. The discriminant is
\[
\Delta = b^2 - 4ac = \left(\frac{10}{2}\right)^2 - 24 = 1
\]
2. Therefore $x_1 = 3$ and $x_2 = 2$; it costs $5 or $6.

$$\begin{aligned} \sum_{k=1}^{n} k &= \frac{n(n+1)}{2} \\ \int_0^1 x\,dx &= \tfrac12 \end{aligned}$$

- A matrix $\begin{pmatrix}1 & 2\\ 3 & 4\end{pmatrix}$, a bar $\begin{vmatrix}a&b\\c&d\end{vmatrix}$, a strike $\frac{\cancel{3}x}{\cancel{3}}$
- An unreadable one $\foo{x}$ and a hidden """ + "\u202eturn\u202c.\n\n```python\nassert 2 + 2 == 4\n```\n"
PAGE = """{% extends "base.html" %}{% load trust static %}{% block title %}Gallery{% endblock %}
{% block scripts %}<script type="module" src="{% static 'js/graph.js' %}"></script>{% endblock %}
{% block content %}<h1>Gallery</h1>
{% notice "Something to know." %}{% notice "It worked." "success" %}{% notice "Take care." "warning" %}{% notice "It failed." "error" %}
<div class="phase"><p><strong>Votes are sealed until 12:00</strong>3 of 5 seats have committed.</p><a class="button button-primary" href="#x" data-key="n" data-key-label="Next segment">Next <kbd class="key" data-key-hint="n:Next segment" aria-hidden="true">n</kbd></a></div>
{% progress_strip stages "auditing" %}
<p class="cluster">{% for s in states %}{% state_badge s %}{% endfor %}</p><p class="cluster">{% for l in levels %}{% level_badge l %}{% endfor %}{% tier_badge "computer" %}{% tier_badge "llm" %}{% tier_badge "human" %}</p>
<p class="cluster"><button class="button button-primary">Primary</button><button class="button">Plain</button><button class="button button-danger">Danger</button><button class="button button-quiet">Quiet</button><button class="button" disabled>Disabled</button></p>
<div class="split"><section class="card"><h2>Current reasoning</h2>{% trace_text trace spans=spans %}</section><form class="card"><h2>Your vote</h2>{% for f in form %}{% field f %}{% endfor %}
<fieldset class="field"><legend>Vote</legend><div class="choices"><label class="choice is-pass"><input type="radio" name="v" checked><span>{% glyph "pass" %}Pass</span></label><label class="choice is-fail"><input type="radio" name="v"><span>{% glyph "fail" %}Fail</span></label><label class="choice"><input type="radio" name="v"><span>{% glyph "abstain" %}Abstain</span></label></div></fieldset></form></div>
<h2>Graph</h2>{% segment_graph drawing %}
<ul class="cards"><li class="card"><dl class="stat"><dt>Agreement</dt><dd>{{ 0.874|percent:1 }}</dd></dl></li><li class="card"><dl class="stat"><dt>Segments</dt><dd>1,024</dd></dl></li></ul>
<progress class="meter" max="10" value="7" aria-label="Progress">7 of 10</progress>
{% empty_state "Nothing to judge right now" "All rounds of your fields are taken; the next seat frees at 12:40." "#" "See my votes" %}
{% keyset_pager next="9" previous="1" %}{% endblock %}"""


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
    parts = [("G1", "S1"), ("G1", "S2"), ("S1", "T1"), ("T1", "ST1"), ("T1", "ST2"), ("S2", "ST3"), ("ST2", "O1"), ("ST3", "O2")]  # fmt: skip
    leans = [("ST2", "ST1"), ("ST3", "ST2"), ("O2", "O1")]
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
        "states": ["pass", "fail", "hung", "undecided", "pending", "abstain", "sealed", "opened", "active", "recorded", "withdrawn"],
        "levels": [level.value for level in Level],
        "stages": ["submitted", "decomposed", "routed", "auditing", "decided", "settled", "recorded"],
        "form": Example({"reason": ""}),
        "drawing": draw(graph=graph, states=states, here="ST2"),
    }  # fmt: skip
    return HttpResponse(engines["django"].from_string(PAGE).render(context, request))


handler404 = "trustweb.failures.show_not_found"
urlpatterns = [path("gallery", show_gallery), path("", include("trustweb.urls"))]
