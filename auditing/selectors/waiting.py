"""Why a desk is empty: nothing for this person, all leased, everything decided, or a conflict of interest."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Min

from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Auditor, Campaign, Qualification, Round, Seat
from auditing.selectors.eligible import conflict_of, is_of_field, needs_calibration

LOOKED_AT = 300


@dataclass(frozen=True, slots=True)
class Waiting:
    """One true sentence, when to look again if that is known, and what to do."""

    reason: str  # decided, conflict, leased, calibrate or none
    title: str
    text: str
    frees_at: datetime | None = None
    domain: str = ""


DECIDED = Waiting(
    "decided", "Everything is decided", "No segment waits for people now. New ones appear here by themselves."
)
CONFLICT = Waiting(
    "conflict", "Nothing you may judge", "Segments wait for people, but each comes from someone you have a conflict of "
    "interest with: your own traces, your organisation, or what you or they declared.",
)  # fmt: skip
NONE = Waiting(
    "none", "Nothing for you now", "Segments wait for people, but the draws gave you none: they are outside your "
    "fields, you voted on them already, or others come first. A seat that is passed on appears here by itself.",
)  # fmt: skip


def why_empty(*, auditor: Auditor, now: datetime) -> Waiting:
    """The reason why claim_next found no seat for this reviewer."""
    waiting = Round.objects.filter(
        tier=Tier.HUMAN,
        stage__in=(RoundStage.SEATED, RoundStage.COMMITTING),
        audit__campaign__state=Campaign.State.OPEN,
    ).select_related("audit__trace__provider__profile")
    rounds = list(waiting.order_by("pk")[:LOOKED_AT])
    if not rounds:
        return DECIDED
    providers = {round.audit.trace.provider_id: round.audit.trace.provider for round in rounds}
    barred = {key for key, one in providers.items() if conflict_of(user=auditor.user, provider=one)}
    mine = [round for round in rounds if round.audit.trace.provider_id not in barred]
    if not mine:
        return CONFLICT
    return _calibration(auditor, mine) or _leased(auditor, mine, now) or NONE


def _calibration(auditor: Auditor, rounds: list[Round]) -> Waiting | None:
    profile = getattr(auditor.user, "profile", None)
    domains = {round.audit.trace.domain for round in rounds}
    passed = Qualification.objects.filter(auditor=auditor, state=Qualification.State.PASSED)
    known = set(passed.values_list("domain", flat=True))
    for domain in sorted(domains - known):
        if is_of_field(profile=profile, domain=domain) and needs_calibration(domain=domain):
            return Waiting(
                "calibrate", "First the calibration", f"Segments of {domain} wait. Seats there open once you have "
                "passed its calibration set.", domain=domain,
            )  # fmt: skip
    return None


def _leased(auditor: Auditor, rounds: list[Round], now: datetime) -> Waiting | None:
    """Others hold the seats that this reviewer would be offered next."""
    after = [round.pk for round in rounds if str(auditor.pk) in round.drawn[round.next_drawn :]]
    held = Seat.objects.filter(round__in=after, stage=SeatStage.HELD, lease_until__gt=now)
    frees_at = held.aggregate(first=Min("lease_until"))["first"]
    if frees_at is None:
        return None
    return Waiting(
        "leased", "All taken at the moment", "Other reviewers hold the seats that would come to you next.", frees_at
    )
