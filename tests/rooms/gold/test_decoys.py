"""Decoys: planted at the policy's rate, audited like any trace, asked about their gold alone, known to nobody."""

import html
import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from auditing.checker.planting import Change, Grade
from auditing.core.policy import Grain
from auditing.core.values import Choice
from auditing.models import Audit, GoldTruth, Leaf, Round, Seat, Transfer
from auditing.permissions import may_read_audit
from auditing.research.campaigns.selectors.listing import open_campaigns
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.gold_editing.selectors import gold_by_campaign
from auditing.research.practice.selectors.own_gold import own_gold
from auditing.research.reports.selectors.audits import AuditFilter, list_audits, readable
from auditing.selectors.gold.decoys import reckon_seats, seats_placed, truths_placed
from auditing.selectors.ledger.published import bundle_of
from auditing.selectors.points.settlement import judged_seats
from auditing.selectors.policy.versions import load_policy
from auditing.services.gold import decoys
from auditing.services.points import settlement
from auditing.services.seating.auditors import auditor_of, seat_newcomers
from auditing.verifier import verify_audit
from tests.factories.passages import PLANNED
from tests.factories.worlds import ONE_SEAT, World, make_user, make_world
from tests.tools.built import lying_under

pytestmark = pytest.mark.django_db


# The share of a small audit: by default its handful of seats is owed no whole decoy yet.
MUCH_GOLD = replace(ONE_SEAT, honeypot_share=Decimal("0.4"))


def sweep(world: World, times: int = 12) -> list[Audit]:
    """Sweeps with one seed after another, as beat would start them; the decoys that stand after them."""
    for number in range(times):
        decoys.place(campaign=world.campaign, seed=bytes([number]) * 32)
    world.settle_machines()
    return decoy_audits()


def decoy_audits() -> list[Audit]:
    rows = Audit.objects.filter(trace__decoy__isnull=False).select_related("trace__decoy", "trace__provider", "policy")
    return list(rows.order_by("created"))


def gold_world(grain: Grain = Grain.PASSAGE, newcomers: int = 4, reviewers: int = 0) -> World:
    """A world of one seat a round, whose one recorded audit passed."""
    reviewers = reviewers or (2 if grain is Grain.PASSAGE else 8)
    world = make_world(reviewers=reviewers, policy=MUCH_GOLD, grain=grain)
    world.everybody_votes(world.submit(PLANNED))
    assert Audit.objects.get().stage == "recorded"
    # All of them have seen some of it: decoys of this text are for those who come now.
    world.reviewers += [make_user(f"new{number}@example.org", "reviewer") for number in range(newcomers)]
    seat_newcomers()
    return world


@pytest.fixture(scope="module", params=list(Grain))
def grain(request: Any) -> Any:
    return request.param


