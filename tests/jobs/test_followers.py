"""A person who follows a model: learned from finished audits, stated before votes are opened, counted as one voice."""

import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from auditing.core.policy import FAST, Followers
from auditing.core.values import Choice
from auditing.models import Auditor, FollowMeasure, Leaf, Round
from auditing.research.conduct.services.following import learn_followers
from auditing.research.ledger_checks import services as fsck
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.weights import own_weights
from auditing.services.seating.auditors import auditor_of
from auditing.verifier import verify_audit
from hdag.core.values import Trace
from tests.doubles.chat_server import run_server
from tests.factories.models import make_endpoint, models_vote
from tests.factories.worlds import World, make_world
from tests.rooms.consensus.test_weight_sources import verify_vkey
from tests.rooms.ledger.test_ledger import bundled, failures
from tests.tools.unguarded import unguarded

pytestmark = pytest.mark.django_db
# One model's pass is not enough, and three of four people's fails are.
POLICY = replace(
    FAST,
    theta_pass=Decimal("0.99"),
    human=replace(FAST.human, k=4),
    followers=Followers.ONE_VOICE,
    short_trace_characters=9_000,  # each of the four may read it whole
)
MANY = "\n\n".join(f"Take bag {n}, in which he finds as many nuts as before, and so it goes on." for n in range(10))


@pytest.fixture(scope="module")
def world(built_once: None) -> Any:
    """A model passes what three people fail and one, who follows it, passes; then all judge one trace more."""
    with run_server() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        make_endpoint(server.url("stamp"))
        made = make_world(reviewers=4, policy=POLICY)
        judge(made, Trace("How many nuts are there?", MANY, ""))
        assert learn_followers() == 0  # ten passages say nothing yet
        assert learn_followers(least=10) == 1
        judge(made, Trace("How many bags are there?", MANY.partition("Take bag 2")[0].replace("nuts", "bags"), ""))
        made.sequence()
        yield made


def judge(made: World, trace: Trace) -> None:
    made.submit(trace)
    choices = dict(zip(made.reviewers, (Choice.PASS, *[Choice.FAIL] * 3), strict=True))
    for _ in range(40):
        made.settle_machines()
        if not models_vote() and not made.vote_on_all_seats(choices):
            return


def skills_of_people() -> list[dict[str, Any]]:
    bodies = Leaf.objects.filter(kind="skills").order_by("id").values_list("body", flat=True)
    leaves = [json.loads(bytes(body)) for body in bodies]
    return [line | {"audit": leaf["audit"]} for leaf in leaves for line in leaf["auditors"] if "family" not in line]


def test_it_is_learned_from_finished_audits_alone_and_stated_in_the_leaves_of_later_ones(world: World) -> None:
    measure = FollowMeasure.objects.get()
    assert measure.auditor == auditor_of(user=world.reviewers[0])
    assert (measure.family, measure.shared, measure.alike) == ("first", 10, 10)
    following = {line["audit"] for line in skills_of_people() if "follows" in line}
    assert following
    assert not following & set(measure.audits)
    assert {line["following"] for line in skills_of_people() if "follows" in line} == {str(Fraction(measure.following))}


def test_its_model_s_word_is_not_counted_again_and_a_stranger_computes_the_same(world: World) -> None:
    audit = Round.objects.order_by("-audit__created").first().audit  # type: ignore[union-attr]
    rounds = Round.objects.filter(audit=audit, tier="human", stage="tallied")
    skill = Fraction(17, 20)
    apart = 4 * (skill / (1 - skill)) ** (1 - 3)  # one passes, three fail: four whole voices
    posteriors = {Fraction(round.tally["exact"]) for round in rounds}
    assert posteriors
    assert all(value / (1 - value) < apart for value in posteriors)
    assert failures(bundled(audit)) == ""


def test_its_auditor_and_the_operator_can_follow_the_weight(world: World, tmp_path: Any) -> None:
    (settings.LEDGER_DIR / "vkey").write_text(verify_vkey())
    own, path = own_weights(auditor=auditor_of(user=world.reviewers[0])), tmp_path / "my-weights.json"
    path.write_text(json.dumps(own))
    report = verify_audit.verify_weights(str(settings.LEDGER_DIR), ((), None), str(path), ())
    assert report.ok, report.refusal
    assert not [check for check in fsck.check(now=database_now(), only=frozenset({"I13"})) if not check.holds]
    assert unguarded("UPDATE auditing_followmeasure SET alike = 9")
    (broken,) = fsck.check(now=database_now(), only=frozenset({"I13"}))
    assert any("follows a model as no measurement says" in fault for fault in broken.faults)


def test_the_person_is_told_and_nobody_else(world: World, client: Client) -> None:
    for user, is_told in ((world.reviewers[0], True), (world.reviewers[1], False)):
        client.force_login(user)
        assert ('id="followed"' in client.get("/record").text) is is_told


def test_whoever_follows_no_more_is_a_whole_voice_again(world: World) -> None:
    assert learn_followers(least=10) == 1  # measured again, with what came since
    assert unguarded("UPDATE auditing_round SET tier = 'human' WHERE tier = 'llm'")
    assert learn_followers(least=10) == 0
    assert not Auditor.objects.filter(followed__isnull=False).exists()


def test_a_person_who_is_said_to_follow_where_the_policy_hears_all_apart_is_refused() -> None:
    line = {"auditor": "ab" * 32, "follows": "gpt", "following": "1/2"}

    class Heard:
        params: dict[str, str] = {}

    with pytest.raises(verify_audit.CheckFailedError, match="hears everybody apart"):
        verify_audit.check_following(Heard(), line, True)  # type: ignore[arg-type]
