"""Whoever votes learns neither the provider nor the model of a trace: not before, not after, at no address."""

import html
import json
import re

import pytest
from django.test import Client, override_settings

from accounts.models import Profile, Role, User
from auditing.core.voting.commitment import segment_digest
from auditing.models import Audit, Leaf
from tests.factories.branches import MODEL, TELLING, TRACE
from tests.factories.worlds import World, make_user, make_world
from tests.tools.peeking import Peek
from tests.tools.sweeping import sampled

SOURCE = re.compile(r"<div data-current>.*?<pre class=.trace-source.[^>]*>\n?(.*?)</pre>", re.DOTALL)
pytestmark = pytest.mark.django_db
# Where a reviewer is at work, and everywhere.
places = pytest.mark.parametrize("only", sampled([["desk", "record", "audits", "api/v1/desk", "me"], []], one_in=2))


@pytest.fixture(scope="module")
def masked_hens(built_once: None) -> World:
    world = make_world(reviewers=3)
    Profile.objects.create(user=world.provider, organisation="Foo Lab")
    with override_settings(ACCOUNT_RATE_LIMITS=False):
        world.submit(trace=TRACE)
        world.settle_machines()
    return world


def signs(user: User, world: World, only: list[str]) -> list[tuple[str, str]]:
    """What betrays the author, and where it was received: at routes that begin so, at all if none are named."""
    with override_settings(ACCOUNT_RATE_LIMITS=False):
        seen = Peek(user, only=tuple(only)).everywhere()
    telling = (*TELLING, world.provider.pseudonym, str(world.provider.public_id), TRACE.title)
    # The schema of the API names the servers that a model tier can speak to, whatever trace is audited.
    received = {asked: said for asked, said in seen.items() if not asked.startswith("GET /api/schema")}
    return [(word, asked) for asked, said in received.items() for word in telling if word.lower() in said.lower()]


@places
def test_a_reviewer_meets_no_sign_of_the_author_while_voting(masked_hens: World, only: list[str]) -> None:
    assert signs(masked_hens.reviewers[0], masked_hens, only) == []


@places
def test_an_adjudicator_meets_none_either(masked_hens: World, only: list[str]) -> None:
    judge = make_user("judge@example.org", Role.ADJUDICATOR, Role.REVIEWER)
    assert signs(judge, masked_hens, [*only, "adjudication"] if only else []) == []


@places
def test_a_reviewer_meets_none_after_the_outcome(masked_hens: World, only: list[str]) -> None:
    masked_hens.everybody_votes(Audit.objects.get())
    assert Audit.objects.get().stage == "recorded"
    assert signs(masked_hens.reviewers[0], masked_hens, only) == []


@places
def test_the_signs_stand_in_what_the_provider_reads(masked_hens: World, only: list[str]) -> None:
    """So that the sweep looks for what is there."""
    words = {word for word, _ in signs(masked_hens.provider, masked_hens, only)}
    assert words >= {"Foo Lab", MODEL, "OpenAI", TRACE.title}


def test_the_digest_covers_the_masked_text_that_is_shown(masked_hens: World) -> None:
    """What stands under Current reasoning, what the browser seals, and what the ledger names are one text."""
    client = Client()
    client.force_login(masked_hens.reviewers[0], backend="django.contrib.auth.backends.ModelBackend")
    page, masked = "", False
    while "Current reasoning" in (page := client.get("/desk").content.decode()):
        sealing = json.loads(html.unescape(re.search(r'data-sealing="([^"]*)"', page)[1]))  # type: ignore[index]
        shown = html.unescape(SOURCE.search(page)[1])  # type: ignore[index]
        digest = segment_digest(salt=bytes.fromhex(sealing["salt"]), text=sealing["text"]).hex()
        said = [json.loads(bytes(leaf.body)) for leaf in Leaf.objects.filter(kind="round.open")]
        assert shown == sealing["text"]
        assert digest in [one["segment_digest"] for one in said if one["segment"] == sealing["segmentId"]]
        masked |= "[name]" in shown or "[address]" in shown
        masked_hens.vote(masked_hens.reviewers[0])
    assert masked
