"""What the API refuses it names: an unread field, a value that nothing has; each refusal has a word for programs."""

import json
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from accounts.models import Role
from accounts.services.tokens import make_token
from auditing.models import Audit, Campaign, Seat
from tests.factories.worlds import World, make_user

pytestmark = pytest.mark.django_db
JSON = "application/json"
NOBODY = UUID(int=7)
# Address -> a body that is right but for nothing; "audit", "seat" and "campaign" stand for the world's own.
BODIES: dict[str, dict[str, Any]] = {
    "traces": {"problem": "2 + 2?", "answer": "4"},
    "forecast": {"problem": "2 + 2?", "answer": "4"},
    "audits/{audit}/graph": {"decomposer": "rules"},
    "audits/{audit}/soundness": {"premises": "declared first"},
    "audits/{audit}/comments": {"segment": "S1", "text": "Why?"},
    "campaigns/{campaign}/steer": {"verb": "remind"},
    "endpoints": {"name": "a", "model": "b"},
    "endpoints/{nobody}/probe": {},
    "endpoints/{nobody}/consents": {"policy": 1},
    "consents/7/withdraw": {},
    "exports": {"dataset": "votes", "format": "csv"},
    "causal": {"public": 1},
    "desk/next": {},
    "seats/{seat}/pass": {"because": "tired"},
    "seats/{seat}/dispute": {"text": "It is right."},
    "seats/{seat}/opening": {"vote": 1},
    "seats/{seat}/commitment": {"commitment": "a"},
    "stake": {"points": 1},
    "stake/notices": {"points": 1},
}


@pytest.fixture
def program(recorded_hens: World) -> Client:
    secret = make_token(user=make_user("programs@example.org", *Role.values), name="programs")[1]
    return Client(headers={"Authorization": f"Bearer {secret}"})


def address_of(path: str) -> str:
    """With the ids of what there is."""
    return "/api/v1/" + path.format(
        audit=Audit.objects.all()[0].pk,
        seat=Seat.objects.all()[0].pk,
        campaign=Campaign.objects.get().pk,
        nobody=NOBODY,
    )


@pytest.mark.parametrize("path", BODIES)
def test_a_field_that_nobody_reads_is_named_and_refused(program: Client, path: str) -> None:
    answer = program.post(address_of(path), data=json.dumps(BODIES[path] | {"dead_line": "x"}), content_type=JSON)
    assert answer.status_code == 400, answer.content
    assert "'dead_line'" in answer.json()["detail"]


def test_every_address_that_takes_a_body_is_tried_above() -> None:
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    posts = {path.removeprefix("/api/v1/") for path, methods in paths.items() if "post" in methods}
    slots = {"{audit_id}": "{audit}", "{seat_id}": "{seat}", "{campaign_id}": "{campaign}"}
    slots |= {"{endpoint_id}": "{nobody}", "{number}": "7"}
    for name, slot in slots.items():
        posts = {path.replace(name, slot) for path in posts}
    # The body of the last one is a file: fields of its records that nobody reads are told, not refused.
    assert posts == {*BODIES, "traces/file"}


def test_an_unknown_field_is_named_with_its_place_and_those_that_are_read(program: Client) -> None:
    body = {"problem": "2?", "answer": "2", "tool_calls": [{"name": "sum"}, {"name": "sum", "outptu": "2"}]}
    answer = program.post("/api/v1/traces", data=json.dumps(body), content_type=JSON).json()
    assert answer["code"] == "UnknownField"
    assert answer["detail"] == "unknown field 'tool_calls[1].outptu'; its fields are: arguments, name, output."


def test_people_of_a_campaign_are_named_by_fields_that_are_read(program: Client) -> None:
    body = json.dumps({"role": "reviewers", "emails": [], "mails": []})
    answer = program.put(address_of("campaigns/{campaign}/people"), data=body, content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "UnknownField")


def described_queries() -> list[tuple[str, str, list[str]]]:
    """Each operation of the description: method, path, and the names that its address may have."""
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    return [
        (method, path, [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"])
        for path, operations in paths.items()
        for method, operation in operations.items()
    ]


def test_a_parameter_that_nobody_reads_is_named_and_refused_at_every_address(program: Client) -> None:
    for method, path, names in described_queries():
        address = path.replace("{number}", "7").replace("{", "").replace("}", "")
        for slot in ("audit_id", "seat_id", "campaign_id", "endpoint_id", "job_id", "batch_id"):
            address = address.replace(slot, str(NOBODY))
        address = address.replace("comment_id", str(NOBODY)).replace("withdrawal_id", str(NOBODY))
        answer = program.generic(method.upper(), f"{address}?limitt=5", content_type=JSON)
        assert (answer.status_code, answer.json()["code"]) == (400, "UnknownParameter"), (method, path)
        read = f"this address reads: {', '.join(sorted(names))}" if names else "this address reads none"
        assert answer.json()["detail"] == f"unknown parameter 'limitt'; {read}."


@pytest.mark.parametrize("path", ["audits", "campaigns"])
def test_every_parameter_that_is_described_is_read_and_so_is_the_form_of_the_answer(program: Client, path: str) -> None:
    (names,) = (
        names for method, address, names in described_queries() if (method, address) == ("get", f"/api/v1/{path}")
    )
    query = "&".join(f"{name}=" for name in names)
    assert {"after", "q", "sort"} <= set(names)
    assert program.get(f"/api/v1/{path}?{query}&format=json").status_code == 200


def test_a_stranger_is_not_told_which_parameters_there_are(recorded_hens: World) -> None:
    assert Client().get("/api/v1/audits?limitt=5").status_code == 401


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("audits?campaign=hens", "campaign"),
        ("audits?stage=recordde", "stage"),
        ("audits?outcome=hung", "outcome"),
        ("audits?sort=age", "sort"),
        ("campaigns?state=opne", "state"),
        ("campaigns?sort=-age", "sort"),
    ],
)
def test_a_value_that_no_row_can_have_is_refused_by_the_name_of_its_filter(
    program: Client, query: str, name: str
) -> None:
    answer = program.get(f"/api/v1/{query}")
    assert (answer.status_code, answer.json()["code"], next(iter(answer.json()))) == (400, "Invalid", name)


