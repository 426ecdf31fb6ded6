"""F26, F8, F9, F10: random steps of a world in any order, perhaps done twice or killed at any query; no message comes.

The real services on a real PostgreSQL; a crash is an error at the n-th query that nobody catches, so that the
transaction is rolled back as by a dead process. Beside them a model remembers what was acknowledged. TRUST_RANDOM_SEEDS
and TRUST_RANDOM_STEPS change the size; a failure names its seed, which replays it.
"""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now

from auditing.core.values import Choice
from auditing.models import Audit, Auditor, Commitment, Round, Seat
from auditing.research.ledger_checks import services as fsck
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of, seat_newcomers
from auditing.services.voting import commitment, reveal
from auditing.services.voting.commitment import CommitmentRefusedError, Sealed
from benchmarks.faults.world import INVARIANTS, small
from hdag.core.values import Trace
from tests.conftest import _fresh_rate_limits, _ledger_of_its_own, _ledgers  # noqa: F401  each world has its ledger
from tests.factories.worlds import World, make_user, make_world, sealed_vote

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # cursors of those who were killed
]
SEEDS = int(os.environ.get("TRUST_RANDOM_SEEDS", "3" if small() else "20"))
STEPS = int(os.environ.get("TRUST_RANDOM_STEPS", "80" if small() else "200"))
MOST_AUDITS, MOST_PEOPLE = 4, 12


class Killed(BaseException):
    """The process is dead: no service may catch this."""


