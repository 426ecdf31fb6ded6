"""Opened votes by pseudonym, as a report shows them: none of an open round, reasons only for those who may read them.

Reads Vote and the blocks of rationales.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from auditing.core.stages import RoundStage
from auditing.core.values import Tier
from auditing.core.voting.commitment import rationale_digest
from auditing.core.voting.rationale import Rationale, read
from auditing.models import Audit, Vote
from auditing.selectors.model_tier.endpoints import family_name
from hdag.store import content


@dataclass(frozen=True, slots=True)
class VoteLine:
    """One opened vote, by pseudonym."""

    auditor: str
    tier: str
    choice: str
    confidence: float | None
    rationale: Rationale
    is_simulated: bool
    family: str = ""  # of a model
    sealed: dict[str, str] = field(default_factory=dict)  # of a checker: its rationale with salt and digest


def shared_family(votes: Sequence[VoteLine]) -> str:
    """The family that several models' votes on one segment all come from; "" where they differ or one stands alone."""
    families = [vote.family for vote in votes if vote.family]
    return families[0] if len(families) > 1 and len(set(families)) == 1 else ""


def votes_of(*, audit: Audit, reasons: bool) -> dict[Any, list[VoteLine]]:
    """Opened votes of tallied rounds only, by segment; without `reasons`, what people wrote is left out."""
    votes: dict[Any, list[VoteLine]] = defaultdict(list)
    rows = Vote.objects.filter(seat__round__audit=audit, seat__round__stage=RoundStage.TALLIED).select_related(
        "seat__round", "seat__auditor__endpoint", "rationale"
    )
    rows = rows.order_by("seat__round__number", "seat__place")
    content.fetch(vote.rationale for vote in rows)
    for vote in rows:
        rationale, tier = read(text=content.read(vote.rationale)), vote.seat.round.tier
        if tier == Tier.HUMAN and not reasons:
            rationale = replace(rationale, reason="")
        endpoint = vote.seat.auditor.endpoint
        votes[vote.seat.round.segment_id].append(
            VoteLine(
                auditor=f"auditor {bytes(vote.seat.pseudonym).hex()[:6]}",
                tier=tier,
                choice=vote.choice,
                confidence=None if vote.confidence is None else vote.confidence / 10_000,
                rationale=rationale,
                is_simulated=vote.seat.auditor.is_simulated,
                family="" if endpoint is None else family_name(endpoint),
                sealed=_sealed(vote) if tier == Tier.COMPUTER else {},
            )
        )
    return votes


def _sealed(vote: Vote) -> dict[str, str]:
    """What auditing/verifier/verify_proofs.py asks for: the rationale as it was sealed, its salt and its digest."""
    if not vote.rationale_nonce:
        return {}
    text, rnonce = content.read(vote.rationale), bytes(vote.rationale_nonce)
    return {"rationale": text, "rnonce": rnonce.hex(), "digest": rationale_digest(rnonce=rnonce, text=text).hex()}
