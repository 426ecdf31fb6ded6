"""Disputed gold: who may, who decides, what an overturned truth does to points, reputation, skills and the ledger."""

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import User
from auditing.core.ledger.leaves import Column
from auditing.core.values import Choice
from auditing.models import (
    Account,
    Audit,
    GoldDispute,
    GoldOverturn,
    GoldSegment,
    Leaf,
    Notice,
    ReputationStep,
    Seat,
    Transfer,
)
from auditing.research.campaigns.services.campaigns import name_people
from auditing.research.ledger_checks import services as fsck
from auditing.research.practice.selectors.own_gold import own_gold
from auditing.research.treasury.returned_fines import give_back_due
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.skills import gold_counts
from auditing.selectors.gold.disputes import disputes as lines_of
from auditing.selectors.ledger.published import bundle_of
from auditing.selectors.points.reputations import newest_steps
from auditing.selectors.policy.versions import load_policy
from auditing.services.gold import disputes
from auditing.services.gold.disputes import DisputeRefusedError
from auditing.services.points import settlement
from auditing.services.seating.auditors import auditor_of
from auditing.verifier import verify_audit
from hdag.store import content
from tests.factories.worlds import World, make_user
from tests.rooms.gold.test_decoys import decoy_audits, gold_of, gold_world, sweep

pytestmark = pytest.mark.django_db
SAME_TEXT = ("original_id", "gold_id", "source", "start", "end", "truth", "change")


@pytest.fixture(scope="module")
def _judged(built_once: None) -> tuple[World, Seat]:
    world = gold_world()
    assert sweep(world)
    for _ in range(20):
        world.settle_machines()
        if not world.vote_on_all_seats(dict.fromkeys(world.reviewers, Choice.PASS)):
            break
    # Everybody passed: whoever met an error was fined.
    wrong = [audit for audit in decoy_audits() if gold_of(audit).truth == Choice.FAIL and audit.stage == "recorded"]
    return world, Seat.objects.get(round__audit=wrong[0], round__tier="human", vote__isnull=False)


@pytest.fixture
def judged(_judged: tuple[World, Seat], db: None) -> tuple[World, Seat]:
    """Recorded decoys, their points held; and the seat of somebody who was slashed on one. Built once."""
    world, seat = _judged
    return world.afresh(), Seat.objects.get(pk=seat.pk)


@pytest.fixture
def judge() -> User:
    return make_user("judge@example.org", "adjudicator")


def overturn(seat: Seat, judge: User, decision: str = "overturned") -> GoldDispute:
    row = disputes.dispute_vote(seat=seat, by=seat.auditor.user, text="The sum is right.")
    disputes.decide(dispute=row, decision=decision, why="So it is.", by=judge, now=database_now())
    return row


def points_of(seat: Seat) -> int:
    return sum(
        line.amount
        for row in Transfer.objects.filter(seat=seat)
        for line in row.postings.filter(account__auditor=seat.auditor)
    )


def faults(*names: str) -> list[str]:
    return [fault for finding in fsck.check(now=database_now(), only=frozenset(names)) for fault in finding.faults]


def lines_that_fail(audit: Audit) -> list[Any]:
    report = verify_audit.verify(json.dumps(bundle_of(audit=audit)).encode())
    return [line for line in report.lines if not line[0]]


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_overturned_gold_pays_the_vote_that_it_fined(judged: tuple[World, Seat], judge: User) -> None:
    world, seat = judged
    policy = load_policy(version=seat.round.audit.policy)
    assert points_of(seat) == -policy.honeypot_multiplier * policy.penalty
    overturn(seat, judge)
    assert points_of(seat) == policy.reward
    world.settle_machines()
    assert lines_that_fail(seat.round.audit) == []
    assert faults("I7", "I8", "I13") == []


def test_overturned_gold_leaves_skills_and_reputation(judged: tuple[World, Seat], judge: User) -> None:
    _, seat = judged
    person = seat.auditor
    assert gold_counts(auditors=[person], cell=("", ""))[person.pk][0].wrong == 1
    overturn(seat, judge)
    assert gold_counts(auditors=[person], cell=("", ""))[person.pk][0].wrong == 0
    start = load_policy(version=seat.round.audit.policy).initial_reputation
    newest = newest_steps(auditors=[person], column=Column.GOLD)[person.pk]
    assert (Fraction(newest.value), newest.takes_back is not None) == (Fraction(start), True)
    card = own_gold(auditor=person)
    assert [(line.is_overturned, line.is_right) for line in card.lines] == [(True, None)]
    assert card.of == 0


