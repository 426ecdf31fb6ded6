"""Data sets of audits of passages: labels of single steps, and what reviewers remarked."""

import pytest

from auditing.core.values import Choice
from auditing.models import Audit
from auditing.research.exports.selectors.fine_steps import fine_segments
from auditing.research.exports.selectors.remarks import remarks
from auditing.research.exports.selectors.scope import Filters, Scope
from auditing.selectors.clock import database_now
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of
from auditing.services.voting.remarks import report_cut
from tests.factories.passages import REFUTED, one_seat_passages
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    return one_seat_passages()


def recorded(world, trace=REFUTED):
    audit = world.submit(trace)
    world.everybody_votes(audit, Choice.PASS)
    return Audit.objects.get(pk=audit.pk)


def test_steps_before_the_refuted_one_passed_and_later_ones_are_not_judged(world):
    segments, decided = fine_segments(audit=recorded(world))
    outcomes = [decided.get(row.pk, ("", None))[0] for row in segments]
    failing = outcomes.index("fail")
    assert outcomes[:failing] == ["pass"] * failing
    assert outcomes.count("fail") == 1
    assert outcomes[failing + 1] == ""


def test_a_remark_is_exported_once_its_round_is_counted(world):
    audit = world.submit(REFUTED)
    world.settle_machines()
    seat = claim_next(auditor=auditor_of(user=world.reviewers[0]), now=database_now())
    while seat.round.segment.unit != "answer":
        world.seal(seat, seat.auditor, Choice.PASS)
        seat = claim_next(auditor=auditor_of(user=world.reviewers[0]), now=database_now())
    report_cut(seat=seat)
    admin = make_user("reader@example.org", "admin")
    scope = Scope(user=admin, filters=Filters(), salt="s")
    assert list(remarks(scope)) == []
    world.everybody_votes(audit)
    (row,) = remarks(scope)
    assert (row["kind"], row["label"], row["premise"]) == ("badly_cut", "A1", None)
