"""Threats 1 to 14: ids that are not yours, extra fields, foreign hosts, forged forms (docs/threats.md)."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import Role, User
from accounts.services.roles import grant_role, revoke_role
from accounts.services.tokens import make_token
from auditing.core.values import Choice
from auditing.models import Audit, Commitment, Seat
from tests.factories.worlds import World, make_user, sealed_vote

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


def signed_in(user: Any, **options: Any) -> Client:
    client = Client(**options)
    client.force_login(user, backend=BACKEND)
    return client


def seat_of(user: User) -> Seat:
    return Seat.objects.select_related("round__audit", "round__segment__block").filter(auditor__user=user)[0]


def body_for(world: World, seat: Seat) -> dict[str, Any]:
    key = world.reveal_key.public_key()
    vote = sealed_vote(seat=seat, choice=Choice.PASS, confidence=9000, reveal_key=key)
    import base64

    return {
        "commitment": vote.digest.hex(),
        "rationale_digest": vote.rationale_digest.hex(),
        "sealed": base64.b64encode(vote.sealed or b"").decode(),
    }


def post(client: Client, seat_id: Any, body: Any) -> Any:
    return client.post(f"/api/v1/seats/{seat_id}/commitment", data=json.dumps(body), content_type="application/json")


def without_id(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.content.decode().replace(answer.headers.get("X-Request-Id", ""), "")


def test_the_seat_of_another_reviewer_answers_exactly_like_an_unknown_one(waiting_hens: World) -> None:
    client, theirs = signed_in(waiting_hens.reviewers[0]), seat_of(waiting_hens.reviewers[1])
    body = body_for(waiting_hens, theirs)
    answers = [post(client, key, body) for key in (theirs.pk, uuid4())]
    assert answers[0].status_code == answers[1].status_code == 404
    assert answers[0].json() == answers[1].json()
    assert not Commitment.objects.filter(seat=theirs).exists()


def test_the_decline_of_another_reviewers_seat_answers_exactly_like_an_unknown_one(waiting_hens: World) -> None:
    client, theirs = signed_in(waiting_hens.reviewers[0]), seat_of(waiting_hens.reviewers[1])
    answers = [client.post(f"/desk/{key}/decline", {"because": "unclear"}) for key in (theirs.pk, uuid4())]
    assert without_id(answers[0])[0] == 404
    assert without_id(answers[0]) == without_id(answers[1])
    theirs.refresh_from_db()
    assert theirs.stage == "offered"


@pytest.mark.parametrize("tail", ["", "/report", "/report.json"])
@pytest.mark.parametrize("role", ["reviewer", "provider", "consumer", "researcher"])
def test_an_open_audit_of_others_answers_exactly_like_an_unknown_one(waiting_hens: World, role: str, tail: str) -> None:
    client, audit = signed_in(make_user("other@example.org", role)), Audit.objects.get()
    known, unknown = (client.get(f"/audits/{key}{tail}") for key in (audit.pk, uuid4()))
    assert known.status_code == 404
    assert without_id(known) == without_id(unknown)
    assert client.get(f"/api/v1/audits/{audit.pk}").status_code == 404


def test_a_guess_finds_no_audit_by_search_for_those_who_may_not_read_it(waiting_hens: World) -> None:
    client, audit = signed_in(waiting_hens.reviewers[0]), Audit.objects.get()
    for words in (str(audit.pk), "Eggs", "hens"):
        assert client.get("/api/v1/audits", {"q": words}).json()["audits"] == []


def test_more_than_thirty_unknown_addresses_a_minute_shut_the_door(waiting_hens: World, settings: Any) -> None:
    settings.TRUST_UNKNOWN_PER_MINUTE = 30
    client = signed_in(waiting_hens.reviewers[0])
    assert {client.get(f"/audits/{uuid4()}").status_code for _ in range(30)} == {404}
    refused = client.get(f"/audits/{uuid4()}")
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert client.get("/desk").status_code == 429
    assert post(client, uuid4(), {}).status_code == 429
    assert signed_in(waiting_hens.reviewers[1]).get("/desk").status_code == 200


def test_a_forged_address_is_no_way_round_the_shut_door(settings: Any) -> None:
    settings.TRUST_UNKNOWN_PER_MINUTE = 5
    for number in range(5):
        Client().get(f"/nothing/{number}", headers={"X-Forwarded-For": f"10.0.0.{number}"})
    assert Client().get("/", headers={"X-Forwarded-For": "10.9.9.9"}).status_code == 429
    assert Client().get("/accounts/login/").status_code == 200


@pytest.mark.parametrize("name", ["reputation", "is_staff", "weight", "segment_id", "auditor", "stage", "round"])
def test_a_vote_with_an_extra_field_is_refused(waiting_hens: World, name: str) -> None:
    seat = seat_of(waiting_hens.reviewers[0])
    answer = post(signed_in(waiting_hens.reviewers[0]), seat.pk, {**body_for(waiting_hens, seat), name: 1})
    assert answer.status_code == 400
    assert name in answer.json()["detail"]
    assert not Commitment.objects.filter(seat=seat).exists()


@pytest.mark.parametrize("name", ["provider", "provider_id", "stage", "is_simulated", "outcome"])
def test_a_trace_with_an_extra_field_is_refused(waiting_hens: World, name: str) -> None:
    body = json.dumps({"problem": "p", "answer": "a", name: "pass"})
    answer = signed_in(waiting_hens.provider).post("/api/v1/traces", body, content_type="application/json")
    assert (answer.status_code, f"'{name}'" in answer.json()["detail"]) == (400, True)
    assert Audit.objects.count() == 1


def test_a_role_taken_in_the_middle_of_a_session_refuses_the_next_request(waiting_hens: World) -> None:
    user = waiting_hens.reviewers[0]
    client, seat = signed_in(user), seat_of(user)
    assert client.get("/desk").status_code == 200
    revoke_role(user=user, role=Role.REVIEWER)
    assert client.get("/desk").status_code == 403
    assert post(client, seat.pk, body_for(waiting_hens, seat)).status_code == 403
    assert not Commitment.objects.filter(seat=seat).exists()


def test_a_person_made_inactive_is_a_stranger_at_the_next_request(waiting_hens: World) -> None:
    client = signed_in(waiting_hens.reviewers[0])
    User.objects.filter(pk=waiting_hens.reviewers[0].pk).update(is_active=False)
    assert client.get("/desk").status_code == 302


@pytest.mark.parametrize("name", ["token", "access_token", "api_key", "Authorization"])
def test_a_token_in_the_address_is_refused_and_in_the_header_accepted(waiting_hens: World, name: str) -> None:
    _, secret = make_token(user=waiting_hens.provider, name="program")
    assert Client().get("/api/v1/audits", {name: secret}).status_code in (400, 401)
    assert Client().get("/api/v1/audits", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    assert (
        Client().get("/api/v1/audits", {name: secret}, headers={"Authorization": f"Bearer {secret}"}).status_code == 400
    )


def test_a_revoked_token_is_worth_nothing(waiting_hens: World) -> None:
    token, secret = make_token(user=waiting_hens.provider, name="program")
    type(token).objects.update(revoked_at=token.created_at)
    answer = Client().get("/api/v1/audits", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_token_gives_no_more_than_the_roles_of_its_person(waiting_hens: World) -> None:
    _, secret = make_token(user=waiting_hens.reviewers[0], name="program")
    answer = Client().post(
        "/api/v1/traces", "{}", content_type="application/json", headers={"Authorization": f"Bearer {secret}"}
    )
    assert answer.status_code == 403


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/accounts/password/reset/", "/api/v1/audits", "/healthz"])
def test_a_foreign_host_is_refused(path: str) -> None:
    assert Client(raise_request_exception=False).get(path, headers={"Host": "evil.com"}).status_code == 400


def test_a_reset_mail_is_the_same_page_for_all_and_never_names_a_foreign_host(mailoutbox: list[Any]) -> None:
    make_user("ada@example.org")
    pages = []
    for email in ("ada@example.org", "nobody@example.org"):
        answer = Client().post("/accounts/password/reset/", {"email": email}, follow=True)
        pages.append((answer.status_code, answer.redirect_chain))
    assert pages[0] == pages[1]
    forged = {"X-Forwarded-Host": "evil.com", "Origin": "http://testserver"}
    Client().post("/accounts/password/reset/", {"email": "ada@example.org"}, headers=forged)
    assert mailoutbox
    assert not any("evil.com" in mail.body for mail in mailoutbox)


def test_an_unknown_login_costs_as_much_hashing_as_a_known_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.contrib.auth.hashers import MD5PasswordHasher

    make_user("ada@example.org")
    hashed: list[str] = []
    true_encode = MD5PasswordHasher.encode

    def counted(self: Any, password: str, salt: str) -> str:
        hashed.append(password)
        return true_encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    costs = []
    for email in ("ada@example.org", "nobody@example.org"):
        hashed.clear()
        Client().post("/accounts/login/", {"login": email, "password": "wrong"})
        costs.append(len(hashed))
    assert costs[0] == costs[1] > 0, costs


def test_many_logins_from_one_machine_are_slowed_whatever_address_they_claim() -> None:
    answers = [
        Client().post(
            "/accounts/login/",
            {"login": f"x{number}@example.org", "password": "wrong"},
            headers={"X-Forwarded-For": f"10.1.{number}.1"},
        )
        for number in range(33)
    ]
    assert answers[-1].status_code == 429
    assert "Too many" in answers[-1].content.decode()


@pytest.mark.parametrize("host", ["http://evil.com", "null", "http://testserver.evil.com"])
def test_a_form_from_another_site_changes_nothing(waiting_hens: World, host: str) -> None:
    seat = seat_of(waiting_hens.reviewers[0])
    client = signed_in(waiting_hens.reviewers[0], enforce_csrf_checks=True)
    client.get("/desk")
    token = client.cookies["csrftoken"].value
    headers = {"X-CSRFToken": token, "Origin": host}
    address = f"/api/v1/seats/{seat.pk}/commitment"
    body = json.dumps(body_for(waiting_hens, seat))
    assert client.post(address, body, content_type="application/json", headers=headers).status_code == 403
    assert client.post(address, body, content_type="application/json").status_code == 403
    assert client.post(f"/desk/{seat.pk}/decline", {"because": "unclear"}, headers=headers).status_code == 403
    assert not Commitment.objects.filter(seat=seat).exists()
    mine = {"X-CSRFToken": token, "Origin": "http://testserver"}
    assert client.post(address, body, content_type="application/json", headers=mine).status_code == 200


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete", "head"])
def test_only_post_seals_a_vote(waiting_hens: World, method: str) -> None:
    seat = seat_of(waiting_hens.reviewers[0])
    answer = getattr(signed_in(waiting_hens.reviewers[0]), method)(f"/api/v1/seats/{seat.pk}/commitment")
    assert answer.status_code == 405
    assert not Commitment.objects.filter(seat=seat).exists()


def test_after_signing_out_the_old_cookie_opens_nothing(waiting_hens: World) -> None:
    client = signed_in(waiting_hens.provider)
    kept = client.cookies["sessionid"].value
    assert client.get("/audits").status_code == 200
    client.post("/accounts/logout/")
    thief = Client()
    thief.cookies["sessionid"] = kept
    assert thief.get("/audits").status_code == 302


def test_a_role_given_later_opens_the_door_without_a_new_login(waiting_hens: World) -> None:
    user = make_user("new@example.org")
    client = signed_in(user)
    assert client.get("/desk").status_code == 403
    grant_role(user=user, role=Role.REVIEWER)
    assert client.get("/desk").status_code == 200
