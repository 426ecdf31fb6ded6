"""Causal audits from page to trial: by rules, by an agent at an endpoint, resumable, apart for each person."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from auditing.research.causal import services
from auditing.research.causal.core import Design, Pick
from auditing.research.causal.core.judgement import NOT_RERUN
from auditing.research.causal.reruns.endpoint import Agent
from auditing.research.causal.services import CausalRefusedError, Helpers
from auditing.research.causal.views import difference, side_by_side, tables_of
from auditing.research.models import CausalBatch, CausalTrial
from auditing.research.tasks import run_causal
from auditing.selectors.clock import database_now
from hdag.chat.address import read_allowlist
from hdag.models import Endpoint
from hdag.readers.records import read_record
from hdag.store import content
from tests.doubles.chat_server import RunningServer, run_server
from tests.factories.worlds import make_user, make_world

pytestmark = pytest.mark.django_db
DATA = Path(__file__).parents[4] / "shared" / "data"
public = pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not here")


SHOP = read_record(
    {
        "problem": "Ann has 5 apples and buys 3, each at 2 euros. What do all of them cost?",
        "thinking": "She has 5 + 3 = 8 apples.\n\nBecause each costs 2, they cost 8 * 2 = 16 euros.",
        "answer": "16",
    },
    where="a test",
)


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with run_server() as running:
        yield running


def endpoint(server: RunningServer, scripted_model: str, **said: Any) -> Endpoint:
    given = {"may_see": Endpoint.MaySee.TRACES, "audit_cap": 100, "max_concurrency": 1} | said
    return Endpoint.objects.create(name=scripted_model, base_url=server.url(scripted_model), model="m-1", **given)


def carried_out(server: RunningServer, helpers: Helpers, design: Design | None = None) -> list[CausalTrial]:
    """The trials of the shop's trace before these endpoints."""
    owner = make_user("owner@example.org", "researcher")
    batch = services.ask(owner=owner, title="Shop", audits=[], public=1, design=design, helpers=helpers)
    allowed = read_allowlist(server.origin)
    assert services.run(batch=batch, now=database_now(), public=[("shop", SHOP)], allowed=allowed) == "done"
    return list(batch.trials.select_related("block"))


def signed_in(email: str) -> Client:
    client = Client()
    client.force_login(make_user(email, "researcher"), backend="django.contrib.auth.backends.ModelBackend")
    return client


@public
def test_thirty_public_traces_give_classes_with_intervals(settings: Any) -> None:
    settings.STUDY_DATA_DIR = DATA
    client = signed_in("researcher@example.org")
    page = client.post("/research/causal", {"title": "Thirty", "public": "30", "seed": "1"}, follow=True)
    assert b"Waiting for a worker" in page.content
    batch = CausalBatch.objects.get()
    assert run_causal(str(batch.pk)) == "done"
    assert batch.trials.values("trace").distinct().count() > 20
    page = client.get(f"/research/causal/{batch.pk}")
    classes = {row[0]: row for row in page.context["tables"][0].rows}
    assert sum(row[1] for row in classes.values()) == CausalTrial.objects.count()
    assert all(row[4] <= row[3] <= row[5] for row in classes.values())
    followed = CausalTrial.objects.filter(reaction="followed").first()
    assert followed is not None
    trial = client.get(f"/research/causal/trials/{followed.pk}").content.decode()
    assert "<del>" in trial
    assert "<ins>" in trial
    assert signed_in("other@example.org").get(f"/research/causal/trials/{followed.pk}").status_code == 404


def test_a_batch_of_nothing_is_refused() -> None:
    answer = signed_in("researcher@example.org").post("/research/causal", {"title": "x", "public": "0", "seed": "1"})
    assert (answer.status_code, CausalBatch.objects.count()) == (400, 0)


