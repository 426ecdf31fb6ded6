"""F18: every way in which a model can fail, always and in 30 % of its calls: each seat voted, replaced or escalated.

One world a fault, its workers in this process, pauses skipped. Spend stays under its cap and nothing is done twice.
"""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.db.models import Count, Sum

from auditing.core.policy import DEFAULT, FAST
from auditing.models import Commitment, Round, SeatAttempt, SegmentOutcome, Vote
from benchmarks.faults.world import small
from hdag.core.values import Trace
from hdag.models import ChatCall
from tests.conftest import _fresh_rate_limits, _ledger_of_its_own, _ledgers  # noqa: F401  each world has its ledger
from tests.doubles.chat_server import run_server
from tests.factories.models import everything_moves, make_endpoint, model_seats
from tests.factories.worlds import make_world

pytestmark = pytest.mark.django_db
FAULTS = (
    "429",
    "429-after-1",
    "429-after-60",
    "500",
    "hang",
    "drip",
    "slow-headers",
    "garbage",
    "html",
    "truncated",
    "huge",
    "gzip",
    "redirect",
    "wrong-model",
    "empty",
    "prose",
    "refusal",
    "tool",
    "cut",
    "400",
    "no-usage",
    "boast",
)
MIXED = tuple(f"sometimes-{fault}" for fault in FAULTS) + tuple(f"chaos-{seed}" for seed in range(6))
SHOWN = ("429-after-1", "hang", "sometimes-500") if small() else (*FAULTS, *MIXED)
CAP = Decimal("0.02")
TRACE = Trace(
    problem="Tom has some nuts and finds as many again. How many has he?",
    thinking="\n\n".join(f"In bag {n} he finds as many nuts as before, and so it goes on." for n in range(5)),
    answer="Twice as many.",
)


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.mark.parametrize("fault", SHOWN)
def test_every_seat_ends_and_spend_stays_under_its_cap(server, monkeypatch, fault):
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
    make_endpoint(server.url(fault), timeout_seconds=1, audit_cap=CAP)
    world = make_world(policy=replace(FAST, llm=replace(DEFAULT.llm, k=3)))
    audit = world.submit(TRACE)
    everything_moves(world)
    audit.refresh_from_db()
    assert audit.stage == "recorded", audit.failure
    seats = model_seats(audit)
    assert len(seats) >= 9
    assert {seat.stage for seat in seats} <= {"revealed", "declined", "silent"}
    voted = Vote.objects.filter(seat__round__tier="llm").count()
    assert voted == SeatAttempt.objects.filter(state="sealed").count()
    assert voted == Commitment.objects.filter(seat__round__tier="llm").count()
    if fault in FAULTS and fault not in ("no-usage", "boast"):
        assert voted == 0
    hung = Round.objects.filter(audit=audit, tier="llm", outcome="hung").values("segment")
    after = Round.objects.filter(audit=audit, tier="human", segment__in=hung).values("segment").distinct().count()
    assert after == hung.distinct().count()  # what models left open went to people
    assert not SegmentOutcome.objects.filter(audit=audit, outcome="hung").exists()
    spent = ChatCall.objects.filter(account=f"audit:{audit.pk}").aggregate(total=Sum("cost"))["total"] or 0
    assert spent <= CAP
    assert not ChatCall.objects.filter(state="open").exists()
    assert not SeatAttempt.objects.filter(state="asked").exists()
    twice = Commitment.objects.values("seat").annotate(times=Count("pk")).filter(times__gt=1)
    assert not twice.exists()
