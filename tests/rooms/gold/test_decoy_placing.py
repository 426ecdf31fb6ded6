"""Which decoys are placed, and which never: of erased texts, of texts that everybody has seen, of who lends none."""

import random
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import transaction

from accounts.models import Profile
from auditing.core.policy import Grain
from auditing.core.values import Choice
from auditing.models import Audit, AuditEvent, Decoy, GoldSegment, Seat
from auditing.research.erasure import services as erasure
from auditing.selectors.clock import database_now
from auditing.selectors.gold.decoys import reckon_seats, seats_placed
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.rosters import eligible_lines
from auditing.services.gold import decoys
from auditing.services.gold.sources import find_draft
from auditing.services.intake import batching
from auditing.services.seating.auditors import seat_newcomers
from hdag.core.values import Trace
from tests.factories.passages import PLANNED
from tests.factories.worlds import World, make_user, make_world
from tests.rooms.consensus.test_waves import EIGHT, WAVES
from tests.rooms.gold.test_decoys import MUCH_GOLD, decoy_audits, gold_of, gold_world, sweep
from tests.rooms.gold.test_gold import line, load
from tests.rooms.gold.test_rates import birds, vote_all
from tests.rooms.gold.test_repeats import OFTEN, repeated_audits
from tests.rooms.gold.test_repeats import sweep as repeat_all

pytestmark = pytest.mark.django_db


def test_a_decoy_is_erased_with_its_original() -> None:
    world = gold_world()
    sweep(world)
    trace = Audit.objects.get(trace__decoy__isnull=True).trace
    erasure.confirm(erasure=erasure.ask(trace=trace, by=world.provider, because=""), by=None)
    for audit in decoy_audits():
        assert audit.trace.erased_at is not None
        assert audit.trace.decoy.explanation.wrapped_key is None


def test_a_text_that_everybody_has_seen_yields_no_decoy() -> None:
    assert sweep(gold_world(newcomers=0, reviewers=1)) == []


def test_a_campaign_that_yields_none_is_looked_at_again_when_it_has_another_text(
    django_assert_max_num_queries: Any,
) -> None:
    world = make_world(reviewers=2, policy=MUCH_GOLD, grain=Grain.PASSAGE)
    prose = "Nobody kept a book that year, and what the farm earned is guessed from what its people say."
    for _ in range(4):
        world.everybody_votes(world.submit(Trace(problem="Was it rich?", thinking=prose, answer="Yes."), copy=True))
    world.reviewers.append(make_user("new@example.org", "reviewer"))
    seat_newcomers()
    assert sweep(world) == []
    for number in range(8):
        with django_assert_max_num_queries(15):  # without a look at a text
            decoys.place(campaign=world.campaign, seed=bytes([number]) * 32)
    world.everybody_votes(world.submit(PLANNED))
    world.reviewers.append(make_user("newer@example.org", "reviewer"))
    seat_newcomers()
    assert sweep(world)


def attempt(world: World, seed: bytes) -> tuple[list[Any], list[Any]]:
    """What one sweep with this seed plants, and the event of it; taken back."""
    with transaction.atomic():
        decoys.place(campaign=world.campaign, seed=seed)
        columns = ("original", "truth", "change", "start", "end", "at")
        rows = list(Decoy.objects.order_by("at", "truth", "change").values_list(*columns))
        events = list(AuditEvent.objects.filter(kind="gold.placed").values_list("body", flat=True))
        transaction.set_rollback(True)
    return rows, events


def test_the_text_that_lent_the_least_lends_first() -> None:
    world = gold_world()
    # After three it lends no more: the first seed that plants fewer.
    seed = next(bytes([n]) * 32 for n in range(99) if len(attempt(world, bytes([n]) * 32)[0]) in (1, 2))
    assert decoys.place(campaign=world.campaign, seed=seed) in (1, 2)
    world.settle_machines()
    lender = Audit.objects.exclude(trace__decoy__isnull=False).get()
    policy = load_policy(version=world.campaign.policy)

    def originals() -> set[Any]:
        wanted = {"campaign": world.campaign, "policy": policy, "truth": Choice.FAIL}
        drafts = [find_draft(**wanted, rng=random.Random(number)) for number in range(6)]
        return {draft and draft.original for draft in drafts}

    assert originals() == {lender.trace}
    other = world.submit(replace(PLANNED, problem=f"Elsewhere: {PLANNED.problem}"))
    world.everybody_votes(other)
    make_user("later@example.org", "reviewer")  # who has seen neither
    seat_newcomers()
    assert originals() == {other.trace}


def test_a_provider_may_refuse_to_lend_passages() -> None:
    world = gold_world()
    Profile.objects.update_or_create(user=world.provider, defaults={"lends_gold": False})
    assert sweep(world) == []


