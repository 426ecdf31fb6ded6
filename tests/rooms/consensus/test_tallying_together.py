"""Revealed rounds of several audits are tallied in one go: as many statements as one takes, and each as by itself."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditing import tasks
from auditing.core.values import Choice
from auditing.models import Audit, Leaf, Round, SegmentOutcome
from auditing.services.voting import reveal
from hdag.core.values import Trace
from tests.factories.worlds import World, make_world

pytestmark = pytest.mark.django_db
MOST = 26  # statements, two of them of a transaction


def revealed_rounds(world: World, *problems: str) -> list[Round]:
    """Rounds of as many audits, all votes opened."""
    for problem in problems:
        world.submit(Trace(problem=problem, thinking="Two hens lay 3 eggs.\n\nSo it is odd, they say.", answer="odd"))
    world.settle_machines()
    people = {user: Choice.FAIL if number == 0 else Choice.PASS for number, user in enumerate(world.reviewers)}
    world.vote_on_all_seats(people)
    world.sequence()
    rounds = Round.objects.filter(stage="revealing").select_related("closing_leaf", "audit").order_by("pk")
    reveal.open_votes(rounds=list(rounds), private_key=world.reveal_key)
    return list(rounds)


def said(audit: Audit) -> list[tuple[str, int, str, str, dict[str, object]]]:
    """What the tables say of the rounds and outcomes of an audit, without keys."""
    rounds = Round.objects.filter(audit=audit).order_by("segment__position", "number")
    outcomes = dict(SegmentOutcome.objects.filter(audit=audit).values_list("segment", "outcome"))
    return [
        (row.segment.label, row.number, row.outcome, outcomes.get(row.segment_id, ""), row.tally)
        for row in rounds.select_related("segment")
    ]


def test_rounds_of_many_audits_are_tallied_as_each_is_by_itself() -> None:
    world = make_world(reviewers=3)
    rounds = revealed_rounds(world, "How many eggs?", "How many eggs are there?", "How many eggs now?")
    alone, *others = sorted({round.audit_id for round in rounds})
    for round in rounds:
        if round.audit_id == alone:
            assert tasks.advance_round.run(str(round.pk)) == 1
    keys = [str(round.pk) for round in rounds if round.audit_id != alone]
    with CaptureQueriesContext(connection) as asked:
        assert tasks.advance_round.run(*keys) == len(keys) > len(others) > 1
    assert len(asked) <= MOST
    audits = {audit.pk: audit for audit in Audit.objects.all()}
    assert said(audits[alone]) == said(audits[others[0]]) == said(audits[others[1]])
    assert all(audit.counted_at is not None for audit in audits.values())
    for kind in ("outcome.preliminary", "vote.reveal", "segment.outcome"):
        [count] = {Leaf.objects.filter(kind=kind, audit=audit).count() for audit in audits}
        assert count, kind
