"""What a browser counted at the desk, kept beside a sealed vote: numbers alone, given freely, and deciding nothing.

Reads nothing; writes DeskSigns.
"""

from auditing.core.voting.desk_signs import Counts
from auditing.models import Commitment, DeskSigns


def keep_signs(*, vote: Commitment, counts: Counts) -> None:
    """Keep what came with the vote that was accepted; the same vote sent again changes nothing."""
    row = DeskSigns(
        commitment=vote,
        left=counts.left,
        away_ms=counts.away_ms,
        pastes=counts.pastes,
        pasted=counts.pasted,
        edits=counts.edits,
    )
    DeskSigns.objects.bulk_create([row], ignore_conflicts=True)
