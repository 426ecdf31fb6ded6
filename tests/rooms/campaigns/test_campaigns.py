"""Campaigns as those who run them: a pause costs nobody anything, and the figures are the world's."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.models import Profile
from auditing.core.policy import FAST
from auditing.core.policy.parameters import ConsensusRule
from auditing.core.values import Choice
from auditing.models import Audit, AuditEvent, Campaign, Decoy, Round, Seat, SegmentOutcome, Vote
from auditing.research.campaigns.selectors.agreement import agreement_of
from auditing.research.campaigns.selectors.charts import queue_by_tier
from auditing.research.campaigns.selectors.figures import cost_of, progress_of, work_of
from auditing.research.campaigns.services.campaigns import change, open_campaign, set_state
from auditing.research.policy_lab.services import publish_policy
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import TRACE, World, make_user, make_world, waiting_world

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def _majority_hens(built_once: None) -> World:
    return waiting_world(policy=replace(FAST, consensus=ConsensusRule.MAJORITY, human=replace(FAST.human, k=3)))


@pytest.fixture
def majority_hens(_majority_hens: World, db: None) -> World:
    return _majority_hens.afresh()


def move(world: World, state: str, now: Any) -> bool:
    return set_state(campaign=world.campaign, state=state, actor=world.campaign.owner, now=now)


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_pause_stops_the_clock_of_every_open_window_and_makes_nobody_silent(majority_hens: World) -> None:
    now = database_now()
    seat = claim_next(auditor=auditor_of(user=majority_hens.reviewers[0]), now=now)
    assert seat is not None
    ends = dict(Round.objects.filter(stage="committing").values_list("pk", "due_at"))
    assert move(majority_hens, "paused", now)
    assert not move(majority_hens, "paused", now)
    assert claim_next(auditor=auditor_of(user=majority_hens.reviewers[1]), now=now) is None
    week = timedelta(days=7)
    for _ in range(5):
        corridor.advance_due(now=now + week)
    assert not Seat.objects.filter(stage__in=("silent", "lapsed")).exists()
    assert move(majority_hens, "open", now + week)
    assert dict(Round.objects.filter(stage="committing").values_list("pk", "due_at")) == {
        key: due + week for key, due in ends.items()
    }
    later = now + week + timedelta(minutes=1)
    again = claim_next(auditor=auditor_of(user=majority_hens.reviewers[0]), now=later)
    assert (again is not None and again.pk, Seat.objects.filter(stage="silent").exists()) == (seat.pk, False)
    assert claim_next(auditor=auditor_of(user=majority_hens.reviewers[1]), now=later) is not None


def test_without_the_pause_the_same_week_would_have_silenced_everybody(majority_hens: World) -> None:
    corridor.advance_due(now=database_now() + timedelta(days=7))
    assert Seat.objects.filter(stage="silent").exists()


def test_a_closed_campaign_takes_no_trace_and_still_ends_what_it_has(majority_hens: World) -> None:
    move(majority_hens, "closed", database_now())
    majority_hens.everybody_votes(Audit.objects.get())
    assert Audit.objects.get().stage == "recorded"


@pytest.mark.usefixtures("empty_database")
def test_who_names_languages_is_drawn_only_where_one_of_them_is_read() -> None:
    world = make_world(policy=replace(FAST, human=replace(FAST.human, k=2)))
    change(campaign=world.campaign, actor=world.campaign.owner, language="German")
    for user, languages in zip(world.reviewers, (["english"], ["english", "german"], []), strict=True):
        Profile.objects.create(user=user, languages=languages)
    world.campaign.refresh_from_db()
    world.submit()
    world.settle_machines()
    drawn = set(Seat.objects.filter(round__tier="human").values_list("auditor__user", flat=True))
    assert drawn == {one.pk for one in world.reviewers[1:]}


def test_the_figures_of_a_walked_campaign_are_those_of_the_world(majority_hens: World) -> None:
    audit = Audit.objects.get()
    waiting = {one.person.pk: one.waiting for one in work_of(campaign=majority_hens.campaign)}
    offered = Seat.objects.filter(stage="offered", round__tier="human").count()
    assert sum(waiting.values()) == offered > 3
    for _ in range(200):
        majority_hens.settle_machines()
        choices = (Choice.PASS, Choice.PASS, Choice.FAIL)
        if not majority_hens.vote_on_all_seats(dict(zip(majority_hens.reviewers, choices, strict=True))):
            break
    progress = progress_of(campaign=majority_hens.campaign, now=database_now())
    assert (progress.audits, progress.recorded, progress.left, progress.is_late) == (1, 1, 0, False)
    n = Vote.objects.filter(seat__auditor__user=majority_hens.reviewers[0]).count()
    rows = {
        one.person.pk: (one.waiting, one.in_hand, one.sealed, one.right, one.of)
        for one in work_of(campaign=majority_hens.campaign)
    }
    assert rows == {
        one.pk: (0, 0, n, n if one != majority_hens.reviewers[2] else 0, n) for one in majority_hens.reviewers
    }
    (everything,) = agreement_of(campaign=majority_hens.campaign)
    # n rounds, each 2 pass and 1 fail: P = 1/3; AC1: pi = 2/3, 1/3, Pe = 4/9; (1/3 - 4/9) / (5/9) = -1/5
    assert (everything.rounds, everything.ac1.value) == (n, pytest.approx(-0.2))
    cost = cost_of(campaign=majority_hens.campaign, progress=progress)
    assert cost.points == cost.points_in_all
    assert cost.money == cost.money_in_all == 0
    assert audit.campaign_id == majority_hens.campaign.pk


def test_a_campaign_with_decoys_costs_in_all_what_it_has_cost_when_all_is_done(majority_hens: World) -> None:
    decoy = majority_hens.submit(replace(TRACE, problem=f"Another farm. {TRACE.problem}")).trace
    for _ in range(200):
        majority_hens.settle_machines()
        if not majority_hens.vote_on_all_seats(dict.fromkeys(majority_hens.reviewers, Choice.PASS)):
            break
    place = {"source": "thinking", "start": 0, "end": 9, "at": 0}
    Decoy.objects.create(
        trace=decoy,
        original=Audit.objects.exclude(trace=decoy).get().trace,
        origin="planted",
        truth="fail",
        explanation=decoy.payload,
        **place,
    )
    campaign = majority_hens.campaign
    progress = progress_of(campaign=campaign, now=database_now())
    assert (progress.audits, progress.recorded, progress.left) == (1, 1, 0)
    cost = cost_of(campaign=campaign, progress=progress)
    assert cost.points_in_all == cost.points > 0


def test_the_story_of_a_campaign_tells_which_terms_were_changed_from_what_to_what(majority_hens: World) -> None:
    campaign = Campaign.objects.get(pk=majority_hens.campaign.pk)
    before, five = (
        campaign.policy,
        publish_policy(policy=replace(FAST, human=replace(FAST.human, k=5)), author=campaign.owner),
    )
    deadline = datetime(2031, 5, 1, 12, tzinfo=UTC)
    change(campaign=campaign, actor=campaign.owner, policy=five, deadline=deadline, title=campaign.title)
    page = signed_in(campaign.owner).get(f"/campaigns/{campaign.pk}/terms").content.decode()
    assert f"deadline: none → 2031-05-01 12:00 UTC; policy: {before} → {five}" in unescape(page)


def test_a_deadline_that_the_pace_misses_is_said(majority_hens: World) -> None:
    now = database_now()
    change(campaign=majority_hens.campaign, actor=majority_hens.campaign.owner, deadline=now - timedelta(hours=1))
    majority_hens.campaign.refresh_from_db()
    assert progress_of(campaign=majority_hens.campaign, now=now).is_late
    assert (
        "The deadline has passed."
        in signed_in(majority_hens.campaign.owner).get(f"/campaigns/{majority_hens.campaign.pk}").content.decode()
    )


@pytest.mark.parametrize(("hours", "is_late"), [(2, False), (30, True)])
def test_a_standstill_is_late_once_it_is_a_day_old(majority_hens: World, hours: int, is_late: bool) -> None:
    now = database_now() + timedelta(hours=hours)
    majority_hens.campaign.deadline = now + timedelta(days=3)
    assert not SegmentOutcome.objects.exclude(round__tier="computer").exists()
    progress = progress_of(campaign=majority_hens.campaign, now=now)
    assert (progress.a_day, progress.is_late) == (0, is_late)


def test_nothing_is_late_that_is_paused_or_empty(majority_hens: World) -> None:
    now, campaign = database_now(), majority_hens.campaign
    campaign.deadline = now - timedelta(hours=1)
    assert progress_of(campaign=campaign, now=now).is_late
    campaign.paused_at = now
    assert not progress_of(campaign=campaign, now=now).is_late
    empty = open_campaign(title="Empty", owner=campaign.owner, policy=campaign.policy)
    empty.deadline = now - timedelta(hours=1)
    assert not progress_of(campaign=empty, now=now).is_late


SECTIONS = {
    "": "Its newest audits",
    "/people": "reviewer0@example.org",
    "/figures": "Forecast for all",
    "/forecast": "What it takes",
    "/models": "No endpoint is enabled",
    "/terms": "Change the terms",
}
"""The sections of a campaign, with words that only their page says."""


def test_the_campaign_s_page_shows_each_reader_their_part(majority_hens: World) -> None:
    address = f"/campaigns/{majority_hens.campaign.pk}"
    admin = signed_in(majority_hens.campaign.owner)
    for section, words in SECTIONS.items():
        page = admin.get(f"{address}{section}").content.decode()
        assert page.count("/campaigns/") > 5, "every section leads to the others"
        assert words in page
    for user in (majority_hens.reviewers[0], majority_hens.provider):
        theirs = signed_in(user).get(address).content.decode()
        assert not any(f"{address}{section}" in theirs for section in SECTIONS if section)
        assert {signed_in(user).get(f"{address}{section}").status_code for section in SECTIONS if section} == {403}
    assert "Its audits" not in signed_in(majority_hens.reviewers[0]).get(address).content.decode()
    researcher = signed_in(make_user("res@example.org", "researcher"))
    assert "Forecast for all" in researcher.get(f"{address}/figures").content.decode()
    assert {researcher.get(f"{address}{section}").status_code for section in ("/people", "/models", "/terms")} == {403}
    terms = {
        "terms-title": "Ducks",
        "terms-policy": majority_hens.campaign.policy_id,
        "terms-deadline": "2027-01-31T12:00",
    }
    assert admin.post(f"{address}/edit", terms).status_code == 302
    assert admin.post(f"{address}/edit", terms | {"terms-title": ""}).status_code == 422
    majority_hens.campaign.refresh_from_db()
    assert (majority_hens.campaign.title, str(majority_hens.campaign.deadline)) == (
        "Ducks",
        "2027-01-31 12:00:00+00:00",
    )
    admin.post(f"{address}/state", {"state": "paused"})
    assert "Paused since" in admin.get(address).content.decode()
    assert "The campaign was paused" in admin.get(f"{address}/terms").content.decode()
    kinds = set(AuditEvent.objects.filter(audit=None, kind__startswith="campaign.").values_list("kind", flat=True))
    assert {"campaign.opened", "campaign.changed", "campaign.paused"} <= kinds
    for link in ("votes", "segments"):
        found = admin.get(f"/research/stream/{link}.jsonl?campaign={majority_hens.campaign.pk}")
        assert found.status_code == 200


@pytest.mark.parametrize("state", ["open", "paused", "closed"])
def test_a_campaign_s_page_explains_the_buttons_that_it_has_and_no_others(majority_hens: World, state: str) -> None:
    if state != "open":
        move(majority_hens, state, database_now())
    page = signed_in(majority_hens.campaign.owner).get(f"/campaigns/{majority_hens.campaign.pk}").content.decode()
    for value, label in (("paused", "Pause"), ("open", "Open again"), ("closed", "Close")):
        has_button = f'name="state" value="{value}"' in page
        assert has_button == (value != state and not (value == "paused" and state == "closed"))
        assert (f"{label}: " in page) == has_button


def test_the_queue_counts_open_seats_by_who_holds_them(majority_hens: World) -> None:
    claim_next(auditor=auditor_of(user=majority_hens.reviewers[0]), now=database_now())
    chart = queue_by_tier(campaign=majority_hens.campaign)
    assert chart is not None
    rows = {row[0]: row[1:] for row in chart.rows}
    assert rows["people"][1] == 1
    assert rows["people"][0] == Seat.objects.filter(stage="offered", round__stage="committing").count()


def test_a_reviewer_sees_progress_in_charts_and_neither_queue_nor_seconds(majority_hens: World) -> None:
    address = f"/campaigns/{majority_hens.campaign.pk}"
    reviewer = signed_in(majority_hens.reviewers[0]).get(address).content.decode()
    admin = signed_in(majority_hens.campaign.owner).get(f"{address}/figures").content.decode()
    assert "chart-queue" in admin
    assert "chart-queue" not in reviewer
