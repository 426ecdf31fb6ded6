"""The RADO loop end to end with the loopback model: evaluations audited, mined, corrected, rows that validate."""

import json
import os
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from auditing.research.models import Correction, Evaluation, Iteration, TrainingLoop
from auditing.research.rado import services
from auditing.research.rado.core import Task, check_row
from auditing.research.rado.training_rows import SPLITS
from auditing.research.tasks import run_iteration
from hdag.models import ChatCall, Endpoint
from hdag.store import content
from tests.doubles.chat_server import run_server
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
EVALUATIONS = int(os.environ.get("TRUST_EVALUATIONS", "40"))  # 200 and 20 once a release, see docs/guides/research.md
CORRECTIONS = int(os.environ.get("TRUST_CORRECTIONS", "6"))
AUDIT = "<think><function>add(2, 3)</function><result>5.0</result>It adds up.</think><answer>{}</answer>"
LONG = "The response adds the two numbers of the problem, carries nothing over, and states the sum at the end as asked."


def record(number: int, **said: Any) -> dict[str, Any]:
    total = number // 2 + 3 + (number % 2)  # every second evaluation praises a wrong sum
    given = {
        "id": f"e{number}",
        "problem": f"p{number // 2}",
        "prompt": f"What is {number // 2} + 3?\nResponse: see below.",
        "evaluation": f"[1, 1] {number // 2} + 3 = {total}. {LONG}",
    }
    return {**given, **said}


@pytest.fixture
def researcher() -> Any:
    return make_user("researcher@example.org", "researcher")


@pytest.fixture
def client(researcher: Any) -> Client:
    made = Client()
    made.force_login(researcher, backend="django.contrib.auth.backends.ModelBackend")
    return made


@pytest.fixture
def loop(researcher: Any) -> TrainingLoop:
    return services.open_loop(owner=researcher, title="Sums")


def hand_in(client: Client, loop: TrainingLoop, records: list[dict[str, Any]], **said: Any) -> Any:
    lines = "\n".join(json.dumps(one) for one in records).encode()
    file = SimpleUploadedFile("evaluations.jsonl", lines)
    return client.post(f"/research/rado/{loop.pk}", {"file": file, "reward_model": "rm-1", **said}, follow=True)


def lines_of(client: Client, loop: TrainingLoop, task: Task, query: str = "") -> list[Any]:
    answer = client.get(f"/research/rado/{loop.pk}/{task}.jsonl{query}")
    return [json.loads(line) for line in b"".join(answer.streaming_content).decode().splitlines()]  # type: ignore[attr-defined]


def test_the_loop_end_to_end(client: Client, loop: TrainingLoop, monkeypatch: Any) -> None:
    with run_server() as server:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        endpoint = Endpoint.objects.create(
            name="loopback", base_url=server.url("oracle"), model="m-1", may_see=Endpoint.MaySee.TRACES, audit_cap=100
        )
        hand_in(client, loop, [record(number) for number in range(EVALUATIONS)], endpoint=str(endpoint.pk))
        iteration = Iteration.objects.get()
        assert run_iteration(str(iteration.pk)) == "done"
    rows = Evaluation.objects.filter(iteration=iteration)
    assert rows.filter(audit__isnull=False).count() == EVALUATIONS
    assert rows.filter(audit_score=0).count() == EVALUATIONS // 2
    assert rows.filter(hard="disagreement").count() == EVALUATIONS // 2
    for place in range(CORRECTIONS):
        page = client.get(f"/research/rado/{loop.pk}/queue", follow=True)
        url, shown = page.redirect_chain[-1][0], page.context["value"]
        said = {"label": shown.audit.score, "audit": page.context["form"].initial["audit"]}
        better = {} if place % 2 else {"better": f"[0, 0] The sum is wrong. {LONG}", "tags": ["over_derivation"]}
        assert client.post(url, {**said, **better}).status_code == 302
    assert Correction.objects.count() == CORRECTIONS
    assert Correction.objects.filter(confirms=True).count() == CORRECTIONS // 2
    # Rows of a policy need question and response apart, which these evaluations do not bring.
    for task in set(Task) - {Task.POLICY}:
        made = lines_of(client, loop, task)
        assert made, task
        for row in made:
            check_row(row=row, task=task)
    pairs = lines_of(client, loop, Task.DPO)
    assert {pair["meta"]["problem"]: pair["meta"]["split"] for pair in pairs} == {
        pair["meta"]["problem"]: pair["meta"]["split"] for pair in lines_of(client, loop, Task.DPO)
    }
    assert sum(len(lines_of(client, loop, Task.SFT, f"?split={split}")) for split in SPLITS) == EVALUATIONS
    assert f"disagreement {EVALUATIONS // 2}".encode() in client.get(f"/research/rado/{loop.pk}").content


