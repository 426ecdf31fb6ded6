"""Who was drawn may have to leave: conflicts declared afterwards, roles taken away, pauses, and who says "not me"."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import Profile, RoleGrant
from auditing.core.policy import FAST
from auditing.core.values import Choice
from auditing.models import Audit, AuditEvent, Campaign, Notice, Recusal, Round, Seat
from auditing.research.campaigns.services.campaigns import name_people, set_state
from auditing.research.policy_lab.services import publish_policy
from auditing.selectors.clock import database_now
from auditing.selectors.seating.eligible import eligible_auditors
from auditing.services import corridor
from auditing.services.intake.submission import withdraw
from auditing.services.seating import assignment
from auditing.services.seating.assignment import claim_next, has_work
from auditing.services.seating.auditors import auditor_of
from auditing.services.seating.claims import LEASE
from auditing.services.voting.commitment import SeatTakenError, TraceOverError, WindowClosedError
from tests.factories.worlds import ONE_SEAT, World, make_user

pytestmark = pytest.mark.django_db


def claim(user: Any) -> Seat | None:
    return claim_next(auditor=auditor_of(user=type(user).objects.get(pk=user.pk)), now=database_now())


def holder(world: World) -> tuple[Any, Seat]:
    """Somebody with a seat in hand."""
    return next((user, seat) for user in world.reviewers if (seat := claim(user)) is not None)


def anywhere() -> Round:
    """A round on a segment where nobody sat yet."""
    audit = Audit.objects.select_related("trace__provider", "campaign", "policy").get()
    return Round(audit=audit, segment_id=uuid4(), tier="human", k=1, stage_since=audit.stage_since)


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def declare(user: Any, **said: Any) -> None:
    Profile.objects.update_or_create(user=user, defaults=said)


def conflict_of_the_reviewer(world: World, user: Any) -> str:
    declare(user, conflicts=["Provider@example.org"])
    return "conflict of interest"


def conflict_of_the_provider(world: World, user: Any) -> str:
    declare(world.provider, conflicts=[user.email])
    return "conflict of interest"


def same_organisation(world: World, user: Any) -> str:
    declare(user, organisation="ETH")
    declare(world.provider, organisation="eth ")
    return "conflict of interest"


def role_taken(world: World, user: Any) -> str:
    RoleGrant.objects.filter(user=user).delete()
    return "role taken away"


def account_closed(world: World, user: Any) -> str:
    type(user).objects.filter(pk=user.pk).update(is_active=False)
    return "role taken away"


def named_without(world: World, user: Any) -> str:
    others = [one.email for one in world.reviewers if one != user]
    assert not name_people(campaign=world.campaign, role="reviewer", emails=others, actor=None)
    return "no longer in the campaign"


AFTERWARDS = [
    conflict_of_the_reviewer,
    conflict_of_the_provider,
    same_organisation,
    role_taken,
    account_closed,
    named_without,
]


@pytest.mark.parametrize("happens", AFTERWARDS)
def test_what_happens_after_the_draw_takes_the_seat_and_the_vote_with_it(one_seat_hens: World, happens: Any) -> None:
    user, seat = holder(one_seat_hens)
    why = happens(one_seat_hens, user)
    with pytest.raises(SeatTakenError, match=why):
        one_seat_hens.seal(seat, seat.auditor, Choice.PASS)
    assert claim(user) is None
    left = Seat.objects.filter(auditor=seat.auditor)
    assert not left.filter(stage__in=("offered", "held")).exists()
    assert set(left.filter(stage="declined").values_list("declined_because", flat=True)) == {why}
    heir = Seat.objects.get(round=seat.round_id, stage="offered")
    assert heir.auditor != seat.auditor
    assert AuditEvent.objects.filter(kind="seat.declined", body__because=why, body__seat=str(seat.pk)).exists()


@pytest.mark.parametrize("happens", [conflict_of_the_reviewer, conflict_of_the_provider, account_closed])
def test_who_never_comes_back_keeps_nobody_waiting(one_seat_hens: World, happens: Any) -> None:
    user, seat = holder(one_seat_hens)
    happens(one_seat_hens, user)
    assert assignment.sweep_unfit(now=database_now()) > 0
    assert not Seat.objects.filter(auditor=seat.auditor, stage__in=("offered", "held")).exists()
    assert assignment.sweep_unfit(now=database_now()) == 0


def test_who_recuses_themselves_is_never_asked_about_that_provider_again(one_seat_hens: World) -> None:
    user, seat = holder(one_seat_hens)
    client = signed_in(user)
    page = client.post(f"/desk/{seat.pk}/decline", {"because": "conflict of interest"}, follow=True).content.decode()
    assert "not asked about traces of this provider again" in page
    assert not Seat.objects.filter(auditor=seat.auditor, stage__in=("offered", "held")).exists()
    for round in Round.objects.filter(tier="human"):
        assert seat.auditor not in eligible_auditors(round=round)
    record = client.get("/record/recusals").content.decode()
    assert "you are not asked about its traces" in " ".join(record.split())
    assert "provider@example.org" not in record + page
    assert one_seat_hens.provider.pseudonym not in record + page
    client.post(f"/record/recusals/{Recusal.objects.get().pk}")
    assert not Recusal.objects.exists()


def test_nobody_takes_back_the_recusal_of_another(one_seat_hens: World) -> None:
    user, seat = holder(one_seat_hens)
    assignment.recuse(seat=seat)
    other = next(one for one in one_seat_hens.reviewers if one != user)
    assert signed_in(other).post(f"/record/recusals/{Recusal.objects.get().pk}").status_code == 404
    assert Recusal.objects.exists()


def pass_on_over_http(user: Any, seat: Seat, because: Any) -> Any:
    body = {"because": because}
    return signed_in(user).post(f"/api/v1/seats/{seat.pk}/pass", body, content_type="application/json")


def test_a_program_passes_a_seat_on_by_every_route_once(one_seat_hens: World) -> None:
    admin = one_seat_hens.campaign.owner
    user, seat = holder(one_seat_hens)
    assert pass_on_over_http(user, seat, "boring").status_code == 400
    other = next(one for one in one_seat_hens.reviewers if one != user)
    assert pass_on_over_http(other, seat, "unclear").status_code == 404
    assert pass_on_over_http(user, seat, "escalate").json()["done"].endswith("the admins are told.")
    assert pass_on_over_http(user, seat, "escalate").status_code == 409
    told = Notice.objects.get(user=admin)
    assert (told.kind, seat.round.segment.label in told.text) == ("decision", True)
    assert signed_in(admin).get(told.link).status_code == 200
    user, seat = holder(one_seat_hens)
    assert pass_on_over_http(user, seat, "not my field").status_code == 200
    assert Notice.objects.filter(user=admin).count() == 1


def test_the_admins_hear_of_a_segment_that_two_reviewers_find_unclear(one_seat_hens: World) -> None:
    user, seat = holder(one_seat_hens)
    assert pass_on_over_http(user, seat, "unclear").status_code == 200
    assert not Notice.objects.filter(user=one_seat_hens.campaign.owner).exists()
    heir = Seat.objects.select_related("auditor__user").get(round=seat.round_id, stage="offered")
    Seat.objects.filter(pk=heir.pk).update(wanted_by=database_now() - timedelta(days=9))
    claim(heir.auditor.user)
    assert pass_on_over_http(heir.auditor.user, heir, "unclear").status_code == 200
    assert "too unclear" in Notice.objects.get(user=one_seat_hens.campaign.owner).text


def test_when_everybody_declines_the_window_ends_at_once_and_newcomers_are_drawn(one_seat_hens: World) -> None:
    round = Seat.objects.filter(auditor__tier="human", stage="offered")[0].round
    for _ in one_seat_hens.reviewers:
        seat = Seat.objects.select_related("round__audit__trace", "auditor").get(round=round, stage="offered")
        assert assignment.decline(seat=seat, because="unclear")
    round.refresh_from_db()
    soon = database_now() + timedelta(minutes=2)  # well before the window would have ended by itself
    assert round.due_at is not None
    assert round.due_at < soon
    assert AuditEvent.objects.filter(kind="round.deserted").exists()
    corridor.advance_due(now=soon)
    newcomer = make_user("late@example.org", "reviewer")
    one_seat_hens.settle_machines()  # adds the newcomer to the list, which has to be covered by a checkpoint first
    one_seat_hens.settle_machines()
    assert {one.auditor.user for one in Seat.objects.filter(round=round, stage="offered")} == {newcomer}


def test_a_paused_campaign_keeps_seats_windows_and_leases_where_they_are(one_seat_hens: World) -> None:
    user, seat = holder(one_seat_hens)
    admin, now = one_seat_hens.campaign.owner, database_now()
    due = Round.objects.get(pk=seat.round_id).due_at
    set_state(campaign=one_seat_hens.campaign, state="paused", actor=admin, now=now)
    assert signed_in(user).get("/desk").context["waiting"].reason == "paused"
    much_later = now + timedelta(days=30)
    corridor.advance_due(now=much_later)
    assert (Seat.objects.get(pk=seat.pk).stage, Round.objects.get(pk=seat.round_id).due_at) == ("held", due)
    set_state(campaign=one_seat_hens.campaign, state="open", actor=admin, now=much_later)
    assert due is not None
    assert Round.objects.get(pk=seat.round_id).due_at == due + timedelta(days=30)
    assert Seat.objects.get(pk=seat.pk).lease_until > much_later
    assert claim_next(auditor=seat.auditor, now=much_later) == seat


def test_what_was_written_before_a_pause_may_still_be_sealed(one_seat_hens: World) -> None:
    _, seat = holder(one_seat_hens)
    set_state(campaign=one_seat_hens.campaign, state="paused", actor=None, now=database_now())
    assert one_seat_hens.seal(seat, seat.auditor, Choice.PASS)


def test_a_closed_campaign_takes_no_trace_but_serves_what_it_has(one_seat_hens: World) -> None:
    set_state(campaign=one_seat_hens.campaign, state="closed", actor=None, now=database_now())
    user, seat = holder(one_seat_hens)
    assert signed_in(user).get("/desk").context["seat"] == seat


def test_another_policy_changes_nothing_of_an_audit_that_has_begun(one_seat_hens: World) -> None:
    strict = publish_policy(
        policy=replace(ONE_SEAT, human=replace(FAST.human, k=3)), author=one_seat_hens.campaign.owner
    )
    Campaign.objects.filter(pk=one_seat_hens.campaign.pk).update(policy=strict)
    audit = Audit.objects.get()
    user, seat = holder(one_seat_hens)
    assert (seat.round.k, seat.round.audit.policy_id) == (1, audit.policy_id)
    assert audit.policy_id != strict.pk
    assert one_seat_hens.vote(user) is not None


def test_the_last_instant_of_a_window_is_outside_of_it(one_seat_hens: World) -> None:
    user, seat = holder(one_seat_hens)
    due = Round.objects.get(pk=seat.round_id).due_at
    assert due is not None
    auditor = auditor_of(user=user)
    assert claim_next(auditor=auditor, now=due - timedelta(microseconds=1)) is not None
    assert not has_work(auditor=auditor, now=due)
    Round.objects.filter(pk=seat.round_id).update(due_at=database_now())
    with pytest.raises(WindowClosedError):
        one_seat_hens.seal(seat, seat.auditor, Choice.PASS)


def test_voting_on_a_withdrawn_trace_ends_at_once_and_says_that_votes_are_void(one_seat_hens: World) -> None:
    user, seat = holder(one_seat_hens)
    assert withdraw(audit=seat.round.audit, actor=one_seat_hens.provider)
    with pytest.raises(TraceOverError, match="votes are void"):
        one_seat_hens.seal(seat, seat.auditor, Choice.PASS)
    assert claim(user) is None


def test_a_vote_that_arrives_when_its_lease_has_just_ended_is_taken_and_the_lease_does_not_lapse(
    one_seat_hens: World,
) -> None:
    _, seat = holder(one_seat_hens)
    Seat.objects.filter(pk=seat.pk).update(lease_until=database_now())
    assert one_seat_hens.seal(seat, seat.auditor, Choice.PASS)
    assert not assignment.lapse(seat=seat, now=database_now() + LEASE)
    assert Seat.objects.get(pk=seat.pk).stage == "committed"


def test_a_week_counts_what_was_given_not_what_was_passed_on(one_seat_hens: World) -> None:
    user, seat = holder(one_seat_hens)
    others = Seat.objects.filter(auditor=seat.auditor).exclude(pk=seat.pk)
    declare(user, weekly_capacity=others.exclude(stage="declined").count() + 1)
    round = anywhere()
    assert seat.auditor not in eligible_auditors(round=round)
    assignment.decline(seat=seat, because="not my field")
    assert seat.auditor in eligible_auditors(round=round)


def test_a_suspension_that_ended_and_a_week_that_passed_count_for_rounds_that_have_waited_longer(
    one_seat_hens: World,
) -> None:
    user, seat = holder(one_seat_hens)
    round = anywhere()
    round.stage_since = database_now() - timedelta(days=30)
    type(seat.auditor).objects.filter(pk=seat.auditor_id).update(suspended_until=database_now() - timedelta(hours=1))
    assert seat.auditor in eligible_auditors(round=round)
    declare(user, weekly_capacity=1)
    Seat.objects.filter(auditor=seat.auditor).update(offered_at=database_now() - timedelta(days=8))
    assert seat.auditor in eligible_auditors(round=round)
