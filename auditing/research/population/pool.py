"""A simulated pool of auditors and their votes: honest, rubber-stamping, malicious and strategic ones."""

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from auditing.core.consensus.ballots import UNKNOWN, Ballots, Ints

STAMP_PASS = 0.98
CAMOUFLAGE = 0.65  # share of wrong votes of a camouflaged seat


class Attack(StrEnum):
    """What the malicious share of the pool does."""

    ALWAYS_WRONG = "always wrong"
    CAMOUFLAGED = "camouflaged"  # wrong 65 % of the time
    TARGETED = "targeted collusion"  # honest, but wrong together on a fifth of the segments outside gold
    BRIBED = "bribed to pass errors"  # honest on valid segments, passes every wrong one


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """docs/formulas.md section 6: 400 segments, 7 seats of 40 auditors, 80 % valid, 20 + 20 of them gold."""

    malicious: float = 0.0
    stampers: float = 0.3
    attack: Attack = Attack.ALWAYS_WRONG
    segments: int = 400
    seats: int = 7
    pool: int = 40
    base_rate: float = 0.8
    gold_each: int = 20
    target_share: float = 0.2


@dataclass(frozen=True, slots=True)
class Drawn:
    """Votes with their truth; `scored` are the segments outside gold."""

    ballots: Ballots
    truth: Ints
    scored: Ints


def draw_world(*, world: World, rng: np.random.Generator) -> Drawn:
    """One draw of truths, seats and votes. Same stream, same truths, seats and honest errors for every share."""
    valid = round(world.segments * world.base_rate)
    truth = rng.permutation(np.repeat(np.array([1, 0], dtype=np.int64), [valid, world.segments - valid]))
    gold = _gold(truth, world, rng)
    auditor = rng.random((world.segments, world.pool)).argsort(1)[:, : world.seats].ravel()
    segment = np.repeat(np.arange(world.segments, dtype=np.int64), world.seats)
    order = rng.permutation(world.pool)
    bad, stamps = round(world.malicious * world.pool), round(world.stampers * world.pool)
    kind = np.zeros(world.pool, dtype=np.int64)  # 0 honest, 1 malicious, 2 rubber-stamper
    kind[order[:bad]], kind[order[world.pool - stamps :]] = 1, 2
    passed = _votes(world, (truth, gold, kind), (segment, auditor), rng)
    return Drawn(Ballots(segment, auditor, passed, gold, world.pool), truth, np.flatnonzero(gold == UNKNOWN))


def _gold(truth: Ints, world: World, rng: np.random.Generator) -> Ints:
    gold = np.full_like(truth, UNKNOWN)
    for value in (0, 1):
        chosen = rng.permutation(np.flatnonzero(truth == value))[: world.gold_each]
        gold[chosen] = value
    return gold


def _votes(world: World, known: tuple[Ints, Ints, Ints], seats: tuple[Ints, Ints], rng: np.random.Generator) -> Ints:
    truth, gold, kind = known
    segment, auditor = seats
    error = rng.uniform(0.2, 0.4, world.pool)
    chance = rng.random(len(segment))
    target = (rng.random(world.segments) < world.target_share) & (gold == UNKNOWN)
    right = truth[segment]
    honest = np.where(chance < error[auditor], 1 - right, right)
    wrong = {
        Attack.ALWAYS_WRONG: 1 - right,
        Attack.CAMOUFLAGED: np.where(chance < CAMOUFLAGE, 1 - right, right),
        Attack.TARGETED: np.where(target[segment], 1 - right, honest),
        Attack.BRIBED: np.where(right == 0, 1, honest),
    }[world.attack]
    stamp = (chance < STAMP_PASS).astype(np.int64)
    seat_kind = kind[auditor]
    found: Ints = np.where(seat_kind == 0, honest, np.where(seat_kind == 1, wrong, stamp)).astype(np.int64)
    return found


def without_gold(*, drawn: Drawn) -> Ballots:
    """The votes with gold hidden, for rules that may not see it."""
    return replace(drawn.ballots, gold=np.full_like(drawn.truth, UNKNOWN))
