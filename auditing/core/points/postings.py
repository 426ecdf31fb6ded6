"""Double-entry postings in whole points for judged votes: they sum to zero and anyone can repeat them from the seed.

Source: TRUST section 3.3; docs/formulas.md section 1.3.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from auditing.core.errors import BadParameterError
from auditing.core.points.payoff import slash_probability
from auditing.core.policy import Policy

POOL = "pool"
SLASH_LABEL = b"TRUST/slash/v1".ljust(32, b"\0")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedVote:
    """A seat whose vote has been judged: against gold where there is gold, else against the final outcome."""

    vote: str
    round: str
    auditor: str
    seat: bytes  # 16 bytes of the seat's UUID
    correct: bool | None  # None: it abstained, or the segment stayed undecided
    gold: bool = False
    revealed: bool = True
    reputation: Fraction = Fraction(1)  # the published one: sets the chance of a slash
    agreement: Fraction | None = None  # correlated agreement with a peer


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """One line: `amount` points onto `account`. The lines of one settlement sum to zero."""

    account: str
    amount: int
    kind: str  # reward, slash, no_show, agreement, or reversal:<kind>
    vote: str
    round: str
    policy: str  # digest


def slash_draw(*, seed: bytes, seat: bytes) -> int:
    """64-bit integer: first eight bytes of SHA-256(pad32("TRUST/slash/v1") || seed || seat), big endian.

    A vote of slash probability p is slashed iff draw < floor(p 2^64): anyone with the revealed seed can repeat it.
    """
    if len(seed) != 32 or len(seat) != 16:
        raise BadParameterError("seed", f"needs 32 bytes of seed and 16 of seat, not {len(seed)} and {len(seat)}")
    return int.from_bytes(hashlib.sha256(SLASH_LABEL + seed + seat).digest()[:8], "big")


def settle_votes(
    *, votes: Sequence[JudgedVote], policy: Policy, policy_digest: str, seed: bytes
) -> tuple[Posting, ...]:
    """The postings of these votes, two lines each (auditor and pool), in the order of the votes.

    Right: +R. Wrong on gold: -M P for certain. Wrong elsewhere: -P with probability p_slash(reputation), by
    slash_draw. Not revealed: -no_show_penalty. Abstained or undecided: nothing. Agreement: bonus * agreement, either
    sign, to the nearest point (halves to even: flooring would cost who agrees a little half a point a vote).
    """
    postings: list[Posting] = []
    for vote in votes:
        for reason, amount in _amounts(vote, policy, seed):
            if amount:
                line = Posting(
                    account=vote.auditor,
                    amount=amount,
                    kind=reason,
                    vote=vote.vote,
                    round=vote.round,
                    policy=policy_digest,
                )
                postings += [line, replace(line, account=POOL, amount=-amount)]
    return tuple(postings)


def _amounts(vote: JudgedVote, policy: Policy, seed: bytes) -> list[tuple[str, int]]:
    """(kind, points of the auditor) of everything that one vote is paid or fined for."""
    if not vote.revealed:
        return [("no_show", -policy.no_show_penalty)]
    amounts: list[tuple[str, int]] = []
    if vote.correct is True:
        amounts.append(("reward", policy.reward))
    elif vote.correct is False:
        amounts.append(("slash", -_loss(vote, policy, seed)))
    if vote.agreement is not None and vote.correct is not None:
        amounts.append(("agreement", round(policy.agreement_bonus * vote.agreement)))
    return amounts


def _loss(vote: JudgedVote, policy: Policy, seed: bytes) -> int:
    if vote.gold:
        return policy.honeypot_multiplier * policy.penalty
    # Compared as integers, so that no rounding of a double decides: p 2^64 is exact, // 1 takes its floor.
    share = slash_probability(reputation=vote.reputation, policy=policy)
    return policy.penalty if slash_draw(seed=seed, seat=vote.seat) < share * 2**64 // 1 else 0


def reversing(*, postings: Sequence[Posting]) -> tuple[Posting, ...]:
    """The lines that undo `postings`; nothing posted is ever edited."""
    return tuple(replace(line, amount=-line.amount, kind=f"reversal:{line.kind}") for line in postings)


def share_out(*, amount: int, weights: Mapping[str, int]) -> dict[str, int]:
    """`amount` points in proportion to integer weights, each share floored; the remainder goes to the pool.

    >>> share_out(amount=10, weights={"a": 1, "b": 2})
    {'a': 3, 'b': 6, 'pool': 1}
    """
    total = sum(weights.values())
    if amount < 0 or any(weight < 0 for weight in weights.values()) or POOL in weights:
        raise BadParameterError("amount", "needs points and weights of at least 0, and no account named pool")
    shares = {name: amount * weight // total for name, weight in weights.items()} if total else {}
    return {**shares, POOL: amount - sum(shares.values())}
