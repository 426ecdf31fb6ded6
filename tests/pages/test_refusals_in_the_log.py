"""An expected refusal is one line of the log, whatever refuses it; a fault of ours keeps its stack."""

import logging
from collections.abc import Callable, Iterator
from io import StringIO
from types import ModuleType
from typing import Any

import pytest
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import Http404, HttpResponse, UnreadablePostError
from django.test import Client
from django.urls import path

from tests.factories.worlds import make_user
from tests.pages.test_corridor_pages import signed_in
from trustweb.middleware import failures

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines() -> Iterator[Callable[[], list[str]]]:
    """What the log of the web program would hold, as it is set up in production."""
    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(failures.OneLine())
    handler.addFilter(failures.AddRequestId())
    logging.getLogger().addHandler(handler)
    yield lambda: written.getvalue().splitlines()
    logging.getLogger().removeHandler(handler)


def ask_for_an_admins_page(client: Client) -> Any:
    return client.get("/people")


def ask_for_nothing(client: Client) -> Any:
    return client.get("/no/such/page")


def name_another_host(client: Client) -> Any:
    return client.get("/", headers={"Host": "evil.example"})


def send_a_form_from_elsewhere(client: Client) -> Any:
    careful = Client(enforce_csrf_checks=True)
    careful.cookies = client.cookies
    return careful.post("/submit", {})


def send_too_many_fields(client: Client) -> Any:
    return client.post("/submit", {f"field{number}": "x" for number in range(2_000)})


def send_too_many_files(client: Client) -> Any:
    return client.post("/submit", {f"file{number}": SimpleUploadedFile("a", b"x") for number in range(200)})


def send_a_broken_form(client: Client) -> Any:
    return client.post("/submit", b"--x\r\nrubbish", content_type="multipart/form-data; boundary=" + "é" * 3)


def use_another_method(client: Client) -> Any:
    return client.delete("/healthz")


def ask_the_api_without_a_token(client: Client) -> Any:
    return Client().get("/api/v1/audits")


def hand_the_api_rubbish(client: Client) -> Any:
    return client.post("/api/v1/traces", b"{", content_type="application/json")


REFUSALS = [
    (ask_for_an_admins_page, 403),
    (ask_for_nothing, 404),
    (name_another_host, 400),
    (send_a_form_from_elsewhere, 403),
    (send_too_many_fields, 400),
    (send_too_many_files, 400),
    (send_a_broken_form, 400),
    (use_another_method, 405),
    (ask_the_api_without_a_token, 401),
    (hand_the_api_rubbish, 400),
]


@pytest.mark.parametrize(("ask", "status"), REFUSALS)
def test_a_refusal_is_one_line(lines: Callable[[], list[str]], ask: Callable[[Client], Any], status: int) -> None:
    client = signed_in(make_user("maria@example.org", "provider"))
    before = len(lines())
    assert ask(client).status_code == status
    assert len(lines()) == before + 1, lines()[before:]


RAISED = [
    PermissionDenied("This page is for: Admin."),
    Http404("nothing"),
    BadRequest("no"),
    SuspiciousOperation("no"),
    UnreadablePostError("gone"),
    ConnectionResetError("gone"),
]


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_whatever_a_view_refuses_with_is_one_line(
    lines: Callable[[], list[str]], settings: Any, error: Exception
) -> None:
    answered_by(settings, error)
    Client(raise_request_exception=False).get("/asked")
    assert len(lines()) == 1, lines()


def test_a_fault_of_ours_keeps_its_stack(lines: Callable[[], list[str]], settings: Any) -> None:
    answered_by(settings, ValueError("what is this"))
    Client(raise_request_exception=False).get("/asked")
    assert any("Traceback" in line for line in lines())


def answered_by(settings: Any, error: Exception) -> None:
    """A site of one page, which raises this."""

    def refuse(request: Any) -> HttpResponse:
        raise error

    settings.ROOT_URLCONF = site = ModuleType("refusing")
    site.urlpatterns = [path("asked", refuse)]  # type: ignore[attr-defined]
    for status in (400, 403, 404, 500):
        name = {400: "bad_request", 403: "forbidden", 404: "not_found", 500: "server_error"}[status]
        setattr(site, f"handler{status}", f"trustweb.middleware.failures.show_{name}")