def test_the_ledger_says_what_was_overturned_and_what_stands(judged: tuple[World, Seat], judge: User) -> None:
    _, seat = judged
    overturn(seat, judge, "unclear")
    [leaf] = Leaf.objects.filter(kind="gold.overturn", audit=seat.round.audit)
    body = json.loads(bytes(leaf.body))
    assert (body["segment"], body["stands"]) == (str(seat.round.segment_id), "none")
    assert leaf.audit_id == seat.round.audit_id


def test_gold_that_stands_changes_nothing(judged: tuple[World, Seat], judge: User) -> None:
    _, seat = judged
    before = points_of(seat)
    overturn(seat, judge, "upheld")
    assert points_of(seat) == before
    assert not GoldOverturn.objects.exists()
    assert not Leaf.objects.filter(kind="gold.overturn").exists()


def test_points_stay_held_until_somebody_has_decided(judged: tuple[World, Seat], judge: User) -> None:
    world, seat = judged
    row = disputes.dispute_vote(seat=seat, by=seat.auditor.user, text="The sum is right.")
    Audit.objects.update(appeals_until=database_now())
    assert not settlement.release(audit=seat.round.audit, now=database_now())
    disputes.decide(dispute=row, decision="overturned", why="", by=judge, now=database_now())
    assert settlement.release(audit=seat.round.audit, now=database_now())
    policy = load_policy(version=seat.round.audit.policy)
    account = Account.objects.get(auditor=seat.auditor, name="points")
    assert sum(line.amount for line in account.postings.filter(transfer__seat=seat)) == policy.reward
    world.settle_machines()
    assert lines_that_fail(seat.round.audit) == []


def test_a_released_fine_is_given_back_once_and_the_rest_is_mended(judged: tuple[World, Seat], judge: User) -> None:
    world, seat = judged
    Audit.objects.update(appeals_until=database_now())
    assert settlement.release(audit=seat.round.audit, now=database_now())
    before = points_of(seat)
    assert give_back_due() == 0  # gold that stands fines for good
    overturn(seat, judge)
    assert points_of(seat) == before < 0
    assert (give_back_due(), give_back_due()) == (1, 0)
    assert points_of(seat) == 0
    assert ReputationStep.objects.filter(seat=seat, takes_back__isnull=False).exists()
    world.settle_machines()
    assert lines_that_fail(seat.round.audit) == []
    assert faults("I7", "I8") == []


def test_nothing_is_paid_twice_for_one_truth(judged: tuple[World, Seat], judge: User) -> None:
    _, seat = judged
    row = overturn(seat, judge)
    paid = points_of(seat)
    with pytest.raises(DisputeRefusedError, match="decided already"):
        disputes.decide(dispute=row, decision="unclear", why="", by=judge, now=database_now())
    assert disputes.overturn_copies() == 0
    assert points_of(seat) == paid
    with pytest.raises(IntegrityError), transaction.atomic():
        GoldOverturn.objects.create(truth=row.truth, stands="none")


def test_every_settled_decoy_of_the_text_is_overturned(judged: tuple[World, Seat], judge: User) -> None:
    _, seat = judged
    truth = gold_of(seat.round.audit)
    decoy = seat.round.audit.trace.decoy
    copies = [
        audit
        for audit in decoy_audits()
        if audit.stage == "recorded"
        and all(getattr(audit.trace.decoy, name) == getattr(decoy, name) for name in SAME_TEXT)
    ]
    overturn(seat, judge)
    assert set(GoldOverturn.objects.values_list("truth", flat=True)) == {gold_of(audit).pk for audit in copies}
    assert truth.pk in {gold_of(audit).pk for audit in copies}


def test_only_who_was_judged_by_it_disputes_and_once(judged: tuple[World, Seat]) -> None:
    _, seat = judged
    other = Seat.objects.filter(round__tier="human", round__audit__trace__decoy__isnull=True).first()
    assert other is not None
    with pytest.raises(DisputeRefusedError, match="shown to you"):
        disputes.dispute_vote(seat=other, by=other.auditor.user, text="Wrong.")
    with pytest.raises(DisputeRefusedError, match="Say why"):
        disputes.dispute_vote(seat=seat, by=seat.auditor.user, text="  ")
    disputes.dispute_vote(seat=seat, by=seat.auditor.user, text="Wrong.")
    with pytest.raises(DisputeRefusedError, match="already"):
        disputes.dispute_vote(seat=seat, by=seat.auditor.user, text="Wrong.")


def test_nobody_decides_about_gold_they_voted_on(judged: tuple[World, Seat]) -> None:
    _, seat = judged
    row = disputes.dispute_vote(seat=seat, by=seat.auditor.user, text="Wrong.")
    with pytest.raises(DisputeRefusedError, match="somebody else"):
        disputes.decide(dispute=row, decision="overturned", why="", by=seat.auditor.user, now=database_now())


