"""Who sits where: conflicts, budget, leases, two tabs, order of the queue."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from accounts.models import Profile, Role, RoleGrant, User
from auditing.core.ledger import bundle
from auditing.core.policy import FAST, Policy
from auditing.core.policy.parameters import Order
from auditing.core.values import Choice
from auditing.models import Audit, AuditEvent, Commitment, Draft, Leaf, Round, Seat, SegmentOutcome
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.selectors.clock import database_now
from auditing.selectors.ledger.published import bundle_of
from auditing.selectors.seating.disclosure import limit_of, unpack
from auditing.services import corridor
from auditing.services.seating.assignment import LAPSED_A_CLAIM, claim_next, decline, lapse, recuse
from auditing.services.seating.auditors import auditor_of
from auditing.services.seating.claims import LEASE
from auditing.services.seating.disclosure import open_panes
from auditing.services.seating.leases import renew
from auditing.services.voting.drafts import save
from auditing.verifier import verify_audit
from hdag.core.disclosure import Disclosed
from hdag.core.values import Trace
from hdag.selectors import load_trace
from tests.factories.worlds import ONE_SEAT, World, make_user, make_world, wake_rounds
from tests.tools.copies import copy_open_segments

pytestmark = pytest.mark.django_db
NO_WAIVER = replace(FAST, human=replace(FAST.human, k=2), short_trace_characters=0, disclosure_share=Decimal("0.4"))
LONG = "\n\n".join(
    f"Then consider case {number}, where the argument goes through because each bird of group {number} is counted once."
    for number in range(12)
)


def held_by(world: World, number: int) -> Seat | None:
    return claim_next(auditor=auditor_of(user=world.reviewers[number]), now=database_now())


def seated(policy: Policy = ONE_SEAT, reviewers: int = 3, **trace: Any) -> tuple[World, Audit]:
    world = make_world(reviewers=reviewers, policy=policy)
    audit = world.submit(**trace)
    world.settle_machines()
    return world, audit


def profile_of(user: User, **fields: Any) -> None:
    Profile.objects.update_or_create(user=user, defaults=fields)


@pytest.mark.parametrize(
    ("reviewer", "provider"),
    [
        ({"organisation": "ETH Zürich"}, {"organisation": " eth zürich "}),
        ({"conflicts": ["provider@example.org"]}, {}),
        ({}, {"conflicts": ["Reviewer0@example.org"]}),
        ({"weekly_capacity": 0}, {}),
        ({"domains": ["medicine"]}, {}),
    ],
)
def test_who_is_in_conflict_or_of_another_field_is_never_drawn(reviewer: dict, provider: dict) -> None:
    world = make_world(reviewers=2, policy=ONE_SEAT)
    profile_of(world.reviewers[0], **reviewer)
    profile_of(world.provider, **provider)
    world.submit()
    world.settle_machines()
    assert {seat.auditor.user for seat in Seat.objects.filter(auditor__tier="human")} == {world.reviewers[1]}


def test_two_tabs_of_one_reviewer_hold_one_seat() -> None:
    world, _ = seated()
    seats = {held_by(world, number % 3) for number in range(9)} - {None}
    assert Seat.objects.filter(stage="held").count() == len(seats) <= 3


def test_the_next_in_the_draw_is_served_the_moment_a_lease_ended_without_any_sweep() -> None:
    world, _ = seated(reviewers=2)
    first = next(filter(None, (held_by(world, number) for number in (0, 1))))
    other = next(user for user in world.reviewers if user != first.auditor.user)
    Seat.objects.filter(stage="offered").delete()
    later = database_now() + LEASE + timedelta(seconds=1)
    found = claim_next(auditor=auditor_of(user=other), now=later)
    assert found is not None
    assert (found.round_id, Seat.objects.get(pk=first.pk).stage) == (first.round_id, "lapsed")
    assert AuditEvent.objects.filter(kind="seat.lapsed", body__seat=str(first.pk)).exists()


def test_who_writes_on_when_a_lease_ended_and_nobody_else_was_left_has_the_seat_and_the_draft() -> None:
    world, _ = seated(reviewers=1)
    seat = held_by(world, 0)
    later = database_now() + LEASE
    assert lapse(seat=seat, now=later)
    assert Seat.objects.get(pk=seat.pk).stage == "offered"
    assert renew(seat=seat, now=later)
    assert (Seat.objects.get(pk=seat.pk).stage, Seat.objects.get(pk=seat.pk).taken_at) == ("held", later)
    lapse(seat=seat, now=later + LEASE)
    save(seat_id=seat.pk, auditor=seat.auditor, version=1, body=b"sealed", now=later + LEASE)
    assert Draft.objects.get().seat.stage == "held"
    # Not in a closed window, nor a seat that went on to somebody else.
    for stage in ("offered", "lapsed"):
        Seat.objects.filter(pk=seat.pk).update(stage=stage, lease_until=None)
        if stage == "offered":
            Round.objects.filter(pk=seat.round_id).update(due_at=later)
        assert not renew(seat=seat, now=later + LEASE)


def test_a_declined_seat_goes_to_the_next_in_the_order_of_the_draw_and_is_logged() -> None:
    world, _ = seated()
    seat = next(filter(None, (held_by(world, number) for number in range(3))))
    order = Round.objects.get(pk=seat.round_id).drawn
    assert decline(seat=seat, because="not my field")
    following = Seat.objects.get(round=seat.round_id, stage="offered")
    assert str(following.auditor_id) == order[0]
    assert AuditEvent.objects.get(kind="seat.declined").body["because"] == "not my field"


def test_contested_segments_come_first_in_a_reviewers_own_queue() -> None:
    world, _ = seated(reviewers=1)
    auditor = auditor_of(user=world.reviewers[0])
    seats = list(Seat.objects.filter(auditor=auditor, stage="offered").order_by("wanted_by", "pk"))
    assert len(seats) > 1
    Seat.objects.filter(pk=seats[-1].pk).update(wanted_by=seats[0].wanted_by - timedelta(days=1))
    assert claim_next(auditor=auditor, now=database_now()) == seats[-1]


def walk_positions(audit: Audit) -> dict[Any, list[int]]:
    order = list(audit.routes.order_by("segment__position").values_list("segment_id", flat=True))
    found: dict[Any, list[int]] = {}
    rows = Seat.objects.filter(round__audit=audit, auditor__tier="human", declined_because="")
    for seat in rows.select_related("round"):
        found.setdefault(seat.auditor_id, []).append(order.index(seat.round.segment_id))
    return found


def test_no_reviewer_sees_more_than_the_share_or_two_neighbours_of_a_long_trace() -> None:
    trace = Trace(problem="How many birds are there?", thinking=LONG, answer="78", domain="school maths", title="Birds")
    world, audit = seated(policy=NO_WAIVER, reviewers=8, trace=trace)
    for user in world.reviewers:
        while (seat := claim_next(auditor=auditor_of(user=user), now=database_now())) is not None:
            open_panes(seat=seat)
            world.seal(seat, seat.auditor, Choice.PASS)
    limit = limit_of(audit=audit, trace=load_trace(audit.trace))
    seats = Seat.objects.filter(round__audit=audit, auditor__tier="human", declined_because="")
    assert limit is not None
    assert seats.filter(stage="committed").exists()
    for auditor in set(seats.values_list("auditor", flat=True)):
        seen = Disclosed()
        for seat in seats.filter(auditor=auditor):
            seen = seen | unpack(packed=seat.shown["current"]) | unpack(packed=seat.shown.get("view"))
        assert seen.characters <= limit
    for positions in walk_positions(audit).values():
        assert all(abs(one - other) != 1 for one in positions for other in positions)


def test_the_trusted_pool_reads_what_nobodys_budget_allows() -> None:
    whole = Trace(problem="Why?", thinking="Because " + "it is so " * 90, answer="", domain="other", title="One")
    world = make_world(reviewers=3, policy=NO_WAIVER)
    adjudicator = make_user("judge@example.org", "adjudicator")
    world.submit(trace=whole)
    world.settle_machines()
    assert not Seat.objects.filter(auditor__tier="human").exists()
    wake_rounds()
    corridor.advance_due(now=database_now() + timedelta(minutes=11))
    assert {seat.auditor.user for seat in Seat.objects.filter(auditor__tier="human")} == {adjudicator}
    assert AuditEvent.objects.filter(kind="round.seated", body__pool="trusted").exists()


def test_premises_first_seats_a_segment_only_when_its_premises_are_decided() -> None:
    world, audit = seated(policy=replace(FAST, order=Order.PREMISES_FIRST))
    from auditing.selectors.consensus.premises import premises_of

    for round in Round.objects.filter(audit=audit, tier="human", stage="committing"):
        audited = audit.routes.filter(segment__in=premises_of(segment_id=round.segment_id))
        decided = SegmentOutcome.objects.filter(audit=audit, segment__in=audited.values("segment"))
        assert audited.count() == decided.count()
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert audit.stage == "recorded"


def test_people_wait_until_their_batch_is_mixed_or_old() -> None:
    policy = replace(FAST, batch_size=2, batch_providers=2, batch_minutes=30)
    world, first = seated(policy=policy)
    assert not Seat.objects.filter(auditor__tier="human").exists()
    world.provider = make_user("second@example.org", "provider")
    second = world.submit(trace=Trace(problem="P?", thinking="So it is.", answer="a", domain="other", title="Two"))
    world.settle_machines()
    wake_rounds()
    world.settle_machines()
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.batch_providers, second.batch_providers) == (2, 2)
    assert Seat.objects.filter(round__audit=first, auditor__tier="human").exists()


def test_an_ended_lease_comes_to_the_next_of_the_draw_however_many_others_have_ended() -> None:
    world, _ = seated(reviewers=2)
    two = Seat.objects.filter(auditor__tier="human")[0].auditor
    one = next(found for user in world.reviewers if (found := auditor_of(user=user)) != two)
    seat = claim_next(auditor=two, now=database_now())
    assert seat is not None
    copy_open_segments(after=seat.round, auditor=two, count=600, votes=0, tag="ended")
    ended = database_now() - timedelta(hours=1)
    with connection.cursor() as cursor:  # the copies' auditors are nobody: an update would look for them
        cursor.execute("SET session_replication_role = replica")
        Seat.objects.filter(stage="held").update(lease_until=ended)
        cursor.execute("SET session_replication_role = DEFAULT")
    Round.objects.exclude(pk=seat.round_id).update(drawn=[])
    Seat.objects.filter(pk=seat.pk).update(lease_until=ended + timedelta(minutes=1))
    Seat.objects.filter(auditor=one).exclude(round=seat.round).delete()
    assert Seat.objects.filter(stage="held").count() > LAPSED_A_CLAIM
    assert str(one.pk) in Round.objects.get(pk=seat.round_id).drawn
    taken = claim_next(auditor=one, now=database_now())
    assert taken is not None
    assert taken.round_id == seat.round_id


def test_a_round_whose_last_reviewer_voted_does_not_wait_for_a_place_that_nobody_can_fill() -> None:
    world, _ = seated(policy=replace(FAST, human=replace(FAST.human, k=2)), reviewers=2)
    round = Round.objects.filter(tier="human", stage="committing")[0]
    one, two = Seat.objects.filter(round=round).select_related("round__audit__trace", "round__segment", "auditor")
    assert decline(seat=one, because="not my field")
    world.seal(two, two.auditor, Choice.PASS)
    round.refresh_from_db()
    assert round.stage == "revealing"


def test_a_stranger_repeats_every_draw_whoever_left_lapsed_was_recused_or_came_late() -> None:
    world, audit = seated(policy=replace(FAST, human=replace(FAST.human, k=2)), reviewers=5)
    for number, leave in ((0, lambda seat: decline(seat=seat, because="not my field")), (1, lambda s: recuse(seat=s))):
        seat = held_by(world, number)
        assert seat is None or leave(seat)
    # two seats are held by two of these and of the one who is barred below, whomever the draw took
    lapsing = next(seat for number in (2, 4, 0) if (seat := held_by(world, number)) is not None)
    assert lapse(seat=lapsing, now=database_now() + 2 * LEASE)
    barred = world.reviewers[3]
    profile_of(world.provider, conflicts=[barred.email])
    deserted = Round.objects.filter(tier="human", stage="committing")[0]
    while (offer := Seat.objects.filter(round=deserted, stage="offered").first()) is not None:
        decline(seat=offer, because="unclear")
    for number in range(3):
        make_user(f"late{number}@example.org", "reviewer")
    world.reviewers = list(User.objects.filter(grants__role="reviewer"))
    corridor.advance_due(now=database_now() + timedelta(minutes=2))
    for _ in range(4):
        world.everybody_votes(audit)
    audit.refresh_from_db()
    assert audit.stage == "recorded"
    kinds = set(AuditEvent.objects.filter(audit=audit).values_list("kind", flat=True))
    assert {"seat.declined", "seat.lapsed", "round.deserted", "round.redrawn"} <= kinds
    assert Leaf.objects.filter(audit=audit, kind="eligible.extend").exists()
    assert not Commitment.objects.filter(seat__auditor__user=barred).exists()
    report = verify_audit.verify(bundle.encode(bundle=bundle_of(audit=audit)))
    assert report.ok, report.text()


def test_whoever_may_have_read_the_recorded_trace_whole_is_not_drawn_for_it_again() -> None:
    world, first = seated(policy=FAST, reviewers=4)
    reader = world.reviewers[0]
    world.everybody_votes(first)
    first.refresh_from_db()
    assert first.stage == "recorded"
    RoleGrant.objects.create(user=reader, role=Role.RESEARCHER)
    world.campaign = open_campaign(
        title="Again", owner=world.campaign.owner, policy=world.campaign.policy, guidelines="Be fair."
    )
    second = world.submit()
    world.settle_machines()
    drawn = Seat.objects.filter(round__audit=second, auditor__tier="human", declined_because="")
    assert second.pk != first.pk
    assert {seat.auditor.user for seat in drawn} == set(world.reviewers[1:])


def test_a_long_reason_is_cut_on_the_seat_and_whole_in_the_event(one_seat_hens: World) -> None:
    seat = next(seat for number in range(3) if (seat := held_by(one_seat_hens, number)) is not None)
    because = "the units of this field are none that I have ever read"
    assert decline(seat=seat, because=because)
    stored = Seat.objects.get(pk=seat.pk).declined_because
    assert stored == because[:40] != because
    assert AuditEvent.objects.filter(kind="seat.declined", body__because=because).exists()
