"""How a model stands as a judge, on its page; what it will be asked, said before; who may look."""

import json
import re
from dataclasses import replace

import pytest
from django.core.management import call_command
from django.test import Client

from auditing.models import Audit, Auditor, GoldAnswer, GoldSegment, Route, Seat
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.policy_lab.selectors.model_calls import FEW, forecast_calls, forecast_campaign
from auditing.research.qualification.services import keep_qualification, watch_all, watch_endpoint
from auditing.selectors.model_tier.consents import refusal_of
from auditing.services.gold.sets import Gold, add_all
from hdag.models import ChatCall, Endpoint
from tests.factories.consents import agree_to_all
from tests.factories.models import make_endpoint
from tests.factories.worlds import TRACE, make_user, make_world

pytestmark = pytest.mark.django_db
ITEMS = 40
DOMAINS = {"gsm8k": {"right": 80, "passed": 76, "wrong": 40, "failed": 34, "abstained": 2}}
VOTES = {
    f"k{number}": ["pass" if number % 3 else "fail", 0.9 if number % 2 else 0.6, number % 5 > 0] for number in range(60)
}


def qualified(name="first", votes=VOTES, **changes):
    row = make_endpoint("https://models.example.com/v1", name)
    kept = {"data": "processbench", "domains": DOMAINS, "refused": "", "votes": votes, "cost": "0.12", "calls": 120}
    keep_qualification(name=name, qualification={**kept, **changes})
    return Endpoint.objects.get(pk=row.pk)


@pytest.fixture
def admin():
    client = Client()
    client.force_login(make_user("chief@example.org", "admin"))
    return client


def page_of(admin, row):
    return " ".join(admin.get(f"/endpoints/{row.pk}/qualification").content.decode().split())


def test_the_page_shows_rates_confusion_reliability_and_the_cost_of_a_right_verdict(admin):
    page = page_of(admin, qualified())
    assert all(text in page for text in ("gsm8k", "95 %", "85 %", "Confusion", "Reliability", "0.002500 a right"))
    assert "Not testable yet" in page
    assert "No other model was qualified" in page


def test_errors_of_two_models_on_the_same_steps_are_correlated(admin):
    row = qualified()
    qualified("second", votes={**VOTES, "another": ["pass", 0.8, True]})
    assert "second" in page_of(admin, row)
    assert "1.00" in page_of(admin, row)


def test_nobody_but_an_admin_reads_it(admin):
    row = qualified()
    stranger = Client()
    stranger.force_login(make_user("researcher@example.org", "researcher"))
    assert stranger.get(f"/endpoints/{row.pk}/qualification").status_code in (403, 404)
    assert "Nobody measured" in page_of(admin, make_endpoint("https://models.example.com/v1", "unmeasured"))


def people_on_gold(error):
    """Four people who answer forty gold segments, each wrong on its own few."""
    add_all(
        records=[Gold(name=f"g{n}", domain="sums", text=f"{n} + 1 = {n + 1}", truth="pass") for n in range(ITEMS)],
        actor=None,
    )
    for person in range(4):
        auditor = Auditor.objects.create(user=make_user(f"p{person}@example.org", "reviewer"), tier="human")
        for place, gold in enumerate(GoldSegment.objects.order_by("name")):
            is_wrong = place % error == person
            choice = "fail" if is_wrong else "pass"
            GoldAnswer.objects.create(auditor=auditor, gold=gold, choice=choice, confidence=9000, is_right=not is_wrong)
    return {f"gold {gold.pk}": gold for gold in GoldSegment.objects.all()}


