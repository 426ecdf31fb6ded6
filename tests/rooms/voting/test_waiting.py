"""An empty desk says why, truly, and what to do; it hears of work without taking it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Profile
from auditing.models import Audit, Auditor, Campaign, GoldSegment, Qualification, Round, Seat
from auditing.research.campaigns.services.campaigns import name_people, set_state
from auditing.selectors.clock import database_now
from auditing.selectors.voting.waiting import why_empty
from auditing.services import gold
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from hdag.core.values import Trace
from tests.factories.worlds import ONE_SEAT, World, make_user, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def _both_seated(built_once: None) -> World:
    world = make_world(reviewers=2, policy=ONE_SEAT)
    world.submit()
    world.settle_machines()
    for number in range(40):  # until the draws gave something to both
        if Seat.objects.filter(auditor__tier="human").values("auditor").distinct().count() == 2:
            break
        world.submit(
            trace=Trace(problem="P?", thinking="So it is.", answer="a", domain="school maths", title=str(number))
        )
        world.settle_machines()
    return world


@pytest.fixture
def both_seated(_both_seated: World, db: None) -> World:
    """Two reviewers, each of whom was drawn for something that waits."""
    return _both_seated.afresh()


def desk(user: Any) -> Any:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client.get("/desk")


def reason(user: Any) -> str:
    """Why the desk is empty, as the page says and the API says the same."""
    found = desk(user).context["waiting"]
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/api/v1/desk/next").json()["reason"] == found.reason
    assert f'data-reason="{found.reason}"' in client.get("/desk/waiting").content.decode()
    return str(found.reason)


def votes_all(world: World, user: Any) -> None:
    while world.vote(user) is not None:
        pass


def test_everything_is_decided_before_the_first_trace_and_after_the_last(both_seated: World) -> None:
    for _ in range(4):
        for user in both_seated.reviewers:
            votes_all(both_seated, user)
        both_seated.settle_machines()
    assert set(Audit.objects.values_list("stage", flat=True)) == {"recorded"}
    assert reason(both_seated.reviewers[0]) == "decided"


def test_a_withdrawn_trace_keeps_no_desk_waiting(both_seated: World) -> None:
    Audit.objects.update(stage="withdrawn")
    assert reason(both_seated.reviewers[0]) == "decided"


def test_all_leased_says_when_the_next_frees_and_means_the_one_that_comes_to_this_person(both_seated: World) -> None:
    one, two = both_seated.reviewers
    seat = assignment.claim_next(auditor=auditor_of(user=one), now=database_now())
    assert seat is not None
    votes_all(both_seated, two)
    page = desk(two)
    assert page.context["waiting"].reason == "leased"
    assert page.context["waiting"].frees_at == Seat.objects.get(pk=seat.pk).lease_until
    assert "The first frees" in page.content.decode()
    after = page.context["waiting"].frees_at
    served = assignment.claim_next(auditor=auditor_of(user=two), now=after)
    assert served is not None
    assert served.round_id == seat.round_id


def test_who_voted_on_all_that_came_is_told_that_others_hold_the_rest(both_seated: World) -> None:
    two = both_seated.reviewers[1]
    votes_all(both_seated, two)
    assert reason(two) == "none"


@pytest.mark.parametrize(
    "said", [{"organisation": "Lab"}, {"conflicts": ["lab"]}, {"conflicts": ["PROVIDER@example.org"]}]
)
def test_who_may_judge_no_provider_is_told_so_and_sent_to_the_profile(both_seated: World, said: dict[str, Any]) -> None:
    Profile.objects.create(user=both_seated.provider, organisation="Lab")
    Profile.objects.create(user=both_seated.reviewers[0], **said)
    page = desk(both_seated.reviewers[0])
    assert page.context["waiting"].reason == "conflict"
    assert f'class="button" href="{reverse("accounts:profile")}"' in page.content.decode()


def test_who_recused_themselves_is_told_of_the_conflict(both_seated: World) -> None:
    seat = assignment.claim_next(auditor=auditor_of(user=both_seated.reviewers[0]), now=database_now())
    assert seat is not None
    assignment.recuse(seat=seat)
    assert reason(both_seated.reviewers[0]) == "conflict"


def test_where_another_field_waits_too_the_conflict_is_told_and_not_the_field(both_seated: World) -> None:
    user = both_seated.reviewers[0]
    Profile.objects.create(user=user, domains=["school maths", "maths"])  # before the draw of what is of another field
    other = make_user("other@example.org", "provider")
    replace(both_seated, provider=other).submit(
        trace=Trace(problem="P?", thinking="So it is.", answer="a", domain="law", title="of another field")
    )
    both_seated.settle_machines()
    seat = assignment.claim_next(auditor=auditor_of(user=user), now=database_now())
    assert seat is not None
    assignment.recuse(seat=seat)
    assert reason(user) == "conflict"
    page = " ".join(desk(user).content.decode().split())
    assert "Segments that you could judge wait, but each of them comes from someone you have a conflict" in page
    Profile.objects.filter(user=user).update(domains=["medicine"])
    assert reason(user) == "field"


def test_a_provider_of_everything_that_waits_is_told_of_the_conflict(both_seated: World) -> None:
    both_seated.provider.grants.create(role="reviewer")
    assert reason(both_seated.provider) == "conflict"


def test_a_newcomer_waits_for_the_next_draw_and_is_in_it(both_seated: World) -> None:
    late = make_user("late@example.org", "reviewer")
    auditor_of(user=late)
    Audit.objects.update(stage_since=database_now() - timedelta(minutes=1))  # one transaction has one clock
    assert reason(late) == "newcomer"
    assert "next draw" in desk(late).content.decode()
    both_seated.reviewers = [late]
    Campaign.objects.update(open_to_all=True)
    for _ in range(6):
        both_seated.submit(
            trace=Trace(problem="P?", thinking="So it is then.", answer=f"a{_}", domain="x", title=str(_))
        )
    both_seated.settle_machines()
    assert Seat.objects.filter(auditor__user=late, stage="offered").exists()


def test_a_suspended_reviewer_is_told_until_when(both_seated: World) -> None:
    user = both_seated.reviewers[0]
    votes_all(both_seated, user)
    until = database_now() + timedelta(days=3)
    Auditor.objects.filter(user=user).update(suspended_until=until)
    page = desk(user)
    assert (page.context["waiting"].reason, page.context["waiting"].frees_at) == ("suspended", until)
    assert f"{until:%B %Y}" in page.content.decode()


def test_a_full_week_says_when_a_place_frees(both_seated: World) -> None:
    user = both_seated.reviewers[0]
    votes_all(both_seated, user)
    given = Seat.objects.filter(auditor__user=user).order_by("-offered_at")
    Profile.objects.create(user=user, weekly_capacity=given.count())
    oldest = database_now() - timedelta(days=3)
    Seat.objects.filter(pk=given[0].pk).update(offered_at=oldest)
    page = desk(user)
    assert page.context["waiting"].reason == "capacity"
    assert page.context["waiting"].frees_at == oldest + timedelta(days=7)


def test_other_fields_other_campaigns_and_nothing_contested_are_said_as_they_are(both_seated: World) -> None:
    user, other = both_seated.reviewers
    votes_all(both_seated, user)
    Profile.objects.create(user=user, domains=["Medicine"])
    assert reason(user) == "field"
    assert "Medicine" in desk(user).content.decode()
    Profile.objects.update(domains=[], languages=["Greek"])
    Campaign.objects.update(language="English")
    assert "Greek" in desk(user).content.decode()
    Profile.objects.update(languages=["ENGLISH"])
    assert reason(user) == "none"
    assert not name_people(campaign=both_seated.campaign, role="reviewer", emails=[other.email], actor=None)
    assert "were named" in desk(user).content.decode()
    assert "Nothing is contested" in desk(make_user("judge@example.org", "adjudicator")).content.decode()


def test_rounds_that_nobody_is_seated_in_yet_are_about_to_be_drawn(both_seated: World) -> None:
    Seat.objects.filter(auditor__tier="human").delete()
    Round.objects.filter(tier="human").update(stage="seated", drawn=[])
    assert reason(both_seated.reviewers[0]) == "drawing"


def test_a_calibration_stands_first_and_after_a_lapse_the_page_says_why(both_seated: World) -> None:
    user = both_seated.reviewers[0]
    row = '{"name": "g%d", "domain": "school maths", "text": "1 = 2", "truth": "fail"}'
    gold.import_jsonl(lines=[(row % number).encode() for number in range(5)], actor=None)
    assert reason(user) == "calibrate"
    auditor = auditor_of(user=user)
    assert set(Seat.objects.filter(auditor=auditor).values_list("declined_because", flat=True)) == {
        "calibration lapsed"
    }
    Qualification.objects.create(auditor=auditor, domain="school maths", state="lapsed", why="Agreed with 1 of 20.")
    assert "Agreed with 1 of 20. Seats in school maths open again" in desk(user).content.decode()
    GoldSegment.objects.update(is_active=False)
    assert reason(user) == "none"


def test_a_calibration_of_one_field_stands_beside_what_is_awaited_in_another(both_seated: World) -> None:
    row = '{"name": "g%d", "domain": "school maths", "text": "1 = 2", "truth": "fail"}'
    gold.import_jsonl(lines=[(row % number).encode() for number in range(5)], actor=None)
    both_seated.submit(trace=Trace(problem="P?", thinking="So it is.", answer="b", domain="botany", title="Leaves"))
    both_seated.settle_machines()
    waiting = why_empty(auditor=auditor_of(user=both_seated.reviewers[0]), now=database_now())
    assert waiting.reason != "calibrate"
    assert waiting.domain == "school maths"


def test_an_empty_desk_hears_of_work_and_takes_nothing_until_somebody_opens_it(both_seated: World) -> None:
    one, two = both_seated.reviewers
    votes_all(both_seated, two)
    client = Client()
    client.force_login(two, backend="django.contrib.auth.backends.ModelBackend")
    assert "data-wait" in client.get("/desk").content.decode()
    first = assignment.claim_next(auditor=auditor_of(user=one), now=database_now())
    assert first is not None
    assignment.decline(seat=first, because="not my field")
    heard = client.get("/desk/waiting").content.decode()
    assert "A segment waits for you" in heard
    assert "hx-get" not in heard
    assert Seat.objects.get(round=first.round_id, auditor__user=two).stage == "offered"
    assert client.get("/desk").context["seat"].round_id == first.round_id


def test_the_paused_trace_of_damaged_text_keeps_its_seats_too(both_seated: World) -> None:
    Audit.objects.update(paused_at=database_now())
    assert reason(both_seated.reviewers[0]) == "paused"
    set_state(campaign=both_seated.campaign, state="paused", actor=None, now=database_now())
    Audit.objects.update(paused_at=None)
    assert reason(both_seated.reviewers[1]) == "paused"
    assert reason(make_user("late@example.org", "reviewer")) == "decided"
