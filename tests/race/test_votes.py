"""Two tabs, one seat; many reviewers, one last place. Each test is also failed by a naive mover."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction

from auditing.core.ledger.leaves import VoteCommit
from auditing.core.policy import FAST
from auditing.core.stages import ACTIVE_SEATS
from auditing.core.values import Choice
from auditing.models import Commitment, Leaf, Round, Seat
from auditing.research.ledger_checks import services as fsck
from auditing.selectors.clock import database_now
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from auditing.services.voting.closing import close_window
from auditing.services.voting.commitment import AlreadySealedError, Sealed, accept
from tests.factories.worlds import World, make_world, sealed_vote

pytestmark = pytest.mark.django_db(transaction=True)
ABOUT = ("round__audit", "round__segment__block", "auditor")


def seated(reviewers: int = 3, k: int = 1) -> World:
    world = make_world(reviewers=reviewers, policy=replace(FAST, human=replace(FAST.human, k=k)))
    world.submit()
    world.settle_machines()
    return world


def votes_for(world: World, seat: Seat, count: int) -> list[Sealed]:
    key = world.reveal_key.public_key()
    choices = [Choice.PASS, Choice.FAIL] * count
    return [sealed_vote(seat=seat, choice=one, confidence=9000, reveal_key=key) for one in choices[:count]]


def a_seat() -> Seat:
    found = Seat.objects.select_related(*ABOUT)
    return found.filter(stage="offered", auditor__tier="human").order_by("pk")[0]


def seal(seat: Seat, vote: Sealed) -> str:
    try:
        return bytes(accept(seat_id=seat.pk, auditor=seat.auditor, vote=vote, now=database_now()).digest).hex()
    except AlreadySealedError:
        return "refused"


def is_one_vote(said: list[str], seat: Seat) -> bool:
    """One tab has its receipt, the others know that they are late, one leaf stands in the log, and it is that one."""
    stored = bytes(Commitment.objects.get(seat=seat).digest).hex()
    return sorted(said) == sorted([stored, *["refused"] * (len(said) - 1)]) and leaves_of(seat) == [stored]


def leaves_of(seat: Seat) -> list[str]:
    """Commitments of this seat in the log."""
    bodies = [
        json.loads(bytes(body)) for body in Leaf.objects.filter(kind="vote.commit").values_list("body", flat=True)
    ]
    return [body["commitment"] for body in bodies if body["seat"].replace("-", "") == seat.pk.hex]


def test_two_tabs_seal_one_vote(together: Any) -> None:
    world = seated()
    for tabs in (2, 5):
        seat = a_seat()
        said = together([lambda vote=vote, seat=seat: seal(seat, vote) for vote in votes_for(world, seat, tabs)])
        assert is_one_vote(said, seat), said


def test_the_same_vote_from_five_tabs_is_one_vote_with_five_receipts(together: Any) -> None:
    world = seated()
    seat = a_seat()
    vote = votes_for(world, seat, 1)[0]
    said = together([lambda: seal(seat, vote)] * 5)
    assert set(said) == {vote.digest.hex()}
    assert leaves_of(seat) == [vote.digest.hex()]


def leaf_of(seat: Seat, vote: Sealed) -> VoteCommit:
    return VoteCommit(
        audit=seat.round.audit_id,
        segment=seat.round.segment_id,
        round=seat.round.number,
        seat=seat.pk,
        commitment=vote.digest,
    )


def test_a_naive_tab_that_looks_and_then_writes_fails_the_same_test(together: Any, meeting: Callable[..., Any]) -> None:
    world = seated()
    seat, wait = a_seat(), meeting(2)
    from auditing.services.ledger import leaves

    def naive(vote: Sealed) -> str:
        with transaction.atomic():
            if Commitment.objects.filter(seat=seat).exists():
                return "refused"
            wait()
            leaves.write(audit=seat.round.audit, leaves=[leaf_of(seat, vote)])
        try:
            stored = Commitment.objects.create(seat=seat, digest=vote.digest, rationale_digest=vote.rationale_digest)
        except Exception:
            return "late"
        return bytes(stored.digest).hex()

    said = together([lambda vote=vote: naive(vote) for vote in votes_for(world, seat, 2)])
    assert not is_one_vote(said, seat)


def active(round_id: Any) -> int:
    return Seat.objects.filter(round=round_id, stage__in=[str(stage) for stage in ACTIVE_SEATS]).count()


def leave_and_take(world: World, seat: Seat, together: Any) -> None:
    """The holder declines, twice at once, while everybody asks for work."""
    now = database_now()
    claims = [
        lambda user=user: assignment.claim_next(auditor=auditor_of(user=user), now=now) for user in world.reviewers
    ]
    declines = [lambda: assignment.decline(seat=seat, because="unclear")] * 2
    done = together([*claims, *declines])
    assert not [one for one in done if isinstance(one, Exception)], done
    assert sum(one is True for one in done) <= 1


def test_the_last_place_is_given_to_one_of_many(together: Any) -> None:
    world = seated(reviewers=8)
    for seat in Seat.objects.filter(stage="offered", auditor__tier="human").select_related("round__audit")[:3]:
        leave_and_take(world, seat, together)
        assert active(seat.round_id) == 1


def test_the_database_itself_refuses_a_second_auditor_on_one_place(together: Any) -> None:
    world = seated(reviewers=6)
    round = Round.objects.filter(stage="committing", tier="human").first()
    Seat.objects.filter(round=round).delete()
    people = [auditor_of(user=user) for user in world.reviewers]
    made = together(
        [lambda one=one: Seat.objects.create(round=round, auditor=one, place=0, pseudonym=b"x" * 32) for one in people]
    )
    assert sum(isinstance(one, Seat) for one in made) == 1
    assert active(round.pk) == 1


def test_a_naive_draw_that_counts_and_then_seats_fills_one_place_twice(together: Any, meeting: Any) -> None:
    world = seated(reviewers=4)
    round, wait = Round.objects.filter(stage="committing", tier="human").first(), meeting(4)
    Seat.objects.filter(round=round).delete()

    def naive(auditor: Any) -> None:
        taken = Seat.objects.filter(round=round).count()
        wait()
        if taken < round.k:
            Seat.objects.create(round=round, auditor=auditor, place=auditor.user_id % 1000 + 1, pseudonym=b"x" * 32)

    together([partial(naive, auditor_of(user=user)) for user in world.reviewers])
    assert active(round.pk) > 1


def test_closing_the_window_while_seats_are_sealed_declined_and_lapse_never_locks_up(together: Any) -> None:
    world = seated(reviewers=3, k=3)
    for round in Round.objects.filter(stage="committing", tier="human").select_related("audit__policy", "audit__trace"):
        one, two, three = Seat.objects.filter(round=round).select_related(
            "round__audit", "round__segment__block", "auditor"
        )
        now = database_now()
        done = together(
            [
                partial(seal, one, votes_for(world, one, 1)[0]),
                lambda two=two: assignment.decline(seat=two, because="unclear"),
                lambda three=three: assignment.decline(seat=three, because="unclear"),
                lambda round=round, now=now: close_window(round=round, now=now),
            ]
        )
        assert not [x for x in done if "deadlock" in str(x).lower()], done


def test_two_tabs_a_seat_and_two_sequencers_leave_every_receipted_vote_once(together: Any) -> None:
    """The small instance of benchmarks/faults/test_sealed_under_fire.py."""
    world = seated(reviewers=3, k=3)
    seats = list(Seat.objects.filter(stage="offered", auditor__tier="human").select_related(*ABOUT))
    tabs = [partial(seal, seat, vote) for seat in seats for vote in votes_for(world, seat, 2)]
    said = together([*tabs, world.sequence, world.sequence])[: len(tabs)]
    world.sequence()
    for number, seat in enumerate(seats):
        assert is_one_vote(said[2 * number : 2 * number + 2], seat)
    (found,) = fsck.check(now=database_now(), only=frozenset({"I4"}))
    assert found.holds, found.faults


def test_a_vote_that_was_not_the_last_when_it_was_read_closes_the_window_as_well() -> None:
    world = seated(k=2)
    first, second = Seat.objects.select_related(*ABOUT).filter(round=a_seat().round_id).order_by("pk")

    def other_goes_first(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        if "trust_seal_vote" in sql and params[0] == first.pk:
            seal(second, votes_for(world, second, 1)[0])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(other_goes_first):
        seal(first, votes_for(world, first, 1)[0])
    assert Round.objects.get(pk=first.round_id).stage == "revealing"
    sealed = Commitment.objects.filter(seat__round=first.round)
    assert list(sealed.order_by("committed_at").values_list("seat", flat=True)) == [second.pk, first.pk]