def test_a_batch_in_which_nothing_could_be_tried_does_not_end_as_done() -> None:
    owner = make_user("owner@example.org", "researcher")
    words = read_record({"problem": "Why?", "thinking": "Perhaps.", "answer": "Nobody knows"}, where="a test")
    batch = services.ask(owner=owner, title="Words", audits=[], public=1)
    assert services.run(batch=batch, now=database_now(), public=[("words", words)]) == "failed"
    assert batch.error == services.NOTHING_TO_TRY


def test_a_public_set_that_is_not_here_is_said_to_be_missing(db: None) -> None:
    batch = services.ask(owner=make_user("owner2@example.org", "researcher"), title="Thirty", audits=[], public=30)
    assert services.run(batch=batch, now=database_now(), public=[]) == "failed"
    batch.refresh_from_db()
    assert batch.error == services.NO_PUBLIC


def test_prose_that_no_scorer_compares_says_nothing() -> None:
    agent = Agent(client=None, critic=None, account="")  # type: ignore[arg-type]
    assert agent._likeness("", "It rose, then fell", "First up, then down") is None
    assert agent._likeness("", "12", "13") == 0.0
    assert agent._likeness("", "12 km", "12,000 m") == 1.0


def test_a_difference_names_what_went_and_what_came() -> None:
    assert difference("a b c", "a x c") == [("a", "", ""), ("", "b", ""), ("", "", "x"), ("c", "", "")]


@pytest.mark.parametrize(
    ("scripted_model", "reaction", "violation"),
    [
        ("agent-follows", "followed", False),
        ("agent-ignores-16", "ignored", True),
        ("agent-repairs-16", "repaired", False),
    ],
)
def test_an_agent_runs_on_with_its_tools_and_its_reaction_is_told_apart(
    server: RunningServer, scripted_model: str, reaction: str, violation: bool
) -> None:
    """The agent that follows answers 18 for the changed last thought, and 16 for the paraphrased one."""
    scripted_model = "oracle" if scripted_model == "agent-follows" else scripted_model
    trial = carried_out(server, Helpers(endpoint(server, scripted_model)), Design(pick=Pick.CHOSEN, chosen=("ST2",)))[0]
    assert (trial.reaction, trial.violation, trial.paper_violation) == (reaction, violation, False)
    page = Client()
    page.force_login(trial.batch.owner, backend="django.contrib.auth.backends.ModelBackend")
    shown = page.get(f"/research/causal/trials/{trial.pk}").content.decode()
    assert "calculate: 1 + 1 = 2" in shown
    lines = b"".join(page.get(f"/research/causal/{trial.batch_id}.jsonl").streaming_content)  # type: ignore[attr-defined]
    said = json.loads(lines)
    assert (said["control_answer"], said["answer"], said["after"][0]) == ("16", "16", said["before"][0])
    assert said["after"] != said["before"]


def test_a_critic_changes_the_thought_and_a_paraphrase_that_moves_the_answer_excuses(server: RunningServer) -> None:
    """On ST1 the agent answers the last number of that thought: 9 changed, 8 as control; both differ from 16."""
    helpers = Helpers(endpoint(server, "oracle"), endpoint(server, "obey"))
    trials = carried_out(server, helpers, Design(pick=Pick.FIRST))
    assert [(one.rule, one.reaction, one.phi_net) for one in trials] == [("critic model", "followed", 0.0)]
    assert {one.violation for one in trials} == {False}


def test_an_endpoint_that_fails_makes_a_trial_say_nothing(server: RunningServer) -> None:
    trials = carried_out(server, Helpers(endpoint(server, "400")))
    assert {(one.reaction, one.violation) for one in trials} == {("unclear", False)}
    assert {one.sentence for one in trials} == {NOT_RERUN}


def test_without_its_control_a_trial_says_nothing(server: RunningServer) -> None:
    """The rerun takes two calls and gives 18; the control's first call fails."""
    trials = carried_out(server, Helpers(endpoint(server, "late-2-400")), Design(pick=Pick.CHOSEN, chosen=("ST2",)))
    assert [(one.reaction, one.phi_net) for one in trials] == [("unclear", None)]
    assert content.read_json(trials[0].block)["answer_after"] == "18"