def test_a_reward_model_at_an_endpoint_evaluates_each_response_several_times(
    client: Client, loop: TrainingLoop, monkeypatch: Any
) -> None:
    """Two responses, three samples each; a row that stands already is not asked for again."""
    with run_server() as server:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        endpoint = Endpoint.objects.create(
            name="loopback", base_url=server.url("oracle"), model="m-1", may_see=Endpoint.MaySee.TRACES, audit_cap=100
        )
        items = [{"id": f"r{n}", "problem": f"p{n}", "prompt": f"What is {n} + 3? {n} + 3 = {n + 3}."} for n in (1, 2)]
        chosen = {"reward_model": "", "reward_endpoint": str(endpoint.pk), "samples": "3", "endpoint": str(endpoint.pk)}
        assert hand_in(client, loop, items, **chosen).status_code == 200
        iteration = Iteration.objects.get()
        kept = content.store_json({"prompt": items[0]["prompt"], "rationale": "Kept."})
        Evaluation.objects.create(iteration=iteration, key="r1#0", problem="p1", reason=0, answer=0, given=kept)
        assert run_iteration(str(iteration.pk)) == "done"
    rows = {row.key: (row.reason, row.audit_score) for row in Evaluation.objects.all()}
    assert rows == {"r1#0": (0, 1)} | {key: (1, 1) for key in ("r1#1", "r1#2", "r2#0", "r2#1", "r2#2")}
    assert ChatCall.objects.filter(purpose="reward").count() == 5
    bare = hand_in(client, loop, [{"id": "r1"}], **chosen)
    assert "record 1: needs id" in bare.content.decode()
    nobody = hand_in(client, loop, items, reward_model="")
    assert "Name the model whose evaluations the file brings" in nobody.content.decode()


def test_responses_to_one_problem_are_a_group_of_the_policy_scored_with_the_reference(
    client: Client, loop: TrainingLoop, monkeypatch: Any
) -> None:
    """Four responses, two of them right: the reward model alone sees the reference, and the tools' rates are shown."""
    question = "What is 2 + 3?"
    responses = {n: f"<think>I add: 2 + 3 = {n}.</think><answer>{n}</answer>" for n in (5, 6)}
    bare = "The sum is 5."
    items = [
        {"id": f"r{n}", "problem": "p", "question": question, "response": text, "gold": "5"}
        for n, text in enumerate([responses[5], responses[6], bare])
    ]
    items.append({"id": "r9", "problem": "q", "prompt": "What is 1 + 3? 1 + 3 = 4."})
    with run_server() as server:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        endpoint = Endpoint.objects.create(
            name="loopback", base_url=server.url("oracle"), model="m-1", may_see=Endpoint.MaySee.TRACES, audit_cap=100
        )
        chosen = {"reward_model": "", "reward_endpoint": str(endpoint.pk), "samples": "3", "endpoint": str(endpoint.pk)}
        hand_in(client, loop, items, **chosen)
        assert run_iteration(str(Iteration.objects.get().pk)) == "done"
    rows = {row["completion"]: row for row in lines_of(client, loop, Task.POLICY)}
    assert {text: row["reward"] for text, row in rows.items()} == {responses[5]: 1, responses[6]: 0, bare: 0}
    assert {row["prompt"] for row in rows.values()} == {question}
    assert rows[responses[6]]["scores"] == [[1, 0]] * 3
    assert rows[responses[5]]["advantage"] == pytest.approx(2**0.5)
    assert rows[responses[5]]["advantage_trl"] == pytest.approx((2 / 3) / (3**-0.5 + 1e-4))
    assert rows[bare]["meta"]["split"] == rows[responses[5]]["meta"]["split"]
    for row in Evaluation.objects.filter(problem="p"):
        assert "reference" not in content.read_json(row.given)
    page = client.get(f"/research/rado/{loop.pk}")
    (line,) = page.context["figures"]
    audits = Evaluation.objects.exclude(audit=None)
    assert line.tools.audits == audits.count() == 12
    assert line.tools.calls_each == sum(row.tool_calls for row in audits) / 12 > 0
    assert b"What the audit model did with its tools" in page.content


