"""What is undecided without a verdict is "no majority" to people; "hung" is the word of formats and code alone."""

import re
from dataclasses import replace

import pytest
from django.template.loader import render_to_string

from auditing.core.values import Choice
from auditing.models import Audit, AuditEvent, SegmentOutcome
from tests.factories.worlds import TWO_SEATS, World, make_world
from tests.pages.test_corridor_pages import signed_in
from tests.pages.test_every_page import keys_in

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def split(built_once: object) -> World:
    """Two reviewers who disagree on everything: each passage goes to an adjudicator because its round was hung."""
    world = make_world(2, policy=TWO_SEATS)
    world.submit()
    world.settle_machines()
    world.vote_on_all_seats(dict(zip(world.reviewers, (Choice.PASS, Choice.FAIL), strict=True)))
    world.settle_machines()
    assert AuditEvent.objects.filter(kind="round.opened", body__why="hung").exists()
    return world


@pytest.fixture
def world(split: World, db: None) -> World:
    return split.afresh()


def words_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_the_history_of_an_audit_says_no_majority(world: World) -> None:
    audit = Audit.objects.get()
    page = signed_in(world.provider).get(f"/audits/{audit.pk}").content.decode()
    told = words_of(page.split('id="story"')[1])
    assert "The round before it decided nothing: no majority." in told
    assert "hung" not in told


def test_the_log_of_everything_says_no_majority_and_its_file_keeps_the_key(world: World) -> None:
    admin = signed_in(world.campaign.owner)
    page = admin.get("/log", {"kind": "round.opened"}).content.decode()
    assert "why no majority" in page
    assert not keys_in(page)
    assert '""why"": ""hung""' in admin.get("/log", {"kind": "round.opened", "format": "csv"}).content.decode()


def test_the_papers_quorum_and_the_tiers_that_follow_are_said_in_words(world: World) -> None:
    page = signed_in(world.provider).get(f"/audits/{Audit.objects.get().pk}", {"segment": "O1"})
    line = page.context["view"].shown.line
    assert line.route.secondaries == ["human"]
    hung = SegmentOutcome(outcome="undecided", paper_outcome="hung", posterior=0.5, low=0.4, high=0.6)
    line.route.secondaries, line = ["llm", "human"], replace(line, outcome=hung)
    shown = {"line": line, "shown": page.context["view"].shown, "view": page.context["view"]}
    facts = words_of(render_to_string("auditing/report/_segment_facts.html", shown))
    assert "the paper's quorum: no majority" in facts
    assert "then language model, person;" in facts
