"""Drafts, calls to the admins, calibration, gold, news: the rules behind the desk."""

import base64
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accounts.models import Profile
from auditing.core.policy import FAST, ConsensusRule
from auditing.core.values import Choice
from auditing.models import (
    Audit,
    Commitment,
    Draft,
    GoldSegment,
    Notice,
    Qualification,
    ReputationStep,
    Round,
    Seat,
)
from auditing.permissions import may_read_reasons
from auditing.research.news import services as digests
from auditing.research.practice import services as calibration
from auditing.selectors.clock import database_now
from auditing.selectors.seating.eligible import eligible_auditors
from auditing.selectors.voting.bindings import current_reasoning
from auditing.services import gold
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of
from auditing.services.voting import drafts
from tests.factories.worlds import TWO_SEATS, World, make_user, make_world, waiting_world

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def _two_seat_hens(built_once: None) -> World:
    return waiting_world(reviewers=2, policy=TWO_SEATS)


@pytest.fixture
def two_seat_hens(_two_seat_hens: World, db: None) -> World:
    return _two_seat_hens.afresh()


def held(world: World, number: int = 0) -> Seat:
    seat = claim_next(auditor=auditor_of(user=world.reviewers[number]), now=database_now())
    assert seat is not None
    return seat


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_stale_draft_never_overwrites_a_newer_one(two_seat_hens: World) -> None:
    seat = held(two_seat_hens)
    now = database_now()
    for version in (1, 3):
        drafts.save(seat_id=seat.pk, auditor=seat.auditor, version=version, body=bytes([version]), now=now)
    for stale in (1, 2, 3):
        with pytest.raises(drafts.DraftIsStaleError):
            drafts.save(seat_id=seat.pk, auditor=seat.auditor, version=stale, body=b"old", now=now)
    assert bytes(Draft.objects.get().body) == b"\x03"


def test_a_draft_is_gone_once_the_vote_is_sealed(two_seat_hens: World) -> None:
    seat = held(two_seat_hens)
    drafts.save(seat_id=seat.pk, auditor=seat.auditor, version=1, body=b"x", now=database_now())
    two_seat_hens.vote(two_seat_hens.reviewers[0])
    assert not Draft.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        '{"version": 1}',
        '{"version": "1", "body": "YQ=="}',
        '{"version": 0, "body": "YQ=="}',
        '{"version": 1, "body": "?"}',
        '{"version": 1, "body": ""}',
        "[" * 5000,
    ],
)
def test_a_bad_draft_is_refused_and_says_what_a_draft_is(two_seat_hens: World, body: str) -> None:
    seat = held(two_seat_hens)
    answer = signed_in(two_seat_hens.reviewers[0]).put(f"/desk/{seat.pk}/draft", body, content_type="application/json")
    assert (answer.status_code, Draft.objects.count()) == (400, 0)


def test_nobody_saves_a_draft_on_the_seat_of_another_or_as_a_stranger(two_seat_hens: World) -> None:
    seat = held(two_seat_hens)
    body = {"version": 1, "body": base64.b64encode(b"x").decode()}
    for client, status in (
        (signed_in(two_seat_hens.reviewers[1]), 404),
        (Client(), 401),
        (signed_in(two_seat_hens.provider), 403),
    ):
        assert client.put(f"/desk/{seat.pk}/draft", body, content_type="application/json").status_code == status
    assert not Draft.objects.exists()


def test_the_page_shows_the_source_as_written_and_marks_the_numbers_that_the_problem_states(
    two_seat_hens: World,
) -> None:
    seats = Seat.objects.filter(auditor__user=two_seat_hens.reviewers[0]).select_related("round__segment__block")
    stating = next(seat for seat in seats if "3 weeks" in current_reasoning(seat=seat))
    Seat.objects.filter(pk=stating.pk).update(wanted_by=database_now() - timedelta(days=9))
    shown = signed_in(two_seat_hens.reviewers[0]).get("/desk").content.decode().split("data-current", 1)[1]
    assert "<mark>3</mark> weeks" in shown
    assert "Source as written" in shown


def lines(count: int = 5, domain: str = "school maths") -> list[bytes]:
    row = '{"name": "gold %d", "domain": "%s", "text": "1 + 1 = %d", "truth": "%s"}'
    return [(row % (n, domain, 2 + n % 2, "fail" if n % 2 else "pass")).encode() for n in range(count)]


