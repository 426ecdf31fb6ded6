"""Blind repeats: a passage comes again, later and unmarked, to whoever judged it, and counts nowhere twice."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from auditing.core.ledger import bundle
from auditing.core.policy import Grain
from auditing.core.stages import RoundStage
from auditing.core.values import Choice
from auditing.models import Audit, AuditEvent, Decoy, GoldTruth, Notice, Round, Seat, Vote
from auditing.research.agreement.selectors.counts import counts_of_repeats, our_votes
from auditing.research.exports.selectors.scope import Filters, Scope
from auditing.research.exports.selectors.votes import votes as exported_votes
from auditing.research.reports.selectors.audits import AuditFilter, list_audits
from auditing.selectors.clock import database_now
from auditing.selectors.gold.decoys import reckon_seats, seats_placed
from auditing.selectors.gold.repeats import own_repeats, same_again
from auditing.selectors.ledger.published import bundle_of
from auditing.selectors.seating.disclosure import TraceDisclosure
from auditing.selectors.seating.rosters import eligible_lines
from auditing.selectors.voting.bindings import pseudonym
from auditing.services.consensus import skills
from auditing.services.consensus.adjudication import expire_without_adjudicator
from auditing.services.gold import repeats
from auditing.verifier import verify_audit
from tests.factories.passages import PLANNED
from tests.factories.worlds import ONE_SEAT, World, make_user, make_world
from tests.tools.built import lying_under

pytestmark = pytest.mark.django_db
OFTEN = replace(
    ONE_SEAT,
    honeypot_share=Decimal(0),
    model_fail_share=Decimal(0),
    repeat_share=Decimal("0.4"),
    repeat_after_hours=0,
    short_trace_characters=0,  # so that the disclosure budget binds
    disclosure_share=Decimal(1),
)


def sweep(world: World, times: int = 12, later: timedelta = timedelta(hours=1)) -> list[Audit]:
    """Sweeps with one seed after another, as beat would start them later; the repeats that stand after them."""
    for number in range(times):
        repeats.repeat(campaign=world.campaign, seed=bytes([number]) * 32, now=database_now() + later)
    world.settle_machines()
    return repeated_audits()


def repeated_audits() -> list[Audit]:
    rows = Audit.objects.filter(trace__decoy__origin="repeated").select_related("trace__decoy", "policy")
    return list(rows.order_by("created"))


def vote_all(world: World, choice: Choice) -> None:
    for _ in range(30):
        world.settle_machines()
        if not world.vote_on_all_seats(dict.fromkeys(world.reviewers, choice)):
            return


def judge_of(audit: Audit) -> Any:
    """Who judged the passage that an audit repeats."""
    decoy = audit.trace.decoy
    place = {f"seat__round__segment__{name}": getattr(decoy, name) for name in ("source", "start", "end")}
    vote = Vote.objects.get(**place, seat__round__audit__trace=decoy.original, seat__round__tier="human")
    return vote.seat.auditor


@pytest.fixture(scope="module")
def built_once(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    with lying_under(django_db_blocker, tmp_path_factory.mktemp("ledger")) as directory:
        yield directory


@pytest.fixture(scope="module")
def repeated(built_once: Path) -> World:
    """Passages that three people judged, one each, and some that wait for the same people again."""
    world = make_world(reviewers=3, policy=OFTEN, grain=Grain.PASSAGE)
    world.everybody_votes(world.submit(PLANNED))
    assert sweep(world)
    return world


def test_it_is_put_before_whoever_judged_it_and_nobody_else(repeated: World) -> None:
    for audit in repeated_audits():
        judge = judge_of(audit)
        seats = Seat.objects.filter(round__audit=audit, round__tier="human")
        assert set(seats.values_list("auditor", flat=True)) == {judge.pk}
        people = {line.auditor for line in eligible_lines(audit=audit) if line.kind == "human"}
        assert people == {pseudonym(audit=audit, auditor=judge)}


def test_it_asks_about_that_passage_alone_and_seals_no_truth(repeated: World) -> None:
    for audit in repeated_audits():
        asked = Round.objects.filter(audit=audit, tier="human").select_related("segment")
        decoy = audit.trace.decoy
        assert [(row.segment.start, row.segment.end) for row in asked] == [(decoy.start, decoy.end)]
        assert not GoldTruth.objects.filter(segment__decomposition=audit.decomposition_id).exists()


def test_no_list_of_audits_tells_of_it_and_no_gold_seat_is_counted(repeated: World) -> None:
    admin = make_user("boss@example.org", "admin")
    hidden = {audit.pk for audit in repeated_audits()}
    assert not hidden & {audit.pk for audit in list_audits(user=admin, filter=AuditFilter()).rows}
    assert seats_placed(campaign=repeated.campaign).gold == 0


def test_repeats_are_planted_up_to_the_share_of_the_policy(repeated: World) -> None:
    seats = reckon_seats(campaign=repeated.campaign, policy=OFTEN, repeats=True)
    assert 0 < seats.placed.gold <= 0.4 * (seats.placed.gold + seats.placed.ordinary)


def test_the_event_keeps_the_seed_and_the_seed_repeats_the_choice(repeated: World) -> None:
    events = list(AuditEvent.objects.filter(kind="gold.repeated").values_list("body", flat=True))
    assert sum(event["placed"] for event in events) == len(repeated_audits())
    assert all(bytes.fromhex(event["seed"]) for event in events)


def test_the_disclosure_budget_counts_one_text(repeated: World) -> None:
    for audit in repeated_audits():
        judge = judge_of(audit)
        original = Audit.objects.get(trace=audit.trace.decoy.original)
        seen = [TraceDisclosure(audit=row, auditors=[judge]).seen[judge.pk] for row in (original, audit)]
        assert seen[0].characters == seen[1].characters > 0


def test_a_second_word_counts_in_no_agreement_and_in_no_skill(repeated: World) -> None:
    scope = Scope(user=make_user("researcher@example.org", "researcher"), filters=Filters(), salt="test")
    before, learned = our_votes(scope=scope).count(), len(list(skills._votes(repeated.campaign)))
    vote_all(repeated, Choice.PASS)
    over = [audit for audit in repeated_audits() if audit.stage == "recorded"]
    assert over
    assert our_votes(scope=scope).count() == before
    assert len(list(skills._votes(repeated.campaign))) == learned
    # No fail and two passes of each.
    assert counts_of_repeats(scope=scope).tolist() == [[0, 2]] * len(over)


def test_where_the_second_word_does_not_decide_it_ends_and_nobody_else_is_asked(repeated: World) -> None:
    vote_all(repeated, Choice.FAIL)
    audits = repeated_audits()
    for _ in range(3):
        for round in Round.objects.filter(audit__in=audits, stage=RoundStage.DRAWING).select_related("audit__campaign"):
            expire_without_adjudicator(round=round, now=database_now() + timedelta(hours=2))
        repeated.settle_machines()
    assert {audit.stage for audit in repeated_audits()} == {"recorded"}
    assert not Seat.objects.filter(round__audit__in=audits, round__adjudicates=True).exists()
    assert not Notice.objects.filter(text__startswith="Nobody was there").exists()
    pairs = [pair for audit in audits for pair in own_repeats(auditor=judge_of(audit))]
    assert {(pair.first, pair.second, pair.is_same) for pair in pairs} == {("pass", "fail", False)}
    assert same_again(pairs=pairs).share == 0


def test_an_export_marks_the_second_votes(repeated: World) -> None:
    vote_all(repeated, Choice.PASS)
    scope = Scope(user=make_user("researcher@example.org", "researcher"), filters=Filters(), salt="test")
    rows = [row for row in exported_votes(scope) if row["tier"] == "human"]
    second = {str(audit.pk) for audit in repeated_audits()}
    assert {row["audit"] for row in rows if row["is_repeat"]} == second
    assert not any(row["is_repeat"] for row in rows if row["audit"] not in second)


def test_a_reviewer_reads_how_often_the_second_word_was_the_first(repeated: World) -> None:
    judges = {judge_of(audit) for audit in repeated_audits()}
    vote_all(repeated, Choice.PASS)
    pairs = [pair for judge in judges for pair in own_repeats(auditor=judge)]
    assert len(pairs) == len(repeated_audits())
    assert same_again(pairs=pairs).share == 1
    client = Client()
    client.force_login(next(iter(judges)).user, backend="django.contrib.auth.backends.ModelBackend")
    assert "Asked again without being told" in client.get("/record").content.decode()


def test_its_bundle_verifies_and_its_points_are_paid(repeated: World) -> None:
    vote_all(repeated, Choice.PASS)
    over = [audit for audit in repeated_audits() if audit.stage == "recorded"]
    assert over
    for audit in over:
        report = verify_audit.verify(bundle.encode(bundle=bundle_of(audit=audit)))
        assert all(holds for holds, _, _ in report.lines), [line for line in report.lines if not line[0]]


def test_a_passage_comes_again_once(repeated: World) -> None:
    places = list(Decoy.objects.values_list("original", "source", "start", "end"))
    assert len(places) == len(set(places))
