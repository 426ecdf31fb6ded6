"""What an appeal overturned counts as the last audit found it, wherever votes or gold are compared with outcomes."""

from pathlib import Path

import pytest

from auditing.core.values import Choice
from auditing.models import Audit, GoldTruth, Round, SegmentOutcome
from auditing.research.agreement.selectors.comparison import POLICY, decided_traces
from auditing.research.agreement.selectors.counts import our_votes
from auditing.research.agreement.selectors.outcome_quality import quality_of_outcomes
from auditing.research.agreement.selectors.quality import CONSENSUS, quality_of
from auditing.research.agreement.selectors.vote_counts import counts_by
from auditing.research.exports.selectors.outcomes import outcomes
from auditing.research.exports.selectors.scope import Filters, Scope
from auditing.research.own_record.selectors.own_record import record_of
from auditing.research.reports.appeals import appeal
from auditing.selectors.clock import database_now
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in
from tests.rooms.consensus.test_appeals import page_for, recorded_world

pytestmark = pytest.mark.django_db
Chain = tuple[World, Audit, Audit]


@pytest.fixture(scope="module")
def _chain(built_once: Path) -> Chain:
    """Three people passed everything; after an appeal three others failed it."""
    world, audit = recorded_world()
    made = appeal(audit=audit, by=world.provider, reason="wrong_outcome", text="", now=database_now())
    first, world.reviewers = world.reviewers, [make_user(f"other{n}@example.org", "reviewer") for n in range(3)]
    world.everybody_votes(made.successor, Choice.FAIL)
    world.reviewers = [*first, *world.reviewers]
    return world, audit, made.successor


@pytest.fixture
def chain(_chain: Chain, db: None) -> Chain:
    world, before, after = _chain
    return world.afresh(), Audit.objects.get(pk=before.pk), Audit.objects.get(pk=after.pk)


def scope_now() -> Scope:
    return Scope(make_user("r@example.org", "researcher"), Filters(tier="human"), "salt")


def overturned(audit: Audit) -> list[str]:
    return [
        str(key) for key in SegmentOutcome.objects.filter(audit=audit, outcome="fail").values_list("segment", flat=True)
    ]


def test_votes_of_both_audits_are_compared_with_what_the_last_one_found(chain: Chain) -> None:
    _, _, after = chain
    counts = quality_of(scope=scope_now(), truth=CONSENSUS).confusion.values()
    votes = 3 * len(overturned(after))
    assert sum(one.errors_missed for one in counts) == votes > 0  # the first three
    assert sum(one.errors_found for one in counts) == votes  # the three after the appeal
    assert sum(one.false_alarms for one in counts) == 0


def test_agreement_of_votes_with_each_other_takes_them_as_they_were_cast(chain: Chain) -> None:
    _, before, after = chain
    rounds = Round.objects.filter(audit=before, segment__in=overturned(after))
    votes = our_votes(scope=scope_now()).filter(seat__round__in=rounds)
    (table,) = counts_by(votes=votes, item="seat__round").values()
    assert table.tolist() == [[0, 3]] * len(overturned(after))


def test_a_reviewer_is_compared_with_what_stands_and_told_of_both(chain: Chain) -> None:
    world, _, after = chain
    was_wrong, was_right = (auditor_of(user=world.reviewers[place]) for place in (0, -1))
    lines = [line for line in record_of(auditor=was_wrong).votes if line.outcome == "fail"]
    assert len(lines) == len(overturned(after)) > 0
    assert not any(line.agrees for line in lines)
    right = record_of(auditor=was_right).overall
    assert right is not None
    assert right.right == right.of
    other = signed_in(world.reviewers[0]).get("/record/votes", {"agreement": "other"}).context["lines"]
    assert {line.vote.seat for line in other} == {line.seat for line in lines}
    page = page_for(world.reviewers[0], f"/record/votes/{lines[0].seat}")
    assert "Of this segment they found" in page


def test_gold_meets_each_segment_once_with_the_outcome_that_stands(chain: Chain) -> None:
    _, _, after = chain
    for segment in overturned(after):
        GoldTruth.objects.create(segment_id=segment, truth="fail", source="a test")
    whole = quality_of_outcomes(scope=scope_now()).whole
    assert whole is not None
    assert (whole.segments, whole.confusion.errors_found) == (len(overturned(after)),) * 2


def test_of_a_trace_with_a_second_audit_the_last_one_is_compared(chain: Chain) -> None:
    _, _, after = chain
    scope = Scope(make_user("r@example.org", "researcher"), Filters(), "salt")
    assert [row.outcome for row in decided_traces(scope=scope, by=POLICY)] == ["fail"]
    # An appeal that ends without an outcome takes nothing back.
    Audit.objects.filter(pk=after.pk).update(stage="failed")
    assert [row.outcome for row in decided_traces(scope=scope, by=POLICY)] == ["pass"]


def test_an_export_says_what_was_found_and_what_stands(chain: Chain) -> None:
    _, before, after = chain
    rows = [row for row in outcomes(Scope(make_user("r@example.org", "researcher"), Filters(), "salt"))]
    first = {
        row["segment"]: (row["outcome"], row["standing_outcome"]) for row in rows if row["audit"] == str(before.pk)
    }
    assert first[None] == ("pass", "fail")
    assert {first[segment] for segment in overturned(after)} == {("pass", "fail")}
    assert all(row["outcome"] == row["standing_outcome"] for row in rows if row["audit"] == str(after.pk))
