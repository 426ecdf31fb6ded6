"""Threats 21 to 30: the vote protocol at the API and at the reveal (docs/threats.md)."""

import base64
import json
import os
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.api.throttles import ScopedRateThrottle
from auditing.core.stages import SeatStage
from auditing.core.values import Choice
from auditing.core.voting import commitment as core
from auditing.core.voting.commitment import Opening, OpeningError, parse_opening
from auditing.core.voting.rationale import Rationale, write
from auditing.models import Commitment, DeskSigns, Leaf, Round, Seat, Vote
from auditing.selectors.clock import database_now
from auditing.selectors.voting.bindings import binding_of
from auditing.services.voting import reveal
from auditing.services.voting.commitment import Sealed, WindowClosedError, accept
from auditing.services.voting.reveal import NotYetOpenError, Opened, accept_opening
from tests.factories.worlds import World, sealed_vote

pytestmark = pytest.mark.django_db
RNONCE = bytes(range(32))
TEXT = write(rationale=Rationale(reason="It follows."))


def seats_of(world: World) -> list[Seat]:
    """One seat of each reviewer, all of one round."""
    found = Seat.objects.select_related("round__audit", "round__segment__block", "auditor__user")
    first = found.filter(auditor__user=world.reviewers[0]).order_by("pk")[0]
    return list(found.filter(round=first.round).order_by("place"))


def post(seat: Seat, body: Any, key: Any = None) -> Any:
    client = Client()
    client.force_login(seat.auditor.user, backend="django.contrib.auth.backends.ModelBackend")
    data = body if isinstance(body, str) else json.dumps(body)
    return client.post(f"/api/v1/seats/{key or seat.pk}/commitment", data=data, content_type="application/json")


def body_for(world: World, seat: Seat, choice: Choice = Choice.PASS) -> dict[str, Any]:
    key = world.reveal_key.public_key()
    vote = sealed_vote(seat=seat, choice=choice, confidence=9000, reveal_key=key)
    sealed = base64.b64encode(vote.sealed or b"").decode()
    return {"commitment": vote.digest.hex(), "rationale_digest": vote.rationale_digest.hex(), "sealed": sealed}


def opening_of(**changes: Any) -> Opening:
    digest = core.rationale_digest(rnonce=RNONCE, text=TEXT)
    said = {"choice": Choice.PASS, "confidence_bp": 9000, "rationale_digest": digest, "nonce": os.urandom(32)}
    return Opening(**{**said, **changes})


def seal_by_hand(seat: Seat, opening: Opening) -> Sealed:
    """A strict-mode vote: no escrow, opened by its owner."""
    digest = core.commitment(binding=binding_of(seat=seat), opening=opening)
    return Sealed(digest=digest, rationale_digest=opening.rationale_digest, sealed=None)


def committed(seat: Seat, opening: Opening) -> Seat:
    accept(seat_id=seat.pk, auditor=seat.auditor, vote=seal_by_hand(seat, opening), now=database_now())
    return Seat.objects.select_related("round__audit", "round__segment__block", "auditor").get(pk=seat.pk)


def close_window(seat: Seat) -> None:
    Round.objects.filter(pk=seat.round_id).update(stage="revealing")


def leaves_of(seat: Seat) -> int:
    digest = bytes(Commitment.objects.get(seat=seat).digest).hex().encode()
    return sum(digest in bytes(body) for body in Leaf.objects.values_list("body", flat=True))


def reveal_of(seat: Seat, opening: Opening, text: str = TEXT, rnonce: bytes = RNONCE) -> Vote:
    return accept_opening(seat=seat, opened=Opened(opening=opening, rnonce=rnonce, text=text))


@pytest.mark.parametrize("name", ["commitment", "rationale_digest"])
@pytest.mark.parametrize(
    "value", ["", "ab" * 31, "ab" * 33, "AB" * 32, "00" * 32, "zz" * 32, 7, None, ["ab" * 32], "ab" * 32 + "\n"]
)
def test_a_commitment_that_is_not_32_bytes_of_lower_case_hex_is_refused(
    waiting_hens: World, name: str, value: Any
) -> None:
    seat = seats_of(waiting_hens)[0]
    answer = post(seat, {**body_for(waiting_hens, seat), name: value})
    assert (answer.status_code, Commitment.objects.filter(seat=seat).exists()) == (400, False), answer.content


@pytest.mark.parametrize("value", [None, "", "no base64!", 7, "QUJD" * 30_000, "QUJD", "AQQ" + "A" * 400 + "A"])
def test_an_opening_that_is_not_sealed_is_refused(waiting_hens: World, value: Any) -> None:
    seat = seats_of(waiting_hens)[0]
    assert post(seat, {**body_for(waiting_hens, seat), "sealed": value}).status_code == 400


