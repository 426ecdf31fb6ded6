"""A long trace: its page stays small, and every segment of it is one step away."""

import gzip
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from auditing.models import Audit
from auditing.research.reports.selectors.report import Report, report_of
from auditing.research.reports.selectors.trace_view import Narrowing, view_of
from auditing.research.reports.selectors.windows import cut_around, jumps_from, map_of, stretch_around
from hdag.core.layouts.neighbourhood import neighbourhood
from tests.factories.worlds import World
from tests.pages.test_corridor_pages import signed_in
from tests.pages.test_trace_page import long_trace

pytestmark = pytest.mark.django_db
LONG = 490  # paragraphs: more than 66 kB


@pytest.fixture(scope="module")
def audit(_idle_hens: World) -> Audit:
    audit = _idle_hens.submit(long_trace(LONG))
    _idle_hens.walk()  # one step makes the graph; 1,700 rounds would say nothing more of the page
    audit.refresh_from_db()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as autovacuum does once the rows are there: unread, they are thought to be a few
    return audit


@pytest.fixture(scope="module")
def report(audit: Audit) -> Report:
    """The whole audit, read once."""
    return report_of(audit=audit)


@pytest.fixture
def client(idle_hens: World) -> Client:
    return signed_in(idle_hens.provider)


@pytest.mark.parametrize("page", ["", "/report"])
def test_a_page_of_66_kilobytes_of_reasoning_stays_small(
    client: Client, audit: Audit, report: Report, page: str
) -> None:
    body = client.get(f"/audits/{audit.pk}{page}").content
    assert len(report.trace.thinking) > 66_000
    assert len(gzip.compress(body, 6)) < 60_000
    assert len(re.findall(rb"<[a-z]", body)) < 2_000


def test_every_segment_is_shown_in_the_middle_of_its_surroundings(client: Client, audit: Audit, report: Report) -> None:
    middle = report.lines[len(report.lines) // 2]
    page = client.get(f"/audits/{audit.pk}", {"segment": middle.value.id})
    view = page.context["view"]
    assert view.shown.line.value.id == middle.value.id
    assert middle.value.id in [line.value.id for line in view.stretch.lines]
    (pane,) = [pane for pane in view.panes if pane.spans]
    ((start, end),) = pane.spans
    assert pane.text[start:end] == middle.value.content
    assert pane.before + len(pane.text) + pane.after == len(report.trace.thinking)
    body = " ".join(page.content.decode().split())
    assert f"{view.stretch.before} earlier" in body
    assert f"{view.stretch.after} later" in body


def test_the_stretches_together_are_the_whole_list(report: Report) -> None:
    lines = report.lines
    seen: set[str] = set()
    label = lines[0].value.id
    while label:
        stretch = stretch_around(lines=lines, label=label)
        seen |= {line.value.id for line in stretch.lines}
        label = stretch.later if stretch.after else ""
    assert len(seen) == len(lines)


def test_the_map_stands_for_every_segment_and_shows_the_worst(report: Report) -> None:
    lines = report.lines
    cells = map_of(lines=lines, label=lines[7].value.id)
    assert sum(cell.count for cell in cells) == len(lines)
    assert len(cells) <= 100
    assert sum(cell.is_here for cell in cells) == 1


def test_jumps_lead_round_the_trace(report: Report) -> None:
    lines = report.lines
    open_ = [line.value.id for line in lines if line.state == "pending"]
    jumps = {jump.words: jump for jump in jumps_from(lines=lines, label=open_[-1])}
    assert (jumps["unjudged"].id, jumps["unjudged"].count) == (open_[0], len(open_))


def test_words_are_looked_for_in_every_segment(report: Report) -> None:
    view = view_of(report=report, narrowing=Narrowing.read({"words": "take 300 BOXES"}))
    assert view.lines
    assert all("take 300 boxes" in line.value.content for line in view.lines)
    assert "words=take%20300%20BOXES" in view.narrowing.query


def test_a_hostile_search_stays_a_text(client: Client, audit: Audit) -> None:
    body = client.get(f"/audits/{audit.pk}", {"words": '"><script>alert(1)</script>'}).content.decode()
    assert "<script>alert" not in body


def test_the_drawing_is_of_the_neighbourhood_until_all_is_asked_for(
    client: Client, audit: Audit, report: Report
) -> None:
    drawn = {way: client.get(f"/audits/{audit.pk}", {"graph": way}).context["drawing"] for way in ("", "whole")}
    total = len(report.lines)
    assert (len(drawn[""].nodes), len(drawn["whole"].nodes)) == (40, total)


def test_a_neighbourhood_holds_its_centre(report: Report) -> None:
    stored = report.graph
    assert stored is not None
    centre = stored.graph.segments[-1].id
    near = neighbourhood(graph=stored.graph, centre=centre, most=10)
    names = {segment.id for segment in near.segments}
    assert centre in names
    assert len(names) == 10
    assert all({edge.source, edge.target} <= names for edge in near.edges)


@pytest.mark.parametrize("span", [(0, 10), (9_000, 9_400), (19_990, 20_000), (0, 20_000), None])
def test_a_cut_text_holds_the_whole_span(span: Any) -> None:
    text = ("word " * 20 + "\n") * 199
    text = text[:20_000].ljust(20_000, "x")
    start, end = cut_around(text=text, spans=[span] if span else [])
    assert 0 <= start < end <= 20_000
    assert span is None or (start <= span[0] and span[1] <= end)


def test_the_outline_leads_to_each_phase_and_stays_short(client: Client, audit: Audit, report: Report) -> None:
    lines = report.lines
    phases = view_of(report=report, narrowing=Narrowing(segment=lines[-1].value.id)).phases
    assert len(phases) <= 16
    assert [phase.is_here for phase in phases].count(True) == 1
    page = client.get(f"/audits/{audit.pk}", {"segment": lines[-1].value.id}).content.decode()
    assert len(phases) == 1 or all(f'data-show="{phase.id}"' in page for phase in phases)
