"""What browsers counted at the desk, by reviewer: shown to the person and to admins, beside how common it is.

Reads DeskSigns.
"""

from collections import defaultdict
from uuid import UUID

from auditing.core.values import Tier
from auditing.core.voting.desk_signs import Counts, SignShare, sign_shares
from auditing.models import DeskSigns

MOST = 20_000  # votes that are compared, the newest


def desk_signs() -> dict[UUID, tuple[SignShare, ...]]:
    """By reviewer, each sign with its base rate; nobody with too few votes that came with counts."""
    seat = "commitment__seat__"
    rows = DeskSigns.objects.filter(**{f"{seat}round__tier": Tier.HUMAN, f"{seat}auditor__is_simulated": False})
    fields = (f"{seat}auditor", "left", "away_ms", "pastes", "pasted", "edits")
    votes: dict[UUID, list[Counts]] = defaultdict(list)
    for auditor, left, away, pastes, pasted, edits in rows.order_by("-pk").values_list(*fields)[:MOST]:
        votes[auditor].append(Counts(left=left, away_ms=away, pastes=pastes, pasted=pasted, edits=edits))
    return {
        key: sign_shares(own=own, others=[rows for other, rows in votes.items() if other != key])
        for key, own in votes.items()
    }
