"""Studies as jobs: a stopped run goes on with its pieces, and an endpoint joins where a study may ask one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from auditing.research.models import StudyPiece, StudyRun
from auditing.research.studies import services
from auditing.research.studies.attribution import ask_who
from auditing.research.studies.dag_math import run_dag_math
from auditing.research.studies.instruments.dag_model import CAUSES, Drawn, why_unclosed
from auditing.research.studies.instruments.labelled import DataMissingError
from auditing.research.studies.instruments.model_tier import open_model
from auditing.research.studies.instruments.runner import STUDIES, Report, Run, Study, Table
from auditing.research.tasks import run_study
from auditing.services import jobs
from hdag.decomposers.rules import RulesDecomposer
from hdag.models import ChatCall, Endpoint
from hdag.readers.records import read_record
from tests.doubles.chat_server import RunningServer, run_server
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
DATA = Path(__file__).parents[4] / "shared" / "data"
public = pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not here")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with run_server() as running:
        yield running


@pytest.fixture
def endpoint(server: RunningServer, monkeypatch: Any) -> Endpoint:
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
    given = {"may_see": Endpoint.MaySee.TRACES, "audit_cap": 100, "daily_cap": 100, "max_concurrency": 1}
    return Endpoint.objects.create(name="loopback", base_url=server.url("oracle"), model="m-1", **given)


@pytest.fixture
def counted(monkeypatch: Any) -> list[str]:
    """A study of four pieces that notes which of them it did, and is cancelled by a person after the second."""
    done: list[str] = []
    stops = [1]

    def work(run: Run) -> Report:
        def make(name: str) -> str:
            done.append(name)
            return name.upper()

        found = []
        for place, name in enumerate("abcd"):
            found.append([run.piece(key=name, make=lambda: make(name))])  # noqa: B023
            if place in stops:
                stops.clear()
                jobs.cancel(job=StudyRun.objects.get())
            run.say(name, place / 4)
        return Report("Counted", [Table("All", ("piece",), found)])

    monkeypatch.setitem(STUDIES, "counted", Study("counted", "Counted", work))
    return done


def test_a_cancelled_study_goes_on_with_its_pieces_and_forgets_them_at_the_end(counted: list[str]) -> None:
    owner = make_user("researcher@example.org", "researcher")
    client = Client()
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    row = services.ask(owner=owner, study="counted", seed=1, full=False, options={})
    assert run_study(str(row.pk)) == "cancelled"
    assert (counted, StudyPiece.objects.count()) == (["a", "b"], 2)
    page = client.get(f"/research/studies/{row.pk}").content
    assert b"2 pieces of its work are kept" in b" ".join(page.split())
    stranger = Client()
    stranger.force_login(make_user("x@example.org", "researcher"), backend="django.contrib.auth.backends.ModelBackend")
    assert stranger.post(f"/research/studies/{row.pk}/take-up").status_code == 404
    assert client.post(f"/research/studies/{row.pk}/take-up").status_code == 302
    assert run_study(str(row.pk)) == "done"
    row.refresh_from_db()
    assert row.report["tables"][0]["rows"] == [["A"], ["B"], ["C"], ["D"]]
    assert (counted, StudyPiece.objects.count()) == (["a", "b", "c", "d"], 0)
    assert b"<style>" in client.get(f"/research/studies/{row.pk}.html").content
    assert not services.take_up(row=row)


@public
def test_dag_math_by_an_endpoint_has_closeness_gold_and_causes(endpoint: Endpoint) -> None:
    """The double leaves the second of three nodes unused; its gold chain loses its first node, which nobody uses."""
    run = Run(data=DATA, options={"endpoint": "loopback", "problems": "2", "traces": "2"})
    tables = {table.title: table for table in run_dag_math(run).tables}
    assert tables["Means over graphs"].rows[0][:3] == ["All", 4, 3.0]
    assert tables["Means over graphs"].rows[0][7] == 0.5
    assert {row[0]: row[1] for row in tables["Why a node is not used"].rows}["commentary"] == 4
    gold = tables["Gold graphs, three stages"].rows
    # Closeness, nodes pruned, node sets drawn, and what the checks said.
    assert [tuple(row[3:]) for row in gold] == [(1.0, 1, 1, "passed")] * 2


def test_a_model_is_asked_step_by_step_up_to_the_first_failure(endpoint: Endpoint) -> None:
    trace = read_record({"problem": "Add.", "steps": ["1 + 1 = 2", "2 + 2 = 5", "5 + 1 = 7"]}, where="test")
    graph = RulesDecomposer().decompose(trace)
    with open_model(run=Run(options={"endpoint": "loopback"}), study="benchmark") as model:
        assert model is not None
        assert model.first_failed(trace=trace, graph=graph) == 1
        assert model.first_failed(trace=trace, graph=graph, before=1) is None
    assert ChatCall.objects.filter(account="study:benchmark").count() == 3


def test_an_endpoint_that_may_not_see_traces_is_refused_by_name(endpoint: Endpoint) -> None:
    Endpoint.objects.update(may_see=Endpoint.MaySee.SEGMENTS)
    with pytest.raises(DataMissingError, match="no endpoint 'loopback' is enabled that may see whole traces"):
        STUDIES["dag_math"].run(Run(data=DATA, options={"endpoint": "loopback"}))


def test_a_model_names_the_turn_that_failed(endpoint: Endpoint) -> None:
    record = {"question": "Sum?", "history": [{"content": "Plan", "name": "A"}, {"content": "2 + 2 = 5", "name": "B"}]}
    with open_model(run=Run(options={"endpoint": "loopback"}), study="attribution") as model:
        assert model is not None
        assert ask_who(model=model, record=record) == 0


def test_the_causes_of_unused_nodes_by_hand() -> None:
    nodes = (
        "Ann has 5 hens.",
        "Every bird has wings.",
        "5 * 2 = 10",
        "7 + 1 = 8",
        "Nice so far.",
        "The sum is 10 - 1 = 9.",
    )
    drawn = Drawn(nodes, ((), (), (0,), (1,), (0, 2), (2,)), ("",) * 6, "9")
    problem = "Ann has 5 hens. How many eggs less one?"
    assert why_unclosed(drawn=drawn, index=0, problem=problem) == CAUSES[0]
    assert why_unclosed(drawn=drawn, index=1, problem=problem) == CAUSES[3]
    assert why_unclosed(drawn=drawn, index=2, problem=problem) == CAUSES[1]
    assert why_unclosed(drawn=drawn, index=3, problem=problem) == CAUSES[2]
    assert why_unclosed(drawn=drawn, index=4, problem=problem) == CAUSES[4]