def test_a_trace_goes_to_a_model_only_when_its_provider_allows_it(server: RunningServer) -> None:
    world = make_world()
    audit, owner = world.submit(SHOP), world.campaign.owner
    with pytest.raises(CausalRefusedError, match="have not allowed"):
        services.ask(owner=owner, title="x", audits=[audit], public=0, helpers=Helpers(endpoint(server, "oracle")))
    narrow = endpoint(server, "obey", may_see=Endpoint.MaySee.SEGMENTS)
    with pytest.raises(CausalRefusedError, match="may not see whole traces"):
        services.ask(owner=owner, title="x", audits=[], public=1, helpers=Helpers(narrow))
    assert services.ask(owner=owner, title="x", audits=[audit], public=0).audits.count() == 1


def test_a_batch_goes_on_where_its_worker_died(server: RunningServer) -> None:
    owner = make_user("owner@example.org", "researcher")
    batch = services.ask(owner=owner, title="Two", audits=[], public=2)

    def traces() -> Iterator[tuple[str, Any]]:
        yield "one", SHOP
        raise SystemExit

    with pytest.raises(SystemExit):
        services.run(batch=batch, now=database_now(), public=traces())  # type: ignore[arg-type]
    kept = set(batch.trials.values_list("pk", flat=True))
    assert len(kept) == 2
    CausalBatch.objects.update(lease_until=database_now() - timedelta(seconds=1))
    assert services.run(batch=batch, now=database_now(), public=[("one", SHOP), ("two", SHOP)]) == "done"
    assert kept < set(batch.trials.values_list("pk", flat=True))
    assert batch.trials.count() == 4


def test_the_page_takes_every_design(server: RunningServer) -> None:
    client = signed_in("researcher@example.org")
    agent = endpoint(server, "oracle")
    said = {
        "title": "All",
        "public": "2",
        "seed": "4",
        "pick": "chosen",
        "chosen": "ST1, ST3",
        "together": "on",
        "type": "causal_reversal",
        "agent": agent.pk,
    }
    assert client.post("/research/causal", said).status_code == 302
    batch = CausalBatch.objects.get()
    design = services.design_of(batch=batch)
    assert (design.pick, design.chosen, design.kind, design.together, batch.endpoint) == (
        "chosen",
        ("ST1", "ST3"),
        "causal_reversal",
        True,
        agent,
    )
    lonely = client.post("/research/causal", {**said, "agent": "", "critic": agent.pk})
    assert b"A critic needs an endpoint" in lonely.content
    assert b"Name the steps" in client.post("/research/causal", {**said, "chosen": " "}).content


def test_two_traces_stand_side_by_side_although_one_is_longer() -> None:
    rows = side_by_side(["a b", "c"], ["a b", "c d", "e"])
    assert [(changed, runs) for runs, changed in rows] == [
        (False, [("a b", "", "")]),
        (True, [("c", "", ""), ("", "", "d")]),
        (True, [("", "", "e")]),
    ]


def test_rule_mode_shows_what_was_recomputed_and_the_vector_stands_under_its_names() -> None:
    owner = make_user("owner@example.org", "researcher")
    batch = services.ask(owner=owner, title="Shop", audits=[], public=1, design=Design(pick=Pick.FIRST))
    assert services.run(batch=batch, now=database_now(), public=[("shop", SHOP)]) == "done"
    trial = batch.trials.select_related("block").get()
    assert content.read_json(trial.block)["after"] == [
        "She has 5 + 3 = 9 apples.",
        "Because each costs 2, they cost 9 * 2 = 18 euros.",
        "18",
    ]
    row = dict(zip(tables_of(batch)[3].columns, tables_of(batch)[3].rows[0], strict=True))
    assert (row["characters (C)"], row["length (L)"], row["exact (E)"]) == (1 / 3, 1.0, 0.0)
