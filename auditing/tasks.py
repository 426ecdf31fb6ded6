"""Celery's doors: each takes an id, looks at the clock, and calls one service. Running one twice changes nothing."""

from celery import shared_task

from auditing.models import Audit, Round
from auditing.selectors.clock import database_now
from auditing.services import corridor, demo


@shared_task(name="auditing.walk_audit", queue="computer")
def walk_audit(audit_id: str) -> str:
    """Take one audit through every door that opens now."""
    audit = Audit.objects.select_related("trace__payload", "policy", "campaign", "decomposition").get(pk=audit_id)
    return str(corridor.walk(audit=audit, now=database_now()))


@shared_task(name="auditing.walk_due")
def walk_due() -> int:
    """The sweep: whatever is due moves on, whichever bell was lost."""
    return corridor.walk_due(now=database_now())


@shared_task(name="auditing.walk_round")
def walk_round(round_id: str) -> bool:
    """Take one round through the door that opens now."""
    found = Round.objects.select_related("audit__policy", "audit__trace", "audit__campaign", "segment")
    return corridor.walk_round(round=found.get(pk=round_id), now=database_now())


@shared_task(name="auditing.simulate")
def simulate() -> int:
    """Simulated reviewers, if the demo has any, vote on the seats they hold."""
    return demo.tick(seed=int(database_now().timestamp()))
