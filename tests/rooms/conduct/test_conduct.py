"""Signs of conduct on their pages: what admins and the person see, and that a decision is a person's and is told."""

from dataclasses import replace

import pytest
from django.test import Client

from auditing.core.values import Choice
from auditing.models import AuditEvent, GoldTruth, Notice, Round
from auditing.research.conduct.core import patterns
from auditing.research.conduct.selectors.rings import rings
from auditing.research.conduct.selectors.signs import all_conducts, conduct_of
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import TRACE, World, make_user, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def judged(built_once: None) -> World:
    """The world of make_judged_world, once for all tests of a module."""
    return make_judged_world()


def make_judged_world() -> World:
    """Six audits whose human segments turn out to be wrong: two reviewers passed everything, one read."""
    world = make_world()
    for number in range(6):
        # Other words in every step, because copies of a text share one budget of disclosure.
        trace = replace(TRACE, problem=f"Question {number}. {TRACE.problem}")
        world.submit(replace(trace, thinking=TRACE.thinking.replace(".", f" on farm {number}.")))
        choices = (Choice.PASS, Choice.PASS, Choice.FAIL)
        for _ in range(40):
            world.settle_machines()
            if not world.vote_on_all_seats(dict(zip(world.reviewers, choices, strict=True))):
                break
    # Known only afterwards, so that it bears on no draw.
    for round in Round.objects.filter(tier="human"):
        GoldTruth.objects.create(segment_id=round.segment_id, truth=Choice.FAIL, source="test")
    return world


def page_of(user: object) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_who_passes_every_error_is_flagged_first_and_who_reads_is_not(judged: World) -> None:
    rows = all_conducts()
    stampers = [auditor_of(user=user) for user in judged.reviewers[:2]]
    assert [row.auditor for row in rows if row.is_flagged] == [row.auditor for row in rows[:2]]
    assert {row.auditor for row in rows[:2]} == set(stampers)
    reader = conduct_of(auditor=auditor_of(user=judged.reviewers[2]))
    assert reader is not None
    assert not reader.is_flagged
    assert reader.suspicion.gold == reader.suspicion.votes > 10


def test_an_admin_sees_the_signs_and_the_person_sees_the_same(judged: World) -> None:
    admin = page_of(make_user("boss@example.org", "admin")).get("/conduct").content.decode()
    assert judged.reviewers[0].pseudonym in admin
    assert "A flag decides nothing" in admin
    own = page_of(judged.reviewers[0]).get("/record").content.decode()
    assert "Signs in your votes" in own
    assert page_of(judged.reviewers[0]).get("/conduct").status_code in (302, 403, 404)


def test_a_decision_is_recorded_and_told_and_changes_neither_points_nor_standing(judged: World) -> None:
    auditor = auditor_of(user=judged.reviewers[0])
    admin = page_of(make_user("boss@example.org", "admin"))
    admin.post(f"/conduct/{auditor.pk}", {"decision": "warned", "why": "You passed eight wrong passages."})
    (event,) = AuditEvent.objects.filter(kind="conduct.decided")
    assert event.body["word"] == "warned"
    (notice,) = Notice.objects.filter(user=judged.reviewers[0], key__startswith="conduct:")
    assert "You passed eight wrong passages." in notice.text
    auditor.refresh_from_db()
    assert auditor.suspended_until is None
    assert "warned" in page_of(judged.reviewers[0]).get("/record").content.decode()


@pytest.mark.parametrize("decision", ["hanged", ""])
def test_a_decision_of_no_known_kind_is_refused(judged: World, decision: str) -> None:
    auditor = auditor_of(user=judged.reviewers[0])
    admin = page_of(make_user("boss@example.org", "admin"))
    assert admin.post(f"/conduct/{auditor.pk}", {"decision": decision}).status_code == 404


def test_nobody_decides_about_the_own_votes() -> None:
    person = make_user("both@example.org", "admin", "reviewer")
    page_of(person).post(f"/conduct/{auditor_of(user=person).pk}", {"decision": "cleared"})
    assert not AuditEvent.objects.filter(kind="conduct.decided").exists()


def test_who_passes_everything_alike_is_no_ring(judged: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two stampers agree always, and what is known of them explains it."""
    monkeypatch.setattr(patterns, "LEAST_SHARED", 8)
    assert rings() == []
