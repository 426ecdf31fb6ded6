"""What happened, in sentences: every kind of event has one, and none tells what is still under seal."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from auditing.models import AuditEvent
from auditing.selectors.report.event_words import SAYS, story_of
from tests.factories.worlds import make_world

SERVICES = Path(__file__).parents[2] / "auditing" / "services"
KIND = re.compile(r"[a-z]+[.][a-z_]+")


def kinds_noted() -> Iterator[str]:
    """Every kind that a service writes; where it is put together, its beginning and a dot."""
    for file in SERVICES.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if getattr(call.func, "id", "") != "record_event":
                continue
            kind = next(word.value for word in call.keywords if word.arg == "kind")
            if isinstance(kind, ast.Constant):
                yield kind.value
            elif isinstance(kind, ast.JoinedStr):
                yield kind.values[0].value  # type: ignore[attr-defined]
            else:  # a name: whatever in the file looks like a kind
                strings = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
                yield from (text for text in strings if isinstance(text, str) and KIND.fullmatch(text))


def test_every_kind_of_event_has_a_sentence() -> None:
    noted = set(kinds_noted())
    assert {"vote.sealed", "round.deserted", "books.broken", "audit.", "segment."} <= noted
    assert [
        kind
        for kind in sorted(noted)
        if not any(known == kind or (kind.endswith(".") and known.startswith(kind)) for known in SAYS)
    ] == []
    assert all(says[0].isupper() and says.endswith(".") for says in SAYS.values())


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
    sealed = [one for one in story_of(audit=audit) if one.kind == "vote.sealed"]
    assert sealed
    assert all(one.links == [] for one in sealed)
    assert "A vote was sealed. Nobody can read or change it" in told
    assert re.search(r'href="/audits/[^"]+[?]segment=ST1#reading">ST1<', told)
    assert not KIND.search(re.sub(r"<[^>]*>", " ", told.split("</ol>")[0]))
    for event in AuditEvent.objects.filter(audit=audit, kind__startswith="vote."):
        assert str(event.body["seat"]) not in told