@dataclass
class RandomWorld:
    """The system, its dice, and what a client remembers: each acknowledged vote with its receipt."""

    world: World
    dice: random.Random
    acknowledged: dict[Any, tuple[Auditor, Sealed, str]] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)

    def submit(self) -> None:
        """Another trace, or the same once more."""
        number = self.dice.randrange(MOST_AUDITS)
        steps = f"He finds {number} nuts.\n\nThen he has {number} + 2 = {number + 2 + self.dice.randrange(2)}."
        self.world.submit(Trace(f"World {number}: {number} nuts and 2 nuts?", steps, f"{number + 2} nuts."))

    def vote(self) -> None:
        """Somebody takes the next seat and seals; half of the answers arrive."""
        auditor = auditor_of(user=self.dice.choice(self.world.reviewers))
        seat = assignment.claim_next(auditor=auditor, now=database_now())
        if seat is not None and self.dice.random() < 0.9:  # else the tab is closed
            choice = self.dice.choice([*Choice, Choice.PASS, Choice.FAIL])
            key = self.world.reveal_key.public_key()
            self.send(seat, auditor, sealed_vote(seat=seat, choice=choice, confidence=9000, reveal_key=key))

    def send(self, seat: Seat, auditor: Auditor, vote: Sealed) -> None:
        """Hand in; an acknowledgement is remembered for ever."""
        try:
            stored = commitment.accept(seat_id=seat.pk, auditor=auditor, vote=vote, now=database_now())
        except CommitmentRefusedError:
            assert seat.pk not in self.acknowledged or self.acknowledged[seat.pk][1].digest != vote.digest
            return
        known = self.acknowledged.setdefault(seat.pk, (auditor, vote, stored.receipt))
        assert (known[1].digest, known[2]) == (vote.digest, stored.receipt)

    def send_again(self) -> None:
        """An old vote comes once more, at any time: the same receipt."""
        if self.acknowledged:
            seat, (auditor, vote, _) = self.dice.choice(list(self.acknowledged.items()))
            self.send(Seat.objects.get(pk=seat), auditor, vote)

    def change_mind(self) -> None:
        """Other bytes for a sealed seat are refused."""
        if self.acknowledged:
            pk, (auditor, _, _) = self.dice.choice(list(self.acknowledged.items()))
            seat, key = Seat.objects.select_related("round__audit").get(pk=pk), self.world.reveal_key.public_key()
            other = sealed_vote(seat=seat, choice=Choice.FAIL, confidence=6000, reveal_key=key)
            with pytest.raises(CommitmentRefusedError):
                commitment.accept(seat_id=pk, auditor=auditor, vote=other, now=database_now())

    def decline(self) -> None:
        """Somebody passes a seat on."""
        seat = self.any_of(Seat.objects.filter(stage__in=("offered", "held"), round__tier="human"))
        if seat is not None:
            assignment.decline(seat=seat, because="not my field")

    def walk_some_round(self) -> None:
        """A bell for any round, at a time when nobody expects it."""
        round = self.any_of(Round.objects.all())
        if round is not None:
            corridor.advance_round(round=round, now=database_now())

    def walk_some_audit(self) -> None:
        """Likewise for an audit."""
        audit = self.any_of(Audit.objects.all())
        if audit is not None:
            corridor.advance(audit=audit, now=database_now())

    def open_some_round(self) -> None:
        """The revealer is asked for any round, open or not."""
        round = self.any_of(Round.objects.filter(closing_leaf__index__isnull=False))
        if round is not None:
            reveal.open_votes(rounds=[round], private_key=self.world.reveal_key)

    def let_time_pass(self) -> None:
        """A lease or a window ends now."""
        if self.dice.random() < 0.7:
            Seat.objects.filter(lease_until__isnull=False, pk__in=self.some(Seat)).update(lease_until=Now())
        else:
            Round.objects.filter(stage__in=("committing", "seated"), pk__in=self.some(Round)).update(due_at=Now())

    def any_of(self, rows: Any) -> Any:
        """One row by the dice, or None."""
        keys = list(rows.order_by("pk").values_list("pk", flat=True))
        return rows.get(pk=self.dice.choice(keys)) if keys else None

    def some(self, model: Any) -> list[Any]:
        """One row in ten."""
        keys = model.objects.order_by("pk").values_list("pk", flat=True)
        return [key for key in keys if self.dice.random() < 0.1]

    def step(self) -> None:
        """One thing happens, perhaps twice, perhaps only half."""
        moves: list[tuple[Callable[[], Any], int]] = [
            (self.submit, 1),
            (self.vote, 12),
            (self.send_again, 2),
            (self.change_mind, 1),
            (self.decline, 1),
            (self.world.walk, 6),
            (self.world.sequence, 6),
            (self.world.open_votes, 4),
            (self.walk_some_round, 2),
            (self.walk_some_audit, 2),
            (self.open_some_round, 2),
            (self.let_time_pass, 1),
        ]
        move = self.dice.choices([one for one, _ in moves], [weight for _, weight in moves])[0]
        for _ in range(self.dice.choice((1, 1, 1, 2))):
            self.perhaps_killed(move)

    def perhaps_killed(self, move: Callable[[], Any]) -> None:
        """In one of five, dead at some query; what is not committed is gone."""
        left = self.dice.randrange(60) if self.dice.random() < 0.2 else -1

        def count(execute: Any, *arguments: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise Killed
            return execute(*arguments)

        try:
            with connection.execute_wrapper(count):
                move()
        except Killed:
            self.done["killed"] = self.done.get("killed", 0) + 1
        name = getattr(move, "__name__", "?")
        self.done[name] = self.done.get(name, 0) + 1

    def check(self) -> None:
        """What was acknowledged stands, byte for byte."""
        stored = dict(Commitment.objects.values_list("seat", "digest"))
        for seat, (_, vote, _) in self.acknowledged.items():
            assert bytes(stored[seat]) == vote.digest

    def finish(self) -> None:
        """Everybody works until nothing is left to do."""
        for _ in range(200):
            self.world.settle_machines()
            if not any([self.world.vote(user) for user in self.world.reviewers]):
                if not Audit.objects.exclude(stage__in=("recorded", "failed", "withdrawn")).exists():
                    return
                Seat.objects.filter(lease_until__isnull=False).update(lease_until=Now())
                Audit.objects.filter(lease_until__isnull=False).update(lease_until=Now())
                # Windows end now, and a round that found nobody looks again now and not in half a minute.
                Round.objects.filter(stage__in=("seated", "committing", "revealing")).update(due_at=Now())
                # Whom nobody judges is given up a policy's time after its batch.
                Round.objects.filter(stage="seated").update(stage_since=F("stage_since") - timedelta(days=30))
                Audit.objects.filter(batched_at__isnull=False).update(batched_at=F("batched_at") - timedelta(days=30))
                self.let_somebody_come()
        open_rounds = Round.objects.exclude(stage="tallied").order_by("pk")
        said = [
            (
                one.stage,
                one.tier,
                one.k,
                one.due_at,
                one.next_drawn,
                len(one.drawn),
                sorted(one.seats.values_list("stage", "lease_until"), key=str),
            )
            for one in open_rounds
        ]
        raise AssertionError((list(Audit.objects.values_list("stage", "failure")), said))

    def let_somebody_come(self) -> None:
        """A round whose seats everybody here has held, in vain, waits for new people, however long that takes."""
        waiting = Round.objects.filter(stage="seated", tier="human")
        if waiting.exists() and len(self.world.reviewers) < MOST_PEOPLE:
            self.world.reviewers.append(make_user(f"new{len(self.world.reviewers)}@example.org", "reviewer"))
            seat_newcomers()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_whatever_happens_every_audit_ends_and_every_invariant_holds(seed: int) -> None:
    random_world = RandomWorld(make_world(reviewers=4), random.Random(seed))
    random_world.submit()
    for number in range(STEPS):
        random_world.step()
        if number % 20 == 0:
            random_world.check()
    random_world.finish()
    random_world.check()
    with connection.cursor() as cursor:
        for name, query in INVARIANTS.items():
            cursor.execute(query.replace("%%", "%"))
            assert cursor.fetchone() == (0,), name
    broken = [(one.name, one.faults[:12]) for one in fsck.check(now=database_now()) if not one.holds]
    assert not broken
    print(
        f"seed {seed}: {dict(sorted(random_world.done.items()))}, {len(random_world.acknowledged)} votes acknowledged"
    )