def test_a_loop_whose_twins_were_audited_differently_still_gives_its_files(client: Client, loop: TrainingLoop) -> None:
    """Two samples say the same, and their audits do not; the next iteration asks another model under the same ids."""
    twin = {"problem": "p", "prompt": "1 + 2?", "evaluation": f"[1, 1] {LONG}"}
    other = {**twin, "id": "c", "evaluation": f"[0, 0] {LONG}", "audit": AUDIT.format(1)}
    given = [{**twin, "id": "a", "audit": AUDIT.format(1)}, {**twin, "id": "b", "audit": AUDIT.format(0)}, other]
    hand_in(client, loop, given)
    hand_in(client, loop, [{**other, "evaluation": f"[0, 1] {LONG}"}], reward_model="rm-2")
    for iteration in Iteration.objects.all():
        run_iteration(str(iteration.pk))
    (pair, last) = lines_of(client, loop, Task.DPO)
    assert (pair["chosen"][:6], pair["rejected"][:6]) == ("[0, 0]", "[1, 1]")
    rewards = lines_of(client, loop, Task.REWARD)
    assert {(row["meta"]["id"], row["meta"]["reward_model"]) for row in rewards} == {
        ("a", "rm-1"),
        ("c", "rm-1"),
        ("c", "rm-2"),
    }
    assert last["meta"]["chosen_id"] == "c"


def test_an_evaluation_that_a_person_found_wrong_gives_a_policy_no_reward(client: Client, loop: TrainingLoop) -> None:
    praise = {"problem": "p", "prompt": "2 + 3?", "evaluation": f"[1, 1] {LONG}", "audit": AUDIT.format(1)}
    hand_in(client, loop, [{**praise, "id": name} for name in "ab"])
    run_iteration(str(Iteration.objects.get().pk))
    for row in Evaluation.objects.all():
        texts = {**content.read_json(row.given), "question": "2 + 3?", "response": f"Response {row.key}"}
        Evaluation.objects.filter(pk=row.pk).update(given=content.store_json(texts))
    wrong = Evaluation.objects.get(key="a")
    client.post(f"/research/rado/evaluations/{wrong.pk}", {"label": "0", "audit": ""})
    assert [row["completion"] for row in lines_of(client, loop, Task.POLICY)] == ["Response b"]


def test_a_conflict_and_a_refused_call_are_counted_and_audits_of_a_file_are_not(
    client: Client, loop: TrainingLoop, monkeypatch: Any
) -> None:
    """A model that passes whatever its own check refuted: half of the sums are wrong."""
    hand_in(client, loop, [record(0, audit=AUDIT.format(1))], reward_model="file")
    run_iteration(str(Iteration.objects.get().pk))
    assert b"What the audit model did" not in client.get(f"/research/rado/{loop.pk}").content
    with run_server() as server:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        endpoint = Endpoint.objects.create(
            name="loopback", base_url=server.url("stubborn"), model="m-1", may_see=Endpoint.MaySee.TRACES, audit_cap=100
        )
        hand_in(client, loop, [record(number) for number in range(8)], endpoint=str(endpoint.pk))
        run_iteration(str(Iteration.objects.get(number=1).pk))
    first, second = client.get(f"/research/rado/{loop.pk}").context["figures"]
    assert first.tools.audits == 0
    assert (second.tools.audits, second.tools.conflicts) == (8, 0.5)
    rows = Evaluation.objects.filter(iteration__number=1)
    refused = sum(row.refused_calls for row in rows)
    assert second.tools.refused == refused / sum(row.tool_calls for row in rows)


