"""An admin has looked at the signs in a reviewer's votes, and decides. No sign decides by itself.

Reads Auditor; writes AuditEvent, Notice.
"""

from django.db import transaction

from accounts.models import User
from auditing.core.events import EventKind
from auditing.models import AuditEvent, Auditor, Notice
from auditing.research.conduct.core import Decision
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event


class OwnConductError(Exception):
    """Nobody decides about the own votes."""


def decide(*, auditor: Auditor, decision: Decision, why: str, actor: User) -> None:
    """Record what an admin decided about a reviewer, and tell that person, with the reason. Raises OwnConductError."""
    if auditor.user is None or auditor.user_id == actor.pk:
        raise OwnConductError(OwnConductError.__doc__)
    texts = {
        Decision.WARNED: "An admin looked at your votes and asks you to read more closely",
        Decision.CLEARED: "An admin looked at your votes and found nothing to object to",
    }
    with transaction.atomic():
        record_event(
            audit=None, actor=actor, kind=EventKind.CONDUCT_DECIDED, auditor=str(auditor.pk), word=decision, why=why
        )
        # A key of its own each time: a second warning is news.
        key = f"conduct:{AuditEvent.objects.filter(kind=EventKind.CONDUCT_DECIDED).latest('pk').pk}"
        text = f"{texts[decision]}: {why}" if why else f"{texts[decision]}."
        tell_people(people=[auditor.user], kind=Notice.Kind.DECISION, key=key, text=text, link="/record#conduct")
