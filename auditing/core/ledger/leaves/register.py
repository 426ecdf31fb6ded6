"""Leaves about the system and about audits as a whole: policies, experiments, gold, appeals, keys, anchors."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from auditing.core.conduct import ConductStep
from auditing.core.ledger.leaves.fields import Digest, Name, Parameters


class Truth(StrEnum):
    """What was known beforehand about a segment."""

    NONE = "none"
    PASS = "pass"  # noqa: S105
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldReveal:
    """What was known of a segment beforehand; opens `gold` of its line in the segments list (gold_digest)."""

    TYPE: ClassVar = "gold.reveal"
    audit: UUID
    segment: UUID
    truth: Truth
    salt: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldOverturn:
    """A revealed truth was wrong: its votes are paid as right, and it judges nobody. stands: what is known now."""

    TYPE: ClassVar = "gold.overturn"
    audit: UUID
    segment: UUID
    stands: Truth


@dataclass(frozen=True, slots=True, kw_only=True)
class Appeal:
    """A successor audit was asked for."""

    TYPE: ClassVar = "appeal"
    audit: UUID
    by: Name  # provider, auditor, operator
    reason: Name
    successor: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConductDecision:
    """What was decided about a reviewer, or what became of it on appeal, under a name of the case alone.

    evidence: salted digest of what was looked at and why; the person holds what opens it.
    """

    TYPE: ClassVar = "conduct.decision"
    case: Digest
    decision: ConductStep
    evidence: Digest
    until: int | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParamsPolicy:
    """A policy version exists; immutable from here on."""

    TYPE: ClassVar = "params.policy"
    policy: int
    digest: Digest
    params: Parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentRegister:
    """A human experiment is fixed. digest: SHA-256 of its design; no vote of its campaigns can stand before it."""

    TYPE: ClassVar = "experiment.register"
    digest: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRotate:
    """The log goes on under a new key. signature: by the old key (core/ledger/rotation.py), base64."""

    TYPE: ClassVar = "key.rotate"
    origin: Name
    old: Name
    new: Name
    signature: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A checkpoint was written to a chain."""

    TYPE: ClassVar = "anchor"
    chain: Name
    contract: Name
    transaction: Name
    size: int
    root: Digest
