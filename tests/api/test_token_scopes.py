"""A token does what it was made for, until its end; what it may do is asked in no statement of its own."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import ApiToken, Role, Scope
from accounts.services import tokens
from auditing.models import Audit, Seat
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in
from tests.tools.reviewer import NEXT
from trustweb import docs

pytestmark = pytest.mark.django_db
TRACE = {"problem": "2?", "answer": "2"}


def program(user: Any, *scopes: str, **options: Any) -> Client:
    _, secret = tokens.make_token(user=user, name="scoped", scopes=scopes, **options)
    return Client(headers={"authorization": f"Bearer {secret}"})


def post(client: Client, address: str, body: Any = None) -> Any:
    return client.post(address, body, content_type="application/json")


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def test_a_token_for_reading_changes_nothing(waiting_hens: World) -> None:
    everybody = make_user("all@example.org", *Role.values)
    client, audit = program(everybody, Scope.READ), Audit.objects.get()
    assert client.get("/api/v1/audits").status_code == 200
    assert client.get(f"/api/v1/audits/{audit.pk}/graph").status_code == 200
    for address in ("/api/v1/traces", "/api/v1/forecast", "/api/v1/exports", NEXT, f"/api/v1/audits/{audit.pk}/graph"):
        assert code(post(client, address, TRACE)) == (403, "OutOfScope")
    assert Audit.objects.count() == 1


def test_a_token_for_traces_hands_in_and_takes_no_seat(waiting_hens: World) -> None:
    everybody = make_user("all@example.org", *Role.values)
    client = program(everybody, Scope.TRACES)
    assert post(client, "/api/v1/forecast", TRACE).status_code == 200
    assert code(post(client, NEXT)) == code(client.get("/api/v1/audits")) == (403, "OutOfScope")
    assert client.get(f"/api/v1/audits/{Audit.objects.get().pk}/graph").status_code == 200


def test_whoever_may_only_read_takes_no_seat_either_where_the_token_is_looked_up_by_the_claim(
    waiting_hens: World,
) -> None:
    client = program(waiting_hens.reviewers[0], Scope.READ)
    assert client.get("/api/v1/audits").status_code == 200  # from now on it is known
    with CaptureQueriesContext(connection) as asked:
        assert code(post(client, NEXT)) == (403, "OutOfScope")
    assert not any("trust_claim_seat" in query["sql"] for query in asked)
    assert not Seat.objects.filter(stage="held").exists()


def test_a_token_to_audit_does(waiting_hens: World) -> None:
    client = program(waiting_hens.reviewers[0], Scope.AUDIT)
    assert post(client, NEXT).json()["seat"]
    assert client.get("/api/v1/stake").status_code == 200


def test_a_refusal_names_the_scope_that_is_missing(waiting_hens: World) -> None:
    client = program(waiting_hens.provider, Scope.READ)
    assert post(client, "/api/v1/traces", TRACE).json()["detail"] == (
        "This token lacks the scope traces: make one that has it on API tokens."
    )


def test_whoever_is_signed_in_at_the_pages_needs_no_scope(waiting_hens: World) -> None:
    assert post(signed_in(waiting_hens.reviewers[0]), NEXT).json()["seat"]


def test_a_token_of_before_may_everything_and_has_no_end(waiting_hens: World) -> None:
    secret = "trust_old"
    ApiToken.objects.create(user=waiting_hens.reviewers[0], name="old", prefix="trust_", digest=tokens.digest(secret))
    assert post(Client(headers={"authorization": f"Bearer {secret}"}), NEXT).json()["seat"]
    page = " ".join(signed_in(waiting_hens.reviewers[0]).get("/me/tokens").content.decode().split())
    assert '<td data-label="Scopes"> all </td>' in page
    assert "no end" in page


def test_after_its_end_a_token_is_refused_by_name(waiting_hens: World) -> None:
    end = timezone.now() - timedelta(minutes=1)
    answer = program(waiting_hens.provider, *Scope, expires_at=end).get("/api/v1/audits")
    assert code(answer) == (401, "TokenExpired")
    assert f"{end:%Y-%m-%d %H:%M} UTC" in answer.json()["detail"]


def test_a_revoked_token_is_unknown_also_after_its_end(waiting_hens: World) -> None:
    client = program(waiting_hens.provider, *Scope, expires_at=timezone.now() - timedelta(minutes=1))
    ApiToken.objects.update(revoked_at=timezone.now())
    assert code(client.get("/api/v1/audits")) == (401, "AuthenticationFailed")


def test_a_token_that_is_revoked_between_two_requests_is_told_what_to_do(waiting_hens: World) -> None:
    client, person = program(waiting_hens.provider, *Scope), signed_in(waiting_hens.provider)
    assert client.get("/api/v1/audits").status_code == 200
    person.post(f"/me/tokens/{ApiToken.objects.get().public_id}/revoke")
    for answer in (client.get("/api/v1/audits"), post(client, "/api/v1/traces", TRACE)):
        assert code(answer) == (401, "AuthenticationFailed")
        assert answer.json()["detail"].endswith("make another one on API tokens.")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert "revoked" in person.get("/me/tokens").content.decode()


def test_a_token_whose_end_comes_within_the_minute_is_looked_at_again_then(waiting_hens: World) -> None:
    now = timezone.now()
    end = now + timedelta(seconds=20)
    _, secret = tokens.make_token(user=waiting_hens.provider, name="short", expires_at=end)
    assert tokens.use_token(secret=secret, now=now)
    assert tokens.find_shown(secret=secret, now=end - timedelta(seconds=1))
    assert tokens.find_shown(secret=secret, now=end) is None
    with pytest.raises(tokens.TokenExpiredError):
        tokens.use_token(secret=secret, now=end)


def test_a_claim_looks_at_the_end_of_the_token_in_its_own_statement(waiting_hens: World) -> None:
    client = program(waiting_hens.reviewers[0], *Scope)
    assert client.get("/api/v1/audits").status_code == 200
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))  # nobody does so; then it holds at once
    assert code(post(client, NEXT)) == (401, "TokenExpired")


SCOPES = {
    "read": {"get"},
    "traces": {"post /traces", "post /file", "post /forecast", "post /graph", "post /soundness"},
    "audit": {"post /next", "post /pass", "post /dispute", "post /opening", "post /commitment"}
    | {"post /stake", "post /notices", "delete /{withdrawal_id}"},
}


def test_each_operation_is_described_with_the_scopes_that_open_it(client: Client) -> None:
    rooms = docs.list_rooms(docs.SchemaGenerator().get_schema(request=None, public=True))
    operations = [operation for _, listed in rooms for operation in listed]
    writing = {}
    for operation in operations:
        if operation["method"] == "GET":
            assert operation["scopes"].split(" or ")[0] == "read"
        else:
            key = f"{operation['method'].lower()} /{operation['path'].rstrip('/').split('/')[-1]}"
            writing.setdefault(operation["scopes"], set()).add(key)
    assert writing["traces"] == SCOPES["traces"]
    assert writing["audit"] == SCOPES["audit"]
    assert writing.keys() == {"traces", "audit", "manage"}
    assert "Scope of the token: <code>traces</code>" in client.get("/api/docs").content.decode()


def test_the_page_makes_tokens_of_ninety_days_for_reading_unless_told_otherwise(waiting_hens: World) -> None:
    client = signed_in(waiting_hens.provider)
    form = client.get("/me/tokens").context["form"]
    assert (form["scopes"].value(), form["days"].value()) == (["read"], 90)
    client.post("/me/tokens", {"name": "nightly", "scopes": ["read", "traces"], "days": "30"})
    token = ApiToken.objects.get()
    assert token.scopes == ["read", "traces"]
    assert "30 days left" in " ".join(client.get("/me/tokens").content.decode().split())


@pytest.mark.parametrize("wrong", [{"scopes": []}, {"scopes": ["all"]}, {"days": "9000"}, {"days": ""}])
def test_a_token_without_scopes_or_with_another_end_is_not_made(waiting_hens: World, wrong: dict[str, Any]) -> None:
    form = {"name": "nightly", "scopes": ["read"], "days": "30"} | wrong
    assert signed_in(waiting_hens.provider).post("/me/tokens", form).status_code == 422
    assert not ApiToken.objects.exists()
