"""Idempotency-Key (docs/threats.md 29): a repeat gives the first answer, another body 422, two at once one effect."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.api.idempotency import idempotent
from accounts.models import RequestKey
from accounts.services import request_keys
from accounts.services.tokens import make_token
from auditing.models import Audit
from auditing.research.models import ExportJob
from tests.factories.worlds import World, make_user

pytestmark = pytest.mark.django_db
BODY = {"problem": "What is 2 + 2?", "answer": "4"}
EXPORT = {"dataset": "votes", "format": "jsonl"}


def post(user: Any, body: Any, key: str | None = "k-1", address: str = "/api/v1/traces") -> Any:
    headers = {"Authorization": f"Bearer {make_token(user=user, name='t')[1]}"} | (
        {"Idempotency-Key": key} if key is not None else {}
    )
    return Client().post(address, json.dumps(body), content_type="application/json", headers=headers)


def test_the_same_request_again_gives_the_same_answer(idle_hens: World) -> None:
    first, again = (post(idle_hens.provider, body) for body in (BODY, dict(reversed(BODY.items()))))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert Audit.objects.count() == 1


def test_what_is_not_one_by_its_content_is_made_once_too(idle_hens: World) -> None:
    researcher = make_user("r@example.org", "researcher")
    jobs = [post(researcher, EXPORT, address="/api/v1/exports").json() for _ in range(3)]
    assert jobs[0] == jobs[1] == jobs[2]
    assert ExportJob.objects.count() == 1


def test_the_key_with_another_body_or_address_answers_422(idle_hens: World) -> None:
    post(idle_hens.provider, BODY)
    assert post(idle_hens.provider, {**BODY, "answer": "5"}).status_code == 422
    assert post(idle_hens.provider, BODY, address=f"/api/v1/audits/{uuid4()}/graph").status_code == 422
    assert Audit.objects.count() == 1


def test_keys_of_two_people_have_nothing_to_do_with_each_other(idle_hens: World) -> None:
    post(idle_hens.provider, BODY)
    other = make_user("other@example.org", "provider")
    assert post(other, {**BODY, "answer": "5"}).status_code == 201


def test_a_mistake_is_not_kept(idle_hens: World) -> None:
    assert post(idle_hens.provider, {"problem": 7}).status_code == 400
    assert post(idle_hens.provider, BODY).status_code == 201


@pytest.mark.parametrize("key", ["", " ", "x" * 201, "schlüssel"])
def test_a_key_that_is_none_is_refused(idle_hens: World, key: str) -> None:
    assert post(idle_hens.provider, BODY, key).status_code == 400


def test_while_the_first_runs_the_second_is_told_to_wait(idle_hens: World) -> None:
    request_keys.begin(user=idle_hens.provider, key="k", digest=b"d" * 32)
    with pytest.raises(request_keys.StillRunningError):
        request_keys.begin(user=idle_hens.provider, key="k", digest=b"d" * 32)


def test_an_attempt_that_died_is_done_again(idle_hens: World) -> None:
    request_keys.begin(user=idle_hens.provider, key="k", digest=b"d" * 32)
    RequestKey.objects.update(at="2020-01-01T00:00Z")
    assert request_keys.begin(user=idle_hens.provider, key="k", digest=b"d" * 32) is None


def test_every_post_of_the_api_reads_the_key() -> None:
    from tests.pages.test_every_parameter import views

    naked = [
        name
        for name, view in views().items()
        if hasattr(getattr(view, "cls", None), "post") and not hasattr(view.cls.post, "__wrapped__")
    ]
    # a file that is sent again opens nothing twice, and its answer is streamed
    assert naked == ["api_trace_file"]
    assert idempotent(lambda view, request: request).__wrapped__  # type: ignore[attr-defined,arg-type,return-value]
