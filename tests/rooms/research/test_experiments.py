"""A human experiment in the system: registered before its audits, joined from its campaigns, refused when changed."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from auditing.core.policy import FAST
from auditing.core.values import Choice
from auditing.models import Audit, Campaign, Leaf
from auditing.research.policy_lab.services import publish_policy
from auditing.verifier import verify_audit
from tests.factories.worlds import ONE_SEAT, THINKING, World, make_user, make_world

pytestmark = pytest.mark.django_db
PEOPLE = ["reviewer0@example.org", "reviewer1@example.org"]


@pytest.fixture
def world() -> World:
    world = make_world(reviewers=2, policy=replace(ONE_SEAT, name="alpha"))
    publish_policy(policy=replace(FAST, name="beta", human=replace(FAST.human, k=1)), author=world.campaign.owner)
    return world


@pytest.fixture
def folder(world: World, tmp_path: Path) -> Path:
    """A design of two traces, two people and the arms alpha and beta."""
    records = [
        {"id": f"t{n}", "problem": f"Farm {n}: {n} hens.", "thinking": THINKING, "answer": "180 eggs", "right": n == 1}
        for n in (1, 2)
    ]
    (tmp_path / "traces.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    words = ["--arm", "alpha", "--arm", "beta", "--hypothesis", "Alpha finds more."]
    words += [word for person in PEOPLE for word in ("--person", person)]
    run("design", str(tmp_path / "traces.jsonl"), str(tmp_path / "plan"), *words)
    return tmp_path / "plan"


def run(*words: str) -> str:
    out = io.StringIO()
    call_command("experiment", *words, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def register(folder: Path) -> str:
    return run("register", str(folder), "--owner", "admin@example.org", "--provider", "provider@example.org")


def refused(*words: str) -> tuple[int, str]:
    with pytest.raises(CommandError) as raised:
        run(*words)
    return raised.value.returncode, str(raised.value)


def vote_until_all_is_decided(world: World) -> None:
    for _ in range(50):
        world.settle_machines()
        if not world.vote_on_all_seats(dict.fromkeys(world.reviewers, Choice.PASS)):
            return


def test_the_leaf_of_a_design_stands_before_every_leaf_of_its_audits(folder: Path) -> None:
    told = register(folder)
    leaf = Leaf.objects.get(kind="experiment.register")
    digest = json.loads(bytes(leaf.body))["digest"]
    assert f"leaf experiment.register {digest}" in told
    audits = Audit.objects.all()
    assert audits.count() == 4
    assert Leaf.objects.filter(audit__in=audits).count() >= 4
    assert not Leaf.objects.filter(audit__in=audits, id__lt=leaf.id).exists()


def test_campaigns_are_made_from_the_design(folder: Path) -> None:
    register(folder)
    square = json.loads((folder / "registered.json").read_text())
    campaigns = Campaign.objects.filter(title__startswith="alpha, group") | Campaign.objects.filter(
        title__startswith="beta, group"
    )
    assert campaigns.count() == 4
    for campaign in campaigns:
        assert campaign.policy.name == campaign.title.partition(",")[0]
        assert [person.email for person in campaign.reviewers.all()] == [
            square["design"]["people"][int(campaign.title.split()[2]) - 1]
        ]
        assert not campaign.open_to_all
        assert not campaign.any_provider
        assert campaign.audits.count() == 1


def test_votes_are_joined_from_the_system_and_read_by_the_tables(world: World, folder: Path) -> None:
    register(folder)
    vote_until_all_is_decided(world)
    told = run("analyse", str(folder))
    assert "4 of 4 pairs of a person and a trace have one" in told
    assert "is leaf " in told
    rows = [json.loads(line) for line in (folder / "votes.jsonl").read_text().splitlines()]
    people = [row for row in rows if row["tier"] == "human"]
    square = json.loads((folder / "design.json").read_text())
    for row in people:
        person = int(row["auditor"].removeprefix("person ")) - 1
        place = person + square["traces"].index(row["trace"])
        assert row["arm"] == square["arms"][place % 2]
        assert row["right"] == (row["trace"] == "t1")
        assert row["choice"] == "pass"
    assert {(row["auditor"], row["trace"]) for row in people} == {
        (f"person {n}", trace) for n in (1, 2) for trace in ("t1", "t2")
    }
    assert "@" not in (folder / "votes.jsonl").read_text()
    arms = {row[0].split(":")[0] for row in json.loads((folder / "table3.json").read_text())["tables"][0]["rows"]}
    assert arms >= {"alpha", "beta"}


def test_a_design_changed_after_its_registration_is_refused(world: World, folder: Path) -> None:
    register(folder)
    vote_until_all_is_decided(world)
    path = folder / "design.json"
    text = path.read_text()
    path.write_text(text.replace("Alpha finds more.", "Beta finds more."))
    assert refused("analyse", str(folder)) == (
        2,
        "the ledger holds no such design: it was not registered, or was changed since",
    )
    assert not (folder / "votes.jsonl").exists()
    path.write_text(text)
    run("analyse", str(folder))


def test_labels_changed_after_the_registration_are_refused(world: World, folder: Path) -> None:
    register(folder)
    vote_until_all_is_decided(world)
    for path in folder.glob("campaign-*.jsonl"):
        path.write_text(path.read_text().replace('"right": false', '"right": true'))
    assert refused("analyse", str(folder)) == (
        2,
        "the traces are not those of the design: one is missing or was changed",
    )


def test_a_vote_of_somebody_whom_the_design_does_not_ask_is_left_out(world: World, folder: Path) -> None:
    register(folder)
    stranger = make_user("stranger@example.org", "reviewer")
    for campaign in Campaign.objects.filter(title__startswith="alpha, group 1"):
        campaign.reviewers.set([stranger])
    world.reviewers.append(stranger)
    vote_until_all_is_decided(world)
    code, _ = refused("analyse", str(folder))
    rows = [json.loads(line) for line in (folder / "votes.jsonl").read_text().splitlines()]
    assert code == 3
    assert len({(row["auditor"], row["trace"]) for row in rows if row["tier"] == "human"}) == 3


def test_nothing_is_analysed_before_a_vote_is_counted(folder: Path) -> None:
    register(folder)
    assert refused("analyse", str(folder)) == (2, "no vote of this experiment is counted yet")


def test_a_stranger_checks_the_registration_with_the_published_files(world: World, folder: Path, settings: Any) -> None:
    register(folder)
    vote_until_all_is_decided(world)
    (settings.LEDGER_DIR / "vkey").write_bytes(verify_key())
    source = str(settings.LEDGER_DIR)
    report = verify_audit.verify_ledger(source, ((), None), [], False, None, [str(folder / "registered.json")])
    told = {title: (good, note) for good, title, note in report.lines}
    good, note = told[f"design {folder / 'registered.json'}"]
    assert (good, note.endswith("before the first leaf of its 4 audits")) == (True, True)


def verify_key() -> bytes:
    from tests.factories.worlds import sequencer

    return sequencer().key.verifier.vkey.encode()


def make_twice(folder: Path) -> None:
    register(folder)


def change_a_text(folder: Path) -> None:
    path = folder / "campaign-1.jsonl"
    path.write_text(path.read_text().replace("hens", "cows"))


def change_a_text_everywhere(folder: Path) -> None:
    for path in folder.glob("campaign-*.jsonl"):
        path.write_text(path.read_text().replace("hens", "cows"))


def name_no_policy(folder: Path) -> None:
    path = folder / "design.json"
    path.write_text(path.read_text().replace('"beta"', '"gamma"'))


def name_nobody(folder: Path) -> None:
    path = folder / "design.json"
    path.write_text(path.read_text().replace(PEOPLE[1], "nobody@example.org"))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (make_twice, "this design is registered already"),
        (change_a_text, "is not the same in all files of campaigns"),
        (change_a_text_everywhere, "the traces are not those of the design: one is missing or was changed"),
        (name_no_policy, "no policy is called gamma: an arm is the name of a policy"),
        (name_nobody, "no reviewer has the e-mail nobody@example.org"),
    ],
)
def test_what_cannot_be_registered_leaves_nothing_behind(folder: Path, change: Any, why: str) -> None:
    change(folder)
    before = (Leaf.objects.count(), Campaign.objects.count(), Audit.objects.count())
    words = ["register", str(folder), "--owner", "admin@example.org", "--provider", "provider@example.org"]
    code, reason = refused(*words)
    assert code == 2
    assert why in reason
    assert (Leaf.objects.count(), Campaign.objects.count(), Audit.objects.count()) == before


def test_a_text_that_stands_twice_is_refused(world: World, tmp_path: Path) -> None:
    record = {"problem": "1 + 1?", "thinking": THINKING, "answer": "2", "right": True}
    lines = (json.dumps({"id": name, **record}) + "\n" for name in ("t1", "t2"))
    (tmp_path / "traces.jsonl").write_text("".join(lines))
    words = ["--arm", "alpha", "--arm", "beta", "--hypothesis", "h"]
    words += [word for person in PEOPLE for word in ("--person", person)]
    run("design", str(tmp_path / "traces.jsonl"), str(tmp_path / "plan"), *words)
    words = ["register", str(tmp_path / "plan"), "--owner", "admin@example.org", "--provider", "provider@example.org"]
    code, why = refused(*words)
    assert code == 2
    assert why.endswith("has the text of another trace of this provider")
    assert not Leaf.objects.filter(kind="experiment.register").exists()
