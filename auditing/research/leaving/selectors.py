"""What stands open when a person wants to leave. Reads Seat, Commitment, Audit, RoleGrant."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from accounts.models import User
from accounts.selectors.people import is_last_admin
from auditing.core.stages import AuditStage, SeatStage
from auditing.models import Audit, Commitment, Seat

ENDED = (AuditStage.RECORDED, AuditStage.FAILED, AuditStage.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Leaving:
    """Counts of what is open; what must be finished first has a deadline, or can be withdrawn."""

    open_seats: int  # given back
    sealed: int  # opened by the revealer when their windows close, as if nobody had left
    kept: int  # sealed under the own key: nobody else can open them, and left behind they would count as silent
    kept_until: datetime | None  # the last of their present windows ends then
    open_audits: int  # of own traces: name and organisation are masked in them for as long as people read them
    is_last_admin: bool

    @property
    def must_wait(self) -> bool:
        """Whether something must be finished first."""
        return bool(self.kept or self.open_audits or self.is_last_admin)


def leaving_of(*, user: User) -> Leaving:
    """What stands open for a person."""
    sealed = Commitment.objects.filter(seat__auditor__user=user, seat__stage=SeatStage.COMMITTED)
    own = sealed.filter(sealed__isnull=True)
    count = own.count()
    seats = Seat.objects.filter(auditor__user=user, stage__in=(SeatStage.OFFERED, SeatStage.HELD))
    return Leaving(
        open_seats=seats.count(),
        sealed=sealed.count() - count,
        kept=count,
        kept_until=own.aggregate(last=Max("seat__round__due_at"))["last"],
        open_audits=Audit.objects.filter(trace__provider=user).exclude(stage__in=ENDED).count(),
        is_last_admin=is_last_admin(user=user),
    )
