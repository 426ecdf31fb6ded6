"""Opened votes by pseudonym, as a report shows them: none of an open round, reasons only for those who may read them.

Reads Vote and the blocks of rationales.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.db.models import F

from auditing.checker.findings import Finding
from auditing.core.stages import RoundStage
from auditing.core.values import Tier
from auditing.core.voting.commitment import rationale_digest
from auditing.core.voting.rationale import Rationale, read
from auditing.models import Audit, Vote
from auditing.selectors.model_tier.endpoints import family_word
from hdag.store import content

MOST_FINDINGS = 3  # of one vote; a page of its own has them all


@dataclass(frozen=True)
class VoteLine:
    """One opened vote, by pseudonym; what was written is decrypted where somebody reads it.

    A page of 2,000 segments shows the reasons of one.
    """

    auditor: str
    tier: str
    choice: str
    confidence: float | None
    is_simulated: bool
    family: str  # of a model
    shows_reason: bool
    vote: Vote = field(repr=False, compare=False)

    @cached_property
    def rationale(self) -> Rationale:
        """What was written, as far as the visitor may read it. Raises ContentGoneError, ContentDamagedError."""
        rationale = read(text=content.read(self.vote.rationale))
        return rationale if self.shows_reason else replace(rationale, reason="")

    @property
    def telling(self) -> tuple[Finding, ...]:
        """A few findings: what is refuted for certain first, for a failing vote rests on it, then what is doubted."""
        return tuple(sorted(self.rationale.evidence, key=lambda one: (not one.accuses, not one.doubts))[:MOST_FINDINGS])

    @cached_property
    def sealed(self) -> dict[str, str]:
        """Of a checker what verify_proofs.py asks for: the rationale as it was sealed, its salt and its digest."""
        if self.tier != Tier.COMPUTER or not self.vote.rationale_nonce:
            return {}
        text, rnonce = content.read(self.vote.rationale), bytes(self.vote.rationale_nonce)
        return {"rationale": text, "rnonce": rnonce.hex(), "digest": rationale_digest(rnonce=rnonce, text=text).hex()}


def shared_family(votes: Sequence[VoteLine]) -> str:
    """The family that several models' votes on one segment all come from; "" where they differ or one stands alone."""
    families = [vote.family for vote in votes if vote.family]
    return families[0] if len(families) > 1 and len(set(families)) == 1 else ""


def votes_of(*, audit: Audit, reasons: bool) -> dict[Any, list[VoteLine]]:
    """Opened votes of tallied rounds only, by segment; without `reasons`, what people wrote is left out."""
    votes: dict[Any, list[VoteLine]] = defaultdict(list)
    opened = Vote.objects.filter(seat__round__audit=audit, seat__round__stage=RoundStage.TALLIED)
    # Columns in place of five instances a vote: of a long trace that is most of what a page would make.
    rows: Any = (
        opened.select_related("rationale")
        .only("choice", "confidence", "rationale_nonce", "rationale")
        .annotate(
            segment=F("seat__round__segment"),
            tier=F("seat__round__tier"),
            pseudonym=F("seat__pseudonym"),
            is_simulated=F("seat__auditor__is_simulated"),
            endpoint=F("seat__auditor__endpoint__name"),
            stated_family=F("seat__auditor__endpoint__family"),
        )
        .order_by("seat__round__number", "seat__place")
    )
    content.fetch(vote.rationale for vote in rows)
    for vote in rows:
        votes[vote.segment].append(
            VoteLine(
                auditor=f"auditor {bytes(vote.pseudonym).hex()[:6]}",
                tier=vote.tier,
                choice=vote.choice,
                confidence=None if vote.confidence is None else vote.confidence / 10_000,
                is_simulated=vote.is_simulated,
                family="" if vote.endpoint is None else family_word(family=vote.stated_family, name=vote.endpoint),
                shows_reason=reasons or vote.tier != Tier.HUMAN,
                vote=vote,
            )
        )
    return votes
