"""The first sign-in: five real items with their truth, and nothing of it is stored."""

import re

import pytest
from django.test import Client

from auditing.models import GoldAnswer, GoldSegment
from auditing.research.population.demo import GOLD
from auditing.services.gold.sets import import_jsonl
from tests.factories.worlds import World, make_user

pytestmark = pytest.mark.django_db
NEXT = re.compile(r'href="(\?domain=[^"]*after=[^"]*)"')


@pytest.fixture
def newcomer(idle_hens: World) -> Client:
    with GOLD.open("rb") as lines:
        import_jsonl(lines=lines, actor=None)
    client = Client()
    client.force_login(make_user("new@example.org", "reviewer"), backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_newcomer_is_led_through_five_items_to_the_desk(newcomer: Client) -> None:
    assert "/practice?domain=first%20steps&amp;tour=1" in newcomer.get("/home").content.decode()
    address, seen = "/practice?domain=first%20steps&tour=1", set()
    for number in range(1, 6):
        page = newcomer.get(address).content.decode()
        assert f"item {number} of 5" in page
        (gold,) = re.findall(r'name="gold" value="([^"]+)"', page)
        seen.add(gold)
        told = newcomer.post(address, {"gold": gold, "choice": "pass", "confidence": "80"}).content.decode()
        if number < 5:
            address = "/practice" + NEXT.search(told)[1].replace("&amp;", "&")  # type: ignore[index]
    assert "That was the tour" in told
    assert len(seen) == 5
    assert not GoldAnswer.objects.exists()


def test_the_tour_never_shows_gold_of_the_audits(newcomer: Client) -> None:
    honeypots = set(GoldSegment.objects.filter(purpose="honeypot").values_list("pk", flat=True))
    page = newcomer.get("/practice?domain=finance&tour=1").content.decode()
    assert honeypots
    assert not any(str(pk) in page for pk in honeypots)
