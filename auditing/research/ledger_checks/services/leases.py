"""I9, I11: nothing is overdue, and nobody holds anything longer than a lease and its grace.

Reads Round, Audit, Seat, Decomposition and every table of jobs; writes nothing.
"""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Coalesce

from auditing.core.stages import AuditStage, RoundStage, SeatStage
from auditing.models import Audit, Job, Round, Seat
from auditing.research.ledger_checks.services.survey import Survey
from auditing.services.corridor import WORKING
from hdag.models import Decomposition

GRACE = timedelta(seconds=60)  # twenty sweeps
LONG_GRACE = timedelta(hours=2)  # a long job waits for a worker that is busy with another one


def in_time(survey: Survey) -> Iterator[str]:
    """I9. What the sweep should have moved a minute ago."""
    late = survey.now - GRACE
    rounds = Round.objects.exclude(stage=RoundStage.TALLIED).filter(
        Q(stage=RoundStage.REVEALING) | Q(audit__campaign__paused_at__isnull=True),
        audit__stage=AuditStage.AUDITING,
        audit__paused_at__isnull=True,
    )
    for row in rounds.annotate(due=Coalesce("due_at", "stage_since")).filter(due__lt=late).order_by("due"):
        yield f"round {row.pk} is {row.stage} and was due at {row.due:%Y-%m-%d %H:%M:%S}"
    # Audits that only wait for a worker; settled ones wait for the sequencer, which may be stopped.
    is_free = Q(lease_until__isnull=True) | Q(lease_until__lt=late)
    stuck = Audit.objects.filter(is_free, stage__in=WORKING, stage_since__lt=late, paused_at__isnull=True).exclude(
        stage=AuditStage.SETTLED
    )
    yield from (f"audit {row.pk} is {row.stage} since {row.stage_since:%Y-%m-%d %H:%M:%S}" for row in stuck)
    # Audits whose last round was tallied a minute ago or longer.
    done = Audit.objects.filter(is_free, stage=AuditStage.AUDITING, stage_since__lt=late, rounds__isnull=False)
    open_rounds = Round.objects.exclude(stage=RoundStage.TALLIED).values("audit")
    fresh = Round.objects.filter(stage_since__gte=late).values("audit")
    for audit in done.exclude(pk__in=open_rounds).exclude(pk__in=fresh).distinct():
        yield f"audit {audit.pk} has no open round and is not decided"


def returned(survey: Survey) -> Iterator[str]:
    """I11. Leases of seats, audits, graphs and long jobs."""
    late, very_late = survey.now - GRACE, survey.now - LONG_GRACE
    seats = Seat.objects.filter(
        stage=SeatStage.HELD,
        lease_until__lt=late,
        round__stage=RoundStage.COMMITTING,
        round__audit__campaign__paused_at__isnull=True,
    )
    yield from (f"seat {row.pk} is held beyond its lease" for row in seats.order_by("lease_until"))
    audits = Audit.objects.filter(lease_until__lt=late, stage__in=WORKING)
    yield from (f"audit {row.pk} is leased beyond its lease" for row in audits.order_by("lease_until"))
    graphs = Decomposition.objects.filter(state=Decomposition.State.RUNNING, lease_until__lt=late)
    yield from (f"graph {row.pk} is leased beyond its lease" for row in graphs.order_by("lease_until"))
    for table in Job.__subclasses__():
        jobs = table._default_manager.filter(state=table.State.RUNNING, lease_until__lt=very_late)
        yield from (f"{table.__name__} {row.pk} is leased beyond its lease" for row in jobs.order_by("lease_until"))
