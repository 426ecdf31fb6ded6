"""Rounds whose votes the revealer can open, and the public key that votes are sealed to.

Reads Round, Seat, PublicKey.
"""

from collections.abc import Iterable

from django.db.models import QuerySet, Subquery

from accounts.prepared import PreparedQuery
from auditing.core.stages import RoundStage, SeatStage
from auditing.models import PublicKey, Round, Seat

BATCH = 100


def rounds_to_open() -> list[Round]:
    """Closed rounds whose closing is in the log and that hold sealed votes the revealer can open."""
    return list(_to_open.rows())


# The revealer asks twice a second, and mostly there is none.
@PreparedQuery
def _to_open() -> QuerySet[Round]:
    sealed = Seat.objects.filter(stage=SeatStage.COMMITTED, commitment__sealed__isnull=False).values("round")
    rounds = Round.objects.filter(
        stage=RoundStage.REVEALING, closing_leaf__index__isnull=False, pk__in=sealed, audit__paused_at__isnull=True
    )
    read = rounds.select_related("closing_leaf", "audit").only("stage", "closing_leaf__index", "audit__stage")
    return read.order_by("stage_since")[:BATCH]


def newest_key(*, purpose: str) -> Subquery:
    """The public key in force for a purpose, as a column of another query."""
    return Subquery(PublicKey.objects.filter(purpose=purpose).order_by("-id").values("value")[:1])


def reveal_point() -> bytes | None:
    """The public key that votes are sealed to now; None before the revealer has announced one."""
    newest = _REVEAL_KEY.first()
    return None if newest is None else bytes(newest.value)


_REVEAL_KEY = PreparedQuery(lambda: PublicKey.objects.filter(purpose="reveal").order_by("-id")[:1])


def get_rounds(*, keys: Iterable[str]) -> list[Round]:
    """Rounds with what their next transition reads, those that there are."""
    rounds = Round.objects.select_related("audit__policy", "audit__trace", "audit__campaign", "segment")
    return list(rounds.filter(pk__in=keys).defer("drawn", "audit__policy__body").order_by("pk"))
