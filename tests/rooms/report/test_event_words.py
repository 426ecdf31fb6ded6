"""What happened, in sentences: every kind of event has one, and none tells what is still under seal."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from auditing.core.events import EventKind
from auditing.core.stages import AuditStage, SeatStage
from auditing.models import AuditEvent, Campaign, Qualification
from auditing.research.reports.selectors.event_words import SENTENCES, story_of
from tests.factories.worlds import make_world

AUDITING = Path(__file__).parents[3] / "auditing"
KIND = re.compile(r"[a-z]+[.][a-z_]+")


def loose_kinds() -> Iterator[str]:
    """Calls of record_event whose kind is a string instead of an EventKind."""
    for file in AUDITING.rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        for call in ast.walk(ast.parse(source)) if "record_event" in source else ():
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "record_event":
                continue
            kind = next(word.value for word in call.keywords if word.arg == "kind")
            if isinstance(kind, ast.Constant | ast.JoinedStr):
                yield f"{file.relative_to(AUDITING)}:{call.lineno}"


def test_every_kind_of_event_has_its_sentence() -> None:
    assert set(SENTENCES) == set(EventKind)
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in SENTENCES.values())


def test_services_name_the_kind_of_an_event_by_the_enum() -> None:
    assert list(loose_kinds()) == []


@pytest.mark.parametrize("stage", AuditStage)
def test_every_stage_of_an_audit_is_a_kind_of_event(stage: AuditStage) -> None:
    assert EventKind(f"audit.{stage}") in SENTENCES


@pytest.mark.parametrize("state", Campaign.State.values)
def test_every_state_of_a_campaign_is_a_kind_of_event(state: str) -> None:
    assert EventKind(f"campaign.{state}") in SENTENCES


@pytest.mark.parametrize("state", Qualification.State.values)
def test_every_state_of_a_calibration_is_a_kind_of_event(state: str) -> None:
    assert EventKind(f"calibration.{state}") in SENTENCES


@pytest.mark.parametrize("stage", [SeatStage.DECLINED, SeatStage.LAPSED])
def test_both_ways_of_leaving_a_seat_are_kinds_of_event(stage: SeatStage) -> None:
    assert EventKind(f"seat.{stage}") in SENTENCES


@pytest.mark.django_db
def test_the_story_of_an_audit_is_told_in_sentences_with_links_and_without_seals() -> None:
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    world.vote(world.reviewers[0])
    client = Client()
    client.force_login(world.campaign.owner, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("auditing:audit", args=[audit.pk])).content.decode()
    told = page.split('id="story"')[1]
    sealed = [one for one in story_of(audit=audit, labels={}) if one.kind == "vote.sealed"]
    assert sealed
    assert all(one.links == [] for one in sealed)
    assert "A vote was sealed. Nobody can read or change it" in told
    assert re.search(r'href="/audits/[^"]+[?]segment=ST1#reading">ST1<', told)
    assert not KIND.search(re.sub(r"<[^>]*>", " ", told.split("</ol>")[0]))
    for event in AuditEvent.objects.filter(audit=audit, kind__startswith="vote."):
        assert str(event.body["seat"]) not in told
