"""The trace page: graph, list, filters, the segment in its source, the measures, the computer's evidence."""

import math
import re
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from auditing.checker.registry import VERSION
from auditing.core.values import Choice
from auditing.models import Audit, Commitment
from auditing.verifier import verify_proofs
from hdag.core.values import ToolCall, Trace
from hdag.models import Block
from hdag.store import content
from tests.factories.worlds import TRACE, World
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
WRONG = Trace(
    problem="Tom has 3 bags of 14 nuts. How many nuts has he?",
    thinking="Each bag holds 14 nuts.\n\nSo he has 3 * 14 = 44 nuts.",
    answer="44 nuts",
    tool_calls=(ToolCall("calculator", "3 * 14", "42"),),
    domain="school maths",
    title="Nuts",
)


@pytest.fixture(scope="module")
def audit(_idle_hens: World) -> Audit:
    audit = _idle_hens.submit(WRONG)
    _idle_hens.settle_machines()
    audit.refresh_from_db()
    return audit


@pytest.fixture
def client(idle_hens: World) -> Client:
    return signed_in(idle_hens.provider)


def long_trace(paragraphs: int) -> Trace:
    """About four segments a paragraph."""
    said = [
        f"Then we take {n} boxes of {n + 1} pens, so $ {n} \\cdot {n + 1} = {n * (n + 1)} $ pens are there. "
        f"Hence they add up with the earlier ones, {n + 3} + {n + 5} = {2 * n + 8}."
        for n in range(2, paragraphs + 2)
    ]
    return Trace(problem="How many pens?", thinking="\n\n".join(said), answer="1000 pens", title=f"Pens {paragraphs}")


def test_a_withdrawn_audit_waits_for_nobody_and_the_step_is_asked_back(client: Client, idle_hens: World) -> None:
    audit = idle_hens.submit()
    idle_hens.settle_machines()
    page = client.get(f"/audits/{audit.pk}").content.decode()
    assert re.search(r"\d rounds?: Auditors seal their votes\.", page)
    assert "cannot be taken up again" in page
    client.post(f"/audits/{audit.pk}/withdraw")
    page = client.get(f"/audits/{audit.pk}").content.decode()
    assert "Withdrawn by its provider." in page
    assert "Auditors seal their votes." not in page


def test_the_first_failing_segment_is_shown_in_its_source(client: Client, audit: Audit) -> None:
    page = client.get(f"/audits/{audit.pk}")
    shown = page.context["view"].shown.line
    assert shown.state == "fail"
    body = page.content.decode()
    assert "<mark" in body
    for title in ("Problem", "Thinking", "Answer", "Tool call 1: calculator"):
        assert f"<h3>{title}</h3>" in body
    marked = [pane for pane in page.context["view"].panes if pane.spans]
    (start, end), text = marked[0].spans[0], marked[0].text
    assert text[start:end] == shown.value.content


def test_a_segment_is_chosen_by_its_address_with_why_and_features(client: Client, audit: Audit) -> None:
    page = client.get(f"/audits/{audit.pk}", {"segment": "ST1"})
    shown = page.context["view"].shown
    assert shown.line.value.id == "ST1"
    body = " ".join(page.content.decode().split())
    for words in ("Why this tier", "Look at", "Complexity", "medium from 2.4"):
        assert words in body
    scaled = [(one.weight, math.log1p(one.value) if one.is_count else one.value) for one in shown.features]
    assert shown.score == pytest.approx(sum(weight * value for weight, value in scaled))


@pytest.mark.parametrize(("name", "value"), [("tier", "computer"), ("state", "fail"), ("level", "operation")])
def test_the_list_is_narrowed_without_script(client: Client, audit: Audit, name: str, value: str) -> None:
    everything = client.get(f"/audits/{audit.pk}").context["view"].lines
    page = client.get(f"/audits/{audit.pk}", {name: value})
    view = page.context["view"]
    of = {"tier": lambda line: line.tier, "state": lambda line: line.state, "level": lambda line: line.value.level}
    wanted = [line.value.id for line in everything if of[name](line) == value]
    assert wanted
    assert [line.value.id for line in view.lines] == wanted
    assert {node.id for node in page.context["drawing"].nodes if not node.is_faded} == set(wanted)
    assert f'<option selected value="{value}" > {value} </option>' in " ".join(page.content.decode().split())


@pytest.mark.parametrize("said", [{"tier": "'"}, {"state": "\x00"}, {"segment": "ST99"}, {"level": "<b>"}])
def test_a_filter_that_names_nothing_leaves_the_page_whole(client: Client, audit: Audit, said: dict[str, str]) -> None:
    page = client.get(f"/audits/{audit.pk}", said)
    assert page.status_code == 200
    assert len(page.context["view"].lines) == len(page.context["report"].lines)


def test_a_filter_that_matches_nothing_says_so(client: Client, audit: Audit) -> None:
    page = client.get(f"/audits/{audit.pk}", {"state": "hung"})
    assert "No segment matches" in page.content.decode()


def test_htmx_fetches_only_what_changed(client: Client, audit: Audit) -> None:
    reading = client.get(f"/audits/{audit.pk}", {"segment": "O1"}, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="reading")
    assert reading.content.decode().lstrip().startswith('<div id="reading"')
    whole = client.get(f"/audits/{audit.pk}", HTTP_HX_REQUEST="true", HTTP_HX_TARGET="audit").content.decode()
    assert "<html" not in whole
    assert 'id="narrow"' in whole


