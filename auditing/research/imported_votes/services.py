"""Votes from elsewhere are taken in: marked imported, never sealed, never paid.

Writes ImportedVoteSet, ImportedVote, Block.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from accounts.models import User
from auditing.core.events import EventKind
from auditing.core.values import Tier
from auditing.research.imported_votes.records import ImportedVote, Layout
from auditing.research.models import ImportedVote as VoteRow
from auditing.research.models import ImportedVoteSet
from auditing.services.events import record_event
from hdag.core.canonical import encode
from hdag.store import content

BATCH = 2000


@dataclass(frozen=True, slots=True)
class Stored:
    """The set, and whether it is new."""

    set: ImportedVoteSet
    is_new: bool


def store_votes(
    *, owner: User, title: str, layout: Layout, votes: Sequence[ImportedVote], domain: str = "", tier: Tier = Tier.HUMAN
) -> Stored:
    """All votes in one transaction: all or none. The same votes of one person twice are one set."""
    digest = digest_of(votes)
    try:
        with transaction.atomic():
            made = ImportedVoteSet.objects.create(
                owner=owner, title=title[:120], layout=layout, domain=domain, tier=tier, digest=digest
            )
            for at in range(0, len(votes), BATCH):
                VoteRow.objects.bulk_create(_rows(made, votes[at : at + BATCH]))
            record_event(audit=None, kind=EventKind.VOTES_IMPORTED, actor=owner, set=str(made.pk), votes=len(votes))
    # The unique constraint decides between two uploads of the same votes at the same time.
    except IntegrityError:
        earlier = ImportedVoteSet.objects.filter(owner=owner, digest=digest).first()
        if earlier is None:
            raise
        return Stored(earlier, False)
    return Stored(made, True)


def forget_votes(*, set: ImportedVoteSet, actor: User) -> int:
    """Take a set away with its votes; their reasons become unreadable."""
    with transaction.atomic():
        votes = list(VoteRow.objects.filter(set=set, reason__isnull=False).select_related("reason"))
        # The keys of the blocks are destroyed, so that no copy of the database can show the reasons.
        content.erase([vote.reason for vote in votes if vote.reason])
        record_event(audit=None, kind=EventKind.VOTES_FORGOTTEN, actor=actor, set=str(set.pk))
        return set.delete()[0]


def digest_of(votes: Sequence[ImportedVote]) -> bytes:
    """SHA-256 over the votes in canonical JSON, in order of item and auditor."""
    whole = hashlib.sha256()
    # The digest does not depend on the order of the lines in the file.
    for vote in sorted(votes, key=lambda vote: (vote.item, vote.auditor)):
        fields = [
            vote.item,
            vote.auditor,
            str(vote.choice),
            sorted(vote.classes),
            str(vote.seconds),
            vote.reason,
            str(vote.confidence),
            vote.level,
        ]
        whole.update(encode(value={"vote": fields}) + b"\n")
    return whole.digest()


def _rows(made: ImportedVoteSet, votes: Sequence[ImportedVote]) -> list[VoteRow]:
    # Blocks are stored in one batch; only votes with a reason take the next one.
    reasons = iter(content.store([vote.reason for vote in votes if vote.reason]))
    return [
        VoteRow(
            set=made,
            item=vote.item,
            auditor=vote.auditor,
            choice=vote.choice,
            confidence=vote.confidence,
            classes=sorted(vote.classes),
            seconds=vote.seconds,
            level=vote.level,
            reason=next(reasons) if vote.reason else None,
        )
        for vote in votes
    ]
