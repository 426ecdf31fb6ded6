"""What each person is told of an appeal: that it is open to whoever was outvoted, who is missing, what was found."""

from datetime import timedelta

import pytest

from auditing.core.values import Choice
from auditing.models import Audit, Auditor, Commitment, Posting, Round
from auditing.research.reports.appeals import LookedAgainError, appeal
from auditing.selectors.clock import database_now
from auditing.services.intake.submission import withdraw
from tests.factories.worlds import World, make_user, make_world, wake_rounds
from tests.rooms.consensus.test_appeals import page_for, recorded_world

pytestmark = pytest.mark.django_db


def own_vote_page(world: World, audit: Audit) -> str:
    seat = Commitment.objects.filter(seat__auditor__user=world.reviewers[0], seat__round__audit=audit)[0].seat_id
    return page_for(world.reviewers[0], f"/record/votes/{seat}")


def appealed() -> tuple[World, Audit, Audit]:
    world, audit = recorded_world()
    made = appeal(audit=audit, by=world.provider, reason="wrong_outcome", text="", now=database_now())
    return world, audit, made.successor


def test_whoever_was_outvoted_finds_the_appeal_though_no_points_were_posted() -> None:
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    Auditor.objects.filter(tier="human").update(is_simulated=True)  # who is never paid
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert not Posting.objects.filter(transfer__audit=audit).exists()
    page = own_vote_page(world, audit)
    assert f'href="/audits/{audit.pk}/appeal"' in page
    assert f"{audit.appeals_until:%Y-%m-%d %H:%M}" in page
    Audit.objects.filter(pk=audit.pk).update(appeals_until=database_now() - timedelta(seconds=1))
    assert "/appeal" not in own_vote_page(world, audit)


def test_whoever_has_appealed_is_not_asked_to_do_it_again() -> None:
    world, audit = recorded_world()
    appeal(audit=audit, by=world.reviewers[0], reason="misread", text="", now=database_now())
    page = own_vote_page(world, audit)
    assert "/appeal" not in page
    assert "Somebody appealed: others look at the trace again." in page


def test_nobody_who_sat_in_the_first_audit_is_counted_for_the_second() -> None:
    world, _, successor = appealed()
    world.settle_machines()
    Round.objects.filter(audit=successor, stage="seated").update(stage_since=database_now() - timedelta(minutes=1))
    wake_rounds()
    page = page_for(world.provider, f"/audits/{successor.pk}")
    assert "and nobody there may judge: it waits until somebody may." in page
    make_user("new@example.org", "reviewer")
    assert "and 1 person may judge" in page_for(world.provider, f"/audits/{successor.pk}")


def test_the_second_audit_is_told_above_what_the_first_one_found() -> None:
    world, audit, successor = appealed()
    assert "An appeal was made." in page_for(world.provider, f"/audits/{audit.pk}")
    first, world.reviewers = world.reviewers, [make_user(f"other{n}@example.org", "reviewer") for n in range(3)]
    world.everybody_votes(successor, Choice.FAIL)
    for path in (f"/audits/{audit.pk}", f"/audits/{audit.pk}/report"):
        page = page_for(world.provider, path)
        assert page.index("A second audit found otherwise: fail.") < page.index('id="verdict')
    world.reviewers = first
    assert "After an appeal, others looked at the trace again:" in own_vote_page(world, audit)
    assert '<span class="tag">second audit</span>' in page_for(world.provider, "/audits")


def test_a_second_audit_that_agrees_says_so() -> None:
    world, audit, successor = appealed()
    world.reviewers = [make_user(f"second{number}@example.org", "reviewer") for number in range(3)]
    world.everybody_votes(successor)
    assert "A second audit found the same: pass." in page_for(world.provider, f"/audits/{audit.pk}")


def test_a_second_audit_that_was_taken_back_is_not_told_above_the_outcome() -> None:
    world, audit, successor = appealed()
    assert withdraw(audit=successor, actor=world.provider)
    page = page_for(world.provider, f"/audits/{audit.pk}")
    assert "An appeal was made." not in page
    assert "A second audit found" not in page


def test_nobody_joins_a_second_audit_that_is_over() -> None:
    world, audit, successor = appealed()
    first, world.reviewers = world.reviewers, [make_user(f"other{n}@example.org", "reviewer") for n in range(3)]
    world.everybody_votes(successor)
    world.reviewers = first
    assert "/appeal" not in own_vote_page(world, audit)
    page = page_for(first[0], f"/audits/{audit.pk}/appeal")
    assert "A second audit has looked at every segment again already" in page
    assert 'name="reason"' not in page
    with pytest.raises(LookedAgainError):
        appeal(audit=audit, by=first[0], reason="misread", text="", now=database_now())
    assert 'name="reason"' in page_for(world.provider, f"/audits/{successor.pk}/appeal")


def test_where_the_second_audit_was_taken_back_the_page_says_that_there_is_no_third() -> None:
    world, audit, successor = appealed()
    assert withdraw(audit=successor, actor=world.provider)
    assert "ended without an outcome, and there is one for each audit" in page_for(
        world.reviewers[0], f"/audits/{audit.pk}/appeal"
    )
    with pytest.raises(LookedAgainError):
        appeal(audit=audit, by=world.reviewers[0], reason="misread", text="", now=database_now())
