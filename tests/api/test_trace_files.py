"""A program hands a file of traces in: what can be read becomes audits, each record that cannot be is named."""

import io
import json
import zipfile
from typing import Any

import pytest
from django.test import Client

from accounts.services.tokens import make_token
from auditing.models import Audit
from auditing.research.importing import api
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db
GOOD = [{"problem": f"What is {n} + 2?", "answer": str(n + 2)} for n in range(3)]


def as_lines(*records: Any) -> bytes:
    return b"".join(record if isinstance(record, bytes) else json.dumps(record).encode() + b"\n" for record in records)


def packed(**files: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return file.getvalue()


def hand_in(world: World, body: bytes, content_type: str = "application/octet-stream", **asked: str) -> Any:
    client = Client()
    client.force_login(world.provider, backend="django.contrib.auth.backends.ModelBackend")
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    return client.post(f"/api/v1/traces/file?{query}", data=body, content_type=content_type)


def rows_of(answer: Any) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.getvalue().splitlines()]


def test_each_record_of_json_lines_becomes_an_audit_or_is_named_with_its_line(idle_hens: World) -> None:
    body = as_lines(GOOD[0], b"{half\n", {"problem": "x"}, GOOD[1])
    *rows, last = rows_of(hand_in(idle_hens, body, "application/x-ndjson"))
    refused = {row["record"]: row["refused"] for row in rows if "refused" in row}
    assert set(refused) == {2, 3}
    assert all(why.startswith(f"line {number}") for number, why in refused.items())
    audits = {row["record"]: row["audit"] for row in rows if "audit" in row}
    assert set(audits) == {1, 4}
    assert set(audits.values()) == {str(key) for key in Audit.objects.values_list("pk", flat=True)}
    assert last == {"opened": 2, "known": 0, "refused": 2, "ignored": []}


def test_the_same_file_again_opens_nothing_twice(idle_hens: World) -> None:
    first, again = (rows_of(hand_in(idle_hens, as_lines(*GOOD))) for _ in range(2))
    assert [row["audit"] for row in first[:-1]] == [row["audit"] for row in again[:-1]]
    assert (first[-1]["opened"], again[-1]["opened"], again[-1]["known"]) == (3, 0, 3)


def test_a_zip_is_read_file_by_file_and_what_is_wrong_is_named_by_its_file(idle_hens: World) -> None:
    body = packed(a_jsonl=as_lines(*GOOD[:2]), b_json=json.dumps(GOOD[2]).encode(), c_jsonl=b"{half\n")
    *rows, last = rows_of(hand_in(idle_hens, body, "application/zip"))
    assert (last["opened"], last["refused"]) == (3, 1)
    assert next(row["refused"] for row in rows if "refused" in row).startswith("c.jsonl: line 1")


def test_a_damaged_archive_is_refused_as_a_whole_and_nothing_of_it_stored(idle_hens: World) -> None:
    body = bytearray(packed(a_jsonl=as_lines(*GOOD), b_jsonl=as_lines({"problem": "z" * 99, "answer": "1"})))
    body[body.rindex(b"b.jsonl", 0, body.rindex(b"PK\x01\x02")) + 12] ^= 0xFF
    answer = hand_in(idle_hens, bytes(body))
    assert (answer.status_code, answer.json()["code"]) == (400, "Unreadable")
    assert "b.jsonl" in answer.json()["detail"]
    assert not Audit.objects.exists()


def test_a_dry_run_says_what_would_happen_and_stores_nothing(idle_hens: World) -> None:
    rows_of(hand_in(idle_hens, as_lines(GOOD[0])))
    *rows, last = rows_of(hand_in(idle_hens, as_lines(*GOOD[:2], b"{\n"), dry_run="true"))
    assert [row.get("is_new") for row in rows] == [None, False, True]
    assert (last["opened"], last["known"], last["refused"]) == (1, 1, 1)
    assert Audit.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "asked", "status", "said"),
    [
        (b"", {}, 400, "holds no"),
        (b"\x1f\x8b gzip", {}, 400, "gz"),
        (as_lines(GOOD[0]), {"formt": "record"}, 400, "unknown parameter"),
        (as_lines(GOOD[0]), {"kind": "nothing"}, 400, "is none of"),
        (as_lines(GOOD[0]), {"dry_run": "yes"}, 400, "is none of"),
        (as_lines(GOOD[0]), {"campaign": "7"}, 400, "address, campaign: is not an id"),
        (as_lines(GOOD[0]), {"tags": "t" * 101}, 400, "address, tags"),
        (as_lines(GOOD[0]), {"decomposer": "llm"}, 400, "agree"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name_and_stores_nothing(
    idle_hens: World, body: bytes, asked: dict[str, str], status: int, said: str
) -> None:
    answer = hand_in(idle_hens, body, **asked)
    assert answer.status_code == status, answer.content
    assert said in answer.content.decode()
    assert not Audit.objects.exists()


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(idle_hens: World, monkeypatch: Any) -> None:
    monkeypatch.setattr(api.TraceFile, "most_bytes", staticmethod(lambda: 100))
    assert hand_in(idle_hens, as_lines(*GOOD)).status_code == 413
    assert rows_of(hand_in(idle_hens, as_lines(GOOD[0])))[-1]["opened"] == 1


def test_only_providers_with_a_token_for_traces_hand_files_in(idle_hens: World) -> None:
    for user, scopes, status in (
        (idle_hens.reviewers[0], ["traces"], 403),
        (idle_hens.provider, ["read"], 403),
        (idle_hens.provider, ["traces"], 200),
    ):
        secret = make_token(user=user, name="t", scopes=scopes)[1]
        client = Client(headers={"Authorization": f"Bearer {secret}"})
        answer = client.post("/api/v1/traces/file", data=as_lines(GOOD[0]), content_type="application/octet-stream")
        assert answer.status_code == status, answer.content
