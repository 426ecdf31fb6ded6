"""Strict mode: who keeps an opening is the policy's word, and only its owner opens a kept vote, in time, as sealed."""

import json
import os
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from auditing.core.policy import Openings
from auditing.core.values import Choice
from auditing.core.voting.commitment import Opening, commitment, rationale_digest
from auditing.core.voting.rationale import Rationale, write
from auditing.models import Notice, PolicyVersion, Round, Seat, Vote
from auditing.selectors.clock import database_now
from auditing.selectors.voting.bindings import binding_of
from auditing.selectors.voting.own_openings import own_openings
from auditing.services.voting import own_openings as service
from auditing.services.voting.commitment import OpeningElsewhereError, Sealed, accept
from tests.factories.worlds import TWO_SEATS, World, sealed_vote, waiting_world

pytestmark = pytest.mark.django_db
RNONCE = bytes(range(32))
TEXT = write(rationale=Rationale(reason="It follows."))
CHECK = b"c" * 32


def waiting_for_two(openings: Openings = Openings.CHOICE) -> World:
    return waiting_world(reviewers=2, policy=replace(TWO_SEATS, openings=openings))


def seats_of_one_round() -> list[Seat]:
    found = Seat.objects.filter(round=Round.objects.filter(tier="human")[0]).order_by("place")
    return list(found.select_related("round__audit", "round__segment__block", "auditor__user"))


def own_vote(seat: Seat) -> tuple[Sealed, dict[str, Any]]:
    """What the reviewer's browser sends at sealing, and later at opening."""
    said = {"rationale_digest": rationale_digest(rnonce=RNONCE, text=TEXT), "nonce": os.urandom(32)}
    opening = Opening(choice=Choice.PASS, confidence_bp=8000, **said)
    digest = commitment(binding=binding_of(seat=seat), opening=opening)
    later = {"vote": 1, "confidence_bp": 8000, "rnonce": RNONCE.hex(), "rationale": TEXT}
    hexed = {name: value.hex() for name, value in said.items()}
    return Sealed(digest=digest, rationale_digest=said["rationale_digest"], sealed=None, kept=b"x"), later | hexed


def escrowed_vote(world: World, seat: Seat) -> Sealed:
    key = world.reveal_key.public_key()
    return sealed_vote(seat=seat, choice=Choice.PASS, confidence=9000, reveal_key=key)


def seal(seat: Seat, vote: Sealed) -> None:
    accept(seat_id=seat.pk, auditor=seat.auditor, vote=vote, now=database_now())


def post(seat: Seat, said: dict[str, Any], user: Any = None) -> int:
    client = Client()
    client.force_login(user or seat.auditor.user, backend="django.contrib.auth.backends.ModelBackend")
    address = f"/api/v1/seats/{seat.pk}/opening"
    return client.post(address, json.dumps(said), content_type="application/json").status_code


@pytest.mark.parametrize("rule", [Openings.ESCROW, Openings.BROWSER])
def test_the_policy_says_who_keeps_openings(rule: Openings) -> None:
    world = waiting_for_two(rule)
    seat = seats_of_one_round()[0]
    own, escrowed = own_vote(seat)[0], escrowed_vote(world, seat)
    wrong, right = (own, escrowed) if rule is Openings.ESCROW else (escrowed, own)
    with pytest.raises(OpeningElsewhereError):
        seal(seat, wrong)
    seal(seat, right)


def test_a_policy_with_an_unknown_word_for_openings_is_refused_by_the_database() -> None:
    version = waiting_for_two().campaign.policy
    with pytest.raises(IntegrityError), transaction.atomic():
        PolicyVersion.objects.create(number=99, name="x", body={**version.body, "openings": "nobody"}, digest=CHECK)