@pytest.mark.parametrize("value", [-1, 2**31, "1", 1.5, True, None])
def test_a_reading_time_that_is_no_number_of_milliseconds_is_refused(waiting_hens: World, value: Any) -> None:
    seat = seats_of(waiting_hens)[0]
    assert post(seat, {**body_for(waiting_hens, seat), "raw_ms": value}).status_code == 400


def test_what_is_counted_at_the_desk_comes_with_the_vote_once_or_not_at_all(waiting_hens: World) -> None:
    first, second = seats_of(waiting_hens)[:2]
    body = {**body_for(waiting_hens, first), "signs": {"left": 2, "away_ms": 900, "pastes": 1, "pasted": 33}}
    assert post(first, body).status_code == 200
    assert post(first, {**body, "signs": {"left": 0}}).status_code == 200  # the same vote again
    assert post(second, body_for(waiting_hens, second)).status_code == 200
    row = DeskSigns.objects.get()
    assert (row.commitment_id, row.left, row.pasted, row.edits) == (first.pk, 2, 33, 0)
    page = Client()
    page.force_login(first.auditor.person, backend="django.contrib.auth.backends.ModelBackend")
    assert "1 paste with 33 characters" in " ".join(page.get(f"/record/votes/{first.pk}").text.split())


@pytest.mark.parametrize("value", [None, [], 3, {"text": "what was pasted"}, {"pasted": "words"}, {"left": -1}])
def test_anything_but_counts_is_refused_with_the_vote(waiting_hens: World, value: Any) -> None:
    seat = seats_of(waiting_hens)[0]
    assert post(seat, {**body_for(waiting_hens, seat), "signs": value}).status_code == 400
    assert not Commitment.objects.filter(seat=seat).exists()


@pytest.mark.parametrize(
    "body",
    ["", "[]", "{", "null", '{"commitment":"a","commitment":"b"}', '{"raw_ms":NaN}', '{"raw_ms":1e999}', "[" * 50_000],
    ids=lambda body: body[:20],
)
def test_ambiguous_or_broken_json_is_refused(waiting_hens: World, body: str) -> None:
    answer = post(seats_of(waiting_hens)[0], body)
    assert (answer.status_code, "detail" in answer.json()) == (400, True)


def test_a_commitment_that_stands_in_the_log_is_refused_for_another_seat(waiting_hens: World) -> None:
    first, second, *_ = seats_of(waiting_hens)
    body = body_for(waiting_hens, first)
    assert post(first, body).status_code == 200
    copied = post(second, body)
    assert (copied.status_code, copied.json()["code"]) == (409, "CommitmentCopied")
    assert not Commitment.objects.filter(seat=second).exists()


def test_the_same_bytes_again_give_the_same_receipt_and_other_bytes_are_refused(waiting_hens: World) -> None:
    seat = seats_of(waiting_hens)[0]
    body = body_for(waiting_hens, seat)
    first, again, other = post(seat, body), post(seat, body), post(seat, body_for(waiting_hens, seat, Choice.FAIL))
    assert (first.status_code, again.status_code, other.status_code) == (200, 200, 409)
    assert first.json() == again.json()
    assert bytes(Commitment.objects.get(seat=seat).digest).hex() == body["commitment"]
    assert leaves_of(seat) == 1


def test_after_the_deadline_nothing_is_sealed_whatever_the_clients_clock_says(waiting_hens: World) -> None:
    seat = seats_of(waiting_hens)[0]
    Round.objects.filter(pk=seat.round_id).update(due_at=database_now() - timedelta(seconds=1))
    assert post(seat, body_for(waiting_hens, seat)).status_code == 409
    with pytest.raises(WindowClosedError):
        accept(seat_id=seat.pk, auditor=seat.auditor, vote=seal_by_hand(seat, opening_of()), now=database_now())


@pytest.mark.parametrize("stage", ["seated", "revealing", "tallied"])
def test_a_round_that_is_not_committing_takes_no_vote(waiting_hens: World, stage: str) -> None:
    seat = seats_of(waiting_hens)[0]
    outcome = "pass" if stage == "tallied" else ""
    Round.objects.filter(pk=seat.round_id).update(stage=stage, outcome=outcome)
    assert post(seat, body_for(waiting_hens, seat)).status_code == 409


def test_a_seat_that_was_passed_on_takes_no_vote(waiting_hens: World) -> None:
    seat = seats_of(waiting_hens)[0]
    Seat.objects.filter(pk=seat.pk).update(stage=SeatStage.DECLINED)
    assert post(seat, body_for(waiting_hens, seat)).status_code == 409


def test_no_vote_is_opened_before_the_window_closes(waiting_hens: World) -> None:
    opening = opening_of()
    seat = committed(seats_of(waiting_hens)[0], opening)
    with pytest.raises(NotYetOpenError):
        reveal_of(seat, opening)
    assert not Vote.objects.filter(seat=seat).exists()


def test_no_vote_is_opened_after_its_round_is_tallied(waiting_hens: World) -> None:
    opening = opening_of()
    seat = committed(seats_of(waiting_hens)[0], opening)
    close_window(seat)
    reveal.close(round=seat.round)
    with pytest.raises(NotYetOpenError):
        reveal_of(seat, opening)