def test_measures_and_flow_stand_on_the_page_as_they_were_stored(client: Client, audit: Audit) -> None:
    page = client.get(f"/audits/{audit.pk}")
    metrics = page.context["view"].metrics
    assert metrics == audit.job.metrics
    assert {"closeness", "dead_branch_rate", "density", "max_in_degree"} <= metrics["measures"].keys()
    assert {"entries", "critical_path", "tracks", "exits"} <= metrics["flow"].keys()
    assert "Critical path" in page.content.decode()


def test_the_number_of_queries_does_not_grow_with_the_trace(client: Client, idle_hens: World) -> None:
    counts = []
    for paragraphs in (2, 12):
        audit = idle_hens.submit(long_trace(paragraphs))
        idle_hens.walk()
        client.get("/audits")  # whatever the first page of a client asks besides
        with CaptureQueriesContext(connection) as asked:
            page = client.get(f"/audits/{audit.pk}")
        counts.append((len(page.context["report"].lines), len(asked)))
    assert counts[1][0] > 3 * counts[0][0]
    assert counts[1][1] == counts[0][1] <= 19  # the last one: may models be asked


def test_the_computer_vote_is_explained(client: Client, audit: Audit) -> None:
    failing = client.get(f"/audits/{audit.pk}").context["view"].shown.line.value.id
    address = f"/audits/{audit.pk}/segments/{failing}/computer"
    assert address in client.get(f"/audits/{audit.pk}").content.decode()
    body = client.get(address).content.decode()
    assert "3 * 14 is 42, not 44." in body
    assert "This is false" in body
    assert body.count("<math") >= 3
    assert "<code>42</code>" in body
    assert "Tolerance" in body
    assert "exact rational arithmetic" in body.lower()
    assert "What re-checks it" in body
    assert f"Checkers of version {VERSION}" in body


def test_the_computer_vote_is_a_file_that_a_stranger_re_checks(
    client: Client, audit: Audit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = client.get(f"/audits/{audit.pk}").context["view"].shown.line.value.id
    address = f"/audits/{audit.pk}/segments/{failing}/computer.json"
    assert address in client.get(f"/audits/{audit.pk}/segments/{failing}/computer").content.decode()
    answer = client.get(address)
    (tmp_path / "vote.json").write_bytes(answer.content)
    assert verify_proofs.main([str(tmp_path / "vote.json")]) == 0
    assert "0 refused" in capsys.readouterr().out
    served = Client().get("/verify/verify_proofs.py")
    assert served.content == Path(verify_proofs.__file__).read_bytes()
    assert "/verify/verify_proofs.py" in Client().get("/verify").content.decode()
    commitments = Commitment.objects.filter(seat__round__audit=audit)
    assert answer.json()["vote"]["digest"] in {bytes(row.rationale_digest).hex() for row in commitments}
    assert client.get(f"/audits/{audit.pk}/segments/ST99/computer.json").status_code == 404


def test_an_abstention_says_what_it_means(client: Client, audit: Audit) -> None:
    body = client.get(f"/audits/{audit.pk}/segments/ST1/computer").content.decode()
    assert "An abstention passes the segment on" in body
    assert client.get(f"/audits/{audit.pk}/segments/ST99/computer").status_code == 404


def test_the_computer_page_is_as_private_as_the_audit(idle_hens: World, audit: Audit) -> None:
    reviewer = signed_in(idle_hens.reviewers[0])
    assert reviewer.get(f"/audits/{audit.pk}/segments/O1/computer.json").status_code == 404
    assert reviewer.get(f"/audits/{audit.pk}/segments/O1/computer").status_code == 404
    assert reviewer.get(f"/audits/{audit.pk}/graph").status_code == 404


def test_how_the_graph_was_made(client: Client, audit: Audit) -> None:
    body = client.get(f"/audits/{audit.pk}/graph").content.decode()
    for words in ("rules", "Invariants", "None were needed", " ms for "):
        assert words in body


@pytest.mark.parametrize("place", ["", "/report", "/graph", "/segments/O1/computer", "/report.json"])
def test_erased_text_is_said_plainly(client: Client, audit: Audit, place: str) -> None:
    content.erase(Block.objects.all())
    page = client.get(f"/audits/{audit.pk}{place}")
    assert page.status_code == 410
    assert "erased" in page.content.decode()


def test_damaged_text_is_said_plainly(client: Client, audit: Audit) -> None:
    Block.objects.update(ciphertext=b"x" * 40)
    page = client.get(f"/audits/{audit.pk}")
    assert page.status_code == 500
    assert "damaged" in page.content.decode()
    assert client.get(f"/api/v1/audits/{audit.pk}").json()["detail"]


def test_hostile_text_stays_text(idle_hens: World, client: Client) -> None:
    bad = "<script>alert(1)</script> $\\href{javascript:x}{a}$ <img src=x onerror=y>"
    audit = idle_hens.submit(Trace(problem=bad, thinking=bad + "\n\n" + bad, answer=bad, title=bad[:200]))
    idle_hens.settle_machines()
    for place in ("", "/report", "/graph", "?segment=ST1"):
        body = client.get(f"/audits/{audit.pk}{place}").content.decode()
        assert "<script>alert" not in body
        assert "<img" not in body
        assert "javascript:x" not in body or 'href="javascript' not in body


def test_votes_of_open_rounds_are_not_shown(client: Client, idle_hens: World) -> None:
    audit = idle_hens.submit(TRACE)
    idle_hens.settle_machines()
    idle_hens.vote(idle_hens.reviewers[0], Choice.FAIL)
    lines = client.get(f"/audits/{audit.pk}").context["report"].lines
    assert {vote.tier for line in lines for vote in line.votes} == {"computer"}
