"""From what a weight came: a digest for everybody, the record for its auditor and for ledger_fsck."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from auditing.core.consensus.weight_sources import CalibrationCount, GoldVote, gold_record, skill_from
from auditing.core.policy import FAST
from auditing.core.values import Choice, Tier
from auditing.models import Audit, GoldTruth, Leaf, WeightSource
from auditing.research.ledger_checks import services as fsck
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.skills import skills_for
from auditing.selectors.consensus.weights import own_weights
from auditing.services.intake import decomposition
from auditing.services.seating.auditors import auditor_of
from auditing.verifier import verify_audit
from hdag.core.values import Trace
from hdag.models import Segment
from tests.factories.stories import vote_apart
from tests.factories.worlds import World, make_world
from tests.tools.unguarded import unguarded

pytestmark = pytest.mark.django_db
SECOND = Trace(
    problem="A farm has 12 pens with 7 hens each. 9 hens leave. How many are left?",
    thinking="Each of the 12 pens has 7 hens. 12 * 7 = 84 hens. Then 9 leave: 84 - 9 = 75.",
    answer="75 hens",
    domain="school maths",
    title="Hens",
)
KEYS: verify_audit.Keys = ((), None)


@pytest.fixture(scope="module")
def world(built_once: None) -> World:
    """Three reviewers judged gold in one audit; then they voted in another one, weighed by what they got right."""
    made = make_world()
    first = made.submit()
    decomposition.decompose(audit=first)
    first.refresh_from_db()
    segments = Segment.objects.filter(decomposition=first.decomposition_id).exclude(source="problem")
    for segment, truth in zip(segments.order_by("-position"), (Choice.FAIL, Choice.PASS, Choice.PASS), strict=False):
        GoldTruth.objects.create(segment=segment, truth=truth, source="test")
    vote_apart(made, (Choice.PASS, Choice.PASS, Choice.FAIL))
    made.everybody_votes(made.submit(SECOND))
    made.sequence()
    return made


def files(world: World, tmp_path: Path) -> list[dict[str, Any]]:
    """Each reviewer's file, and the published ledger beside it."""
    (settings.LEDGER_DIR / "vkey").write_text(verify_vkey())
    return [own_weights(auditor=auditor_of(user=user)) for user in world.reviewers]


def verify_vkey() -> str:
    from auditing.selectors.ledger.published import ledger_key

    key = ledger_key()
    assert key
    return key.vkey


def checked(own: dict[str, Any], tmp_path: Path, pile: tuple[str, ...] = ()) -> verify_audit.Report:
    path = tmp_path / "my-weights.json"
    path.write_text(json.dumps(own))
    return verify_audit.verify_weights(str(settings.LEDGER_DIR), KEYS, str(path), pile)


def test_every_weight_names_what_it_came_from_and_its_auditor_can_follow_it(world: World, tmp_path: Path) -> None:
    told = set()
    for own in files(world, tmp_path):
        report = checked(own, tmp_path)
        assert report.ok, report.refusal
        told |= {note for _, title, note in report.lines if title.startswith("weight of seat")}
    assert {note.partition("from ")[2].partition(" ")[0] for note in told} == {"0", "2"}
    skills = [json.loads(bytes(body)) for body in Leaf.objects.filter(kind="skills").values_list("body", flat=True)]
    assert all("sources" in line for leaf in skills for line in leaf["auditors"])
    assert not [one for one in fsck.check(now=database_now(), only=frozenset({"I13"})) if not one.holds]


def first_with_votes(own: dict[str, Any]) -> int:
    return next(at for at, weight in enumerate(own["weights"]) if weight["sources"]["votes"])