def test_a_choice_that_there_is_narrows(program: Client) -> None:
    assert len(program.get("/api/v1/audits?stage=recorded&sort=-title&outcome=&domain=").json()["audits"]) == 1
    assert program.get("/api/v1/audits?stage=routed").json()["audits"] == []


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "code"),
    [
        ("post", "traces", "{", 400, "Unreadable"),
        ("post", "exports", "{}", 400, "Invalid"),
        ("post", "exports", "[]", 400, "Invalid"),
        ("get", "audits?after=x", None, 400, "Unreadable"),
        ("get", f"audits/{NOBODY}", None, 404, "NotFound"),
        ("delete", "traces", None, 405, "MethodNotAllowed"),
        ("post", "traces", b"problem=x", 415, "UnsupportedMediaType"),
        ("get", "nowhere", None, 404, "NotFound"),
    ],
    ids=str,
)
def test_a_refusal_has_a_word_for_programs(
    program: Client, method: str, path: str, sent: Any, status: int, code: str
) -> None:
    kind = "application/x-www-form-urlencoded" if isinstance(sent, bytes) else JSON
    answer = program.generic(method.upper(), f"/api/v1/{path}", sent or "", content_type=kind)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize(
    ("path", "types"),
    [
        ("traces", "Content-Type: application/json."),
        ("traces/file", "Content-Type: application/octet-stream or application/x-ndjson or application/zip."),
    ],
)
def test_a_body_of_another_type_is_told_which_are_read(program: Client, path: str, types: str) -> None:
    form = "application/x-www-form-urlencoded"  # what curl sends where nothing else is said
    answer = program.post(f"/api/v1/{path}", b"{}", content_type=form)
    assert (answer.status_code, answer.json()["code"]) == (415, "UnsupportedMediaType")
    assert form in answer.json()["detail"]
    assert answer.json()["detail"].endswith(types)


def test_who_is_not_known_not_allowed_or_too_fast_is_told_so_in_a_word(recorded_hens: World, settings: Any) -> None:
    assert Client().get("/api/v1/audits").json()["code"] == "NotAuthenticated"
    stranger = Client(headers={"Authorization": "Bearer trust_none"})
    assert stranger.get("/api/v1/audits").json()["code"] == "AuthenticationFailed"
    secret = make_token(user=recorded_hens.reviewers[0], name="reads")[1]
    reviewer = Client(headers={"Authorization": f"Bearer {secret}"})
    assert reviewer.get("/api/v1/endpoints").json()["code"] == "PermissionDenied"
    settings.TRUST_UNKNOWN_PER_MINUTE = 1
    answers = [reviewer.get(f"/api/v1/audits/{NOBODY}") for _ in range(3)]
    assert (answers[-1].status_code, answers[-1].json()["code"]) == (429, "Throttled")


def test_the_description_has_the_word_of_every_refusal() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    refusal = schema["components"]["schemas"]["Refusal"]
    assert refusal["required"] == ["code"]
    answers = schema["paths"]["/api/v1/traces"]["post"]["responses"]
    assert {"400", "401", "402", "403", "404", "405", "409", "413", "415", "422", "429", "503"} <= answers.keys()


def test_a_text_that_is_null_is_taken_as_it_is_described(program: Client) -> None:
    described = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]["TraceSchema"][
        "properties"
    ]
    nullable = [name for name, field in described.items() if field.get("nullable")]
    assert "problem" in nullable
    body = {"answer": "4", "steps": ["2 + 2 = 4"]} | dict.fromkeys(set(nullable) - {"answer"})
    assert program.post("/api/v1/traces", data=json.dumps(body), content_type=JSON).status_code == 201


@pytest.mark.parametrize(
    ("body", "name", "words"),
    [
        ({"dataset": "votes", "format": "xml"}, "format", "'xml' is none of: jsonl, csv, parquet"),
        ({"dataset": "votes", "format": "csv", "gold": "some"}, "gold", "'some' is none of: any, only, without."),
        (
            {"dataset": "votes", "format": "csv", "since": "2026-03-02", "until": "2026-03-01"},
            "filters",
            "since: 2026-03-02 is after until, which is 2026-03-01: no day is between",
        ),
    ],
    ids=["format", "gold", "dates"],
)
def test_an_export_that_cannot_be_is_refused_with_what_could_be(
    program: Client, body: dict[str, str], name: str, words: str
) -> None:
    answer = program.post("/api/v1/exports", data=json.dumps(body), content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "Invalid")
    assert answer.json()[name][0].startswith(words)


def test_the_page_of_exports_refuses_dates_in_the_wrong_order(program: Client, recorded_hens: World) -> None:
    client = Client()
    client.force_login(recorded_hens.campaign.owner, backend="django.contrib.auth.backends.ModelBackend")
    sent = {"dataset": "votes", "format": "csv", "gold": "any", "simulated": "any", "imported": "any"}
    page = client.post("/research/exports", sent | {"since": "2026-03-02", "until": "2026-03-01"})
    assert page.status_code == 400
    assert "This day is before 2026-03-02" in page.content.decode()
    stream = client.get("/research/stream/votes.jsonl", {"since": "2026-03-02", "until": "2026-03-01"})
    assert (stream.status_code, "is after until" in stream.content.decode()) == (400, True)
