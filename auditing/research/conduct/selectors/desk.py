"""What browsers counted at the desk, by reviewer: shown to the person and to admins, beside how common it is.

Reads DeskSigns.
"""

from uuid import UUID

from django.db.models import Count, Q

from auditing.core.values import Tier
from auditing.core.voting.desk_signs import DeskSign, Shown, SignShare, sign_shares
from auditing.models import DeskSigns

SEAT = "commitment__seat__"
SHOWN = {
    DeskSign.LEFT: Q(left__gt=0),
    DeskSign.PASTED: Q(pastes__gt=0),
    DeskSign.UNEDITED: Q(pastes__gt=0, edits=0),
}


def desk_signs() -> dict[UUID, tuple[SignShare, ...]]:
    """By reviewer, each sign with its base rate; nothing of whoever has too few votes that came with counts."""
    rows = DeskSigns.objects.filter(**{f"{SEAT}round__tier": Tier.HUMAN, f"{SEAT}auditor__is_simulated": False})
    counts = {sign.name.lower(): Count("pk", filter=condition) for sign, condition in SHOWN.items()}
    by_reviewer = rows.values_list(f"{SEAT}auditor").annotate(of=Count("pk"), **counts).order_by()
    shown = {auditor: Shown(of=of, votes=dict(zip(SHOWN, votes, strict=True))) for auditor, of, *votes in by_reviewer}
    return {
        key: sign_shares(own=own, others=[row for other, row in shown.items() if other != key])
        for key, own in shown.items()
    }