def test_records_may_bring_audits_and_without_a_model_that_is_said(client: Client, loop: TrainingLoop) -> None:
    assert b"No endpoint that may see whole traces is configured" in client.get(f"/research/rado/{loop.pk}").content
    hand_in(client, loop, [record(1, audit=AUDIT.format(0)), record(2)])
    run_iteration(str(Iteration.objects.get().pk))
    assert list(Evaluation.objects.order_by("key").values_list("audit_score", "no_audit_because")) == [
        (0, ""),
        (None, services.NO_MODEL),
    ]
    page = " ".join(client.get(f"/research/rado/{loop.pk}").content.decode().split())
    assert f"1 without: {services.NO_MODEL}" in page
    assert "of the reasoning and of the answer" in page


def test_iterations_are_numbered_and_sets_are_cumulative(client: Client, loop: TrainingLoop) -> None:
    for start in (0, 10):
        page = hand_in(client, loop, [record(n, audit=AUDIT.format(1 - n % 2)) for n in range(start, start + 10)])
        assert page.status_code == 200
    for iteration in Iteration.objects.all():
        assert run_iteration(str(iteration.pk)) == "done"
    assert [len(lines_of(client, loop, Task.SFT, f"?upto={k}")) for k in (0, 1)] == [10, 20]


def test_a_person_overrules_and_an_unreadable_correction_is_refused(client: Client, loop: TrainingLoop) -> None:
    hand_in(client, loop, [record(0, audit=AUDIT.format(0))])
    run_iteration(str(Iteration.objects.get().pk))
    url = f"/research/rado/evaluations/{Evaluation.objects.get().pk}"
    broken = client.post(url, {"label": "1", "audit": "<think>no end"})
    assert (broken.status_code, b"cannot be read" in broken.content) == (400, True)
    clash = client.post(url, {"label": "1", "audit": AUDIT.format(0)})
    assert b"answers 0, but the label is 1" in clash.content
    assert client.post(url, {"label": "1", "audit": AUDIT.format(1)}).status_code == 302
    assert lines_of(client, loop, Task.SFT)[0]["meta"]["label"] == 1
    rewards = {row["reward"] for row in lines_of(client, loop, Task.GRPO)}
    assert rewards == {0, 1}


def test_wrong_records_are_named_and_nothing_is_taken_in(client: Client, loop: TrainingLoop) -> None:
    page = hand_in(client, loop, [record(0), record(0), record(1, evaluation="[2, 1] x"), record(2, audit="<think>")])
    for words in ("record 2: id e0 came before", "record 3: an evaluation begins", "record 4: at character"):
        assert words in page.content.decode()
    assert not Iteration.objects.exists()


def test_proof_scores_stand_beside_experts(client: Client, loop: TrainingLoop) -> None:
    lines = ["item,judge,expert,rc,ds,fa"]
    for item in range(4):
        lines += [f"i{item},ann,1,{item + 2},5,6", f"i{item},bob,1,{item + 2},5,6", f"i{item},m,0,{item + 3},6,7"]
    file = SimpleUploadedFile("proof.csv", "\n".join(lines).encode())
    page = client.post(f"/research/rado/{loop.pk}/proof", {"file": file}, follow=True)
    found = page.context["alignment"]
    assert (found.deviation, found.kappa.value) == (1.0, 1.0)
    bad = SimpleUploadedFile("proof.csv", b"item,judge,rc,ds,fa\ni,m,9,1,1\n")
    assert b"record 1: needs item" in client.post(f"/research/rado/{loop.pk}/proof", {"file": bad}, follow=True).content