BAD = {
    "another nonce": {"nonce": bytes(range(1, 33))},
    "a nonce of 31 bytes": {"nonce": bytes(range(31))},
    "a nonce of zeros": {"nonce": bytes(32)},
    "another vote": {"choice": Choice.FAIL},
    "confidence 10001": {"confidence_bp": 10_001},
    "confidence 4999": {"confidence_bp": 4_999},
    "no confidence": {"confidence_bp": None},
    "flags": {"flags": 1},
    "another rationale": {"rationale_digest": bytes(range(32))},
}


@pytest.mark.parametrize("changes", BAD.values(), ids=BAD)
def test_a_wrong_opening_leaves_the_seat_sealed_and_the_right_one_still_opens_it(
    waiting_hens: World, changes: dict
) -> None:
    opening = opening_of()
    seat = committed(seats_of(waiting_hens)[0], opening)
    close_window(seat)
    with pytest.raises(OpeningError):
        reveal_of(seat, replace(opening, **changes))
    assert not Vote.objects.filter(seat=seat).exists()
    assert reveal_of(seat, opening).choice == "pass"


@pytest.mark.parametrize(("text", "rnonce"), [("other text", RNONCE), (TEXT, bytes(32)), (TEXT, b"short")])
def test_another_rationale_than_the_sealed_one_is_refused(waiting_hens: World, text: str, rnonce: bytes) -> None:
    opening = opening_of()
    seat = committed(seats_of(waiting_hens)[0], opening)
    close_window(seat)
    with pytest.raises(OpeningError):
        reveal_of(seat, opening, text, rnonce)


@pytest.mark.parametrize(
    "said",
    [
        {"vote": 3},
        {"vote": "1"},
        {"vote": True},
        {"vote": 1.0},
        {"vote": None},
        {"flags": 1},
        {"flags": True},
        {"confidence_bp": 10_001},
        {"confidence_bp": "9000"},
        {"confidence_bp": True},
        {"nonce": "ab" * 31},
        {"nonce": "AB" * 32},
        {"more": 1},
    ],
    ids=str,
)
def test_an_opening_of_the_wrong_form_is_named_and_refused(said: dict) -> None:
    good = {"vote": 1, "confidence_bp": 9000, "rationale_digest": "ab" * 32, "nonce": "cd" * 32}
    assert parse_opening(fields=good).choice is Choice.PASS
    with pytest.raises(OpeningError, match="|".join([*said, "confidence"])):
        parse_opening(fields={**good, **said})


def test_the_same_opening_twice_is_one_vote(waiting_hens: World) -> None:
    opening = opening_of()
    seat = committed(seats_of(waiting_hens)[0], opening)
    close_window(seat)
    assert reveal_of(seat, opening) == reveal_of(seat, opening)
    with pytest.raises(OpeningError):
        reveal_of(seat, replace(opening, choice=Choice.FAIL))
    assert Vote.objects.get(seat=seat).choice == "pass"


def test_the_opening_of_another_seat_opens_nothing(waiting_hens: World) -> None:
    first, second, *_ = seats_of(waiting_hens)
    opening = opening_of()
    first, second = committed(first, opening), committed(second, opening)  # the same secret, two places
    digests = [bytes(one.digest) for one in Commitment.objects.filter(seat__in=(first, second))]
    assert len(set(digests)) == 2
    close_window(first)
    with pytest.raises(OpeningError):
        core.check_opening(binding=binding_of(seat=second), opening=opening, commitment=digests_of(first))
    assert reveal_of(first, opening).seat_id == first.pk


def digests_of(seat: Seat) -> bytes:
    return bytes(Commitment.objects.get(seat=seat).digest)


def test_a_receipt_says_nothing_about_the_vote(waiting_hens: World) -> None:
    first, second, *_ = seats_of(waiting_hens)
    answers = [post(first, body_for(waiting_hens, first)), post(second, body_for(waiting_hens, second, Choice.FAIL))]
    assert {tuple(sorted(answer.json())) for answer in answers} == {("commitment", "committed_at", "receipt", "seat")}
    assert len({len(answer.json()["receipt"]) for answer in answers}) == 1
    # As words, and beside the ids: four digits stand in the hexadecimal of some key every few hundred runs.
    told = [re.sub(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", b"", answer.content) for answer in answers]
    assert not any(re.search(rb"\b(pass|fail|9000)\b", words) for words in told)


def test_more_commitments_a_minute_of_one_person_than_the_rate_are_slowed(
    waiting_hens: World, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    assert settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]["commitments"] == "100/min"
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "commitments", "3/min")
    seat = seats_of(waiting_hens)[0]
    body = body_for(waiting_hens, seat)
    assert [post(seat, body).status_code for _ in range(4)] == [200, 200, 200, 429]
