"""Writes tests/vectors/newer anew: `python -m pytest tests/tools/make_newer.py`.

Audits of today's format for the liar (benchmarks/liar.py). In those of EVERYBODY all who are listed sit, so that any
seed draws the same people; in the others the draw hangs on the seed.
"""

import gzip
import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from auditing.core.policy import FAST, Policy, RoutedBy
from auditing.core.values import Choice
from auditing.models import Audit, Round, Seat
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.gold.decoys import plant
from auditing.services.gold.sources import find_draft
from auditing.services.seating.assignment import claim_next, decline
from auditing.services.seating.auditors import auditor_of
from tests.doubles.chat_server import run_server
from tests.factories.models import everything_moves
from tests.factories.stories import STORIES, TWO_SEATS
from tests.factories.worlds import make_user, make_world, sequencer
from tests.jobs import test_random_sample as random_sample
from tests.jobs import test_routed_by as routed
from tests.rooms.consensus import test_mid_wave as mid_wave
from tests.rooms.consensus import test_overruled as overruled
from tests.rooms.consensus.test_waves import waves_world
from tests.rooms.gold import test_decoys as decoys
from tests.rooms.gold import test_disputes as disputes
from tests.rooms.gold import test_model_fail as model_fail
from tests.rooms.ledger.test_ledger import bundled
from tests.rooms.voting.test_unopened import FIRST_OF_THE_OPENING, spoilt

FOLDER = Path(__file__).resolve().parents[1] / "vectors" / "newer"


def planned(choice: Choice = Choice.FAIL) -> Audit:
    """An audit in waves, which such votes decide."""
    world, audit = waves_world()
    world.everybody_votes(audit, choice)
    world.settle_machines()
    return audit


def extended() -> Audit:
    """Somebody of two declines a seat, and a newcomer is the whole of the list that is added for it."""
    world = make_world(reviewers=2, policy=TWO_SEATS)
    audit = world.submit()
    world.settle_machines()
    seat = claim_next(auditor=auditor_of(user=world.reviewers[0]), now=database_now())
    assert seat is not None
    decline(seat=seat, because="not my field")
    world.reviewers.append(make_user("late@example.org", "reviewer"))
    corridor.advance_due(now=database_now() + timedelta(minutes=2))
    world.everybody_votes(audit)
    world.settle_machines()
    return audit


def misleading() -> Audit:
    """A decoy whose gold models fail on: people are asked about that passage alone, and one of them misses it."""
    world = model_fail.gold_world(model_fail.line("owl", '["pass"]'))
    draft = find_draft(
        campaign=world.campaign, policy=model_fail.SHARED, truth=Choice.FAIL, rng=random.Random(1), misleading=True
    )
    assert draft is not None
    audit = plant(draft=draft, campaign=world.campaign, rng=random.Random(1))
    world.settle_machines()
    assert Round.objects.filter(audit=audit, tier="human").count() == 1
    world.everybody_votes(audit, Choice.PASS)
    world.settle_machines()
    return audit


def relieved() -> Audit:
    """A wave whose trace is decided in its middle: the seats that nobody had opened are withdrawn."""
    world, audit, opened = mid_wave.decided_in_mid_wave()
    seat = Seat.objects.select_related("round__audit", "round__segment__block").get(pk=opened.pk)
    world.seal(seat, opened.auditor, Choice.PASS)
    world.settle_machines()
    return audit


def disputed() -> Audit:
    """A decoy that everybody missed, and whose gold is overturned: its votes are paid anew."""
    world = decoys.gold_world()
    assert decoys.sweep(world)
    while any([world.vote(user) for user in world.reviewers]):
        world.settle_machines()
    wrong = next(audit for audit in decoys.decoy_audits() if decoys.gold_of(audit).truth == Choice.FAIL)
    seat = Seat.objects.get(round__audit=wrong, round__tier="human", vote__isnull=False)
    disputes.overturn(seat, make_user("judge@example.org", "adjudicator"))
    world.settle_machines()
    return wrong


def successor(policy: Policy) -> Audit:
    """After an appeal an adjudicator overrules what the checker refuted."""
    world, _, second = overruled.appealed(policy)
    overruled.say(world, second, Choice.PASS)
    return second


def suggested() -> Audit:
    """The decomposing model orders the tiers, and its policy follows it."""
    with run_server() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        return routed.recorded(server, RoutedBy.MODEL)


def sampled() -> Audit:
    """Models settle every passage, and people are asked about a random half of them."""
    with run_server() as server, pytest.MonkeyPatch.context() as patch:
        world, audit = random_sample.sampled_world(server, patch, "0.5")
        everything_moves(world)
        return audit


EVERYBODY = ("divided", "released", "overturned", "adjudicated", "golden", "certified", "confirmed", "unjudged")
COURSES: dict[str, Callable[[], Audit]] = {
    **{name: lambda name=name: STORIES[name]()[0] for name in EVERYBODY},
    "extended": extended,
    "misleading": misleading,
    "relieved": relieved,
    "disputed": disputed,
    "overruled": lambda: successor(FAST),
    "overruled-waves": lambda: successor(overruled.WAVES),
    "sampled": sampled,
    "suggested": suggested,
    "unopened": lambda: spoilt(FIRST_OF_THE_OPENING)[1],
    "waves": planned,
    "waves-passed": lambda: planned(Choice.PASS),
    "left": lambda: STORIES["left"]()[0],
    "silent": lambda: STORIES["silent"]()[0],
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", COURSES)
def test_the_vector_is_written(name: str) -> None:
    audit = COURSES[name]()
    while sequencer().step():
        pass
    audit.refresh_from_db()
    assert audit.stage == "recorded"
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json.gz").write_bytes(gzip.compress(bundled(audit), mtime=0))