def test_a_model_that_loses_against_people_is_refused_its_seat_with_the_reason(admin):
    row = qualified()
    gold = people_on_gold(error=20)
    coin = {key: ["pass" if place % 2 else "fail", 0.7, bool(place % 2)] for place, key in enumerate(gold)}
    counts = {"sums": {"right": ITEMS, "passed": ITEMS // 2, "wrong": 0, "failed": 0, "abstained": 0}}
    keep_qualification(
        name=row.name, qualification={"data": "gold", "domains": counts, "refused": "", "votes": coin}, is_gold=True
    )
    row.refresh_from_db()
    assert refusal_of(endpoint=row).startswith("the alternative annotator test: it may stand in for 0 of 4")
    assert "No seats: the alternative annotator test" in page_of(admin, row)
    assert watch_all() == 1


def test_a_model_that_agrees_with_people_may_stand_in_for_them(admin):
    row = qualified()
    votes = {key: ["pass", 0.9, True] for key in people_on_gold(error=8)}
    keep_qualification(
        name=row.name, qualification={"data": "gold", "domains": {}, "refused": "", "votes": votes}, is_gold=True
    )
    row.refresh_from_db()
    assert refusal_of(endpoint=row) == ""
    assert row.qualification["watch"]["annotators"]["rate"] == 1.0
    assert admin.post(f"/endpoints/{row.pk}/qualification").status_code == 302
    assert "Winning rate 100 %" in page_of(admin, row)
    assert watch_endpoint(row=row) == ""


def test_a_forecast_is_a_guess_until_calls_were_measured_and_says_so():
    row = make_endpoint("https://models.example.com/v1")
    assert "a guess" in forecast_calls(endpoint=row, purpose="judge", calls=10).sentence
    ChatCall.objects.bulk_create(
        ChatCall(endpoint=row, purpose="judge", state="done", tokens_in=2000, tokens_out=100, took_ms=3000)
        for _ in range(FEW)
    )
    told = forecast_calls(endpoint=row, purpose="judge", calls=10)
    assert (told.usage.tokens_in, told.usage.tokens_out, told.seconds, told.measured) == (20_000, 1_000, 7.5, FEW)
    assert "measured on 20 calls" in told.sentence
    Endpoint.objects.filter(pk=row.pk).update(batches=True)
    row.refresh_from_db()
    assert forecast_calls(endpoint=row, purpose="judge", calls=10).cost == told.cost / 2


def test_soundness_and_campaign_say_what_they_will_ask_before_they_do(admin):
    make_endpoint("https://models.example.com/v1", may_see="whole traces")
    world = make_world()
    audit = world.submit(whole_to_models=True)
    world.settle_machines()
    assert Seat.objects.filter(round__tier="llm").exists()
    page = admin.get(f"/audits/{audit.pk}").content.decode()
    assert "Forecast: about" in page
    told = admin.get(f"/api/v1/audits/{audit.pk}/soundness").json()["forecast"]
    assert (told[0]["endpoint"], told[0]["calls"] > 0, told[0]["measured_on"]) == ("first", True, 0)
    assert "Still to ask: about" in admin.get(f"/campaigns/{world.campaign.pk}/models").content.decode()


def calls_of(campaign):
    return forecast_campaign(campaign=campaign).left[0].calls


def test_a_campaign_says_what_to_expect_of_traces_that_are_not_routed_yet():
    make_endpoint("https://models.example.com/v1")
    world = make_world()
    assert calls_of(world.campaign) == 0  # no trace, nothing to ask
    world.submit()
    assert not Route.objects.exists()
    expected = calls_of(world.campaign)
    world.settle_machines()
    assert expected == calls_of(world.campaign) > 0
    world.submit(replace(TRACE, thinking=f"{TRACE.thinking}\n\nThat is all."))
    assert calls_of(world.campaign) == 2 * expected  # as many as the first has, measured


def test_a_campaign_without_a_trace_says_what_one_asks_or_that_nothing_is_measured(admin):
    make_endpoint("https://models.example.com/v1")
    world = make_world()
    address = f"/api/v1/campaigns/{world.campaign.pk}/forecast"
    empty = admin.get(address).json()
    assert (empty["each_trace"], empty["measured_on_audits"]) == ([], 0)
    assert "not measured yet" in empty["says"]
    assert "not measured yet" in admin.get(f"/campaigns/{world.campaign.pk}/models").content.decode()
    world.submit()
    world.settle_machines()
    seats = Seat.objects.filter(round__tier="llm").count()
    later = open_campaign(title="Later", owner=world.reviewers[0], policy=world.campaign.policy, guidelines="Be fair.")
    agree_to_all()
    told = admin.get(f"/api/v1/campaigns/{later.pk}/forecast").json()
    assert (told["left"][0]["calls"], told["each_trace"][0]["calls"]) == (0, seats)
    assert (told["measured_on_audits"], told["under_this_policy"]) == (1, True)
    assert (
        "One trace asks, in the mean of 1 routed audits under this policy: about"
        in admin.get(f"/campaigns/{later.pk}/models").content.decode()
    )


def test_a_file_says_what_models_will_be_asked_before_it_is_handed_in(tmp_path, capsys):
    make_endpoint("https://models.example.com/v1")
    world = make_world()
    lines = [{"id": str(n), "problem": TRACE.problem, "thinking": TRACE.thinking + "\n" * n} for n in range(4)]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, lines)))
    options = {"provider": world.provider.email, "forecast": True}
    call_command("import_traces", tmp_path / "in.jsonl", **options)
    assert not Audit.objects.exists()
    said = capsys.readouterr().err
    calls = int(re.search(r"about (\d+) calls to first", said)[1])
    call_command("import_traces", tmp_path / "in.jsonl", **{**options, "forecast": False})
    world.settle_machines()
    assert calls == Seat.objects.filter(round__tier="llm").count() > 0
