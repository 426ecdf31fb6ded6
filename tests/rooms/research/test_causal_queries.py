"""Causal audits from queries: the agent writes the reasoning first; by page and by API, and for the owner alone."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.services.tokens import make_token
from auditing.models import Document
from auditing.research.causal import services
from auditing.research.causal.reruns.endpoint import Agent
from auditing.research.causal.services import CausalRefusedError, Helpers
from auditing.research.models import CausalBatch
from auditing.research.tasks import run_causal
from auditing.selectors.clock import database_now
from auditing.services.model_tier.documents import DocumentSearch
from auditing.services.model_tier.judges.tools import Toolbox
from hdag.chat.address import read_allowlist
from hdag.models import ChatCall, Endpoint
from hdag.store import content
from tests.doubles.chat_server import RunningServer, run_server
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
QUERIES = ("What is 3 + 5?", "What is 3 + 5, again?")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with run_server() as running:
        yield running


@pytest.fixture
def agent(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
    traces = Endpoint.MaySee.TRACES
    return Endpoint.objects.create(
        name="ours", base_url=server.url("oracle"), model="m-1", may_see=traces, audit_cap=100, max_concurrency=1
    )


def call(user: Any, method: str, address: str, body: Any = None) -> Any:
    headers = {"Authorization": f"Bearer {make_token(user=user, name=uuid4().hex[:8])[1]}"}
    data = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
    return getattr(Client(), method)(f"/api/v1/{address}", **data, headers=headers)


def written_by(agent: Endpoint) -> int:
    return ChatCall.objects.filter(purpose="policy").count()


def test_the_agent_writes_each_query_once_and_every_change_is_run_on(server: RunningServer, agent: Endpoint) -> None:
    batch = services.ask(
        owner=make_user("o@example.org", "researcher"),
        title="Queries",
        audits=[],
        public=0,
        helpers=Helpers(agent, None, QUERIES),
    )
    allowed = read_allowlist(server.origin)
    assert services.run(batch=batch, now=database_now(), public=[], allowed=allowed) == "done"
    assert {trial.trace for trial in batch.trials.all()} == {"query 1", "query 2"}
    batch.refresh_from_db()
    assert batch.queries is not None
    assert [row["answer"] for row in content.read_json(batch.queries)] == ["8", "8"]
    # Whoever goes on later finds the reasoning: nobody is asked to write it again.
    calls = written_by(agent)
    services.run(batch=batch, now=database_now(), public=[], allowed=allowed)
    assert (calls, written_by(agent)) == (2, 2)


def test_a_query_without_an_agent_is_refused(agent: Endpoint) -> None:
    owner = make_user("o@example.org", "researcher")
    with pytest.raises(CausalRefusedError, match="A query needs an agent"):
        services.ask(owner=owner, title="t", audits=[], public=0, helpers=Helpers(None, None, QUERIES))
    answer = call(owner, "post", "causal", {"queries": QUERIES})
    assert answer.status_code == 400
    assert "A query needs an endpoint" in answer.json()["queries"][0]


def test_a_batch_is_asked_for_followed_and_read_by_program(agent: Endpoint) -> None:
    owner = make_user("o@example.org", "researcher")
    asked = {"title": "By program", "queries": QUERIES[:1], "agent": "ours", "type": "premise_negation"}
    made = call(owner, "post", "causal", asked)
    assert (made.status_code, made.json()["state"], made.json()["tables"]) == (201, "waiting", [])
    address = f"causal/{made.json()['id']}"
    run_causal(made.json()["id"])
    said = call(owner, "get", address).json()
    assert said["state"] == "done", said
    titles = [table["title"] for table in said["tables"]]
    assert titles == ["What the answer did", "Violations", "Violations by type", "Distribution of phi"]
    lines = b"".join(call(owner, "get", f"{address}/trials").streaming_content).decode().splitlines()
    assert {json.loads(line)["trace"] for line in lines} == {"query 1"}
    assert [row["id"] for row in call(owner, "get", "causal").json()] == [made.json()["id"]]


def test_nobody_else_sees_a_batch_and_only_its_owner_stops_it(agent: Endpoint) -> None:
    owner, stranger = (make_user(f"{name}@example.org", "researcher") for name in "os")
    made = call(owner, "post", "causal", {"queries": QUERIES[:1], "agent": "ours"}).json()
    address = f"causal/{made['id']}"
    for method, path in (("get", address), ("delete", address), ("get", f"{address}/trials")):
        assert call(stranger, method, path).status_code == 404
    assert call(make_user("r@example.org", "reviewer"), "get", "causal").status_code == 403
    assert call(owner, "delete", address).json()["state"] == "cancelled"
    assert CausalBatch.objects.count() == 1


def test_an_endpoint_that_nobody_knows_is_named(agent: Endpoint) -> None:
    answer = call(make_user("o@example.org", "researcher"), "post", "causal", {"queries": ["x?"], "agent": "theirs"})
    assert answer.status_code == 400
    assert answer.json()["agent"] == ["No such endpoint may see whole traces; there are: ours."]


def test_a_rerun_searches_documents_only_where_the_operator_allows_it() -> None:
    admin = make_user("a@example.org", "admin")
    Document.objects.create(title="Physics", text="Water boils at 100 degrees at sea level.", added_by=admin)
    searching = Agent(None, None, "a", Toolbox(search=DocumentSearch()))  # type: ignore[arg-type]
    assert "100 degrees" in searching.toolbox.call(tool="search", text="water boils").text
    plain = Agent(None, None, "a")  # type: ignore[arg-type]
    assert not plain.toolbox.call(tool="search", text="water boils").ok
