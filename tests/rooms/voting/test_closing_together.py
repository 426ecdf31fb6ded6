"""Windows that ended are closed together, by a worker: whoever seals the last vote waits for no closing."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from auditing import dispatch, tasks
from auditing.core.ledger import leaves as kinds
from auditing.core.values import Choice
from auditing.models import AuditEvent, Leaf, Round, Seat, WeightSource
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.voting import closing
from auditing.services.voting.commitment import WindowClosedError
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db
MOST_STATEMENTS = 20  # for many rounds; one took as many before


@pytest.fixture(autouse=True)
def web_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process gathers messages, as the web server does; none is sent."""
    monkeypatch.setattr(dispatch, "_outbox", dispatch.Outbox())
    monkeypatch.setattr(dispatch.Outbox, "_run", lambda self: None)


@pytest.fixture
def ended(waiting_hens: World) -> list[Round]:
    """Rounds whose three votes are sealed."""
    waiting_hens.vote_on_all_seats(dict.fromkeys(waiting_hens.reviewers, Choice.PASS))
    return list(Round.objects.filter(seats__stage="committed").distinct().order_by("pk"))


def now_of(rounds: list[Round]) -> QuerySet[Round]:
    return Round.objects.filter(pk__in=[round.pk for round in rounds])


def test_the_last_vote_ends_the_window_and_a_worker_closes_it(ended: list[Round]) -> None:
    assert {round.stage for round in ended} == {"committing"}
    assert all(round.due_at <= database_now() for round in ended)
    assert tasks.close_windows.run() == len(ended) > 1
    assert set(now_of(ended).values_list("stage", flat=True)) == {"revealing"}


def test_many_windows_are_closed_in_as_many_statements_as_one_took(ended: list[Round]) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert corridor.close_due(now=database_now()) == len(ended) > 1
    assert len(asked) <= MOST_STATEMENTS, [query["sql"][:90] for query in asked]


def test_each_closing_says_what_one_by_itself_says(ended: list[Round]) -> None:
    corridor.close_due(now=database_now())
    for round in now_of(ended).select_related("closing_leaf", "audit"):
        leaf = kinds.decode(entry=bytes(round.closing_leaf.body))
        assert isinstance(leaf, kinds.PhaseReveal)
        digests = [bytes(seat.commitment.digest) for seat in round.seats.filter(stage="committed")]
        assert leaf.segment == round.segment_id
        assert leaf.digest == kinds.commitments_digest(commitments=digests)
        assert AuditEvent.objects.filter(kind="round.closed", body__segment=str(round.segment_id)).count() == 1


def test_everyone_is_weighed_before_the_closing_that_opens_their_votes(ended: list[Round]) -> None:
    corridor.close_due(now=database_now())
    for round in now_of(ended):
        weighed = [
            leaf.pk for leaf in Leaf.objects.filter(kind="skills") if str(round.segment_id).encode() in bytes(leaf.body)
        ]
        assert len(weighed) == 1
        assert weighed[0] < round.closing_leaf_id
        assert WeightSource.objects.filter(seat__round=round).count() == 3


def test_a_window_that_ended_takes_no_vote(waiting_hens: World) -> None:
    seat = Seat.objects.filter(stage="offered").select_related("round", "auditor")[0]
    closing.end_window(round=seat.round, now=database_now())
    with pytest.raises(WindowClosedError):
        waiting_hens.seal(seat, seat.auditor, Choice.PASS)


def test_where_the_message_was_lost_the_sweep_closes_the_window(ended: list[Round]) -> None:
    assert corridor.advance_due(now=database_now()) >= len(ended)
    assert set(now_of(ended).values_list("stage", flat=True)) == {"revealing"}


def later(rounds: QuerySet[Round]) -> None:
    """As PostgreSQL leaves them that died after the last vote and before the end of the window was on disk."""
    rounds.update(due_at=database_now() + timedelta(days=3))


def test_where_the_end_was_lost_too_it_is_found_and_the_window_closed(ended: list[Round]) -> None:
    later(now_of(ended))
    assert corridor.advance_due(now=database_now()) == 0
    assert tasks.end_forgotten_windows.run() == len(ended) > 1
    assert tasks.close_windows.run() == len(ended)
    assert tasks.end_forgotten_windows.run() == 0


@pytest.mark.parametrize(
    ("k", "is_read", "is_over"),
    [(3, False, False), (3, True, False), (2, False, True), (2, True, False)],
    ids=["a place is free", "somebody reads", "more than enough was offered", "somebody came late and reads"],
)
def test_a_window_is_ended_only_where_nothing_is_waited_for(
    waiting_hens: World, k: int, is_read: bool, is_over: bool
) -> None:
    last = Seat.objects.filter(stage="offered").select_related("auditor", "round").order_by("pk")[0]
    for seat in last.round.seats.exclude(pk=last.pk).select_related("auditor", "round"):
        waiting_hens.seal(seat, seat.auditor, Choice.PASS)
    if is_read:
        Seat.objects.filter(pk=last.pk).update(
            stage="held", taken_at=database_now(), lease_until=database_now() + timedelta(hours=1)
        )
    Round.objects.filter(pk=last.round_id).update(k=k)
    assert tasks.end_forgotten_windows.run() == is_over
    assert tasks.close_windows.run() == is_over


def test_a_window_that_cannot_be_closed_holds_up_no_other(ended: list[Round], monkeypatch: pytest.MonkeyPatch) -> None:
    publish, stuck = closing._publish, ended[0].pk

    def stumble(rounds: Any) -> None:
        if stuck in {round.pk for round in rounds}:
            raise ValueError("this one")
        publish(rounds)

    monkeypatch.setattr(closing, "_publish", stumble)
    with pytest.raises(ValueError, match="this one"):
        corridor.close_due(now=database_now())
    still_open = now_of(ended).filter(stage="committing")
    assert list(still_open.values_list("pk", flat=True)) == [stuck]


def test_only_the_end_of_a_window_is_asked_for_and_once(
    waiting_hens: World, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        waiting_hens.vote_on_all_seats(dict.fromkeys(waiting_hens.reviewers, Choice.PASS))
    assert dispatch._outbox is not None
    assert [message.task for message in dispatch._outbox._take()] == ["auditing.close_windows"]
    assert not dispatch._outbox._gathered
    assert not dispatch._outbox._urgent