def test_a_reviewer_disputes_and_an_adjudicator_decides_on_their_pages(judged: tuple[World, Seat], judge: User) -> None:
    _, seat = judged
    own = client_of(seat.auditor.user)
    assert f"/record/votes/{seat.pk}/dispute" in own.get("/record").content.decode()
    own.post(f"/record/votes/{seat.pk}/dispute", {"text": "Twelve hens lay sixty."})
    assert "nobody has decided yet" in own.get("/record").content.decode()
    page = client_of(judge).get("/gold/disputes").content.decode()
    assert "Twelve hens lay sixty." in page
    row = GoldDispute.objects.get()
    client_of(judge).post(f"/gold/disputes/{row.pk}", {"decision": "overturned", "why": "Counted again."})
    assert "overturned, no gold" in own.get("/record").content.decode()
    assert "Counted again." in client_of(judge).get("/gold/disputes").content.decode()
    assert own.get("/gold/disputes").status_code in (302, 403, 404)


def test_a_program_disputes_by_the_api(judged: tuple[World, Seat]) -> None:
    _, seat = judged
    own = client_of(seat.auditor.user)
    answer = own.post(f"/api/v1/seats/{seat.pk}/dispute", {"text": "Wrong."}, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert GoldDispute.objects.get().pk == answer.json()["dispute"]
    again = own.post(f"/api/v1/seats/{seat.pk}/dispute", {"text": "Wrong."}, content_type="application/json")
    assert again.status_code == 409


def test_gold_of_a_calibration_set_is_disputed_after_its_answer(judge: User) -> None:
    from auditing.models import GoldAnswer
    from tests.rooms.gold.test_gold import line, load

    load(line("one"))
    gold, person = GoldSegment.objects.get(), make_user("learner@example.org", "reviewer")
    client_of(person).post(f"/calibration/{gold.pk}/dispute", {"text": "Wrong."})
    assert not GoldDispute.objects.exists()
    auditor = auditor_of(user=person)
    GoldAnswer.objects.create(auditor=auditor, gold=gold, choice="pass", is_right=False)
    assert gold_counts(auditors=[auditor], cell=("", ""))[auditor.pk][0] != gold_counts(auditors=[], cell=("", ""))
    client_of(person).post(f"/calibration/{gold.pk}/dispute", {"text": "Wrong."})
    row = GoldDispute.objects.get()
    disputes.decide(dispute=row, decision="unclear", why="", by=judge, now=database_now())
    gold.refresh_from_db()
    assert (gold.is_overturned, gold.is_active) == (True, False)
    counts = gold_counts(auditors=[auditor], cell=("", ""))[auditor.pk][0]
    assert counts.valid + counts.wrong == 0


def test_a_reputation_goes_on_from_what_counts(judged: tuple[World, Seat], judge: User) -> None:
    """A step after an overturn starts where the chain stands without the step that was taken out."""
    _, seat = judged
    overturn(seat, judge)
    steps = list(ReputationStep.objects.filter(auditor=seat.auditor, column="gold").order_by("votes"))
    assert [step.takes_back_id for step in steps] == [None, steps[0].pk]
    assert steps[1].prior == Decimal(round(steps[0].value * 100)) / 100


def test_disputed_gold_of_a_campaign_goes_to_the_adjudicators_it_names(judged: tuple[World, Seat], judge: User) -> None:
    _, seat = judged
    named = make_user("named@example.org", "adjudicator")
    campaign = seat.round.audit.campaign
    assert name_people(campaign=campaign, role="adjudicator", emails=[named.email], actor=campaign.owner) == []
    row = disputes.dispute_vote(seat=seat, by=seat.auditor.user, text="The sum is right.")
    assert set(Notice.objects.filter(key=f"dispute:{row.pk}").values_list("user", flat=True)) == {
        named.pk,
        campaign.owner.pk,
    }
    shown = {person.email: len(lines_of(reader=person)) for person in (judge, named, campaign.owner)}
    assert shown == {judge.email: 0, named.email: 1, campaign.owner.email: 1}
    with pytest.raises(DisputeRefusedError, match="names who decides"):
        disputes.decide(dispute=row, decision="upheld", why="No.", by=judge, now=database_now())
    disputes.decide(dispute=row, decision="upheld", why="No.", by=named, now=database_now())


def test_whoever_decides_reads_why_the_gold_is_said_to_be_wrong(judged: tuple[World, Seat], judge: User) -> None:
    _, seat = judged
    disputes.dispute_vote(seat=seat, by=seat.auditor.user, text="The sum is right.")
    [line] = lines_of(reader=judge)
    assert line.explanation == content.read(seat.round.audit.trace.decoy.explanation) != ""