BAD_GOLD = [
    '{"name": "x"}',
    "nonsense",
    '{"name": "x", "name": "y"}',
    '{"name": "x", "domain": "d", "text": "t", "truth": "maybe"}',
    '{"name": "x", "domain": "d", "text": "t", "truth": "pass", "error_type": "factual"}',
    lines(1)[0].decode(),
]


@pytest.mark.parametrize("bad", BAD_GOLD)
def test_gold_comes_in_whole_or_not_at_all(bad: str) -> None:
    with pytest.raises(ValueError, match=r"line 6|taken"):
        gold.import_jsonl(lines=[*lines(), bad.encode()], actor=None)
    assert not GoldSegment.objects.exists()
    assert gold.import_jsonl(lines=lines(), actor=None) == 5


def test_live_seats_of_a_domain_open_with_its_calibration(two_seat_hens: World) -> None:
    round = Round.objects.filter(tier="human").select_related("audit__trace", "audit__campaign").first()
    assert round is not None
    Seat.objects.filter(auditor__tier="human").delete()
    assert len(eligible_auditors(round=round)) == 2
    gold.import_jsonl(lines=lines(), actor=None)
    assert not eligible_auditors(round=round)
    auditor = auditor_of(user=two_seat_hens.reviewers[0])
    while (question := calibration.next_question(auditor=auditor, domain="school maths")) is not None:
        calibration.answer(auditor=auditor, gold=question, choice=question.truth)  # type: ignore[arg-type]
    assert list(eligible_auditors(round=round)) == [auditor]


def test_a_failed_calibration_can_be_tried_again_and_keeps_its_answers() -> None:
    gold.import_jsonl(lines=lines(), actor=None)
    auditor = auditor_of(user=make_user("new@example.org", "reviewer"))
    client = signed_in(auditor.user)
    for _ in range(5):
        question = calibration.next_question(auditor=auditor, domain="school maths")
        answer = client.post("/calibration", {"domain": "school maths", "gold": question.pk, "choice": "pass"})  # type: ignore[union-attr]
        assert "The segment is" in answer.content.decode()
    assert "of 5 were right: 4 are needed" in client.get("/calibration?domain=school maths").content.decode()
    gold.import_jsonl(lines=[line.replace(b"gold ", b"other ") for line in lines()], actor=None)
    client.post("/calibration", {"domain": "school maths", "again": "yes"})
    now = calibration.progress_of(auditor=auditor, domain="school maths")
    assert (now.attempt, now.answered, auditor.gold_answers.count()) == (2, 0, 5)
    assert Qualification.objects.get().state == "started"


def test_news_come_once_are_mailed_once_and_never_in_quiet_hours(two_seat_hens: World) -> None:
    user = two_seat_hens.reviewers[0]
    assert Notice.objects.filter(user=user, kind="assigned").count() == 1
    now = database_now()
    Profile.objects.create(user=user, quiet_from=now.hour, quiet_until=(now.hour + 1) % 24)
    digests.send_digests(now=now)
    assert user.email not in [to for one in mail.outbox for to in one.to]
    digests.send_digests(now=now + timedelta(hours=2))
    digests.send_digests(now=now + timedelta(days=2))
    assert [to for one in mail.outbox for to in one.to].count(user.email) == 1


def test_my_record_shows_a_vote_its_outcome_and_its_postings(two_seat_hens: World) -> None:
    two_seat_hens.everybody_votes(Audit.objects.get())
    page = signed_in(two_seat_hens.reviewers[0]).get("/record").content.decode()
    assert "Agreement with outcomes" in page
    assert all(
        f'id="vote-{one.seat_id}"' in page
        for one in Commitment.objects.filter(seat__auditor__user=two_seat_hens.reviewers[0])[:20]
    )
    assert "interval" in page


def test_an_admin_rewrites_guidelines_and_names_reviewers_on_the_campaigns_page(two_seat_hens: World) -> None:
    client = signed_in(two_seat_hens.campaign.owner)
    address = f"/campaigns/{two_seat_hens.campaign.pk}"
    client.post(f"{address}/edit", {"guidelines": "Look twice."})
    client.post(f"{address}/edit", {"reviewers": "nobody@example.org"})
    two_seat_hens.campaign.refresh_from_db()
    assert two_seat_hens.campaign.open_to_all
    client.post(f"{address}/edit", {"reviewers": "\n".join(one.email for one in two_seat_hens.reviewers)})
    two_seat_hens.everybody_votes(Audit.objects.get())
    assert "version 2" in client.get(address).content.decode()
    assert two_seat_hens.reviewers[0].email in client.get(f"{address}/people").content.decode()
    assert "alpha" in client.get(f"{address}/figures").content.decode()
    for user in (two_seat_hens.provider, two_seat_hens.reviewers[0]):
        assert signed_in(user).post(f"{address}/edit", {"guidelines": "mine"}).status_code == 403
        assert signed_in(user).get(f"{address}/figures").status_code == 403


