"""What a slash and a bonus read stands in the list of the eligible, before anybody is drawn."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from django.test import Client

from auditing.core.policy import FAST, SlashBasis
from auditing.core.values import Choice
from auditing.models import Audit, ReputationStep, Transfer
from auditing.selectors.ledger.published import bundle_of
from auditing.selectors.points.settlement import judged_seats
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.rosters import eligible_lines
from auditing.selectors.voting.bindings import pseudonym
from auditing.services.seating.auditors import auditor_of
from auditing.verifier import verify_audit
from tests.factories.worlds import TRACE, World, make_user, make_world, sequencer
from tests.rooms.points.test_economics import plant_gold

pytestmark = pytest.mark.django_db


def divided(world: World) -> None:
    """One of three fails what the others pass."""
    for _ in range(60):
        world.settle_machines()
        choices = (Choice.PASS, Choice.PASS, Choice.FAIL)
        if not world.vote_on_all_seats(dict(zip(world.reviewers, choices, strict=True))):
            return


def verified(audit: Audit) -> bool:
    sequencer().step()
    return verify_audit.verify(json.dumps(bundle_of(audit=audit)).encode()).ok


def listed(audit: Audit) -> dict[bytes, tuple[str, Fraction]]:
    lines = eligible_lines(audit=audit)
    return {bytes(line.auditor): (line.against, Fraction(line.reputation)) for line in lines}


@pytest.mark.parametrize(
    ("slashing", "after_outcomes", "after_gold"),
    [
        (SlashBasis.GOLD, "start", "gold"),
        (SlashBasis.GOLD_ELSE_OUTCOME, "outcome", "gold"),
        (SlashBasis.OUTCOME, "outcome", "outcome"),
    ],
)
def test_slashing_reads_what_the_policy_says(slashing: SlashBasis, after_outcomes: str, after_gold: str) -> None:
    """Three who were judged by outcomes alone, then by gold too; the list of the next audit states which it reads."""
    world = make_world(policy=replace(FAST, slashing=slashing))
    first = world.submit(TRACE)
    world.everybody_votes(first)
    second = world.submit(replace(TRACE, problem="Another field: " + TRACE.problem))
    plant_gold(second, world)
    divided(world)
    third = world.submit(replace(TRACE, problem="A third field: " + TRACE.problem))
    world.settle_machines()
    people = [auditor_of(user=user) for user in world.reviewers]
    for audit, word in ((first, "start"), (second, after_outcomes), (third, after_gold)):
        lines = listed(audit)
        assert {lines[bytes(pseudonym(audit=audit, auditor=person))][0] for person in people} == {word}
    figures = {lines[bytes(pseudonym(audit=third, auditor=person))][1] for person in people}
    # Who passed the wrong gold stands below who failed it; by outcomes the majority was right.
    column = "consensus" if slashing is SlashBasis.OUTCOME else "gold"
    assert figures == {
        Fraction(round(100 * ReputationStep.objects.filter(auditor=person, column=column).latest("votes").value), 100)
        for person in people
    }
    world.everybody_votes(third)
    assert verified(first)
    assert verified(third)


def test_the_chance_of_a_slash_is_that_of_the_listed_reputation() -> None:
    world = make_world()
    audit = world.submit(TRACE)
    divided(world)
    policy = load_policy(version=audit.policy)
    lines = listed(audit)
    for one in judged_seats(audit=audit, policy=policy):
        assert one.value.reputation == lines[bytes(one.seat.pseudonym)][1]


def test_a_bonus_that_nobody_can_be_paid_yet_is_not_paid_and_the_page_says_so() -> None:
    world = make_world(policy=replace(FAST, agreement_bonus=6))
    audit = world.submit(TRACE)
    divided(world)
    assert not Transfer.objects.filter(audit=audit, kind="agreement").exists()
    assert verified(audit)
    page = Client()
    page.force_login(make_user("boss@example.org", "admin"), backend="django.contrib.auth.backends.ModelBackend")
    assert "nobody is paid one" in page.get(f"/policies/{audit.policy.number}").content.decode()
