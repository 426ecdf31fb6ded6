"""Who and what takes part in the small audit of these tests: segments, auditors, the log that they are written to."""

import random
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from uuid import UUID

from auditing.core.consensus import Tally
from auditing.core.ledger import leaves
from auditing.core.seating import rosters
from auditing.core.values import Tier
from auditing.translog import note
from tests.factories.policies import ROUNDS

ORIGIN = "trust.example/ledger/v1"
KEY = note.signing_key(name=ORIGIN, seed=b"k" * 32)
POLICY = ROUNDS  # what is said here is said of rounds; waves: tests/rooms/consensus
AUDIT, SECRET = UUID(int=77), b"s" * 32
RULES = leaves.DrawRules(load_cap=100_000, share_cap=POLICY.disclosure_share, adjacent=POLICY.neighbours)
TIERS = (Tier.HUMAN, Tier.COMPUTER, Tier.LLM, Tier.HUMAN)


def number_of(*, value: Fraction) -> Decimal:
    return Decimal(round(value * 10**12)) / 10**12


class Cast:
    """Four segments with what is known of them, the people, models and checkers who may sit, and an empty log."""

    def __init__(self) -> None:
        self.rng = random.Random(5)
        self.entries: list[bytes] = []
        self.held: dict[bytes, list[int]] = defaultdict(list)
        self.seats: dict[tuple[int, int], list[dict]] = {}
        self.reputations: dict = {}  # (auditor, column) -> exact value so far
        self.tallies: dict[int, list[Tally]] = defaultdict(list)
        self.ids = [UUID(int=1000 + number) for number in range(4)]
        self.salts = [sha256(b"gold%d" % number).digest() for number in range(4)]
        self.truth = [leaves.Truth.NONE, leaves.Truth.FAIL, leaves.Truth.NONE, leaves.Truth.PASS]
        kinds = ((Tier.HUMAN, 24), (Tier.LLM, 14), (Tier.COMPUTER, 3))
        lines = [self._line(kind, number) for kind, count in kinds for number in range(count)]
        trusted = [self._trusted(number) for number in range(2)]
        self.eligible = sorted([*lines, *trusted], key=lambda line: line.auditor)
        self.segments = [self._segment(number) for number in range(4)]

    def _line(self, kind: Tier, number: int) -> rosters.EligibleLine:
        name = sha256(f"{kind}{number}".encode()).digest()
        reputation = Decimal(self.rng.randrange(40, 95)) / 100
        return rosters.EligibleLine(
            auditor=name, kind=kind, weight=1 + number % 8, load=number % 3, reputation=reputation
        )

    def _trusted(self, number: int) -> rosters.EligibleLine:
        name = sha256(b"judge%d" % number).digest()
        return rosters.EligibleLine(
            auditor=name, kind=Tier.HUMAN, weight=1, load=0, reputation=Decimal("0.9"), pool="trusted"
        )

    def _segment(self, number: int) -> rosters.SegmentLine:
        tier = TIERS[number]
        gold = leaves.gold_digest(salt=self.salts[number], segment=self.ids[number], truth=self.truth[number])
        return rosters.SegmentLine(
            segment=self.ids[number],
            digest=sha256(b"text%d" % number).digest(),
            tier=tier,
            secondaries=(),
            basis=True,
            k=POLICY.tier(tier).k,
            weight=POLICY.tier(tier).weight,
            gold=gold,
        )

    def add(self, leaf: leaves.Leaf) -> None:
        self.entries.append(leaves.encode(leaf=leaf))
