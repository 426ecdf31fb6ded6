"""Mini-VOPR: random clients, faults and clocks against the pure protocol core; a failure prints its seed."""

import random
from hashlib import sha256
from uuid import UUID

import pytest

from auditing.core.values import Choice
from auditing.core.voting.commitment import Binding, Opening, OpeningError, check_opening, commitment

STEPS, SEATS = 300, 5


def binding(seat: int) -> Binding:
    return Binding(
        log_id=b"l" * 32,
        audit_id=UUID(int=1),
        segment_id=UUID(int=2),
        round=1,
        seat_id=UUID(int=100 + seat),
        auditor_id=sha256(bytes([seat])).digest(),
        segment_digest=b"s" * 32,
    )


class Model:
    """What a correct system remembers: the first commitment of each seat, and at most one opening after the close."""

    def __init__(self) -> None:
        self.sealed: dict[int, bytes] = {}
        self.opened: dict[int, Opening] = {}
        self.is_closed = False

    def commit(self, seat: int, digest: bytes) -> bool:
        taken = any(other == digest for key, other in self.sealed.items() if key != seat)
        if seat not in self.sealed and not self.is_closed and not taken:
            self.sealed[seat] = digest
        return self.sealed.get(seat) == digest

    def reveal(self, seat: int, opening: Opening) -> bool:
        if not self.is_closed or seat not in self.sealed:
            return False
        try:
            check_opening(binding=binding(seat), opening=opening, commitment=self.sealed[seat])
        except OpeningError:
            return False
        assert self.opened.setdefault(seat, opening) == opening
        return True


def some_opening(rng: random.Random) -> Opening:
    choice = rng.choice(list(Choice))
    stated = None if choice is Choice.ABSTAIN else rng.randrange(5_000, 10_001)
    return Opening(choice=choice, confidence_bp=stated, rationale_digest=rng.randbytes(32), nonce=rng.randbytes(32))


@pytest.mark.parametrize("seed", range(50))
def test_no_order_of_commits_reveals_repeats_copies_and_crashes_opens_what_was_not_sealed(seed: int) -> None:
    rng, model = random.Random(seed), Model()
    known: list[tuple[int, Opening]] = [(seat, some_opening(rng)) for seat in range(SEATS)]
    acknowledged: dict[int, bytes] = {}
    for step in range(STEPS):
        seat, opening = rng.choice(known)
        aim = rng.randrange(SEATS) if rng.random() < 0.3 else seat  # sometimes another's secret is tried
        if rng.random() < 0.2:
            known.append((seat, some_opening(rng)))
        if step == STEPS // 2:
            model.is_closed = True
        digest = commitment(binding=binding(seat), opening=opening)
        if rng.random() < 0.5:
            if model.commit(aim, digest) and rng.random() < 0.8:  # else the answer was lost
                acknowledged.setdefault(aim, digest)
        else:
            model.reveal(aim, opening)
        where = f"seed {seed}, step {step}"
        assert acknowledged.items() <= model.sealed.items(), where
        assert model.is_closed or not model.opened, where
        for one, said in model.opened.items():
            assert commitment(binding=binding(one), opening=said) == model.sealed[one], where
        assert len(set(model.sealed.values())) == len(model.sealed), where
