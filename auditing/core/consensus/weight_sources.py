"""What a weight came from: older votes on gold, or audits learned from, as one record behind a salted digest.

Everybody sees the digest in a `skills` leaf; its auditor is shown record and salt, and `ledger_fsck` reads all.
Source: docs/protocol.md section 1.2, "Weights before votes".

    digest = SHA-256(pad32("TRUST/weight-sources/v1") || salt || canonical JSON of the record)
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any

from auditing.core.consensus.skills import Beta, GoldCounts, Skill, prior_skill, published_skill, shrunk_skill
from auditing.core.policy import Policy
from auditing.core.values import Choice, Tier
from auditing.core.voting.commitment import pad32
from hdag.core import canonical

Record = dict[str, Any]
BY_GOLD, BY_LEARNING, BY_REPUTATION = "gold", "learned", "reputation"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldVote:
    """An older vote on gold, found in the log by its audit, segment and seat."""

    audit: str
    segment: str
    seat: str
    domain: str
    level: str
    truth: str
    vote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationCount:
    """First answers in calibration, which no leaf shows: the operator's word, and the reviewer's own memory."""

    domain: str
    truth: str
    vote: str
    count: int


def gold_record(
    *, cell: tuple[str, str], votes: Iterable[GoldVote], calibration: Iterable[CalibrationCount] = ()
) -> Record:
    """A weight from gold alone; cell: domain and level of the segment that it is for."""
    return {
        "rule": BY_GOLD,
        "domain": cell[0],
        "level": cell[1],
        "votes": [_plain(vote) for vote in sorted(votes, key=lambda vote: vote.seat)],
        "calibration": sorted((_plain(row) for row in calibration), key=lambda row: sorted(map(str, row.items()))),
    }


def learned_record(*, learner: str, audits: Sequence[str]) -> Record:
    """A weight learned from all votes of these older audits, by this rule."""
    return {"rule": BY_LEARNING, "learner": learner, "audits": sorted(audits)}


def reputation_record(*, reputation: str) -> Record:
    """A weight that is the reputation in the list of the eligible."""
    return {"rule": BY_REPUTATION, "reputation": reputation}


def sources_digest(*, salt: bytes, record: Record) -> bytes:
    """SHA-256 of label, salt and the record's one spelling.

    >>> sources_digest(salt=bytes(32), record=reputation_record(reputation="0.7")).hex()[:8]
    '77e2075f'
    """
    return sha256(pad32(label="TRUST/weight-sources/v1") + salt + canonical.encode(value=record)).digest()


def skill_from(*, record: Mapping[str, Any], policy: Policy, tier: Tier) -> Skill:
    """The published skill that a record by gold or by reputation leads to."""
    if record["rule"] == BY_REPUTATION:
        skill, right = prior_skill(policy=policy, tier=tier), Fraction(record["reputation"])
        if tier is not Tier.HUMAN:  # machines have no reputation, and stand at their prior
            return published_skill(skill=skill)
        both = Beta(right * skill.sensitivity.strength, (1 - right) * skill.sensitivity.strength)
        return published_skill(skill=Skill(both, both))
    cell = (record["domain"], record["level"])
    counts = [GoldCounts(0, 0, 0, 0)] * 3
    for row in (*record["votes"], *record["calibration"]):
        domain, level = row["domain"], row.get("level", "")
        belongs = (True, domain == cell[0], (domain, level) == cell)
        counts = [_more(count, row) if inside else count for count, inside in zip(counts, belongs, strict=True)]
    return published_skill(skill=shrunk_skill(counts=counts, policy=policy, tier=tier))


def _more(counts: GoldCounts, row: Mapping[str, Any]) -> GoldCounts:
    number = row.get("count", 1)
    right = number if row["vote"] == row["truth"] else 0
    if row["truth"] == Choice.PASS:
        return GoldCounts(counts.valid + number, counts.valid_passed + right, counts.wrong, counts.wrong_failed)
    return GoldCounts(counts.valid, counts.valid_passed, counts.wrong + number, counts.wrong_failed + right)


def _plain(row: GoldVote | CalibrationCount) -> Record:
    return {name: getattr(row, name) for name in row.__slots__}
