"""After an appeal an adjudicator may overrule what a checker refuted; word and reason stay on record."""

from dataclasses import replace

import pytest

from accounts.models import User
from auditing.core.ledger import bundle
from auditing.core.policy import DEFAULT, FAST, Policy
from auditing.core.values import Choice
from auditing.models import Audit, Round, Seat, SegmentOutcome
from auditing.research.exports.formats import DATASETS
from auditing.research.exports.selectors.origins import with_origins
from auditing.research.exports.selectors.overruled import overruled
from auditing.research.exports.selectors.scope import Filters, Scope
from auditing.research.exports.selectors.streams import Row
from auditing.research.reports.appeals import appeal
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.adjudication import contested_rounds
from auditing.selectors.ledger.published import bundle_of
from auditing.services.consensus.adjudication import state_reason
from auditing.services.seating.auditors import auditor_of
from auditing.verifier import verify_audit
from tests.factories.worlds import TRACE, World, make_user, make_world

pytestmark = pytest.mark.django_db

WRONG = replace(TRACE, thinking=TRACE.thinking.replace("60 * 3 = 180", "60 * 3 = 190"), answer="190 eggs")
WAVES = replace(DEFAULT, short_trace_characters=9_000, batch_size=1, batch_providers=1, batch_minutes=0)


def cases(scope: Scope) -> list[Row]:
    return list(with_origins(rows=overruled(scope), scope=scope))


def appealed(policy: Policy) -> tuple[World, Audit, Audit]:
    """A checker refuted a step, the trace failed, and its provider appealed."""
    world = make_world(reviewers=12, policy=policy)
    make_user("judge@example.org", "adjudicator")
    audit = world.submit(WRONG)
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "fail")
    asked = appeal(audit=audit, by=world.provider, reason="wrong_outcome", text="190 is meant.", now=database_now())
    world.settle_machines()
    return world, audit, Audit.objects.get(pk=asked.successor_id)


def say(world: World, audit: Audit, word: Choice) -> None:
    """The adjudicator says it of every refuted step; everybody else passes the rest."""
    auditor = auditor_of(user=User.objects.get(email="judge@example.org"))
    for case in contested_rounds(auditor=auditor):
        state_reason(round=case.round, auditor=auditor, reason="checker_error", now=database_now())
        seats = Seat.objects.select_related("round__audit", "round__segment__block")
        world.seal(seats.get(round=case.round, auditor=auditor, stage="held"), auditor, word)
    world.everybody_votes(audit)
    audit.refresh_from_db()


def failures(audit: Audit) -> list[object]:
    report = verify_audit.verify(bundle.encode(bundle=bundle_of(audit=audit)))
    return [line for line in report.lines if not line[0]]


@pytest.mark.parametrize("policy", [FAST, WAVES], ids=["rounds", "waves"])
@pytest.mark.parametrize(("word", "outcome"), [(Choice.PASS, "pass"), (Choice.FAIL, "fail"), (Choice.ABSTAIN, "fail")])
def test_an_adjudicator_decides_what_a_checker_refuted_once_somebody_appeals(
    policy: Policy, word: Choice, outcome: str
) -> None:
    world, first, successor = appealed(policy)
    refuted = set(SegmentOutcome.objects.filter(audit=first, outcome="fail").values_list("segment", flat=True))
    say(world, successor, word)
    judged = SegmentOutcome.objects.filter(audit=successor, round__adjudicates=True)
    assert set(judged.values_list("segment", flat=True)) == refuted
    assert set(judged.values_list("outcome", "round__adjudication__reason")) == {(outcome, "checker_error")}
    assert (successor.stage, successor.outcome) == ("recorded", outcome)
    assert failures(successor) == failures(first) == []


def test_what_was_overruled_leaves_as_a_labelled_case_and_what_stands_does_not() -> None:
    world, _, successor = appealed(FAST)
    researcher = make_user("science@example.org", "researcher", "admin")
    scope = Scope(user=researcher, filters=Filters(), salt="job", with_text=True)
    assert cases(scope) == []
    say(world, successor, Choice.PASS)
    (row,) = cases(scope)
    assert row.keys() == set(DATASETS["overruled"].names)
    assert row["audit"] == str(successor.pk)
    assert (row["why"], row["checker"]) == ("checker_error", "arithmetic")
    assert "190" in row["read"]
    assert "190" in row["content"]
    judge = auditor_of(user=User.objects.get(email="judge@example.org"))
    assert row["auditor"] == scope.pseudonym(judge.pk) != str(judge.pk)
    assert list(overruled(replace(scope, with_text=False))) == []


def test_without_an_appeal_a_refutation_asks_nobody() -> None:
    world = make_world(policy=FAST)
    audit = world.submit(WRONG)
    world.settle_machines()
    assert Round.objects.filter(audit=audit, tier="computer", outcome="fail").exists()
    assert not Round.objects.filter(audit=audit, adjudicates=True).exists()
