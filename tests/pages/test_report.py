"""The report for a consumer: one sentence, the first failing segment and why, the tree, provenance, JSON."""

from pathlib import Path
from typing import Any

import pytest

from auditing.core.values import Choice
from auditing.models import Audit, TraceOutcome
from auditing.research.reports.selectors.report import report_of
from hdag.readers import read_any
from tests.factories.worlds import make_user, make_world
from tests.pages.test_corridor_pages import signed_in
from tests.pages.test_trace_page import WRONG

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def _wrong_trace_recorded(built_once: Path) -> Any:
    world = make_world()
    audit = world.submit(WRONG)
    world.everybody_votes(audit, Choice.PASS)
    return audit.pk


@pytest.fixture
def audit(_wrong_trace_recorded: Any, db: None) -> Audit:
    """Everybody passed it; the computer tier found the error."""
    return Audit.objects.get(pk=_wrong_trace_recorded)


def test_a_consumer_reads_where_it_fails_and_why(audit: Audit) -> None:
    body = signed_in(make_user("c@example.org", "consumer")).get(f"/audits/{audit.pk}/report").content.decode()
    for words in ("Fails at step 2.", "It says 3 × 14 = 44; it is 42.", "Proved by computer."):
        assert words in body
    assert body.index("Fails at step 2.") < body.index("Rests on it") < body.index("What stands there")
    assert "Found by exact computation" in " ".join(body.split())
    assert "<math" in body
    for words in ("Provenance", "Campaign", "by computer", "segment by segment", "posterior"):
        assert words in body


def test_the_json_tells_the_same(audit: Audit) -> None:
    client = signed_in(make_user("c@example.org", "consumer"))
    said = client.get(f"/audits/{audit.pk}/report.json").json()
    assert (said["outcome"], said["first_failing"]) == ("fail", "O1")
    assert said["sentence"] == "Fails at step 2. It says 3 × 14 = 44; it is 42. Proved by computer."
    assert said["verdict"]["leading"] == "O1"
    assert said["verdict"]["confidence"].startswith("certain")
    assert said["decided_by"]["computer"] == 1
    assert said["graph"]["measures"]["nodes"] > 0
    assert said["recorded"] > said["opened"]
    api = client.get(f"/api/v1/audits/{audit.pk}").json()
    assert api.pop("models") == {"asked": [], "unasked": ""}  # whom models may be asked is no part of a report
    assert api == said


def test_the_graph_goes_out_in_the_form_of_the_paper_and_comes_in_again(audit: Audit) -> None:
    client = signed_in(make_user("c@example.org", "consumer"))
    answer = client.get(f"/audits/{audit.pk}/hdag.json")
    document = answer.json()
    assert answer["Content-Disposition"] == f'attachment; filename="hdag-{audit.pk}.json"'
    assert {node["abstraction_level"] for node in document["nodes"]} >= {"GOAL", "OPERATION"}
    assert document["metadata"]["total_edges"] == len(document["edges"])
    assert client.get(f"/api/v1/audits/{audit.pk}/hdag").json() == document
    assert f"/audits/{audit.pk}/hdag.json" in client.get(f"/audits/{audit.pk}/report").content.decode()
    (trace,) = read_any(document, where="here")
    assert "3 * 14" in trace.thinking
    stranger = signed_in(make_user("p@example.org", "provider"))
    for address in (f"/audits/{audit.pk}/hdag.json", f"/api/v1/audits/{audit.pk}/hdag"):
        assert stranger.get(address).status_code == 404


def test_the_tree_goes_down_from_the_goal(audit: Audit) -> None:
    tree = report_of(audit=audit).tree
    assert tree[0][0] == 0
    assert {line.value.id: depth for depth, line in tree}["O1"] == 2


def test_a_failure_of_the_whole_is_not_called_undecided(audit: Audit) -> None:
    report = report_of(audit=audit)
    whole = type(report)(audit, report.trace, None, (), TraceOutcome(outcome="fail"))
    assert whole.sentence.startswith("Fails as a whole. No segment alone fails")


def test_reasons_are_decrypted_only_where_the_verdict_needs_them(audit: Audit) -> None:
    voted = [line for line in report_of(audit=audit).lines if line.votes]
    decrypted = {line.value.id for line in voted for vote in line.votes if "rationale" in vars(vote)}
    assert decrypted == {line.value.id for line in voted if line.state == "fail"} != set()
    assert len(voted) > len(decrypted)
