"""How a campaign's votes are counted: the rule in force, the collusion flag, and outcomes against gold."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from auditing.core.policy import FAST, ConsensusRule
from auditing.core.values import Choice
from auditing.models import AuditEvent, CollusionFlag, GoldTruth, ReputationStep, Seat, SkillSnapshot
from auditing.selectors.consensus.skills import rule_of, skills_for
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import World, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def sign_in() -> Callable[[Any], Client]:
    def enter(user: Any) -> Client:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return enter


def address(world: World) -> str:
    return f"/campaigns/{world.campaign.pk}/rule"


def test_an_admin_sets_the_flag_with_a_reason_and_auto_says_so(idle_hens: World, sign_in: Any) -> None:
    audit = idle_hens.submit()
    idle_hens.everybody_votes(audit)
    admin = sign_in(idle_hens.campaign.owner)
    assert admin.post(address(idle_hens), {"why": "", "set": "1"}).status_code == 400
    assert not CollusionFlag.objects.exists()
    page = admin.post(address(idle_hens), {"why": "They answer in pairs.", "set": "1"}, follow=True).content.decode()
    assert "They answer in pairs." in page
    assert str(idle_hens.campaign.owner) in page
    assert "A collusion flag is set." in page
    event = AuditEvent.objects.get(kind="collusion.flagged")
    assert (event.actor, event.body["why"]) == (idle_hens.campaign.owner, "They answer in pairs.")
    assert SkillSnapshot.objects.latest("id").why == "a collusion flag is set"
    again = admin.post(address(idle_hens), {"why": "Once more.", "set": "1"}, follow=True).content.decode()
    assert "nothing changed" in again
    assert CollusionFlag.objects.count() == 1
    page = admin.post(address(idle_hens), {"why": "It was one household.", "clear": "1"}, follow=True).content.decode()
    assert "It was one household." in page
    assert rule_of(campaign=idle_hens.campaign).why == "Too little gold to compare."


def test_only_admins_flag_and_reviewers_do_not_see_the_page(idle_hens: World, sign_in: Any) -> None:
    researcher = sign_in(make_user("researcher@example.org", "researcher"))
    assert researcher.get(address(idle_hens)).status_code == 200
    assert b"Set the flag" not in researcher.get(address(idle_hens)).content
    assert researcher.post(address(idle_hens), {"why": "x", "set": "1"}).status_code == 403
    assert sign_in(idle_hens.reviewers[0]).get(address(idle_hens)).status_code in (302, 403)
    assert not CollusionFlag.objects.exists()


def test_outcomes_are_judged_by_gold_by_tier_and_by_domain(idle_hens: World, sign_in: Any) -> None:
    audit = idle_hens.submit()
    idle_hens.settle_machines()
    segment = Seat.objects.filter(round__audit=audit, auditor__tier="human")[0].round.segment
    GoldTruth.objects.create(segment=segment, truth=Choice.FAIL, source="test")
    idle_hens.everybody_votes(audit)  # everything passes: the wrong segment is missed
    client = sign_in(make_user("researcher@example.org", "researcher"))
    page = client.get("/research/outcomes")
    assert page.status_code == 200
    by_tier, by_domain, lengths = (page.context["tables"][place] for place in (1, 2, 4))
    assert [row[:4] for row in by_tier.rows] == [["human", 1, 0, 1]]
    assert [row[:4] for row in by_domain.rows] == [["school maths", 1, 0, 1]]
    assert lengths.rows[0][1:] == [1, 5.0, 1, 0, 0]  # one wrong trace passed at FAST's cost of a miss
    assert client.get("/research/outcomes?csv=2").content.decode().splitlines()[1].startswith("human,1,0,1")
    assert client.get("/research/outcomes?domain=nowhere").status_code == 200


def test_under_the_reputation_rule_one_number_stands_for_both_skills(idle_hens: World) -> None:
    policy = replace(FAST, consensus=ConsensusRule.REPUTATION)
    one, other = (auditor_of(user=user) for user in idle_hens.reviewers[:2])
    audit = idle_hens.submit()
    idle_hens.everybody_votes(audit)
    seat = Seat.objects.filter(auditor=one, stage="revealed")[0]
    ReputationStep.objects.create(
        auditor=one,
        seat=seat,
        column="gold",
        prior="0.70",
        correct=True,
        after="0.910000000000",
        value="0.91",
        votes=1,
        standard_error=0.1,
    )
    outcomes = Fraction(73, 100)  # who met no gold stands by the final outcomes, here two right ones
    found = skills_for(auditors=[one, other], policy=policy)
    means = {key: (skill.sensitivity.mean, skill.specificity.mean) for key, skill in found.items()}
    assert means == {str(one.pk): (Fraction(91, 100),) * 2, str(other.pk): (outcomes,) * 2}


def test_a_campaign_that_was_not_compared_yet_is_not_said_to_hold_no_votes(idle_hens: World) -> None:
    idle_hens.everybody_votes(idle_hens.submit())
    assert not SkillSnapshot.objects.exists()
    why = rule_of(campaign=idle_hens.campaign).why
    assert "were not compared for this campaign yet" in why
    assert "No finished audit" not in why