@pytest.fixture(scope="module")
def built_once(
    grain: Grain, django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """One transaction for each grain: the worlds of both would meet in one."""
    with lying_under(django_db_blocker, tmp_path_factory.mktemp("ledger")) as directory:
        yield directory


@pytest.fixture(scope="module")
def planted(built_once: Path, grain: Grain) -> World:
    """A world with decoys in it that nobody has voted on."""
    world = gold_world(grain)
    assert sweep(world)
    return world


def gold_of(audit: Audit) -> GoldTruth:
    return GoldTruth.objects.get(segment__decomposition=audit.decomposition_id)


def test_decoys_are_planted_up_to_the_share_of_the_policy_or_until_the_text_is_used_up(planted: World) -> None:
    placed, count = seats_placed(campaign=planted.campaign), len(decoy_audits())
    wanted, one_more = float(MUCH_GOLD.honeypot_share), MUCH_GOLD.human.k
    assert 0 < placed.share <= wanted
    assert placed.gold + one_more > wanted * (placed.all + one_more) or count == 3
    assert sweep(planted) == decoy_audits()


def test_lists_of_campaigns_count_no_decoy(planted: World) -> None:
    assert decoy_audits()
    ordinary = Audit.objects.filter(trace__decoy__isnull=True)
    rows = open_campaigns(user=make_user("root@example.org", "admin"), most=9)
    assert [row.total for row in rows] == [ordinary.count()]  # type: ignore[attr-defined]
    assert [row.done for row in rows] == [ordinary.filter(stage="recorded").count()]  # type: ignore[attr-defined]


def test_people_are_asked_about_the_gold_of_a_decoy_alone(planted: World) -> None:
    for audit in decoy_audits():
        asked = Round.objects.filter(audit=audit, tier="human").values_list("segment", flat=True)
        assert list(asked) == [gold_of(audit).segment_id]
        assert Seat.objects.filter(round__audit=audit, round__tier="human", stage="offered").exists()


def test_the_planted_error_stands_in_the_gold_and_its_explanation_names_it(planted: World) -> None:
    from hdag.selectors import load_trace
    from hdag.store import content

    for audit in decoy_audits():
        decoy, row = audit.trace.decoy, gold_of(audit).segment
        if decoy.truth == Choice.PASS:
            continue
        text = load_trace(audit.trace).source_text(decoy.source)
        new = content.read(decoy.explanation).split("“")[2].split("”")[0]
        assert text[decoy.at : decoy.at + len(new)] == new or decoy.change == Change.UNIT
        assert row.start <= decoy.at < row.end
        assert decoy.grade == Grade.OBVIOUS if decoy.change == Change.FAR_OFF else Grade.SUBTLE


def test_nobody_is_shown_a_decoy_and_its_original(planted: World) -> None:
    shown = Seat.objects.filter(round__tier="human").exclude(stage__in=("lapsed", "declined"), taken_at__isnull=True)
    original = set(shown.filter(round__audit__trace__decoy__isnull=True).values_list("auditor", flat=True))
    on_decoys = list(shown.filter(round__audit__trace__decoy__isnull=False).values_list("auditor", flat=True))
    assert on_decoys
    assert not original & set(on_decoys)
    assert len(on_decoys) == len(set(on_decoys))


def test_a_voted_decoy_is_paid_by_its_truth_and_its_bundle_verifies(planted: World) -> None:
    for _ in range(20):
        planted.settle_machines()
        if not planted.vote_on_all_seats(dict.fromkeys(planted.reviewers, Choice.PASS)):
            break
    audits = [audit for audit in decoy_audits() if audit.stage == "recorded"]
    assert audits
    for audit in audits:
        truth, policy = gold_of(audit), load_policy(version=audit.policy)
        [paid] = Transfer.objects.filter(audit=audit, seat__round__segment=truth.segment).exclude(kind="agreement")
        loss = -policy.honeypot_multiplier * policy.penalty
        assert settlement._points(paid) == (policy.reward if truth.truth == Choice.PASS else loss)
        assert Leaf.objects.filter(audit=audit, kind="gold.reveal").count() == 1
        report = verify_audit.verify(json.dumps(bundle_of(audit=audit)).encode())
        assert all(holds for holds, _, _ in report.lines), [line for line in report.lines if not line[0]]


def test_nothing_tells_a_list_of_audits_of_a_decoy_nor_a_consumer_of_its_outcome(planted: World) -> None:
    admin, consumer = make_user("boss@example.org", "admin"), make_user("consumer@example.org", "consumer")
    researcher = make_user("researcher@example.org", "researcher")
    hidden = {audit.pk for audit in decoy_audits()}
    for user in (admin, consumer, researcher):
        assert not hidden & {audit.pk for audit in list_audits(user=user, filter=AuditFilter()).rows}
        assert not readable(user=user).filter(pk__in=hidden).exists()
    Audit.objects.filter(pk__in=hidden).update(stage="recorded", outcome="pass")
    for user in (admin, researcher):  # who may read them, by their addresses; a list is of what was handed in
        assert hidden <= set(readable(user=user).values_list("pk", flat=True))
        assert not hidden & {audit.pk for audit in list_audits(user=user, filter=AuditFilter()).rows}
    audit = decoy_audits()[0]
    assert not may_read_audit(user=consumer, audit=audit)
    assert may_read_audit(user=researcher, audit=audit)


def test_gold_is_not_judged_by_what_people_found(planted: World) -> None:
    for _ in range(20):
        planted.settle_machines()
        if not planted.vote_on_all_seats(dict.fromkeys(planted.reviewers, Choice.FAIL)):
            break
    for audit in decoy_audits():
        if audit.stage == "recorded":
            judged = judged_seats(audit=audit, policy=load_policy(version=audit.policy))
            truth = gold_of(audit).truth
            assert {seat.against_gold for seat in judged} == {truth == Choice.FAIL}


def test_the_page_of_gold_shows_the_share_in_effect_and_the_decoys(planted: World) -> None:
    client = Client()
    client.force_login(make_user("boss@example.org", "admin"), backend="django.contrib.auth.backends.ModelBackend")
    page = client.get("/gold").content.decode()
    assert f"{100 * seats_placed(campaign=planted.campaign).share:.1f} %" in page
    for audit in decoy_audits():
        assert f"/audits/{audit.pk}" in page


def test_the_page_asks_as_often_for_many_campaigns_as_for_one_and_tells_of_each_what_is_its_own(
    planted: World,
) -> None:
    policy = load_policy(version=planted.campaign.policy)
    owner, version = planted.campaign.owner, planted.campaign.policy

    def asked() -> int:
        with CaptureQueriesContext(connection) as statements:
            gold_by_campaign()
        return len(statements)

    alone = asked()
    for number in range(3):
        open_campaign(title=f"Campaign {number}", owner=owner, policy=version)
    assert asked() == alone <= 3
    told = {row.campaign.pk: row for row in gold_by_campaign()}
    assert len(told) == 4
    for key, row in told.items():
        alike = reckon_seats(campaign=row.campaign, policy=policy, repeats=False)
        truths = truths_placed(campaign=row.campaign)
        assert (row.placed, row.seats) == (alike.placed, alike.each)
        assert (row.right, row.wrong) == (truths["pass"], truths["fail"])
        assert bool(row.placed.gold and row.right + row.wrong) is (key == planted.campaign.pk)


def test_the_command_shows_what_is_placed(planted: World) -> None:
    out = StringIO()
    call_command("gold", "show", stdout=out)
    placed = seats_placed(campaign=planted.campaign)
    assert f"{placed.gold} of {placed.all} seats on gold" in out.getvalue()


def test_a_reviewer_reads_afterwards_which_gold_was_missed_and_why(planted: World) -> None:
    assert all(own_gold(auditor=auditor_of(user=user)).lines == () for user in planted.reviewers)
    for _ in range(20):
        planted.settle_machines()
        if not planted.vote_on_all_seats(dict.fromkeys(planted.reviewers, Choice.PASS)):
            break
    cards = {user: own_gold(auditor=auditor_of(user=user)) for user in planted.reviewers}
    shown = [(user, line) for user, card in cards.items() for line in card.lines]
    assert len(shown) == len(decoy_audits())
    user, line_shown = next((user, one) for user, one in shown if one.truth == Choice.FAIL)
    assert (line_shown.is_right, cards[user].right) == (False, 0)
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get("/record").content.decode()
    assert html.escape(line_shown.explanation) in page
    [domain] = cards[user].domains  # all votes were cast at a stated 90 %
    [curve] = domain.bins
    assert (curve.claimed, curve.right.share) == (pytest.approx(0.9), cards[user].right / cards[user].of)
    assert "How sure you were, and how often you were right" in page