LIES = {
    "another word": lambda weight: weight["sources"]["votes"][0].update(vote="abstain"),
    "a vote left out": lambda weight: weight["sources"]["votes"].pop(),
    "another salt": lambda weight: weight.update(salt="ab" * 32),
    "another seat's": lambda weight: weight.update(seat="00000000-0000-4000-8000-000000000000"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_file_that_was_changed_is_refused(world: World, tmp_path: Path, name: str) -> None:
    own = copy.deepcopy(files(world, tmp_path)[0])
    LIES[name](own["weights"][first_with_votes(own)])
    assert not checked(own, tmp_path).ok


def test_a_consistent_lie_about_ones_gold_is_refused(world: World, tmp_path: Path) -> None:
    """The operator forgets a vote on gold when it weighs: digest, record and leaf agree, the log does not."""
    own = files(world, tmp_path)[0]
    at = first_with_votes(own)
    weight = own["weights"][at]
    entries = verify_audit.entries_of(str(settings.LEDGER_DIR), Leaf.objects.filter(index__isnull=False).count())
    ledger = verify_audit.Ledger(entries)
    mine = {one["seat"] for one in own["weights"]}
    assert verify_audit.check_weight(ledger, weight, mine)
    weight["sources"]["votes"] = []
    salt, label = bytes.fromhex(weight["salt"]), verify_audit.pad32("TRUST/weight-sources/v1")
    digest = verify_audit.sha(label, salt, verify_audit.canonical(weight["sources"])).hex()
    for leaf in ledger.audits[weight["audit"]]:
        if leaf["t"] == "skills" and leaf["segment"] == weight["segment"]:
            for line in leaf["auditors"]:
                line["sources"] = digest
    with pytest.raises(verify_audit.CheckFailedError, match="was on gold, and is left out"):
        verify_audit.check_weight(ledger, weight, mine)


BREAKS = {
    "names other sources": 'UPDATE auditing_weightsource SET record = record || \'{"level": "Goal"}\'',
    "has no leaf": "DELETE FROM auditing_leaf WHERE kind = 'skills'",
    "that no table has": "DELETE FROM auditing_weightsource",
    "did not stand in the log before it": "DELETE FROM auditing_leaf WHERE kind = 'gold.reveal'",
    "does not follow": "UPDATE auditing_leaf SET body = convert_to(regexp_replace(convert_from(body, 'UTF8'), "
    "'\"sensitivity\":\"[0-9/]+\"', '\"sensitivity\":\"1/3\"', 'g'), 'UTF8') WHERE kind = 'skills'",
}


@pytest.mark.parametrize("words", BREAKS)
def test_ledger_fsck_names_a_weight_that_does_not_follow(world: World, words: str) -> None:
    assert unguarded(BREAKS[words])
    (found,) = fsck.check(now=database_now(), only=frozenset({"I13"}))
    assert any(words in fault for fault in found.faults), found.faults


def test_a_record_leads_to_the_skill_that_was_believed(world: World) -> None:
    row = WeightSource.objects.select_related("seat__round__audit__trace", "seat__auditor").order_by("created").last()
    assert row
    skill = skill_from(record=row.record, policy=FAST, tier=Tier(row.seat.round.tier))
    believed = skills_for(auditors=[row.seat.auditor], policy=FAST, round=row.seat.round)[str(row.seat.auditor_id)]
    assert skill.sensitivity.mean == believed.sensitivity.mean or not row.record["votes"]


def test_the_verifier_shrinks_as_the_application_does() -> None:
    """Cells, domains and calibration: both compute the same from the same record."""
    votes = [
        GoldVote(audit="a", segment="s", seat=f"{at}", domain=domain, level=level, truth=truth, vote=vote)
        for at, (domain, level, truth, vote) in enumerate(
            [("m", "Step", "pass", "pass")] * 7
            + [("m", "Goal", "fail", "pass")] * 5
            + [("x", "Step", "fail", "fail")] * 30
        )
    ]
    answers = [CalibrationCount(domain="m", truth="pass", vote="fail", count=4)]
    record = gold_record(cell=("m", "Step"), votes=votes, calibration=answers)
    skill = skill_from(record=record, policy=FAST, tier=Tier.HUMAN)
    rules = {"prior_right": str(FAST.human.prior_right), "prior_wrong": str(FAST.human.prior_wrong)}
    assert verify_audit.skill_of_gold(record, rules) == (skill.sensitivity.mean, skill.specificity.mean)


def test_the_file_of_weights_is_the_own_one_and_needs_a_login(world: World, client: Client) -> None:
    assert client.get("/record/my-weights.json").status_code in (302, 403)
    client.force_login(world.reviewers[0])
    own = client.get("/record/my-weights.json").json()
    assert own["format"] == "trust-weights/v1"
    assert {weight["seat"] for weight in own["weights"]} == {
        str(row.pk) for row in WeightSource.objects.filter(seat__auditor__user=world.reviewers[0])
    }
    assert Audit.objects.count() == 2
