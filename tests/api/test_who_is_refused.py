"""Who may not is told who may, or how somebody proves who they are."""

import pytest
from django.test import Client

from accounts.services.tokens import make_token
from tests.factories.worlds import make_user
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("header", ["", "Token {}", "{}", "Basic YTpi"])
def test_a_header_that_is_not_read_is_answered_with_how_one_is_written(header: str) -> None:
    secret = make_token(user=make_user("programs@example.org", "provider"), name="programs")[1]
    answer = Client(headers={"Authorization": header.format(secret)}).get("/api/v1/audits")
    assert (answer.status_code, answer.json()["code"]) == (401, "NotAuthenticated")
    assert "as Authorization: Bearer TOKEN" in answer.json()["detail"]


def test_a_program_is_told_which_roles_an_address_is_for() -> None:
    reviewer = signed_in(make_user("reviewer@example.org", "reviewer"))
    answer = reviewer.post("/api/v1/traces", {"problem": "2?", "answer": "2"}, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"]) == (403, "This address is for: Provider, Admin.")


def test_whoever_has_no_role_at_present_is_told_so_and_not_every_role_there_is() -> None:
    page = signed_in(make_user("nobody@example.org")).get("/home")
    assert page.status_code == 403
    assert "You have no role at present, and this page needs one: an admin gives roles." in page.content.decode()
    assert "This page is for" not in page.content.decode()