def test_only_its_owner_opens_a_kept_vote_only_after_the_window_and_only_as_it_was_sealed() -> None:
    world = waiting_for_two()
    mine, theirs = seats_of_one_round()
    vote, opening = own_vote(mine)
    seal(mine, vote)
    assert post(mine, opening) == 409  # the window is open still
    seal(theirs, escrowed_vote(world, theirs))
    world.settle_machines()
    assert not Vote.objects.filter(seat=mine).exists()
    other = {**opening, "vote": 0}
    answers = [post(mine, opening, theirs.auditor.user), post(mine, other), post(mine, {**opening, "rationale": "{}"})]
    assert answers == [409, 400, 400]
    assert not Vote.objects.filter(seat=mine).exists()
    assert (post(mine, opening), post(mine, opening)) == (200, 200)
    assert (Vote.objects.get(seat=mine).confidence, Vote.objects.filter(seat=mine).count()) == (8000, 1)
    world.settle_machines()
    assert Round.objects.get(pk=mine.round_id).stage == "tallied"


def test_no_vote_is_opened_before_the_ledger_holds_the_end_of_its_window() -> None:
    world = waiting_for_two()
    mine, theirs = seats_of_one_round()
    vote, opening = own_vote(mine)
    seal(mine, vote)
    seal(theirs, escrowed_vote(world, theirs))
    while Round.objects.get(pk=mine.round_id).stage != "revealing":
        assert world.walk()
    assert Round.objects.select_related("closing_leaf").get(pk=mine.round_id).closing_leaf.index is None
    assert post(mine, opening) == 409
    world.sequence()
    assert post(mine, opening) == 200


def test_a_vote_that_is_not_opened_in_time_is_silence_and_cannot_be_opened_later() -> None:
    world = waiting_for_two()
    mine, theirs = seats_of_one_round()
    vote, opening = own_vote(mine)
    seal(mine, vote)
    seal(theirs, escrowed_vote(world, theirs))
    world.settle_machines()
    Round.objects.filter(pk=mine.round_id).update(due_at=database_now() - timedelta(seconds=1))
    assert post(mine, opening) == 409
    world.settle_machines()
    assert Seat.objects.get(pk=mine.pk).stage == "silent"
    assert post(mine, opening) == 409


def test_a_lost_reason_costs_the_reason_and_not_the_vote() -> None:
    world = waiting_for_two()
    mine, theirs = seats_of_one_round()
    vote, opening = own_vote(mine)
    seal(mine, vote)
    seal(theirs, escrowed_vote(world, theirs))
    world.settle_machines()
    assert post(mine, {key: value for key, value in opening.items() if key not in ("rnonce", "rationale")}) == 200
    opened = Vote.objects.get(seat=mine)
    assert (opened.choice, bytes(opened.rationale_nonce), opened.criteria) == ("pass", b"", {})


def test_the_owner_alone_is_told_and_is_handed_what_opening_needs() -> None:
    world = waiting_for_two()
    mine, theirs = seats_of_one_round()
    seal(mine, own_vote(mine)[0])
    service.keep_own(auditor=mine.auditor, check_value=CHECK)
    assert (own_openings(auditor=mine.auditor).sealed, Notice.objects.filter(kind="revealing").count()) == (1, 0)
    seal(theirs, escrowed_vote(world, theirs))
    world.settle_machines()
    assert [one["seatId"] for one in own_openings(auditor=mine.auditor).openable] == [str(mine.pk)]
    assert not own_openings(auditor=theirs.auditor).openable
    assert Notice.objects.get(kind="revealing").user == mine.auditor.user


def test_a_key_is_not_replaced_while_votes_wait_for_it() -> None:
    waiting_for_two()
    mine = seats_of_one_round()[0]
    service.keep_own(auditor=mine.auditor, check_value=CHECK)
    service.keep_own(auditor=mine.auditor, check_value=b"d" * 32)
    seal(mine, own_vote(mine)[0])
    assert service.turn_off(auditor=mine.auditor)
    with pytest.raises(service.KeyInUseError):
        service.keep_own(auditor=mine.auditor, check_value=CHECK)
    assert service.keep_own(auditor=mine.auditor, check_value=b"d" * 32).is_on
    for bad in (b"", b"e" * 31, bytes(32)):
        with pytest.raises(service.BadCheckError):
            service.keep_own(auditor=mine.auditor, check_value=bad)


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"check": 7}', '{"check": "zz"}', "[" * 5000])
def test_a_bad_check_value_is_refused_with_what_it_should_be(body: str) -> None:
    client = Client()
    client.force_login(waiting_for_two().reviewers[0], backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post("/desk/openings/key", body, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"]) == (400, "check must be 64 hexadecimal digits.")
