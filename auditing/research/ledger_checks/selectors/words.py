"""Leaves of the ledger described for readers: a sentence for each type, and the fields as they are published."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from auditing.models import Audit, Leaf
from auditing.selectors.seating.rosters import segment_lines
from hdag.rendering.states import word_of

SAYS = {
    "params.policy": "A version of a policy was published.",
    "submission": "A trace was handed in; only the digest of its encrypted content stands here.",
    "eligible.extend": "Auditors were added behind the list of those who may be drawn.",
    "audit.open": "An audit opened: its parameters, its segments, who may be drawn, and the draw's sealed secret.",
    "round.open": "A segment went before a tier of auditors.",
    "seat.assign": "Seats were filled by the draw; who sits where is hidden until the votes are opened.",
    "substitution": "Silent or returned seats were drawn again.",
    "vote.commit": "A vote was sealed; it can no longer be changed.",
    "phase.reveal": "The window closed; the sealed votes are fixed and may be opened.",
    "vote.reveal": "Votes were opened with all that is needed to check their seals.",
    "vote.noreveal": "Seats had no opened vote.",
    "vote.unopened": "A seal did not hold the vote that was committed to; its key is shown, so that everybody sees it.",
    "skills": "What the rule believed of the auditors in this round.",
    "outcome.preliminary": "A round was counted.",
    "escalation": "A segment was sent on to another tier.",
    "wave.plan": "It was planned whom to ask next, and how many, or that nobody needs to be asked.",
    "segment.outcome": "A segment was decided.",
    "trace.outcome": "The trace was decided, and the secret of the draw was opened.",
    "gold.reveal": "What was known of a segment beforehand was opened.",
    "gold.overturn": "What was taken for known was overturned after a dispute; every vote on it is paid as right.",
    "reputation.update": "An auditor's reputation moved by one step.",
    "payout": "Points were posted.",
    "outcome.rollback": "An outcome was taken back for a successor audit.",
    "appeal": "Someone appealed.",
    "experiment.register": "The design of a human experiment was fixed, before any vote of it.",
    "conduct.decision": "An admin decided about a reviewer, or somebody else ruled on the appeal; no name stands here.",
    "key.rotate": "The ledger's key was handed over, signed by the old one.",
    "anchor": "A root of the ledger was written to a chain.",
}
TURNS = frozenset({"submission", "audit.open", "phase.reveal", "segment.outcome", "trace.outcome", "appeal"})
_SHOWN = ("outcome", "tier", "vote", "reason")


@dataclass(frozen=True, slots=True)
class LeafWords:
    """One leaf as a page shows it."""

    leaf: Leaf
    says: str
    fields: dict[str, Any]

    @property
    def brief(self) -> str:
        """The few fields that tell leaves of one kind apart."""
        return ", ".join(f"{name} {word_of(self.fields[name])}" for name in _SHOWN if name in self.fields)

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Every published field but kind and version, nested ones as JSON."""
        return [(name, _text(value)) for name, value in self.fields.items() if name not in ("t", "v")]


@dataclass(frozen=True, slots=True)
class Moment:
    """Neighbouring leaves of one kind, written within a minute: what happened, and to which segments."""

    says: str
    kind: str
    minute: datetime
    leaves: list["Happened"]

    @property
    def is_turn(self) -> bool:
        """Whether it decides something."""
        return self.kind in TURNS


@dataclass(frozen=True, slots=True)
class Happened:
    """One leaf of a moment: about which segment and round, and what tells it apart."""

    index: int | None
    place: str
    brief: str


def in_words(*, leaf: Leaf) -> LeafWords:
    """The leaf in words; a kind this page does not know keeps its name."""
    fields = json.loads(bytes(leaf.body))
    return LeafWords(leaf, SAYS.get(leaf.kind, f"A leaf of kind {leaf.kind}."), fields)


def moments_of(*, audit: Audit, leaves: Iterable[Leaf]) -> list[Moment]:
    """The story in moments; segments are counted as audit.open lists them, rounds as leaves do, from 0."""
    position = {str(line.segment): number for number, line in enumerate(segment_lines(audit=audit), start=1)}
    moments: list[Moment] = []
    for leaf in leaves:
        words, minute = in_words(leaf=leaf), leaf.created.replace(second=0, microsecond=0)
        if not moments or (moments[-1].kind, moments[-1].minute) != (leaf.kind, minute):
            moments.append(Moment(words.says, leaf.kind, minute, []))
        moments[-1].leaves.append(Happened(leaf.index, _place(words.fields, position), words.brief))
    return moments


def _place(fields: dict[str, Any], position: dict[str, int]) -> str:
    number = position.get(fields.get("segment", ""))
    if number is None:
        return ""
    # The verifier and the page of a leaf say the same number.
    return f"segment {number}" + (f", round {fields['round']}" if "round" in fields else "")


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