REASON = "It does not follow."


@pytest.mark.usefixtures("empty_database")
def test_reasons_reach_provider_adjudicator_and_after_the_outcome_peers_but_no_consumer() -> None:
    world = make_world(
        reviewers=2, policy=replace(FAST, human=replace(FAST.human, k=2), consensus=ConsensusRule.MAJORITY)
    )
    audit = world.submit()
    world.settle_machines()
    seats = Seat.objects.filter(round=Round.objects.filter(tier="human")[0]).select_related("round__audit", "auditor")
    mine, theirs = (world.seal(seat, seat.auditor, Choice.FAIL) for seat in seats.order_by("auditor__user"))
    world.settle_machines()
    peer = signed_in(world.reviewers[1])
    address = f"/record/votes/{theirs.seat_id}"
    assert REASON not in peer.get(address).content.decode().split('id="peers"')[1]
    world.everybody_votes(audit, Choice.FAIL)
    page = peer.get(address).content.decode()
    assert REASON in page.split('id="peers"')[1]
    assert f"auditor {bytes(mine.seat.pseudonym).hex()[:8]}" in page
    assert world.reviewers[0].email not in page
    assert REASON in signed_in(world.provider).get(f"/audits/{audit.pk}/report.json").content.decode()
    assert may_read_reasons(user=make_user("judge@example.org", "adjudicator"), audit=audit)
    consumer = signed_in(make_user("c@example.org", "consumer"))
    for address in (
        f"/audits/{audit.pk}",
        f"/audits/{audit.pk}/report",
        f"/audits/{audit.pk}/report.json",
        f"/api/v1/audits/{audit.pk}",
    ):
        answer = consumer.get(address)
        assert (answer.status_code, REASON in answer.content.decode()) == (200, False), address
    for user in (make_user("late@example.org", "reviewer"), world.reviewers[1]):
        assert signed_in(user).get(f"/record/votes/{mine.seat_id}").status_code == 404


def test_my_record_draws_the_history_of_reputation_and_links_every_posting(two_seat_hens: World) -> None:
    two_seat_hens.everybody_votes(Audit.objects.get())
    client = signed_in(two_seat_hens.reviewers[0])
    page = client.get("/record").content.decode()
    assert "Reputation against consensus" in page
    newest = ReputationStep.objects.filter(auditor__user=two_seat_hens.reviewers[0], column="consensus").latest("votes")
    assert f"{newest.value:.3f}" in page
    links = set(re.findall(r'href="(/record/[^"]+)"', page))
    assert {link.split("/")[2] for link in links} == {"votes", "policies", "my-weights.json", "stake", "recusals"}
    assert {client.get(link).status_code for link in links} == {200}
    seat = Commitment.objects.filter(seat__auditor__user=two_seat_hens.reviewers[0]).first()
    assert seat is not None
    assert client.get(f"/record/votes/{seat.pk}/receipt").content.decode() == seat.receipt


@pytest.mark.usefixtures("empty_database")
def test_who_agrees_too_rarely_is_calibrated_again_before_the_next_live_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "ENOUGH_VOTES", 4)
    world = make_world(policy=replace(FAST, consensus=ConsensusRule.MAJORITY, human=replace(FAST.human, k=3)))
    world.submit()
    for user in world.reviewers:
        Qualification.objects.create(auditor=auditor_of(user=user), domain="school maths", state="passed")
    alone = world.reviewers[0]
    votes: list[object] = [None]
    while votes:
        world.settle_machines()
        said = [world.vote(user, Choice.FAIL if user == alone else Choice.PASS) for user in world.reviewers]
        votes = [one for one in said if one is not None]
    assert calibration.lapse_poor_performers() == 1
    row = Qualification.objects.get(state="lapsed")
    assert (row.auditor.user, row.attempt) == (alone, 2)
    assert row.why.startswith("Agreed with 0 of the last")
