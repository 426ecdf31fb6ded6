"""Votes are opened together, whatever their rounds, and an audit is sent for when its last round is tallied."""

from typing import Any

import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditing import tasks
from auditing.core.values import Choice
from auditing.core.voting.commitment import Opening
from auditing.models import Leaf, Round, Route, Vote
from auditing.services.voting import reveal
from hdag.models import Block
from tests.factories.worlds import World
from trustweb.management.commands import revealer

pytestmark = pytest.mark.django_db
MOST_STATEMENTS = 9  # one vote took as many before
MOST_OF_A_TALLY = 24  # 29 with a message for each round; marks of transactions and the reading of the round included


@pytest.fixture
def closed_rounds(waiting_hens: World) -> list[Round]:
    """Rounds whose three votes are sealed, their closings in the log."""
    for user in waiting_hens.reviewers:
        while waiting_hens.vote(user):
            pass
    waiting_hens.sequence()
    rounds = Round.objects.filter(stage="revealing").select_related("closing_leaf", "audit").order_by("pk")
    return list(rounds)


def test_three_votes_are_opened_in_as_many_statements_as_one_took(
    waiting_hens: World, closed_rounds: list[Round]
) -> None:
    with CaptureQueriesContext(connection) as asked:
        opened = reveal.open_votes(rounds=[closed_rounds[0]], private_key=waiting_hens.reveal_key)
    votes = Vote.objects.filter(seat__round=closed_rounds[0]).select_related("seat")
    assert opened == len(votes) == 3
    assert {vote.seat.stage for vote in votes} == {"revealed"}
    assert all(vote.revealed_at for vote in votes)
    assert len(asked) <= MOST_STATEMENTS


def test_where_nothing_is_to_be_opened_nothing_is_asked(waiting_hens: World, closed_rounds: list[Round]) -> None:
    for round in closed_rounds:
        assert round.closing_leaf is not None
        round.closing_leaf.index = None  # not in the log yet
    with CaptureQueriesContext(connection) as asked:
        assert reveal.open_votes(rounds=closed_rounds, private_key=waiting_hens.reveal_key) == 0
        assert reveal.open_votes(rounds=[], private_key=waiting_hens.reveal_key) == 0
    assert not asked.captured_queries


def test_the_votes_of_many_rounds_are_opened_in_as_many_statements_as_one_took(
    waiting_hens: World, closed_rounds: list[Round]
) -> None:
    with CaptureQueriesContext(connection) as asked:
        opened = reveal.open_votes(rounds=closed_rounds, private_key=waiting_hens.reveal_key)
    assert len(closed_rounds) > 1
    assert opened == Vote.objects.filter(seat__round__in=closed_rounds).count() == 3 * len(closed_rounds)
    assert len(asked) <= MOST_STATEMENTS


def test_one_message_sends_for_all_rounds_that_were_opened_together(
    waiting_hens: World, closed_rounds: list[Round], django_capture_on_commit_callbacks: Any
) -> None:
    messages()
    with django_capture_on_commit_callbacks(execute=True):
        assert revealer.Command().open_due(waiting_hens.reveal_key)
    assert 1 < len(closed_rounds) <= revealer.TALLIED_TOGETHER
    assert messages() == 1


def test_a_damaged_text_keeps_no_other_round_sealed(waiting_hens: World, closed_rounds: list[Round]) -> None:
    damaged = closed_rounds[0].segment
    Block.objects.filter(pk=damaged.block_id).update(ciphertext=b"something else")
    revealer.Command().open_due(waiting_hens.reveal_key)
    opened = set(Vote.objects.filter(seat__round__in=closed_rounds).values_list("seat__round", flat=True))
    assert opened == {round.pk for round in closed_rounds if round.segment.block_id != damaged.block_id}
    assert opened


