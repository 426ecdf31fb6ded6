"""Contested segments: reason first, then a sealed vote; nobody in time leaves the segment undecided."""

import base64
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from auditing.core.consensus.trace import answer_basis
from auditing.core.ledger import bundle
from auditing.core.values import Choice
from auditing.models import Adjudication, Audit, Round, Seat, SegmentOutcome, Vote
from auditing.research.own_record.selectors.own_vote import find_own_vote
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.adjudication import contested_rounds
from auditing.selectors.ledger.published import bundle_of
from auditing.services import corridor
from auditing.services.consensus.adjudication import NotYoursError, ReasonMissingError, state_reason
from auditing.services.seating.auditors import auditor_of
from auditing.services.voting.commitment import ReasonCodeMissingError
from auditing.verifier import verify_audit
from hdag.selectors import load_graph
from tests.factories.worlds import World, make_user, make_world, sealed_vote

pytestmark = pytest.mark.django_db


def contested_world(*, judge: bool) -> tuple[World, Audit, Any]:
    """Every reviewer abstains, so that each segment of theirs ends before an adjudicator."""
    world = make_world()
    user = make_user("judge@example.org", "adjudicator") if judge else None
    audit = world.submit()
    world.everybody_votes(audit, Choice.ABSTAIN)
    world.settle_machines()
    return world, audit, user


def test_without_an_adjudicator_by_the_deadline_the_segment_is_undecided() -> None:
    world, audit, _ = contested_world(judge=False)
    waiting = Round.objects.filter(audit=audit, adjudicates=True)
    assert waiting.exists()
    assert set(waiting.values_list("stage", flat=True)) == {"seated"}
    corridor.advance_round(round=waiting[0], now=database_now() + timedelta(hours=1))
    assert set(waiting.values_list("stage", flat=True)) == {"seated"}
    late = database_now() + timedelta(days=400)
    for _ in range(3):
        for round in waiting.exclude(stage="tallied").select_related(
            "audit__policy", "audit__trace", "audit__campaign"
        ):
            corridor.advance_round(round=round, now=late)
    world.settle_machines()
    audit.refresh_from_db()
    assert audit.stage == "recorded"
    assert set(SegmentOutcome.objects.filter(round__adjudicates=True).values_list("outcome", flat=True)) == {
        "undecided"
    }
    report = verify_audit.verify(bundle.encode(bundle=bundle_of(audit=audit)))
    assert [line for line in report.lines if not line[0]] == []


def test_a_reason_code_comes_before_the_sealed_vote_and_cannot_be_changed() -> None:
    world, audit, judge = contested_world(judge=True)
    auditor, now = auditor_of(user=judge), database_now()
    before = list(Vote.objects.filter(seat__round__audit=audit).order_by("pk").values_list("pk", "choice"))
    mine = [one for one in contested_rounds(auditor=auditor) if one.is_mine]
    assert mine
    round = mine[0].round
    seat = Seat.objects.select_related("round__audit", "round__segment__block").get(round=round, auditor=auditor)
    with pytest.raises(ReasonCodeMissingError):
        world.seal(seat, auditor, Choice.FAIL)
    with pytest.raises(ReasonMissingError):
        state_reason(round=round, auditor=auditor, reason="because", now=now)
    with pytest.raises(NotYoursError):
        state_reason(round=round, auditor=auditor_of(user=world.reviewers[0]), reason="ambiguous", now=now)
    state_reason(round=round, auditor=auditor, reason="ambiguous", now=now)
    world.seal(seat, auditor, Choice.FAIL)
    world.settle_machines()
    outcome = SegmentOutcome.objects.get(audit=audit, segment=round.segment_id)
    assert (outcome.outcome, outcome.round_id) == ("fail", round.pk)
    assert (
        list(Vote.objects.filter(pk__in=[key for key, _ in before]).order_by("pk").values_list("pk", "choice"))
        == before
    )
    with pytest.raises(IntegrityError, match="final"), transaction.atomic():
        Adjudication.objects.update(reason="silence")


def test_an_adjudicated_fail_fails_the_trace_and_a_stranger_recomputes_it() -> None:
    """One segment under the answer is failed, all others are passed; every vote before was an abstention."""
    world, audit, judge = contested_world(judge=True)
    auditor = auditor_of(user=judge)
    rounds = [one.round for one in contested_rounds(auditor=auditor) if one.is_mine]
    stored = load_graph(audit.job)
    under_the_answer = {stored.rows[key].pk for key in answer_basis(graph=stored.graph)}
    failed = next(round for round in rounds if round.segment_id in under_the_answer)
    for round in rounds:
        state_reason(round=round, auditor=auditor, reason="ambiguous", now=database_now())
        seat = Seat.objects.select_related("round__audit", "round__segment__block").get(round=round, auditor=auditor)
        world.seal(seat, auditor, Choice.FAIL if round == failed else Choice.PASS)
    world.settle_machines()
    audit.refresh_from_db()
    row = SegmentOutcome.objects.get(audit=audit, segment=failed.segment_id)
    assert (audit.stage, audit.outcome) == ("recorded", "fail")
    assert (row.posterior, row.low, row.high) == (0.02, 0.02, 0.02)
    report = verify_audit.verify(bundle.encode(bundle=bundle_of(audit=audit)))
    assert report.ok, report.text()
    assert "fail, the adjudicator's word" in report.text()