def test_the_same_seed_plants_the_same_and_the_event_keeps_it() -> None:
    world = gold_world()
    # Whether a decoy that is due waits is a matter of the seed as well: the first that plants one.
    seed = next(bytes([n]) * 32 for n in range(40) if attempt(world, bytes([n]) * 32)[0])
    rows, events = attempt(world, seed)
    assert (rows, events) == attempt(world, seed)
    assert [(event["seed"], event["placed"]) for event in events] == [(seed.hex(), len(rows))]


def test_imported_gold_meets_reviewers_in_a_decoy() -> None:
    world = make_world(reviewers=2, policy=MUCH_GOLD)
    # Nothing else can become a decoy here: the share of so small a campaign has room for one or two.
    Profile.objects.update_or_create(user=world.provider, defaults={"lends_gold": False})
    world.everybody_votes(world.submit())
    text = "If every bird has wings and a bat has wings, then a bat is a bird."
    load(line("bats", purpose="honeypot", text=text, explanation="Not only birds have wings."))
    GoldSegment.objects.update(domain="school maths")
    [audit] = sweep(world)
    assert (gold_of(audit).truth, gold_of(audit).source) == (Choice.FAIL, "decoy: imported")
    assert Seat.objects.filter(round__audit=audit, round__tier="human", stage="offered").exists()


def test_a_decoy_does_not_make_a_batch_look_mixed() -> None:
    world = gold_world()
    sweep(world)
    lonely = replace(PLANNED, thinking=PLANNED.thinking.replace("hen", "duck"))
    audit = world.submit(lonely)
    world.settle_machines()
    audit.refresh_from_db()
    assert batching.is_mixed(audit=audit, now=database_now())
    assert audit.batch_providers == 1
    assert all(decoy.batched_at is not None for decoy in decoy_audits())


def test_the_command_imports_a_file_and_names_every_bad_line(tmp_path: Path) -> None:
    file, out, by = tmp_path / "gold.jsonl", StringIO(), make_user("admin@example.org", "admin").email
    file.write_text(line("one", purpose="honeypot") + "\nnonsense\n")
    with pytest.raises(CommandError, match="line 2"):
        call_command("gold", "import", str(file), "--by", by)
    file.write_text(line("one", purpose="honeypot"))
    call_command("gold", "import", str(file), "--by", by, stdout=out)
    assert "1 gold segments stored" in out.getvalue()
    assert not GoldSegment.objects.get().is_active
    with pytest.raises(CommandError, match="--by"):
        call_command("gold", "import", str(file))


def test_where_the_lot_alone_decides_everybody_has_one_ticket() -> None:
    world = make_world(reviewers=3, policy=replace(MUCH_GOLD, gold_emphasis=0))
    load(*birds(6))
    world.everybody_votes(world.submit())
    assert sweep(world)
    assert {line.weight for audit in decoy_audits() for line in eligible_lines(audit=audit)} == {1}


def test_decoys_cost_at_most_the_share_of_the_default_under_waves() -> None:
    world = make_world(reviewers=6, policy=WAVES)
    load(*birds(6))
    for _ in range(5):
        world.submit(EIGHT, copy=True)
    vote_all(world)
    sweep(world)
    vote_all(world)
    placed = seats_placed(campaign=world.campaign)
    assert placed.gold > 0
    assert placed.share <= WAVES.honeypot_share == Decimal("0.15")


def test_nothing_comes_again_before_its_time() -> None:
    world = make_world(reviewers=3, policy=replace(OFTEN, repeat_after_hours=100), grain=Grain.PASSAGE)
    world.everybody_votes(world.submit(PLANNED))
    assert repeat_all(world, later=timedelta(hours=99)) == []
    assert repeat_all(world, later=timedelta(hours=101))


def test_under_waves_running_repeats_count_with_the_seats_that_they_have_still_to_come() -> None:
    policy = replace(WAVES, honeypot_share=Decimal(0), model_fail_share=Decimal(0), repeat_share=Decimal("0.3"))
    world = make_world(reviewers=6, policy=replace(policy, repeat_after_hours=0), grain=Grain.PASSAGE)
    for _ in range(6):
        world.submit(PLANNED, copy=True)
    vote_all(world)
    assert repeat_all(world)
    repeats = reckon_seats(campaign=world.campaign, policy=policy, repeats=True)
    # Each has a seat of its first wave, and is taken to need what a trace may come to.
    assert repeats.placed.gold == len(repeated_audits())
    assert repeats.each == policy.first_seats + 2 * policy.wave_seats
    assert repeats.own == repeats.each * len(repeated_audits()) <= 0.3 * (repeats.own + repeats.placed.ordinary)
    assert repeat_all(world) == repeated_audits()