def test_what_is_opened_already_is_the_same_vote_and_nothing_else(
    waiting_hens: World, closed_rounds: list[Round]
) -> None:
    reveal.open_votes(rounds=[closed_rounds[0]], private_key=waiting_hens.reveal_key)
    vote = Vote.objects.filter(seat__round=closed_rounds[0]).select_related("seat__round__segment__block").first()
    assert vote is not None
    sealed = vote.seat.commitment
    opening = Opening(
        choice=Choice(vote.choice),
        confidence_bp=vote.confidence,
        rationale_digest=bytes(sealed.rationale_digest),
        nonce=bytes(vote.nonce),
    )
    assert reveal.accept_opening(seat=vote.seat, opened=reveal.Opened(opening=opening)) == vote
    assert Vote.objects.filter(seat__round=closed_rounds[0]).count() == 3


def test_a_tally_takes_no_more_statements_than_it_needs(waiting_hens: World, closed_rounds: list[Round]) -> None:
    reveal.open_votes(rounds=closed_rounds, private_key=waiting_hens.reveal_key)
    keys = [str(round.pk) for round in closed_rounds]
    tasks.advance_round.run(keys[0])  # what is put together at first use
    with CaptureQueriesContext(connection) as asked:
        assert tasks.advance_round.run(keys[1])
    assert len(asked) <= MOST_OF_A_TALLY


def test_all_rounds_of_an_audit_are_tallied_in_as_many_statements_as_one(
    waiting_hens: World, closed_rounds: list[Round]
) -> None:
    reveal.open_votes(rounds=closed_rounds, private_key=waiting_hens.reveal_key)
    keys = [str(round.pk) for round in closed_rounds]
    tasks.advance_round.run(keys.pop())  # what is put together at first use
    tasks.advance_round.run(keys.pop(), keys.pop())
    with CaptureQueriesContext(connection) as asked:
        assert tasks.advance_round.run(*keys) == len(keys) > 1
    assert len(asked) <= MOST_OF_A_TALLY
    tallied = Round.objects.filter(pk__in=[round.pk for round in closed_rounds])
    assert set(tallied.values_list("stage", "outcome", "due_at")) == {("tallied", "pass", None)}
    leaves = Leaf.objects.filter(kind="outcome.preliminary", audit=closed_rounds[0].audit)
    assert leaves.count() == Round.objects.filter(audit=closed_rounds[0].audit, stage="tallied").count()


def test_a_round_that_waits_for_a_vote_or_cannot_be_tallied_holds_up_no_other(
    waiting_hens: World, closed_rounds: list[Round]
) -> None:
    sealed, broken, *fine = closed_rounds
    assert len(fine) > 1
    reveal.open_votes(rounds=[broken, *fine], private_key=waiting_hens.reveal_key)
    Route.objects.filter(segment=broken.segment_id).delete()
    with pytest.raises(KeyError, match=str(broken.segment_id)):
        tasks.advance_round.run(*(str(round.pk) for round in closed_rounds))
    tallied = Round.objects.filter(stage="tallied", pk__in=[round.pk for round in closed_rounds])
    assert {round.pk for round in tallied} == {round.pk for round in fine}
    assert tasks.advance_round.run(str(sealed.pk)) == 0
    sealed.refresh_from_db()
    assert (sealed.stage, sealed.redraws) == ("revealing", 0)


def test_an_audit_is_sent_for_when_its_last_round_is_tallied(
    waiting_hens: World, closed_rounds: list[Round], django_capture_on_commit_callbacks: Any
) -> None:
    for round in closed_rounds:
        reveal.open_votes(rounds=[round], private_key=waiting_hens.reveal_key)
    messages()
    sent = []
    for round in closed_rounds:
        with django_capture_on_commit_callbacks(execute=True):
            assert tasks.advance_round.run(str(round.pk))
        sent.append(messages())
    assert sent == [0] * (len(closed_rounds) - 1) + [1]
    assert len(sent) > 1


def messages() -> int:
    """How many messages waited; none waits any more."""
    with current_app.connection_for_write() as broker:
        return int(broker.default_channel.queue_purge("default"))