def test_the_pages_show_the_case_to_its_adjudicator_alone(django_assert_num_queries: Any) -> None:
    world, _, judge = contested_world(judge=True)
    contested_rounds()  # policies are read once and kept
    with django_assert_num_queries(3):  # for one as for many
        found = contested_rounds()
    assert len(found) > 1
    assert all((one.passes, one.fails) == (0, 0) and one.abstentions >= 3 for one in found)
    round = next(one.round for one in contested_rounds(auditor=auditor_of(user=judge)) if one.is_mine)
    answers = {}
    for name, user in (("judge", judge), ("reviewer", world.reviewers[0]), ("admin", world.campaign.owner)):
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        answers[name] = [client.get(url).status_code for url in ("/adjudication", f"/adjudication/{round.pk}")]
        if name == "judge":
            page = client.get(f"/adjudication/{round.pk}").content.decode()
            assert "Opened votes" in page
            assert "The whole trace" in page
            assert "A farmer has 12 hens." in page  # the problem stands above the contested reasoning
            assert world.reviewers[0].email not in page
            assert client.post(f"/adjudication/{round.pk}", {"reason": "x"}).status_code == 400
            assert client.post(f"/adjudication/{round.pk}", {"reason": "ambiguous"}).status_code == 302
    assert answers["judge"] == [200, 200]
    assert answers["admin"][0] == 200
    assert all(code in (302, 403, 404) for code in (*answers["reviewer"], answers["admin"][1]))


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def seal_by_api(world: World, client: Client, seat: Seat, **more: str) -> Any:
    vote = sealed_vote(seat=seat, choice=Choice.PASS, confidence=9000, reveal_key=world.reveal_key.public_key())
    body = {"commitment": vote.digest.hex(), "rationale_digest": vote.rationale_digest.hex(), **more}
    body["sealed"] = base64.b64encode(vote.sealed or b"").decode()
    return client.post(f"/api/v1/seats/{seat.pk}/commitment", body, content_type="application/json")


def test_every_case_comes_complete_and_is_sealed_with_its_reason_at_once() -> None:
    """Seal and next used to serve the next case without votes, and to refuse it at the end."""
    world, _, judge = contested_world(judge=True)
    client, auditor = signed_in(judge), auditor_of(user=judge)
    cases = 0
    while (page := client.get("/desk")).context.get("case") is not None:
        text = page.content.decode()
        seat = page.context["seat"]
        assert "Opened votes" in text
        assert 'name="contested"' in text
        assert len(page.context["case"].votes) >= 3
        assert seat.round.segment.label in {one.label for one in page.context["case"].segments}
        assert seal_by_api(world, client, seat).status_code == 409
        assert seal_by_api(world, client, seat, contested="because").status_code == 400
        sealed = seal_by_api(world, client, seat, contested="split_vote")
        assert sealed.status_code == 200, sealed.content
        assert Adjudication.objects.get(round=seat.round).reason == "split_vote"
        cases += 1
    assert cases == Adjudication.objects.filter(auditor=auditor).count() > 1


def test_the_same_sealed_case_again_is_the_same_vote() -> None:
    world, _, judge = contested_world(judge=True)
    client = signed_in(judge)
    seat = client.get("/desk").context["seat"]
    vote = sealed_vote(seat=seat, choice=Choice.PASS, confidence=9000, reveal_key=world.reveal_key.public_key())
    body = {"commitment": vote.digest.hex(), "rationale_digest": vote.rationale_digest.hex(), "contested": "ambiguous"}
    body["sealed"] = base64.b64encode(vote.sealed or b"").decode()
    answers = [
        client.post(f"/api/v1/seats/{seat.pk}/commitment", body, content_type="application/json") for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json()["receipt"] == answers[1].json()["receipt"]


def test_what_the_workbench_shows_is_written_down() -> None:
    _, _, judge = contested_world(judge=True)
    seat = signed_in(judge).get("/desk").context["seat"]
    shown = Seat.objects.get(pk=seat.pk).shown
    assert shown["case"] is True
    assert shown["degree"] == "full"


def test_the_queue_shows_text_to_its_holder_alone_and_narrows() -> None:
    world, _, judge = contested_world(judge=True)
    mine = signed_in(judge).get("/adjudication", {"whose": "mine", "sort": "age"})
    assert mine.context["contested"]
    assert all(case.is_mine and case.snippet for case in mine.context["contested"])
    assert not any(case.snippet for case in signed_in(world.campaign.owner).get("/adjudication").context["contested"])
    assert "Nothing matches" in signed_in(judge).get("/adjudication", {"field": "botany"}).content.decode()


def test_the_opened_votes_of_the_others_are_without_the_own(recorded_hens: World) -> None:
    seats = Seat.objects.filter(round__tier="human", round__stage="tallied", vote__isnull=False)
    seat = seats.select_related("auditor").order_by("pk")[0]
    others = seats.filter(round__segment=seat.round.segment_id).exclude(pk=seat.pk)
    page = find_own_vote(auditor=seat.auditor, seat_id=seat.pk)
    assert page is not None
    names = {bytes(other.pseudonym).hex()[: len(page.pseudonym)] for other in others}
    assert {peer.auditor for peer in page.peers if peer.tier == "human"} == names != set()
